//! The functions of `math::ops`, each with its f64 oracle and the error it may have: read by the test and the example
//! that measures all arguments.

use stillframe_base::math::{ops, ops64};

/// A function of one argument.
pub struct Unary {
    pub name: &'static str,
    pub scalar: fn(f32) -> f32,
    pub oracle: fn(f64) -> f64,
    /// Bound of the error in units in the last place of the true value.
    pub ulp: f64,
}

/// A function of two arguments.
pub struct Binary {
    pub name: &'static str,
    pub scalar: fn(f32, f32) -> f32,
    pub oracle: fn(f64, f64) -> f64,
    pub ulp: f64,
}

const fn unary(name: &'static str, scalar: fn(f32) -> f32, oracle: fn(f64) -> f64, ulp: f64) -> Unary {
    Unary { name, scalar, oracle, ulp }
}

/// WGSL's `inverseSqrt` as pinned: two roundings. Its oracle is one over the exact root.
fn inverse_sqrt(x: f64) -> f64 {
    1.0 / x.sqrt()
}

pub const UNARY: [Unary; 21] = [
    unary("exp2", ops::exp2, ops64::exp2, 1.0),
    unary("exp", ops::exp, ops64::exp, 1.0),
    unary("exp_m1", ops::exp_m1, ops64::exp_m1, 1.0),
    unary("log2", ops::log2, ops64::log2, 1.0),
    unary("log", ops::log, ops64::log, 1.0),
    unary("log10", ops::log10, ops64::log10, 1.0),
    unary("log_1p", ops::log_1p, ops64::log_1p, 1.0),
    unary("sin", ops::sin, ops64::sin, 1.0),
    unary("cos", ops::cos, ops64::cos, 1.0),
    unary("tan", ops::tan, ops64::tan, 2.5),
    unary("asin", ops::asin, ops64::asin, 1.0),
    unary("acos", ops::acos, ops64::acos, 1.0),
    unary("atan", ops::atan, ops64::atan, 1.0),
    unary("sinh", ops::sinh, ops64::sinh, 1.0),
    unary("cosh", ops::cosh, ops64::cosh, 1.0),
    unary("tanh", ops::tanh, ops64::tanh, 1.0),
    unary("asinh", ops::asinh, ops64::asinh, 1.0),
    unary("acosh", ops::acosh, ops64::acosh, 1.0),
    unary("atanh", ops::atanh, ops64::atanh, 1.0),
    unary("cbrt", ops::cbrt, ops64::cbrt, 1.0),
    unary("inverse_sqrt", ops::inverse_sqrt, inverse_sqrt, 1.5),
];

pub const BINARY: [Binary; 3] = [
    Binary { name: "pow", scalar: ops::pow, oracle: ops64::pow, ulp: 1.25 },
    Binary { name: "atan2", scalar: ops::atan2, oracle: ops64::atan2, ulp: 1.0 },
    Binary { name: "hypot", scalar: ops::hypot, oracle: ops64::hypot, ulp: 1.0 },
];

/// Distance of `got` from `want` in units in the last place of `want` as f32; infinite where one is NaN, infinite or of
/// another sign of zero and the other is not.
pub fn error_ulp(got: f32, want: f64) -> f64 {
    let rounded = want as f32;
    if want.is_nan() || got.is_nan() {
        return if want.is_nan() && got.to_bits() == 0x7FC0_0000 { 0.0 } else { f64::INFINITY };
    }
    if got == 0.0 && rounded == 0.0 || got.is_infinite() && rounded.is_infinite() {
        return if got.is_sign_negative() == rounded.is_sign_negative() { 0.0 } else { f64::INFINITY };
    }
    if want.is_infinite() {
        return f64::INFINITY;
    }
    let exponent = ((want.to_bits() >> 52 & 0x7FF) as i32 - 1023).clamp(-126, 127);
    let ulp = f64::from_bits(((exponent - 23 + 1023) as u64) << 52);
    // An infinite result stands for the number that overflowed.
    let got = if got.is_infinite() {
        340_282_366_920_938_463_463_374_607_431_768_211_456f64.copysign(f64::from(got))
    } else {
        f64::from(got)
    };
    (got - want).abs() / ulp
}

/// The largest error over `bits` and where it is.
pub fn worst(function: &Unary, bits: impl Iterator<Item = u32>) -> (f64, f32) {
    let mut worst = (0.0, 0.0);
    for x in bits.map(f32::from_bits) {
        let error = error_ulp((function.scalar)(x), (function.oracle)(f64::from(x)));
        if error > worst.0 {
            worst = (error, x);
        }
    }
    worst
}
