//! Power: 2^(y log2 x) with the logarithm in f64, to about 2^-40, so that y times it is still right to 2^-25.

use super::core64::ROUND_64;
use super::exp::{exp2_near, scale};
use super::log::split;
use super::{NAN, pick};

/// `(log2((1 + s) / (1 - s)) / s - 2 / ln 2) / s^2` by powers of s^2 on |s| <= 0.2, relative error of the logarithm
/// 2^-42.
const SERIES_0: f64 = 2.885_390_081_777_926_8;
const SERIES_1: f64 = 0.961_796_694_555_893_6;
/// The later coefficients are small enough for f32.
const SERIES: [f32; 4] = [0.5770778, 0.4122227, 0.31938228, 0.28987435];

/// log2 of a positive finite number, in f64.
#[inline(always)]
fn log2_64(x: f32) -> f64 {
    let (e, f) = split(x);
    // s = f / (2 + f): an f32 quotient and one step of correction, cheaper than an f64 division in lanes.
    let reciprocal = 1.0 / (2.0 + f);
    let near = f * reciprocal;
    let near_64 = f64::from(near);
    let f_64 = f64::from(f);
    let s = near_64 + (f_64 - near_64 * (2.0 + f_64)) * f64::from(reciprocal);
    let z = near * near;
    let [c0, c1, c2, c3] = SERIES;
    let tail = c0 + z * (c1 + z * (c2 + z * c3));
    let z = s * s;
    f64::from(e) + s * (SERIES_0 + z * (SERIES_1 + z * f64::from(tail)))
}

/// x to the power y, special cases as IEEE 754's `pow`: any number to the power 0 and 1 to any power are 1, even for
/// NaN. Within 1 ulp.
#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    let (ax, ay) = (x.abs(), y.abs());
    let log = log2_64(ax);
    let log = pick(ax == 0.0, f64::NEG_INFINITY, pick(ax == f32::INFINITY, f64::INFINITY, log));
    let t = f64::from(y) * log;
    let t = pick(t > 129.0, 129.0, pick(t < -151.0, -151.0, t));
    let shifted = t + ROUND_64;
    let n = shifted.to_bits() as u32 as i32;
    let size = scale(exp2_near((t - (shifted - ROUND_64)) as f32), n);

    // Is y whole, is it odd? Over 2^24 all are even.
    let whole = ay >= 8_388_608.0 || (ay + 8_388_608.0) - 8_388_608.0 == ay;
    let half = 0.5 * ay;
    let odd = whole && ay < 16_777_216.0 && (half + 8_388_608.0) - 8_388_608.0 != half;
    let negative = x.is_sign_negative();
    let result = pick(negative & odd, -size, size);
    // A negative number has no power that is not whole; -0 and -infinity have.
    let result = pick(x < 0.0 && ax < f32::INFINITY && !whole, NAN, result);
    let result = pick(x.is_nan() | y.is_nan(), NAN, result);
    pick((y == 0.0) | (x == 1.0) | ((ax == 1.0) & (ay == f32::INFINITY)), 1.0, result)
}
