//! Machine: what figures were measured on.

use serde_json::{Value, json};
use stillframe_base::lanes::Isa;

pub fn json() -> Value {
    json!({
        "processor": processor(),
        "cores": cores(),
        "architecture": std::env::consts::ARCH,
        "system": std::env::consts::OS,
        "isa_levels": levels(),
        "isa": Isa::detect().name(),
        "build": if cfg!(debug_assertions) { "development" } else { "release" },
    })
}

pub fn words() -> String {
    let processor = processor().unwrap_or_else(|| std::env::consts::ARCH.to_string());
    format!("{processor}, {} cores, {}; supports {}", cores(), std::env::consts::OS, levels().join(", "))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get())
}

fn levels() -> Vec<&'static str> {
    Isa::available().iter().map(|isa| isa.name()).collect()
}

/// Its name, where the system reports it.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let name = |key: &str| {
        let line = text.lines().find(|line| line.starts_with(key))?;
        Some(line.split_once(':')?.1.trim().to_string()).filter(|name| !name.is_empty() && name != "unknown")
    };
    name("model name").or_else(|| Some(format!("family {} model {}", name("cpu family")?, name("model")?)))
}
