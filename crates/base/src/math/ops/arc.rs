//! Arc functions: all through the angle of a point, in f64, rounded once.

use super::core64::atan2_64;
use super::{NAN, canonical, pick};

/// Angle of the point (x, y) in radians, in [-pi, pi]; signed zeros and infinities as in C. Within 1 ulp.
#[inline(always)]
pub fn atan2(y: f32, x: f32) -> f32 {
    let angle = atan2_64(f64::from(y), f64::from(x)) as f32;
    pick(x.is_nan() | y.is_nan(), NAN, angle)
}

/// Arc tangent in radians. Within 1 ulp.
#[inline(always)]
pub fn atan(x: f32) -> f32 {
    canonical(atan2_64(f64::from(x), 1.0) as f32)
}

/// sqrt(1 - x^2), NaN outside [-1, 1].
#[inline(always)]
fn other_side(x: f64) -> f64 {
    ((1.0 - x) * (1.0 + x)).sqrt()
}

/// Arc sine in radians; NaN outside [-1, 1]. Within 1 ulp.
#[inline(always)]
pub fn asin(x: f32) -> f32 {
    let x = f64::from(x);
    let angle = atan2_64(x, other_side(x)) as f32;
    pick(x.abs() <= 1.0, angle, NAN)
}

/// Arc cosine in radians; NaN outside [-1, 1]. Within 1 ulp.
#[inline(always)]
pub fn acos(x: f32) -> f32 {
    let x = f64::from(x);
    let angle = atan2_64(other_side(x), x) as f32;
    pick(x.abs() <= 1.0, angle, NAN)
}
