//! Block: the lane form of [`ops`](super), a whole block of lanes a call.
//!
//! Call these inside `per_isa!` bodies with that body's `LEVEL`: they inline into its twins. Every lane gets the bits
//! that the scalar function gives. Shapes: `out` says how many lanes; operands have at least as many.

use super::trig::{NEAR, cos_of, reduce_near, sin_of, tan_of};
use crate::lanes::Isa;

/// The loop is written out for each function: one that is passed as a value may stay a call, and the loop a scalar one.
macro_rules! lane_forms {
    ($($name:ident($($arg:ident),+);)*) => {$(
        #[doc = concat!("[`", stringify!($name), "`](super::", stringify!($name), ") of each lane.")]
        #[inline(always)]
        pub fn $name<const LEVEL: u8>(out: &mut [f32], $($arg: &[f32]),+) {
            $( let $arg = &$arg[..out.len()]; )+
            for i in Isa::each::<LEVEL>(out.len()) {
                out[i] = super::$name($($arg[i]),+);
            }
        }
    )*};
}

lane_forms! {
    exp(x);
    exp2(x);
    exp_m1(x);
    log(x);
    log2(x);
    log10(x);
    log_1p(x);
    pow(x, y);
    asin(x);
    acos(x);
    atan(x);
    atan2(y, x);
    sinh(x);
    cosh(x);
    tanh(x);
    asinh(x);
    acosh(x);
    atanh(x);
    cbrt(x);
    hypot(x, y);
    inverse_sqrt(x);
    fract(x);
}

/// `near` for all lanes, then `any` again for the lanes with |x| over 2^20, infinite or NaN.
#[inline(always)]
fn two_passes<const LEVEL: u8>(out: &mut [f32], x: &[f32], near: impl Fn(f32) -> f32, any: fn(f32) -> f32) {
    let mut largest = 0;
    let x = &x[..out.len()];
    for i in Isa::each::<LEVEL>(out.len()) {
        largest = largest.max(x[i].to_bits() & 0x7FFF_FFFF);
        out[i] = near(x[i]);
    }
    if largest > NEAR.to_bits() {
        far(out, x, any);
    }
}

#[cold]
#[inline(never)]
fn far(out: &mut [f32], x: &[f32], any: fn(f32) -> f32) {
    for (out, &x) in out.iter_mut().zip(x) {
        if x.to_bits() & 0x7FFF_FFFF > NEAR.to_bits() {
            *out = any(x);
        }
    }
}

/// [`sin`](super::sin) of each lane.
#[inline(always)]
pub fn sin<const LEVEL: u8>(out: &mut [f32], x: &[f32]) {
    two_passes::<LEVEL>(
        out,
        x,
        #[inline(always)]
        |x| sin_of(x, reduce_near(x)),
        super::sin,
    );
}

/// [`cos`](super::cos) of each lane.
#[inline(always)]
pub fn cos<const LEVEL: u8>(out: &mut [f32], x: &[f32]) {
    two_passes::<LEVEL>(
        out,
        x,
        #[inline(always)]
        |x| cos_of(x, reduce_near(x)),
        super::cos,
    );
}

/// [`tan`](super::tan) of each lane.
#[inline(always)]
pub fn tan<const LEVEL: u8>(out: &mut [f32], x: &[f32]) {
    two_passes::<LEVEL>(
        out,
        x,
        #[inline(always)]
        |x| tan_of(x, reduce_near(x)),
        super::tan,
    );
}

macro_rules! rounding_forms {
    ($($name:ident: $doc:literal;)*) => {$(
        #[doc = $doc]
        #[inline(always)]
        pub fn $name<const LEVEL: u8>(out: &mut [f32], x: &[f32]) {
            let x = &x[..out.len()];
            // Below SSE4 std's functions would be calls of the C library.
            let has_instruction = LEVEL >= Isa::Sse4 as u8;
            for i in Isa::each::<LEVEL>(out.len()) {
                out[i] = if has_instruction { super::canonical(x[i].$name()) } else { super::$name(x[i]) };
            }
        }
    )*};
}

rounding_forms! {
    floor: "Largest whole number not above each lane: one instruction where the level has it.";
    ceil: "Smallest whole number not below each lane.";
    trunc: "Each lane without its fraction.";
    round_ties_even: "Nearest whole number of each lane, half to even.";
}
