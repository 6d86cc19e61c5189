//! Costs that only a fresh process shows: first use of 24 pipelines, and process start to PNG.

use std::process::{Command, Stdio};
use std::time::Instant;

use crate::harness::{Arguments, Device, Row, median};
use crate::workloads;

const PIPELINES: &str = "first use of 24 pipelines";
const PROCESS: &str = "process to PNG, 16 lights";

pub fn rows(a: &Arguments, theirs: bool) -> Vec<Row> {
    let mut out = Vec::new();
    if a.wants(PIPELINES) {
        let run = |adapter: &str| {
            let program = std::env::current_exe().expect("this program has a path");
            let output = Command::new(program)
                .args(["--child", adapter, "--against", &a.against])
                .env("MESA_SHADER_CACHE_DISABLE", "true")
                .stderr(Stdio::inherit())
                .output()
                .expect("the child starts");
            String::from_utf8_lossy(&output.stdout).trim().parse::<f64>().expect("the child prints milliseconds")
        };
        out.push(paired(PIPELINES, 0.05, 5, theirs, &run));
    }
    if a.wants(PROCESS) {
        let run = |adapter: &str| {
            let start = Instant::now();
            let adapter = if adapter == "soft" { "soft".to_owned() } else { format!("native:{}", a.against) };
            let status = Command::new(env!("CARGO_BIN_EXE_stillframe"))
                .args(["render", "benches/adapters/sixteen_lights.toml", "-q", "-o"])
                .arg(std::env::temp_dir().join(format!("stillframe-bench-{}.png", std::process::id())))
                .args(["--adapter", &adapter])
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .status()
                .expect("stillframe starts");
            assert!(status.success(), "stillframe render failed");
            start.elapsed().as_secs_f64() * 1e3
        };
        out.push(paired(PROCESS, 0.5, 15, theirs, &run));
    }
    out
}

fn paired(name: &str, bar: f64, rounds: usize, theirs: bool, run: &dyn Fn(&str) -> f64) -> Row {
    let (mut us, mut them) = (Vec::new(), Vec::new());
    for round in 0..rounds + 1 {
        let (ours_ms, theirs_ms) = (run("soft"), theirs.then(|| run("native")));
        if round > 0 {
            us.push(ours_ms);
            them.extend(theirs_ms);
        }
    }
    let theirs_ms = theirs.then(|| median(&mut them));
    Row { name: name.into(), ours_ms: median(&mut us), single_ms: None, theirs_ms, cpu_ms: Vec::new(), bar }
}

/// The process that measures 24 fresh pipelines, from WGSL text to the first finished draw of each.
pub fn child(adapter: &str, a: &Arguments) {
    let device = if adapter == "soft" {
        Device::soft(0)
    } else {
        Device::native(&a.against).expect("the parent found this adapter")
    };
    let target = workloads::target(&device, 64, 64, stillframe_soft::wgpu::TextureFormat::Rgba8Unorm);
    let start = Instant::now();
    for number in 0..24 {
        let mut frame = workloads::variant(&device, &target, number);
        frame();
    }
    println!("{}", start.elapsed().as_secs_f64() * 1e3);
}
