//! Nanoseconds of the elementary functions on lanes, at every instruction set of this machine: figures of
//! `docs/maths.md`. `cargo bench -p stillframe-base --bench ops`.

use std::hint::black_box;
use std::time::Instant;

use stillframe_base::lanes::{Block, Isa, LANES, per_isa};
use stillframe_base::math::ops;
use stillframe_base::math::ops::block;

/// Median nanoseconds of one call, over 101 short rounds: shorter than a time slice, so that a busy machine spoils few.
#[allow(clippy::disallowed_methods, reason = "a bench reads the clock")]
fn median_ns(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    let mut calls = 0u32;
    while start.elapsed().as_micros() < 200 {
        call();
        calls += 1;
    }
    let mut rounds: Vec<f64> = (0..101)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(|_| call());
            start.elapsed().as_nanos() as f64 / f64::from(calls)
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds[50]
}

type Lanes = [f32; LANES];
type Function = fn(Isa) -> fn(&mut Lanes, &Lanes, &Lanes);

per_isa! {
    fn add(out: &mut Lanes, x: &Lanes, y: &Lanes) {
        for i in Isa::each::<LEVEL>(LANES) { out[i] = x[i] + y[i]; }
    }
    fn div(out: &mut Lanes, x: &Lanes, y: &Lanes) {
        for i in Isa::each::<LEVEL>(LANES) { out[i] = x[i] / y[i]; }
    }
    fn sqrt(out: &mut Lanes, x: &Lanes, _y: &Lanes) {
        for i in Isa::each::<LEVEL>(LANES) { out[i] = x[i].sqrt(); }
    }
    fn to_i32(out: &mut Lanes, x: &Lanes, _y: &Lanes) {
        for i in Isa::each::<LEVEL>(LANES) { out[i] = f32::from_bits(ops::to_i32(x[i]) as u32); }
    }
}

macro_rules! functions {
    ($($one:ident)*; $($two:ident)*) => {
        mod function {
            use super::*;
            per_isa! {
                $( pub fn $one(out: &mut Lanes, x: &Lanes, _y: &Lanes) { block::$one::<LEVEL>(out, x) } )*
                $( pub fn $two(out: &mut Lanes, x: &Lanes, y: &Lanes) { block::$two::<LEVEL>(out, x, y) } )*
            }
        }
        const FUNCTIONS: &[(&str, Function)] = &[
            ("add", add), ("div", div), ("sqrt", sqrt), ("to_i32", to_i32),
            $( (stringify!($one), function::$one), )* $( (stringify!($two), function::$two), )*
        ];
    };
}
functions!(
    floor inverse_sqrt exp2 exp log2 log sin cos tan asin acos sinh tanh asinh cbrt exp_m1 log10;
    pow atan2 hypot
);

fn main() {
    let levels = Isa::available();
    println!("{:<14}{}  ns for 16 lanes", "", levels.iter().map(|isa| format!("{isa:>9}")).collect::<String>());
    let x: Block = Block(std::array::from_fn(|i| (0.01f32 + i as f32 * 0.037).to_bits()));
    let y: Block = Block(std::array::from_fn(|i| (2.3f32 - i as f32 * 0.011).to_bits()));
    for (name, function) in FUNCTIONS {
        let mut line = format!("{name:<14}");
        for &isa in &levels {
            let kernel = function(isa);
            let mut out = Block::ZERO;
            let ns = median_ns(|| kernel(black_box(&mut out).as_f32_mut(), black_box(&x).as_f32(), y.as_f32()));
            line += &format!("{:>9.2}", ns * 16.0 / LANES as f64);
        }
        println!("{line}");
    }
}
