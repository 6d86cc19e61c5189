//! Ops: the elementary functions, f32, the same bits on every machine, instruction set and build.
//!
//! In: any f32, subnormals, infinities and NaN included. Out: the value within the error that `docs/maths.md` states;
//! every NaN is 0x7FC00000. Never here: the platform's maths library, `mul_add`, a result that depends on how wide a
//! loop is.
//!
//! Each function is made of `+ - * / sqrt`, integer operations, comparisons and selects, without branches, and is
//! `#[inline(always)]`: a loop over lanes vectorises and gives what the scalar gives, bit for bit. The exceptions are
//! [`sin`], [`cos`] and [`tan`], whose reduction of arguments over 2^20 is a rare branch, and [`fmod`]: for whole
//! blocks use [`block`], which does the rare lanes afterwards. The WGSL built-ins are these functions.
//!
//! Polynomials are minimax fits of our own (`docs/maths.md` says how they were made); the schemes around them are the
//! usual ones: Cody and Waite 1980 (reductions), Payne and Hanek 1983 (sine of large arguments), Tang 1990
//! (logarithms).

mod arc;
pub mod block;
mod core64;
mod exp;
mod hyper;
mod log;
mod pow;
mod root;
mod round;
mod trig;

pub use arc::{acos, asin, atan, atan2};
pub use exp::{exp, exp_m1, exp2};
pub use hyper::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use log::{log, log_1p, log2, log10};
pub use pow::pow;
pub use root::{cbrt, hypot, inverse_sqrt};
pub use round::{ceil, clamp, floor, fmod, fract, max, min, round_ties_even, to_i32, to_u32, trunc};
pub use trig::{cos, sin, sin_cos, tan};

/// The one NaN.
pub const NAN: f32 = f32::from_bits(0x7FC0_0000);

/// 1.5 * 2^23: adding it rounds a small f32 to an integer, which then stands in the low bits.
const ROUND: f32 = 12_582_912.0;

/// A select. Kept as a function so that every use reads the same and stays an expression.
#[inline(always)]
fn pick<T>(condition: bool, yes: T, no: T) -> T {
    if condition { yes } else { no }
}

/// `value`, or the one NaN for any NaN.
#[inline(always)]
pub fn canonical(value: f32) -> f32 {
    pick(value.is_nan(), NAN, value)
}

/// `value`, or `instead` for any NaN, signalling ones too. Put it before `if x > 0.0 { x } else { 0.0 }` and the like
/// where x may come from memory: that LLVM may compile to a maximum instruction, and Arm's makes a NaN of a signalling
/// NaN. Hence the test of the bits, which LLVM does not join with the comparison.
#[inline(always)]
pub fn unless_nan(value: f32, instead: f32) -> f32 {
    let bits = value.to_bits();
    f32::from_bits(pick(bits & 0x7FFF_FFFF > 0x7F80_0000, instead.to_bits(), bits))
}

/// Whether this thread keeps subnormal numbers. A program that has switched the processor to flushing them gets other
/// bits.
pub fn subnormals_are_kept() -> bool {
    let smallest = std::hint::black_box(f32::MIN_POSITIVE);
    // The first asks for a subnormal result, the second for a subnormal operand.
    smallest * 0.5 > 0.0 && std::hint::black_box(f32::from_bits(1)) * 2.0 > 0.0
}

/// 2^n for n in -126..=127.
#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

#[cfg(test)]
mod tests;
