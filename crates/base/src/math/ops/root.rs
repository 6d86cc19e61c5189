//! Roots.

use super::{NAN, canonical, pick};

/// `1 / sqrt(x)` in two roundings, as the rules of WGSL's `inverseSqrt` here say.
#[inline(always)]
pub fn inverse_sqrt(x: f32) -> f32 {
    canonical(1.0 / x.sqrt())
}

/// Cube root. Within 1 ulp.
///
/// A guess of 5 bits from the exponent divided by 3 (Kahan), then two steps of Halley's in f64 (5 to 15 to 45 bits).
#[inline(always)]
pub fn cbrt(x: f32) -> f32 {
    let a = f64::from(x.abs());
    let high = (a.to_bits() >> 32) as u32 / 3 + 715_094_163;
    let t = f64::from_bits(u64::from(high) << 32);
    let cube = t * t * t;
    let t = t * (a + a + cube) / (a + cube + cube);
    let cube = t * t * t;
    let t = t * (a + a + cube) / (a + cube + cube);
    let plain = a > 0.0 && a < f64::INFINITY;
    pick(x.is_nan(), NAN, pick(plain, (t as f32).copysign(x), x))
}

/// sqrt(x^2 + y^2) without overflow between; infinite if one is. Within 1 ulp.
#[inline(always)]
pub fn hypot(x: f32, y: f32) -> f32 {
    let (a, b) = (f64::from(x), f64::from(y));
    let result = (a * a + b * b).sqrt() as f32;
    let infinite = (x.abs() == f32::INFINITY) | (y.abs() == f32::INFINITY);
    canonical(pick(infinite, f32::INFINITY, result))
}
