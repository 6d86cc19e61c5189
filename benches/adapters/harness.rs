//! Devices, interleaved timing and the table.

use std::fmt;
use std::time::Instant;

use stillframe_soft::wgpu;

/// What the command line asks for.
pub struct Arguments {
    pub filter: String,
    pub against: String,
    pub rounds: usize,
    pub json: Option<String>,
    /// Set in processes that the bench starts itself: which adapter to use.
    pub child: Option<String>,
}

impl Arguments {
    pub fn from_command_line() -> Arguments {
        let mut out =
            Arguments { filter: String::new(), against: "llvmpipe".into(), rounds: 15, json: None, child: None };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().unwrap_or_else(|| panic!("{word} needs a value"));
            match word.as_str() {
                "--bench" => {}
                "--against" => out.against = value(),
                "--rounds" => out.rounds = value().parse().expect("--rounds takes a number"),
                "--json" => out.json = Some(value()),
                "--child" => out.child = Some(value()),
                _ => out.filter = word,
            }
        }
        out
    }

    pub fn wants(&self, name: &str) -> bool {
        name.contains(&self.filter)
    }
}

/// One adapter, opened.
pub struct Device {
    pub adapter: wgpu::Adapter,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Device {
    /// The software adapter; 0 threads = all cores.
    pub fn soft(threads: usize) -> Device {
        let options = stillframe_soft::Options { threads, ..Default::default() };
        let instance = stillframe_soft::instance(&options);
        let adapter = pollster::block_on(instance.request_adapter(&Default::default())).expect("the software adapter");
        Device::open(adapter)
    }

    /// The first native adapter whose name holds `part`.
    pub fn native(part: &str) -> Option<Device> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        adapters.into_iter().find(|a| a.get_info().name.contains(part)).map(Device::open)
    }

    fn open(adapter: wgpu::Adapter) -> Device {
        let (device, queue) = pollster::block_on(adapter.request_device(&Default::default())).expect("a device");
        Device { adapter, device, queue }
    }

    pub fn describe(&self) -> String {
        let info = self.adapter.get_info();
        format!("{} ({})", info.name, info.driver_info)
    }

    /// Waits until everything submitted is done.
    pub fn wait(&self) {
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device goes on");
    }
}

/// A frame that can be drawn again and again.
pub type Frame<'d> = Box<dyn FnMut() + 'd>;

/// A named steady workload.
pub struct Workload {
    pub name: &'static str,
    pub prepare: for<'d> fn(&'d Device) -> Frame<'d>,
    /// The ratio to stay under.
    pub bar: f64,
}

/// One line of the table; times in milliseconds.
pub struct Row {
    pub name: String,
    pub ours_ms: f64,
    pub single_ms: Option<f64>,
    pub theirs_ms: Option<f64>,
    /// Mean processor time of a frame, all threads together: ours, ours on one thread, theirs.
    pub cpu_ms: Vec<f64>,
    pub bar: f64,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<28} ours {:>9.3} ms", self.name, self.ours_ms)?;
        if let Some(t) = self.theirs_ms {
            let ratio = self.ours_ms / t;
            let verdict = if ratio <= self.bar { "ok" } else { "OVER" };
            write!(f, "   theirs {t:>9.3} ms   ratio {ratio:>6.3} (bar {}) {verdict}", self.bar)?;
        }
        if let Some(s) = self.single_ms {
            write!(f, "   one thread {s:>9.3} ms, second thread {:.2}x", s / self.ours_ms)?;
        }
        if let [ours, single, theirs] = self.cpu_ms[..] {
            write!(f, "   cpu {ours:.1} ({single:.1} on one thread) of {theirs:.1} ms, ratio {:.3}", ours / theirs)?;
        }
        Ok(())
    }
}

impl Row {
    pub fn write_json(rows: &[Row], file: &str) {
        let rows: Vec<_> = rows
            .iter()
            .map(|r| serde_json::json!({"name": r.name, "unit": "ms", "median": r.ours_ms, "one_thread": r.single_ms, "peer": r.theirs_ms}))
            .collect();
        let text = serde_json::json!({"schema": "bench/1", "rows": rows}).to_string();
        std::fs::write(file, text + "\n").expect("the JSON file can be written");
    }
}

pub fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Processor time of all living threads of this process; `None` where the system does not tell. It hardly sees other
/// processes, so on a busy machine it says more than the time that passed.
fn cpu_ms() -> Option<f64> {
    let mut sum_ns = 0.0;
    for task in std::fs::read_dir("/proc/self/task").ok()? {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        sum_ns += text.split_whitespace().next()?.parse::<f64>().ok()?;
    }
    Some(sum_ns / 1e6)
}

/// Draws the workload in turn on each device after a warm-up.
pub fn steady(workload: &Workload, ours: &Device, single: &Device, theirs: Option<&Device>, a: &Arguments) -> Row {
    let devices: Vec<&Device> = [Some(ours), Some(single), theirs].into_iter().flatten().collect();
    let mut frames: Vec<Frame<'_>> = devices.iter().map(|d| (workload.prepare)(d)).collect();
    let mut times = vec![Vec::new(); frames.len()];
    let mut cpu_ms_of = vec![0.0; frames.len()];
    for round in 0..a.rounds + 2 {
        for (which, frame) in frames.iter_mut().enumerate() {
            let (cpu_before, start) = (cpu_ms(), Instant::now());
            frame();
            let ms = start.elapsed().as_secs_f64() * 1e3;
            if round >= 2 {
                times[which].push(ms);
                if let (Some(before), Some(after)) = (cpu_before, cpu_ms()) {
                    cpu_ms_of[which] += (after - before) / a.rounds as f64;
                }
            }
        }
    }
    let mut medians = times.iter_mut().map(|t| median(t));
    Row {
        name: workload.name.into(),
        ours_ms: medians.next().expect("ours"),
        single_ms: medians.next(),
        theirs_ms: medians.next(),
        cpu_ms: if cpu_ms().is_some() { cpu_ms_of } else { Vec::new() },
        bar: workload.bar,
    }
}
