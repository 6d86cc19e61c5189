//! Block: the lane form of [`ops`](super), a whole block of lanes a call.
//!
//! Call these inside `per_isa!` bodies with that body's `LEVEL`: they inline into its twins. Every lane gets the bits that
//! the scalar function gives.

use super::trig::{NEAR, cos_of, reduce_near, sin_of, tan_of};
use crate::lanes::{Isa, LANES};

/// One f32 a lane.
pub type Lanes = [f32; LANES];

/// `out[i] = f(x[i])`.
#[inline(always)]
pub fn unary<const LEVEL: u8>(out: &mut Lanes, x: &Lanes, f: impl Fn(f32) -> f32) {
    for i in Isa::each::<LEVEL>(LANES) {
        out[i] = f(x[i]);
    }
}

/// `out[i] = f(x[i], y[i])`.
#[inline(always)]
pub fn binary<const LEVEL: u8>(out: &mut Lanes, x: &Lanes, y: &Lanes, f: impl Fn(f32, f32) -> f32) {
    for i in Isa::each::<LEVEL>(LANES) {
        out[i] = f(x[i], y[i]);
    }
}

/// `near` for all lanes, then `any` again for the lanes with |x| over 2^20, infinite or NaN.
#[inline(always)]
fn two_passes<const LEVEL: u8>(out: &mut Lanes, x: &Lanes, near: impl Fn(f32) -> f32, any: fn(f32) -> f32) {
    let mut largest = 0;
    for i in Isa::each::<LEVEL>(LANES) {
        largest = largest.max(x[i].to_bits() & 0x7FFF_FFFF);
        out[i] = near(x[i]);
    }
    if largest > NEAR.to_bits() {
        far(out, x, any);
    }
}

#[cold]
#[inline(never)]
fn far(out: &mut Lanes, x: &Lanes, any: fn(f32) -> f32) {
    for (out, &x) in out.iter_mut().zip(x) {
        if x.to_bits() & 0x7FFF_FFFF > NEAR.to_bits() {
            *out = any(x);
        }
    }
}

/// [`sin`](super::sin) of each lane.
#[inline(always)]
pub fn sin<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    two_passes::<LEVEL>(out, x, |x| sin_of(x, reduce_near(x)), super::sin);
}

/// [`cos`](super::cos) of each lane.
#[inline(always)]
pub fn cos<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    two_passes::<LEVEL>(out, x, |x| cos_of(x, reduce_near(x)), super::cos);
}

/// [`tan`](super::tan) of each lane.
#[inline(always)]
pub fn tan<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    two_passes::<LEVEL>(out, x, |x| tan_of(x, reduce_near(x)), super::tan);
}

/// [`exp2`](super::exp2) of each lane.
#[inline(always)]
pub fn exp2<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    unary::<LEVEL>(out, x, super::exp2);
}

/// [`log2`](super::log2) of each lane.
#[inline(always)]
pub fn log2<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    unary::<LEVEL>(out, x, super::log2);
}

/// [`pow`](super::pow) of each lane.
#[inline(always)]
pub fn pow<const LEVEL: u8>(out: &mut Lanes, x: &Lanes, y: &Lanes) {
    binary::<LEVEL>(out, x, y, super::pow);
}

/// [`inverse_sqrt`](super::inverse_sqrt) of each lane.
#[inline(always)]
pub fn inverse_sqrt<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    unary::<LEVEL>(out, x, super::inverse_sqrt);
}

/// Largest whole number not above each lane: one instruction where the level has it.
#[inline(always)]
pub fn floor<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    unary::<LEVEL>(out, x, |x| if rounds::<LEVEL>() { super::canonical(x.floor()) } else { super::floor(x) });
}

/// Smallest whole number not below each lane.
#[inline(always)]
pub fn ceil<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    unary::<LEVEL>(out, x, |x| if rounds::<LEVEL>() { super::canonical(x.ceil()) } else { super::ceil(x) });
}

/// Each lane without its fraction.
#[inline(always)]
pub fn trunc<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    unary::<LEVEL>(out, x, |x| if rounds::<LEVEL>() { super::canonical(x.trunc()) } else { super::trunc(x) });
}

/// Nearest whole number of each lane, half to even.
#[inline(always)]
pub fn round_ties_even<const LEVEL: u8>(out: &mut Lanes, x: &Lanes) {
    unary::<LEVEL>(out, x, |x| {
        if rounds::<LEVEL>() { super::canonical(x.round_ties_even()) } else { super::round_ties_even(x) }
    });
}

/// Whether the level has rounding instructions (else std's functions would be calls).
#[inline(always)]
const fn rounds<const LEVEL: u8>() -> bool {
    LEVEL >= Isa::Sse4 as u8
}
