//! Convert: between f32, integers, bools, f16 and packed norms.

use stillframe_base::math::ops;

use super::float::{f, max_of, min_of};
use super::truth;

/// The one NaN that leaves the adapter.
pub const NAN: u32 = 0x7FC0_0000;

/// f32 to i32: truncated, clamped to what f32 can hold in range, NaN 0.
#[inline(always)]
pub fn f_to_i(a: u32) -> u32 {
    ops::to_i32(f(a)) as u32
}

/// f32 to u32: truncated, clamped to what f32 can hold in range, NaN 0.
#[inline(always)]
pub fn f_to_u(a: u32) -> u32 {
    ops::to_u32(f(a))
}

#[inline(always)]
pub fn i_to_f(a: u32) -> u32 {
    (a as i32 as f32).to_bits()
}

#[inline(always)]
pub fn u_to_f(a: u32) -> u32 {
    (a as f32).to_bits()
}

/// A number as a bool.
#[inline(always)]
pub fn i_to_bool(a: u32) -> u32 {
    truth(a != 0)
}

/// NaN is true, -0.0 false.
#[inline(always)]
pub fn f_to_bool(a: u32) -> u32 {
    truth(a & 0x7FFF_FFFF != 0)
}

/// The bits of an f32 for others to see: every NaN is one NaN.
#[inline(always)]
pub fn canonical(a: u32) -> u32 {
    if a & 0x7FFF_FFFF > 0x7F80_0000 { NAN } else { a }
}

/// f32 to f16 bits, nearest even, overflow to infinity, NaN 0x7E00.
#[inline(always)]
pub fn to_f16(a: u32) -> u32 {
    let sign = (a >> 16) & 0x8000;
    let magnitude = a & 0x7FFF_FFFF;
    // Normal results: rebias, round by adding half of the last place (and the tie's odd bit). Overflow runs into
    // infinity.
    let odd = (magnitude >> 13) & 1;
    let normal = magnitude.wrapping_add(0xC800_0FFF).wrapping_add(odd) >> 13;
    // Subnormal results: adding 0.5 aligns the last place of f16 with that of f32 and rounds to nearest even.
    let subnormal = (f(magnitude) + 0.5).to_bits().wrapping_sub(0x3F00_0000);
    let finite = if magnitude < 0x3880_0000 { subnormal } else { normal };
    let bits = if magnitude >= 0x4780_0000 { 0x7C00 } else { finite };
    if magnitude > 0x7F80_0000 { 0x7E00 } else { sign | bits }
}

/// The low 16 bits as f16, widened exactly; NaN becomes [`NAN`].
#[inline(always)]
pub fn from_f16(a: u32) -> u32 {
    let sign = (a & 0x8000) << 16;
    let magnitude = a & 0x7FFF;
    // Subnormals: the integer times 2^-24 is exact.
    let subnormal = (magnitude as i32 as f32 * 5.960_464_5e-8).to_bits();
    let normal = (magnitude << 13).wrapping_add(0x3800_0000);
    let finite = if magnitude < 0x0400 { subnormal } else { normal };
    let bits = if magnitude == 0x7C00 { 0x7F80_0000 } else { finite };
    if magnitude > 0x7C00 { NAN } else { sign | bits }
}

#[inline(always)]
pub fn quantize_f16(a: u32) -> u32 {
    from_f16(to_f16(a))
}

/// `floor(0.5 + n * clamp(x, low, 1))` in f64, where product and sum are exact; NaN 0.
#[inline(always)]
#[expect(unsafe_code, reason = "a saturating `as` keeps the loop scalar")]
fn norm(a: u32, n: f64, low: f32) -> u32 {
    let x = f(a);
    let x = if x.is_nan() { 0.0 } else { x };
    let exact = 0.5 + n * f64::from(min_of(max_of(x, low), 1.0));
    // SAFETY: the clamp of the line before leaves |exact| <= n + 0.5 < 2^17.
    let whole = unsafe { exact.to_int_unchecked::<i32>() };
    (whole - i32::from(f64::from(whole) > exact)) as u32
}

#[inline(always)]
pub fn unorm8(a: u32) -> u32 {
    norm(a, 255.0, 0.0)
}

#[inline(always)]
pub fn unorm16(a: u32) -> u32 {
    norm(a, 65535.0, 0.0)
}

/// 8 bits, the rest zero.
#[inline(always)]
pub fn snorm8(a: u32) -> u32 {
    norm(a, 127.0, -1.0) & 0xFF
}

/// 16 bits, the rest zero.
#[inline(always)]
pub fn snorm16(a: u32) -> u32 {
    norm(a, 32767.0, -1.0) & 0xFFFF
}
