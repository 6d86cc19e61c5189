//! Shader programs alone, on one thread and without a rasteriser: milliseconds for a picture, by instruction set.
//!
//! `lights`: 16 GGX lights over 512x512. `spheres`: sphere tracing, loops that end at different times, 512x288.
//! `cargo bench -p stillframe-soft --bench exec [NAME] [ISA]`.

#![expect(clippy::disallowed_methods, reason = "a bench reads the clock")]

use std::time::{Duration, Instant};

use stillframe_base::lanes::Isa;
use stillframe_soft::bench::Fragments;

const CASES: [(&str, &str, usize, usize); 2] =
    [("lights", include_str!("lights.wgsl"), 512, 512), ("spheres", include_str!("spheres.wgsl"), 512, 288)];

/// Time that this thread has run, where the system tells (others' work does not count); else time that has passed.
fn clock(since: Instant) -> Duration {
    let known = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = known.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| since.elapsed(), Duration::from_nanos)
}

fn main() {
    let started = Instant::now();
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wanted = |name: &str| words.is_empty() || words.iter().any(|w| w == name);
    let isas: Vec<Isa> = Isa::available().into_iter().filter(|isa| words.iter().any(|w| *w == isa.name())).collect();
    let isas = if isas.is_empty() { Isa::available() } else { isas };
    for (name, wgsl, width, height) in CASES {
        if words.iter().any(|w| CASES.iter().any(|c| c.0 == w)) && !wanted(name) {
            continue;
        }
        Fragments::new(wgsl, &uniforms());
        let before = clock(started);
        let mut fragments = Fragments::new(wgsl, &uniforms());
        println!("{name}: parsed, checked and lowered in {:.3} ms", (clock(started) - before).as_secs_f64() * 1e3);
        if words.iter().any(|w| w == "dump") {
            println!("{}", fragments.disassemble());
        }
        let mut first = None;
        for &isa in &isas {
            fragments.set_isa(isa);
            let sum = fragments.shade(width, height);
            assert_eq!(*first.get_or_insert(sum), sum, "{isa} gives other bits");
            let rounds = if isa == Isa::Scalar { 1 } else { 7 };
            let mut times: Vec<f64> = (0..rounds)
                .map(|_| {
                    let before = clock(started);
                    assert_eq!(fragments.shade(width, height), sum);
                    (clock(started) - before).as_secs_f64() * 1e3
                })
                .collect();
            times.sort_by(f64::total_cmp);
            println!("  {:<8} {:8.2} ms (least {:.2})", isa.name(), times[times.len() / 2], times[0]);
        }
    }
}

/// A block of plausible numbers: positions, colours, a camera.
fn uniforms() -> Vec<f32> {
    (0..256).map(|k| ((k * 37 % 64) as f32 - 20.0) * 0.1 + 0.35).collect()
}
