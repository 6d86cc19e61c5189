//! Float: arithmetic and functions of f32.

use stillframe_base::math::ops;

use super::truth;

#[inline(always)]
pub(super) fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

macro_rules! functions {
    ($($(#[$meta:meta])* $name:ident($($arg:ident),+) = $body:expr;)*) => {$(
        $(#[$meta])*
        #[inline(always)]
        pub fn $name($($arg: u32),+) -> u32 {
            $(let $arg = f($arg);)+
            f32::to_bits($body)
        }
    )*};
}

/// `b < a ? b : a`.
#[inline(always)]
pub fn min_of(a: f32, b: f32) -> f32 {
    if b < a { b } else { a }
}

/// `a < b ? b : a`.
#[inline(always)]
pub fn max_of(a: f32, b: f32) -> f32 {
    if a < b { b } else { a }
}

/// `x` with the sign bit of `sign`.
#[inline(always)]
fn with_sign(x: f32, sign: f32) -> f32 {
    f32::from_bits((x.to_bits() & 0x7FFF_FFFF) | (sign.to_bits() & 0x8000_0000))
}

functions! {
    f_add(a, b) = a + b;
    f_sub(a, b) = a - b;
    f_mul(a, b) = a * b;
    f_div(a, b) = a / b;
    f_rem(a, b) = a - b * ops::trunc(a / b);
    f_min(a, b) = min_of(a, b);
    f_max(a, b) = max_of(a, b);
    /// `a * b + c` in two roundings.
    mul_add2(a, b, c) = a * b + c;
    /// `a * b - c` in two roundings.
    mul_sub(a, b, c) = a * b - c;
    /// `c - a * b` in two roundings.
    neg_mul_add(a, b, c) = c - a * b;
    f_clamp(x, low, high) = min_of(max_of(x, low), high);
    f_sign(x) = if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { 0.0 };
    f_floor(x) = ops::floor(x);
    f_ceil(x) = ops::ceil(x);
    f_trunc(x) = ops::trunc(x);
    f_round(x) = ops::round_ties_even(x);
    f_fract(x) = x - ops::floor(x);
    f_sqrt(x) = x.sqrt();
    f_inverse_sqrt(x) = 1.0 / x.sqrt();
    f_exp(x) = ops::exp(x);
    f_exp2(x) = ops::exp2(x);
    f_log(x) = ops::log(x);
    f_log2(x) = ops::log2(x);
    f_pow(x, y) = ops::pow(x, y);
    f_sin(x) = ops::sin(x);
    f_cos(x) = ops::cos(x);
    f_tan(x) = ops::tan(x);
    f_asin(x) = ops::asin(x);
    f_acos(x) = ops::acos(x);
    f_atan(x) = ops::atan(x);
    f_atan2(y, x) = ops::atan2(y, x);
    f_sinh(x) = (ops::exp(x) - ops::exp(-x)) * 0.5;
    f_cosh(x) = (ops::exp(x) + ops::exp(-x)) * 0.5;
    f_tanh(x) = { let t = ops::exp(-2.0 * x.abs()); with_sign((1.0 - t) / (1.0 + t), x) };
    f_asinh(x) = { let a = x.abs(); with_sign(ops::log(a + (a * a + 1.0).sqrt()), x) };
    f_acosh(x) = ops::log(x + (x * x - 1.0).sqrt());
    f_atanh(x) = ops::log((1.0 + x) / (1.0 - x)) * 0.5;
    /// The fraction of `frexp`, in [0.5, 1) with the sign of `x`.
    frexp_fract(x) = frexp(x).0;
}

#[inline(always)]
pub fn f_neg(a: u32) -> u32 {
    a ^ 0x8000_0000
}

#[inline(always)]
pub fn f_abs(a: u32) -> u32 {
    a & 0x7FFF_FFFF
}

#[inline(always)]
pub fn f_eq(a: u32, b: u32) -> u32 {
    truth(f(a) == f(b))
}

#[inline(always)]
pub fn f_ne(a: u32, b: u32) -> u32 {
    truth(f(a) != f(b))
}

#[inline(always)]
pub fn f_lt(a: u32, b: u32) -> u32 {
    truth(f(a) < f(b))
}

#[inline(always)]
pub fn f_le(a: u32, b: u32) -> u32 {
    truth(f(a) <= f(b))
}

#[inline(always)]
pub fn f_is_nan(a: u32) -> u32 {
    truth(a & 0x7FFF_FFFF > 0x7F80_0000)
}

#[inline(always)]
pub fn f_is_inf(a: u32) -> u32 {
    truth(a & 0x7FFF_FFFF == 0x7F80_0000)
}

/// Fraction and exponent; zero, infinities and NaN give themselves and 0.
#[inline(always)]
fn frexp(x: f32) -> (f32, i32) {
    let magnitude = x.to_bits() & 0x7FFF_FFFF;
    let subnormal = magnitude < 0x0080_0000;
    // A subnormal times 2^32 is exact and normal.
    let scaled = if subnormal { x * 4294967296.0 } else { x }.to_bits();
    let exponent = ((scaled >> 23) & 0xFF) as i32 - 126 - if subnormal { 32 } else { 0 };
    let plain = magnitude == 0 || magnitude >= 0x7F80_0000;
    let fraction = (scaled & 0x807F_FFFF) | 0x3F00_0000;
    (f32::from_bits(if plain { x.to_bits() } else { fraction }), if plain { 0 } else { exponent })
}

/// The exponent of `frexp`, an i32.
#[inline(always)]
pub fn frexp_exponent(a: u32) -> u32 {
    frexp(f(a)).1 as u32
}

/// `x * 2^e` with one rounding.
#[inline(always)]
pub fn ldexp(x: u32, e: u32) -> u32 {
    let e = (e as i32).clamp(-300, 300);
    let scale = f64::from_bits(((e + 1023) as u64) << 52);
    ((f64::from(f(x)) * scale) as f32).to_bits()
}
