//! Rounding and choice. std's `floor` and friends are exact too, but on x86-64's base set they call the platform's
//! library, and a loop with them does not vectorise. In kernels compiled for SSE4 or better std's are one instruction.

use super::{NAN, pick, unless_nan};

/// 2^23: from here on every f32 is whole; adding and taking it away rounds a smaller one, half to even.
const WHOLE: f32 = 8_388_608.0;

/// |x| rounded to the nearest whole number, half to even.
#[inline(always)]
fn nearest_size(x: f32) -> f32 {
    let a = x.abs();
    pick(a < WHOLE, (a + WHOLE) - WHOLE, a)
}

/// Nearest whole number, half to even; keeps the sign of zero.
#[inline(always)]
pub fn round_ties_even(x: f32) -> f32 {
    pick(x.is_nan(), NAN, nearest_size(x).copysign(x))
}

/// Largest whole number not above x.
#[inline(always)]
pub fn floor(x: f32) -> f32 {
    let near = nearest_size(x).copysign(x);
    let below = pick(near > x, near - 1.0, near);
    pick(x.is_nan(), NAN, below)
}

/// Smallest whole number not below x; -0 for x in (-1, -0].
#[inline(always)]
pub fn ceil(x: f32) -> f32 {
    let near = nearest_size(x).copysign(x);
    let above = pick(near < x, near + 1.0, near);
    pick(x.is_nan(), NAN, above.copysign(x))
}

/// x without its fraction; keeps the sign of zero.
#[inline(always)]
pub fn trunc(x: f32) -> f32 {
    let a = x.abs();
    let near = nearest_size(x);
    let below = pick(near > a, near - 1.0, near);
    pick(x.is_nan(), NAN, below.copysign(x))
}

/// `x - floor(x)`, the written formula: 1 for a tiny negative x.
#[inline(always)]
pub fn fract(x: f32) -> f32 {
    super::canonical(x - floor(x))
}

/// b if it is less than a, else a: WGSL's wording, so a NaN b never wins and a NaN a stays.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    pick(b < a, b, a)
}

/// b if a is less than it, else a.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    pick(a < b, b, a)
}

/// `min(max(x, low), high)`.
#[inline(always)]
pub fn clamp(x: f32, low: f32, high: f32) -> f32 {
    min(max(x, low), high)
}

/// Truncates, clamped to the largest f32 inside the range; 0 for NaN: WGSL's conversion as pinned here.
#[inline(always)]
pub fn to_i32(x: f32) -> i32 {
    let x = unless_nan(x, 0.0);
    let number = pick(x > 2_147_483_520.0, 2_147_483_520.0, pick(x < -2_147_483_648.0, -2_147_483_648.0, x));
    // SAFETY: `number` is no NaN and within [-2^31, 2^31 - 128] by the selects above, so its whole part is an i32.
    #[expect(unsafe_code, reason = "the saturating `as i32` keeps a loop scalar")]
    unsafe {
        number.to_int_unchecked()
    }
}

/// Truncates, clamped to the largest f32 inside the range; 0 for NaN.
#[inline(always)]
pub fn to_u32(x: f32) -> u32 {
    let x = unless_nan(x, 0.0);
    let inside = pick(x > 4_294_967_040.0, 4_294_967_040.0, pick(x > 0.0, x, 0.0));
    // By halves, since few machines convert to u32: below 2^31 as i32, above it the difference, which is exact.
    let upper = inside >= 2_147_483_648.0;
    let part = to_i32(pick(upper, inside - 2_147_483_648.0, inside)) as u32;
    part | pick(upper, 0x8000_0000, 0)
}

/// The remainder of x / y with the sign of x, exact: C's `fmod`. Not for lanes: it takes a step for each bit of the
/// quotient.
pub fn fmod(x: f32, y: f32) -> f32 {
    super::canonical(libm::fmodf(x, y))
}
