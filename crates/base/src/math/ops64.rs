//! Ops in f64, for set-up on the CPU and as oracles of the f32 forms: the `libm` crate, which is Rust alone.
//!
//! Its only machine-dependent parts are `sqrt`, `fma` and `rint`, which are exact everywhere, so the bits are the same on
//! every machine. Errors are below 1 ulp of f64 but for `tgamma`'s family, which is not here.

pub use libm::{
    acos, asin, asinh, atan, atan2, atanh, cbrt, cos, cosh, exp, exp2, expm1 as exp_m1, fmod, hypot, log,
    log1p as log_1p, log2, log10, pow, sin, sincos as sin_cos, sinh, tan, tanh,
};

/// Inverse hyperbolic cosine; NaN below 1, where `libm`'s has some number.
pub fn acosh(x: f64) -> f64 {
    if x >= 1.0 { libm::acosh(x) } else { f64::NAN }
}
