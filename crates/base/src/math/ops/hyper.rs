//! Hyperbolic functions and their inverses: f64 exponentials and logarithms, rounded once.

use super::core64::{exp_64, exp_m1_64, ln_1p_64};
use super::{NAN, canonical, pick};

/// |x|, at most `limit`, where the result has long been infinite or 1.
#[inline(always)]
fn size(x: f32, limit: f64) -> f64 {
    let a = f64::from(x.abs());
    pick(a > limit, limit, a)
}

/// Hyperbolic sine. Within 1 ulp.
#[inline(always)]
pub fn sinh(x: f32) -> f32 {
    let e = exp_m1_64(size(x, 100.0));
    let result = (0.5 * (e + e / (e + 1.0))) as f32;
    canonical(result.copysign(x))
}

/// Hyperbolic cosine. Within 1 ulp.
#[inline(always)]
pub fn cosh(x: f32) -> f32 {
    let e = exp_64(size(x, 100.0));
    canonical((0.5 * (e + 1.0 / e)) as f32)
}

/// Hyperbolic tangent. Within 1 ulp.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let e = exp_m1_64(2.0 * size(x, 50.0));
    canonical(((e / (e + 2.0)) as f32).copysign(x))
}

/// Inverse hyperbolic sine. Within 1 ulp.
#[inline(always)]
pub fn asinh(x: f32) -> f32 {
    let a = f64::from(x.abs());
    let square = a * a;
    let result = ln_1p_64(a + square / (1.0 + (1.0 + square).sqrt())) as f32;
    pick(x.is_nan(), NAN, pick(a == f64::INFINITY, f32::INFINITY, result).copysign(x))
}

/// Inverse hyperbolic cosine; NaN below 1. Within 1 ulp.
#[inline(always)]
pub fn acosh(x: f32) -> f32 {
    let a = f64::from(x);
    let result = ln_1p_64((a - 1.0) + ((a - 1.0) * (a + 1.0)).sqrt()) as f32;
    pick(x >= 1.0, pick(x == f32::INFINITY, x, result), NAN)
}

/// Inverse hyperbolic tangent; infinite at -1 and 1, NaN outside. Within 1 ulp.
#[inline(always)]
pub fn atanh(x: f32) -> f32 {
    let a = f64::from(x.abs());
    let result = (0.5 * ln_1p_64(2.0 * a / (1.0 - a))) as f32;
    pick(a <= 1.0, pick(a == 1.0, f32::INFINITY, result).copysign(x), NAN)
}
