//! Exponentials: 2^n times a polynomial of what is left, scaled in two steps so that subnormals round once.

use super::core64::exp_m1_64;
use super::{NAN, ROUND, pick, power_of_two};

const LOG2_E: f32 = std::f32::consts::LOG2_E;
/// ln 2 in two parts; the first has 15 bits, so its product with an exponent is exact.
const LN2_HI: f32 = 0.693_145_75;
const LN2_LO: f32 = 1.428_606_8e-6;

/// `(2^r - 1) / r` on [-0.5, 0.5], relative error of 2^r 2^-27.5.
const EXP2: [f32; 6] = [0.69314724, 0.24022655, 0.055502724, 0.009617065, 0.0013418124, 1.5821338e-04];

/// `(e^r - 1 - r) / r^2` on [-ln 2 / 2, ln 2 / 2], relative error of e^r 2^-28.2.
const EXP: [f32; 5] = [0.49999994, 0.16666517, 0.041668102, 0.008369197, 0.0013839031];

/// `value * 2^n` for n in -252..=254, rounded once: the first product is exact for value near 1.
#[inline(always)]
pub(super) fn scale(value: f32, n: i32) -> f32 {
    let half = n >> 1;
    value * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// 2^r for |r| <= 0.5 and a little more.
#[inline(always)]
pub(super) fn exp2_near(r: f32) -> f32 {
    let [c0, c1, c2, c3, c4, c5] = EXP2;
    let first = r * c0;
    let rest = r * r * (c1 + r * (c2 + r * (c3 + r * (c4 + r * c5))));
    // What `1 + first` loses comes back through the small part: 0.2 ulp for four additions.
    let sum = 1.0 + first;
    sum + (((1.0 - sum) + first) + rest)
}

/// 2^x. Within 1 ulp.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    let clamped = pick(x > 129.0, 129.0, pick(x < -151.0, -151.0, x));
    let shifted = clamped + ROUND;
    let n = shifted.to_bits().wrapping_sub(ROUND.to_bits()) as i32;
    let result = scale(exp2_near(clamped - (shifted - ROUND)), n);
    pick(x.is_nan(), NAN, result)
}

/// e^x. Within 1 ulp.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let clamped = pick(x > 89.0, 89.0, pick(x < -104.5, -104.5, x));
    let shifted = clamped * LOG2_E + ROUND;
    let n = shifted.to_bits().wrapping_sub(ROUND.to_bits()) as i32;
    let whole = shifted - ROUND;
    let high = clamped - whole * LN2_HI;
    let low = whole * LN2_LO;
    let r = high - low;
    let lost = (high - r) - low;
    let [c0, c1, c2, c3, c4] = EXP;
    let tail = r * r * (c0 + r * (c1 + r * (c2 + r * (c3 + r * c4))));
    let result = scale(1.0 + (r + (tail + lost)), n);
    pick(x.is_nan(), NAN, result)
}

/// e^x - 1, without the cancellation near 0. Within 1 ulp.
#[inline(always)]
pub fn exp_m1(x: f32) -> f32 {
    let clamped = pick(x > 89.0, 89.0, pick(x < -104.5, -104.5, x));
    let result = exp_m1_64(f64::from(clamped)) as f32;
    // Where e^x - 1 rounds to x, x keeps the sign of zero.
    let result = pick(x.abs() < 1e-30, x, result);
    pick(x.is_nan(), NAN, result)
}
