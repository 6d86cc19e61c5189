//! Logarithms: the exponent plus a series of `s = f / (2 + f)`, with `1 + f` in [2/3, 4/3).

use super::core64::{ln_1p_64, ln_64};
use super::{NAN, pick};

/// `(ln((1 + s) / (1 - s)) / s - 2) / s^2` as a polynomial of s^2 on |s| <= 0.2, relative error of the logarithm
/// 2^-28.4.
const SERIES: [f32; 3] = [0.6666695, 0.39957657, 0.30364496];

const LN2_HI: f32 = 0.693_145_75;
const LN2_LO: f32 = 1.428_606_8e-6;
/// 1 / ln 2 in two parts; the first has 11 bits, so its product with a 12-bit number is exact.
const LOG2_E_HI: f32 = f32::from_bits(0x3FB8_A000);
const LOG2_E_LO: f32 = f32::from_bits(0x39A3_B296);

/// `(e, f)` with x = 2^e (1 + f), 1 + f in [2/3, 4/3), for x > 0 and finite; anything for other x.
#[inline(always)]
pub(super) fn split(x: f32) -> (f32, f32) {
    let tiny = x < f32::MIN_POSITIVE;
    let bits = pick(tiny, x * 8_388_608.0, x).to_bits() as i32;
    let e = bits.wrapping_sub(0x3F2A_AAAB) >> 23;
    let m = f32::from_bits(bits.wrapping_sub(e << 23) as u32);
    ((e - pick(tiny, 23, 0)) as f32, m - 1.0)
}

/// `result` where x is positive and finite; the logarithm of zero, a negative number, infinity or NaN elsewhere.
#[inline(always)]
pub(super) fn or_special(x: f32, result: f32) -> f32 {
    let ordinary = x.to_bits().wrapping_sub(1) < 0x7F7F_FFFF;
    let special = pick(x >= 0.0, pick(x == 0.0, f32::NEG_INFINITY, f32::INFINITY), NAN);
    pick(ordinary, result, special)
}

/// f^2/2 and the rest of ln(1 + f): `ln(1 + f) = f - half_square + rest`.
#[inline(always)]
fn parts(f: f32) -> (f32, f32) {
    let s = f / (2.0 + f);
    let z = s * s;
    let [c0, c1, c2] = SERIES;
    let series = z * (c0 + z * (c1 + z * c2));
    let half_square = 0.5 * f * f;
    (half_square, s * (half_square + series))
}

/// Logarithm to base 2. Within 1 ulp.
#[inline(always)]
pub fn log2(x: f32) -> f32 {
    let (e, f) = split(x);
    let (half_square, rest) = parts(f);
    let sum = f - half_square;
    let high = f32::from_bits(sum.to_bits() & 0xFFFF_F000);
    let low = (f - high) - half_square + rest;
    let big = high * LOG2_E_HI;
    let small = (low + high) * LOG2_E_LO + low * LOG2_E_HI;
    let whole = e + big;
    or_special(x, whole + (small + ((e - whole) + big)))
}

/// Natural logarithm. Within 1 ulp.
#[inline(always)]
pub fn log(x: f32) -> f32 {
    let (e, f) = split(x);
    let (half_square, rest) = parts(f);
    let high = e * LN2_HI;
    let whole = high + f;
    let lost = (high - whole) + f;
    or_special(x, whole + (lost + (e * LN2_LO - (half_square - rest))))
}

/// Logarithm to base 10. Within 1 ulp.
#[inline(always)]
pub fn log10(x: f32) -> f32 {
    or_special(x, (ln_64(f64::from(x)) * std::f64::consts::LOG10_E) as f32)
}

/// ln(1 + x), without the cancellation near 0. Within 1 ulp.
#[inline(always)]
pub fn log_1p(x: f32) -> f32 {
    let result = pick(x.abs() < 1e-30, x, ln_1p_64(f64::from(x)) as f32);
    let special = pick(x >= -1.0, pick(x == -1.0, f32::NEG_INFINITY, f32::INFINITY), NAN);
    pick(x > -1.0 && x < f32::INFINITY, result, special)
}
