//! The C library's maths names, called as another crate's code calls them: each ends (a body that LLVM turned into a
//! call of its own name would not) and gives the bits of `math::ops`.
#![cfg(feature = "c-symbols")]

use std::hint::black_box;

use stillframe_base::math::{ops, ops64};

macro_rules! check {
    (@ $arg:ident $ty:ty) => { $ty };
    ($ty:ty: $($name:ident($($arg:ident),+) = $value:expr;)*) => {
        unsafe extern "C" { $( fn $name($($arg: $ty),+) -> $ty; )* }
        fn all(x: $ty, y: $ty, z: $ty) {
            let _ = (y, z);
            $({
                let mut rest = [x, y, z].into_iter();
                $( let $arg = black_box(rest.next().unwrap()); )+
                let want: $ty = $value;
                // By pointer: LLVM knows these names and would put an instruction for some calls.
                let function = black_box($name as unsafe extern "C" fn($(check!(@ $arg $ty)),+) -> $ty);
                // SAFETY: a pure function of numbers.
                let got = unsafe { function($($arg),+) };
                let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                assert!(same, "{}({:?}) = {got:?}, not {want:?}", stringify!($name), ($($arg,)+));
            })*
        }
    };
}

mod single {
    use super::*;

    fn least(pair: [f32; 2]) -> f32 {
        pair.into_iter().filter(|x| !x.is_nan()).min_by(f32::total_cmp).unwrap_or(f32::NAN)
    }

    check! { f32:
        sinf(x) = ops::sin(x);
        cosf(x) = ops::cos(x);
        tanf(x) = ops::tan(x);
        asinf(x) = ops::asin(x);
        acosf(x) = ops::acos(x);
        atanf(x) = ops::atan(x);
        atan2f(x, y) = ops::atan2(x, y);
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
        fmodf(x, y) = libm::fmodf(x, y);
        remainderf(x, y) = libm::remainderf(x, y);
        fmaf(x, y, z) = libm::fmaf(x, y, z);
        sqrtf(x) = libm::sqrtf(x);
        floorf(x) = libm::floorf(x);
        ceilf(x) = libm::ceilf(x);
        truncf(x) = libm::truncf(x);
        rintf(x) = libm::rintf(x);
        nearbyintf(x) = libm::rintf(x);
        roundevenf(x) = libm::rintf(x);
        roundf(x) = libm::roundf(x);
        fminf(x, y) = least([x, y]);
        fmaxf(x, y) = -least([-x, -y]);
        fdimf(x, y) = libm::fdimf(x, y);
        nextafterf(x, y) = libm::nextafterf(x, y);
    }

    #[test]
    fn each_symbol_is_ours() {
        let numbers = [0.0, -0.0, 0.5, -0.3, 1.0, 2.5, -7.25, 1e-40, 1e9, -3e38, f32::INFINITY, f32::NAN, 123.456];
        for x in numbers {
            for y in numbers {
                all(x, y, 0.1);
            }
        }
    }
}

mod double {
    use super::*;

    fn least(pair: [f64; 2]) -> f64 {
        pair.into_iter().filter(|x| !x.is_nan()).min_by(f64::total_cmp).unwrap_or(f64::NAN)
    }

    check! { f64:
        sin(x) = ops64::sin(x);
        cos(x) = ops64::cos(x);
        tan(x) = ops64::tan(x);
        asin(x) = ops64::asin(x);
        acos(x) = ops64::acos(x);
        atan(x) = ops64::atan(x);
        atan2(x, y) = ops64::atan2(x, y);
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
        fmod(x, y) = libm::fmod(x, y);
        remainder(x, y) = libm::remainder(x, y);
        fma(x, y, z) = libm::fma(x, y, z);
        sqrt(x) = libm::sqrt(x);
        floor(x) = libm::floor(x);
        ceil(x) = libm::ceil(x);
        trunc(x) = libm::trunc(x);
        rint(x) = libm::rint(x);
        nearbyint(x) = libm::rint(x);
        roundeven(x) = libm::rint(x);
        round(x) = libm::round(x);
        fmin(x, y) = least([x, y]);
        fmax(x, y) = -least([-x, -y]);
        fdim(x, y) = libm::fdim(x, y);
        nextafter(x, y) = libm::nextafter(x, y);
    }

    #[test]
    fn each_symbol_is_ours() {
        let numbers = [0.0, -0.0, 0.5, -0.3, 1.0, 2.5, -7.25, 1e-310, 1e9, -1e308, f64::INFINITY, f64::NAN, 123.456];
        for x in numbers {
            for y in numbers {
                all(x, y, 0.1);
            }
        }
    }
}

#[test]
fn symbols_with_pointers() {
    unsafe extern "C" {
        fn ldexpf(x: f32, exponent: i32) -> f32;
        fn ldexp(x: f64, exponent: i32) -> f64;
        fn scalbnf(x: f32, exponent: i32) -> f32;
        fn scalbn(x: f64, exponent: i32) -> f64;
        fn frexpf(x: f32, exponent: *mut i32) -> f32;
        fn frexp(x: f64, exponent: *mut i32) -> f64;
        fn modff(x: f32, whole: *mut f32) -> f32;
        fn modf(x: f64, whole: *mut f64) -> f64;
        fn sincosf(x: f32, sin: *mut f32, cos: *mut f32);
        fn sincos(x: f64, sin: *mut f64, cos: *mut f64);
    }
    let x = black_box(-10.75f64);
    let (mut whole, mut exponent, mut sin, mut cos) = (0.0f64, 0, 0.0, 0.0);
    let (mut whole_f, mut exponent_f, mut sin_f, mut cos_f) = (0.0f32, 0, 0.0, 0.0);
    // SAFETY: all pointers are to locals of the right type.
    unsafe {
        assert_eq!((ldexpf(0.75, black_box(-130)), ldexp(0.75, black_box(3))), (0.75 * f32::MIN_POSITIVE / 16.0, 6.0));
        assert_eq!((scalbnf(3.0, black_box(2)), scalbn(3.0, black_box(-2))), (12.0, 0.75));
        assert_eq!((frexp(x, &mut exponent), exponent), (-0.671875, 4));
        assert_eq!((frexpf(x as f32, &mut exponent_f), exponent_f), (-0.671875, 4));
        assert_eq!((modf(x, &mut whole), whole), (-0.75, -10.0));
        assert_eq!((modff(x as f32, &mut whole_f), whole_f), (-0.75, -10.0));
        sincosf(x as f32, &mut sin_f, &mut cos_f);
        sincos(x, &mut sin, &mut cos);
    }
    assert_eq!((sin_f, cos_f), ops::sin_cos(x as f32));
    assert_eq!((sin, cos), ops64::sin_cos(x));
}

#[test]
#[allow(clippy::disallowed_methods, reason = "the point is where std's functions go")]
fn std_gets_ours() {
    for i in 0..20_000 {
        let x = black_box(i as f32 * 0.0137 + 0.01);
        assert_eq!(x.sin().to_bits(), ops::sin(x).to_bits(), "sin({x})");
        assert_eq!(x.exp().to_bits(), ops::exp(x).to_bits(), "exp({x})");
        assert_eq!(x.log2().to_bits(), ops::log2(x).to_bits(), "log2({x})");
        assert_eq!(x.powf(1.3).to_bits(), ops::pow(x, 1.3).to_bits(), "pow({x})");
        assert_eq!(f64::from(x).tan().to_bits(), ops64::tan(f64::from(x)).to_bits(), "tan({x})");
        assert_eq!((x.sin(), x.cos()), ops::sin_cos(x));
    }
}
