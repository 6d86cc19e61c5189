//! Ops in f64, for set-up on the CPU and as oracles of the f32 forms: the `libm` crate, which is Rust alone.
//!
//! Its only machine-dependent parts are `sqrt`, `fma` and `rint`, which are exact everywhere, so the bits are the same
//! on every machine. Errors are about 1 ulp of f64. Every NaN is 0x7FF8000000000000.

/// The one NaN.
pub const NAN: f64 = f64::from_bits(0x7FF8_0000_0000_0000);

/// `value`, or the one NaN for any NaN.
#[inline]
pub fn canonical(value: f64) -> f64 {
    if value.is_nan() { NAN } else { value }
}

macro_rules! from_libm {
    ($($name:ident($($arg:ident),*) = $libm:ident: $doc:literal;)*) => {$(
        #[doc = $doc]
        pub fn $name($($arg: f64),*) -> f64 {
            canonical(libm::$libm($($arg),*))
        }
    )*};
}

from_libm! {
    sin(x) = sin: "Sine of an angle in radians.";
    cos(x) = cos: "Cosine of an angle in radians.";
    tan(x) = tan: "Tangent of an angle in radians.";
    asin(x) = asin: "Arc sine in radians.";
    acos(x) = acos: "Arc cosine in radians.";
    atan(x) = atan: "Arc tangent in radians.";
    atan2(y, x) = atan2: "Angle of the point (x, y) in radians.";
    sinh(x) = sinh: "Hyperbolic sine.";
    cosh(x) = cosh: "Hyperbolic cosine.";
    tanh(x) = tanh: "Hyperbolic tangent.";
    asinh(x) = asinh: "Inverse hyperbolic sine.";
    atanh(x) = atanh: "Inverse hyperbolic tangent.";
    exp(x) = exp: "e^x.";
    exp2(x) = exp2: "2^x.";
    exp10(x) = exp10: "10^x.";
    exp_m1(x) = expm1: "e^x - 1.";
    log(x) = log: "Natural logarithm.";
    log2(x) = log2: "Logarithm to base 2.";
    log10(x) = log10: "Logarithm to base 10.";
    log_1p(x) = log1p: "ln(1 + x).";
    erfc(x) = erfc: "1 - erf(x): how likely a normal value lies further than x * sqrt(2) deviations off, either side.";
    pow(x, y) = pow: "x to the power y.";
    cbrt(x) = cbrt: "Cube root.";
    hypot(x, y) = hypot: "sqrt(x^2 + y^2) without overflow between.";
    fmod(x, y) = fmod: "The remainder of x / y with the sign of x, exact.";
}

/// Inverse hyperbolic cosine; NaN below 1, where `libm`'s has some number.
pub fn acosh(x: f64) -> f64 {
    if x >= 1.0 { canonical(libm::acosh(x)) } else { NAN }
}

/// Sine and cosine of an angle in radians.
pub fn sin_cos(x: f64) -> (f64, f64) {
    (sin(x), cos(x))
}
