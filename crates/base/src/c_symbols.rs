//! C symbols: the C library's maths functions, defined by [`math::ops`](crate::math::ops) and
//! [`math::ops64`](crate::math::ops64).
//!
//! Linked into a program, these are what std's `f32::sin`, naga's constant folding and every other dependency call: the
//! host's C library is out of the pixels. Only a program may switch the feature on; a library would decide for its
//! user. Never here: an implementation. What is below must not come back to its own symbol: `tests/c_symbols.rs` calls
//! each.
#![expect(unsafe_code, reason = "symbols of the C library under their own names")]

use crate::math::{ops, ops64};

/// For C's minimum and maximum: NaN counts as missing, and of two zeros the sign decides, which Rust's own leave open.
fn pick<T>(first: bool, x: T, y: T) -> T {
    if first { x } else { y }
}

macro_rules! define {
    ($ty:ty: $($name:ident($($arg:ident),+) = $value:expr;)*) => {$(
        // SAFETY: the C standard's function of that name has this signature, and its contract is met; no other
        // definition is in the program, since the C library's is in a shared or a later archive.
        #[unsafe(no_mangle)]
        extern "C" fn $name($($arg: $ty),+) -> $ty {
            $value
        }
    )*};
}

define! { f32:
    sinf(x) = ops::sin(x);
    cosf(x) = ops::cos(x);
    tanf(x) = ops::tan(x);
    asinf(x) = ops::asin(x);
    acosf(x) = ops::acos(x);
    atanf(x) = ops::atan(x);
    atan2f(y, x) = ops::atan2(y, x);
    sinhf(x) = ops::sinh(x);
    coshf(x) = ops::cosh(x);
    tanhf(x) = ops::tanh(x);
    asinhf(x) = ops::asinh(x);
    acoshf(x) = ops::acosh(x);
    atanhf(x) = ops::atanh(x);
    expf(x) = ops::exp(x);
    exp2f(x) = ops::exp2(x);
    exp10f(x) = ops64::exp10(f64::from(x)) as f32;
    expm1f(x) = ops::exp_m1(x);
    logf(x) = ops::log(x);
    log2f(x) = ops::log2(x);
    log10f(x) = ops::log10(x);
    log1pf(x) = ops::log_1p(x);
    powf(x, y) = ops::pow(x, y);
    cbrtf(x) = ops::cbrt(x);
    hypotf(x, y) = ops::hypot(x, y);
    fmodf(x, y) = ops::fmod(x, y);
    remainderf(x, y) = ops::canonical(libm::remainderf(x, y));
    fmaf(x, y, z) = ops::canonical(libm::fmaf(x, y, z));
    sqrtf(x) = ops::canonical(x.sqrt());
    floorf(x) = ops::floor(x);
    ceilf(x) = ops::ceil(x);
    truncf(x) = ops::trunc(x);
    rintf(x) = ops::round_ties_even(x);
    nearbyintf(x) = ops::round_ties_even(x);
    roundevenf(x) = ops::round_ties_even(x);
    roundf(x) = ops::canonical(libm::roundf(x));
    fminf(x, y) = pick(x < y || (x == y && x.is_sign_negative()) || y.is_nan(), ops::canonical(x), ops::canonical(y));
    fmaxf(x, y) = pick(x > y || (x == y && x.is_sign_positive()) || y.is_nan(), ops::canonical(x), ops::canonical(y));
    fdimf(x, y) = ops::canonical(libm::fdimf(x, y));
    nextafterf(x, y) = ops::canonical(libm::nextafterf(x, y));
}

define! { f64:
    sin(x) = ops64::sin(x);
    cos(x) = ops64::cos(x);
    tan(x) = ops64::tan(x);
    asin(x) = ops64::asin(x);
    acos(x) = ops64::acos(x);
    atan(x) = ops64::atan(x);
    atan2(y, x) = ops64::atan2(y, x);
    sinh(x) = ops64::sinh(x);
    cosh(x) = ops64::cosh(x);
    tanh(x) = ops64::tanh(x);
    asinh(x) = ops64::asinh(x);
    acosh(x) = ops64::acosh(x);
    atanh(x) = ops64::atanh(x);
    exp(x) = ops64::exp(x);
    exp2(x) = ops64::exp2(x);
    exp10(x) = ops64::exp10(x);
    expm1(x) = ops64::exp_m1(x);
    log(x) = ops64::log(x);
    log2(x) = ops64::log2(x);
    log10(x) = ops64::log10(x);
    log1p(x) = ops64::log_1p(x);
    pow(x, y) = ops64::pow(x, y);
    cbrt(x) = ops64::cbrt(x);
    hypot(x, y) = ops64::hypot(x, y);
    fmod(x, y) = ops64::fmod(x, y);
    remainder(x, y) = ops64::canonical(libm::remainder(x, y));
    fma(x, y, z) = ops64::canonical(libm::fma(x, y, z));
    sqrt(x) = ops64::canonical(x.sqrt());
    floor(x) = ops64::canonical(libm::floor(x));
    ceil(x) = ops64::canonical(libm::ceil(x));
    trunc(x) = ops64::canonical(libm::trunc(x));
    rint(x) = ops64::canonical(libm::roundeven(x));
    nearbyint(x) = ops64::canonical(libm::roundeven(x));
    roundeven(x) = ops64::canonical(libm::roundeven(x));
    round(x) = ops64::canonical(libm::round(x));
    fmin(x, y) = pick(x < y || (x == y && x.is_sign_negative()) || y.is_nan(), ops64::canonical(x), ops64::canonical(y));
    fmax(x, y) = pick(x > y || (x == y && x.is_sign_positive()) || y.is_nan(), ops64::canonical(x), ops64::canonical(y));
    fdim(x, y) = ops64::canonical(libm::fdim(x, y));
    nextafter(x, y) = ops64::canonical(libm::nextafter(x, y));
}

macro_rules! define_with_more {
    ($ty:ty: $ldexp:ident, $scalbn:ident, $frexp:ident, $modf:ident, $sincos:ident, $both:path) => {
        // SAFETY of these names: as above.
        #[unsafe(no_mangle)]
        extern "C" fn $ldexp(x: $ty, exponent: i32) -> $ty {
            libm::$ldexp(x, exponent)
        }
        #[unsafe(no_mangle)]
        extern "C" fn $scalbn(x: $ty, exponent: i32) -> $ty {
            libm::$scalbn(x, exponent)
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $frexp(x: $ty, exponent: *mut i32) -> $ty {
            let (mantissa, power) = libm::$frexp(x);
            // SAFETY: the C standard asks of the caller a pointer to an int that may be written.
            unsafe { exponent.write(power) };
            mantissa
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $modf(x: $ty, whole: *mut $ty) -> $ty {
            let (fraction, part) = libm::$modf(x);
            // SAFETY: the C standard asks of the caller a pointer to a number that may be written.
            unsafe { whole.write(part) };
            fraction
        }
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $sincos(x: $ty, sin: *mut $ty, cos: *mut $ty) {
            let (s, c) = $both(x);
            // SAFETY: the caller (LLVM joins a sine and a cosine into this call) gives two numbers that may be written.
            unsafe {
                sin.write(s);
                cos.write(c);
            }
        }
    };
}

define_with_more!(f32: ldexpf, scalbnf, frexpf, modff, sincosf, ops::sin_cos);
define_with_more!(f64: ldexp, scalbn, frexp, modf, sincos, ops64::sin_cos);
