//! Measures the worst error of every function of one argument over all 2^32 arguments, of two over random pairs: the
//! figures of `docs/maths.md`. `cargo run --release -p stillframe-base --example ops_error [STRIDE] [NAME ...]`;
//! minutes a function without a stride.

use stillframe_base::par::Pool;
use stillframe_testkit::ops::{BINARY, UNARY, error_ulp, worst};

const CHUNK: u64 = 1 << 20;

fn main() {
    let mut only: Vec<String> = std::env::args().skip(1).collect();
    let stride = only.first().and_then(|first| first.parse::<usize>().ok());
    if stride.is_some() {
        only.remove(0);
    }
    let stride = stride.unwrap_or(1);
    let wanted = |name: &str| only.is_empty() || only.iter().any(|only| only == name);
    let pool = Pool::new(0);
    for function in UNARY.iter().filter(|f| wanted(f.name)) {
        let parts = pool.map(((1u64 << 32) / CHUNK) as usize, |index| {
            let first = index as u64 * CHUNK;
            worst(function, (first..first + CHUNK).step_by(stride).map(|bits| bits as u32))
        });
        let (error, at) = parts.into_iter().fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
        println!("{:<14}{error:.4} ulp of {} at {at:e} ({:#010x})", function.name, function.ulp, at.to_bits());
    }
    for function in BINARY.iter().filter(|f| wanted(f.name)) {
        let parts = pool.map(512, |index| {
            let mut state = index as u64 * 0x9E37_79B9_7F4A_7C15 + 1;
            let mut worst = (0.0, 0.0, 0.0);
            for round in 0..CHUNK {
                // SplitMix64 (Steele 2014).
                state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
                let z = z ^ z >> 31;
                let (mut x, mut y) = (f32::from_bits(z as u32), f32::from_bits((z >> 32) as u32));
                if round % 4 != 0 {
                    // Most pairs near one exponent, where the interesting values lie.
                    x = f32::from_bits(x.to_bits() & 0x87FF_FFFF | 0x3800_0000);
                    y = f32::from_bits(y.to_bits() & 0x87FF_FFFF | 0x3C00_0000);
                }
                let error = error_ulp((function.scalar)(x, y), (function.oracle)(f64::from(x), f64::from(y)));
                if error > worst.0 {
                    worst = (error, x, y);
                }
            }
            worst
        });
        let (error, x, y) = parts.into_iter().fold((0.0, 0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a });
        println!("{:<14}{error:.4} ulp of {} at ({x:e}, {y:e})", function.name, function.ulp);
    }
}
