//! Sine, cosine, tangent.
//!
//! Reduction to [-pi/4, pi/4]: in f64 with pi/2 in two parts up to 2^20 (Cody and Waite), by integers with 192 bits of
//! 2/pi beyond (Payne and Hanek). What is left is two f32, so that the polynomial's end is the one rounding that
//! counts.

use super::core64::ROUND_64;
use super::{NAN, pick};

/// Up to here the reduction is free of branches.
pub(super) const NEAR: f32 = 1_048_576.0;

const TWO_OVER_PI: f64 = std::f64::consts::FRAC_2_PI;
/// pi/2 in two parts; the first has 33 bits, so its product with a 20-bit number is exact.
const HALF_PI_HI: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
const HALF_PI_LO: f64 = f64::from_bits(0x3DD0_B461_1A62_6331);

/// `(sin r - r) / r^3` by powers of r^2 on |r| <= pi/4, relative error of the sine 2^-27.9.
const SIN: [f32; 3] = [-0.16666655, 0.008332187, -1.9517897e-04];

/// `(cos r - 1 + r^2/2) / r^4` by powers of r^2 on |r| <= pi/4, relative error of the cosine 2^-33.
const COS: [f32; 3] = [0.041666646, -0.001388731, 2.4432327e-05];

/// An angle as quarter turns (modulo 4, in the low two bits) and the rest in radians as the sum of two f32.
#[derive(Clone, Copy)]
pub(super) struct Reduced {
    pub quarter: u32,
    pub high: f32,
    pub low: f32,
}

#[inline(always)]
fn two_parts(quarter: u32, r: f64) -> Reduced {
    let high = r as f32;
    Reduced { quarter, high, low: (r - f64::from(high)) as f32 }
}

/// For |x| <= NEAR; anything for others.
#[inline(always)]
pub(super) fn reduce_near(x: f32) -> Reduced {
    let x = f64::from(x);
    let shifted = x * TWO_OVER_PI + ROUND_64;
    let whole = shifted - ROUND_64;
    two_parts(shifted.to_bits() as u32, (x - whole * HALF_PI_HI) - whole * HALF_PI_LO)
}

/// 2/pi behind 32 zero bits; 256 bits in all.
const TWO_OVER_PI_BITS: [u64; 4] =
    [0x0000_0000_A2F9_836E, 0x4E44_1529_FC27_57D1, 0xF534_DDC0_DB62_9599, 0x3C43_9041_FE51_63AB];

/// For finite |x| > NEAR.
pub(super) fn reduce_far(x: f32) -> Reduced {
    let bits = x.to_bits();
    let exponent = (bits >> 23 & 0xFF) as i32 - 150; // |x| = mantissa * 2^exponent, -3 <= exponent <= 104
    let mantissa = u128::from(bits & 0x7F_FFFF | 0x80_0000);
    // Bits of 2/pi that reach a product under 4 (4 quarters are a whole turn): 128 of them from weight 2^(1 -
    // exponent).
    let at = (exponent + 30) as usize;
    let word = |index: usize| u128::from(TWO_OVER_PI_BITS.get(index).copied().unwrap_or(0));
    let (index, shift) = (at / 64, at % 64);
    let window = (word(index) << 64 | word(index + 1)) << shift | word(index + 2) << shift >> 64;
    // Fixed point: 2 bits of quarters, 126 of fraction.
    let product = mantissa.wrapping_mul(window);
    let quarter = (product.wrapping_add(1 << 125) >> 126) as u32;
    let fraction = ((product << 2) >> 64) as u64 as i64; // of a quarter, times 2^64, in [-1/2, 1/2)
    let r = fraction as f64 * (1.0 / 18_446_744_073_709_551_616.0) * std::f64::consts::FRAC_PI_2;
    let (quarter, r) = if x < 0.0 { (0u32.wrapping_sub(quarter), -r) } else { (quarter, r) };
    two_parts(quarter, r)
}

#[inline(always)]
fn reduce(x: f32) -> Reduced {
    if x.abs() <= NEAR { reduce_near(x) } else { reduce_far(x) }
}

/// Sine and cosine of what is left.
#[inline(always)]
fn near_zero(r: Reduced) -> (f32, f32) {
    let z = r.high * r.high;
    let half = 0.5 * z;
    let [s0, s1, s2] = SIN;
    let sin = r.high + (r.high * z * (s0 + z * (s1 + z * s2)) + (r.low - r.low * half));
    let [c0, c1, c2] = COS;
    let most = 1.0 - half;
    let cos = most + (((1.0 - most) - half) + (z * z * (c0 + z * (c1 + z * c2)) - r.high * r.low));
    (sin, cos)
}

/// `value`, negated where bit 1 of `quarter` is set.
#[inline(always)]
fn signed(value: f32, quarter: u32) -> f32 {
    f32::from_bits(value.to_bits() ^ (quarter & 2) << 30)
}

/// Sine and cosine of a reduced angle.
#[inline(always)]
pub(super) fn turn(r: Reduced) -> (f32, f32) {
    let (sin, cos) = near_zero(r);
    let odd = r.quarter & 1 != 0;
    (signed(pick(odd, cos, sin), r.quarter), signed(pick(odd, sin, cos), r.quarter.wrapping_add(1)))
}

/// Sine of `x`, given its reduction: NaN for infinities, and the sign of zero kept.
#[inline(always)]
pub(super) fn sin_of(x: f32, r: Reduced) -> f32 {
    pick(x.abs() < f32::INFINITY, pick(x == 0.0, x, turn(r).0), NAN)
}

#[inline(always)]
pub(super) fn cos_of(x: f32, r: Reduced) -> f32 {
    pick(x.abs() < f32::INFINITY, turn(r).1, NAN)
}

/// The written formula: sine over cosine.
#[inline(always)]
pub(super) fn tan_of(x: f32, r: Reduced) -> f32 {
    let (sin, cos) = turn(r);
    pick(x.abs() < f32::INFINITY, pick(x == 0.0, x, sin / cos), NAN)
}

/// Sine of an angle in radians. Within 1 ulp for every finite x.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    sin_of(x, reduce(x))
}

/// Cosine of an angle in radians. Within 1 ulp for every finite x.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    cos_of(x, reduce(x))
}

/// Sine and cosine of an angle in radians, as [`sin`] and [`cos`] give them.
#[inline(always)]
pub fn sin_cos(x: f32) -> (f32, f32) {
    let r = reduce(x);
    (sin_of(x, r), cos_of(x, r))
}

/// Tangent of an angle in radians: `sin(x) / cos(x)`. Within 2 ulp.
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    tan_of(x, reduce(x))
}
