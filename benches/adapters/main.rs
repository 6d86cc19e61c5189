//! The software adapter beside another one (llvmpipe unless named otherwise), driven by the same wgpu code in one run.
//!
//! `cargo bench --bench adapters [-- [FILTER] [--against PART] [--rounds N] [--json FILE]]`. Steady frames are measured
//! in turn (ours, theirs, ours, ...), and the medians and their ratio are printed, so that a noisy machine disturbs
//! both alike. `first use` and `process` start fresh processes. Without the other adapter only our own column is
//! printed.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]

mod first_use;
mod harness;
mod workloads;

use harness::{Arguments, Device, Row};

fn main() {
    let arguments = Arguments::from_command_line();
    if let Some(child) = &arguments.child {
        first_use::child(child, &arguments);
        return;
    }
    let ours = Device::soft(0);
    let single = Device::soft(1);
    let theirs = Device::native(&arguments.against);
    println!("ours: {}", ours.describe());
    match &theirs {
        Some(d) => println!("theirs: {}", d.describe()),
        None => println!("theirs: no adapter named `{}` here", arguments.against),
    }
    let mut rows = Vec::new();
    for workload in workloads::ALL {
        if arguments.wants(workload.name) {
            rows.push(harness::steady(workload, &ours, &single, theirs.as_ref(), &arguments));
            println!("{}", rows.last().expect("just pushed"));
        }
    }
    for row in first_use::rows(&arguments, theirs.is_some()) {
        println!("{row}");
        rows.push(row);
    }
    if let Some(file) = &arguments.json {
        Row::write_json(&rows, file);
    }
}
