//! Int: arithmetic of i32 and u32, comparisons and bitwise logic (which is also the logic of bools).

use super::truth;

/// 2^52: an f64 in 2^52 .. 2^53 holds an integer in its low bits.
const MAGIC: f64 = 4503599627370496.0;

/// 1.5 * 2^52: the sum with a number in -0.5 .. 2^51 rounds to a whole number that stands in the low bits.
const ROUND: f64 = 6755399441055744.0;

/// A u32 as f64, in operations that every instruction set has.
#[inline(always)]
fn exact(a: u32) -> f64 {
    f64::from_bits(MAGIC.to_bits() | u64::from(a)) - MAGIC
}

macro_rules! functions {
    ($($(#[$meta:meta])* $name:ident($($arg:ident: $ty:ty),+) = $body:expr;)*) => {$(
        $(#[$meta])*
        #[inline(always)]
        pub fn $name($($arg: u32),+) -> u32 {
            $(let $arg = $arg as $ty;)+
            ($body) as u32
        }
    )*};
}

functions! {
    i_add(a: u32, b: u32) = a.wrapping_add(b);
    i_sub(a: u32, b: u32) = a.wrapping_sub(b);
    i_mul(a: u32, b: u32) = a.wrapping_mul(b);
    i_neg(a: u32) = a.wrapping_neg();
    i_abs(a: i32) = a.wrapping_abs();
    i_sign(a: i32) = (a > 0) as i32 - (a < 0) as i32;
    /// `a / 0` and `MIN / -1` give the dividend.
    i_div(a: i32, b: i32) = {
        let quotient = u_div(a.unsigned_abs(), b.unsigned_abs()) as i32;
        // By zero the dividend comes back, which has its sign already.
        let negative = (a ^ if b == 0 { 0 } else { b }) < 0;
        if negative { quotient.wrapping_neg() } else { quotient }
    };
    u_div(a: u32, b: u32) = {
        // a = q b + r: (a + 0.5) / b - 0.5 lies 0.5 / b inside the interval that rounds to q, far more than f64 errs.
        let b = if b == 0 { 1 } else { b };
        ((exact(a) + 0.5) / exact(b) - 0.5 + ROUND).to_bits() as u32
    };
    /// `a % 0` and `MIN % -1` give zero.
    i_rem(a: u32, b: u32) = a.wrapping_sub(i_div(a, b).wrapping_mul(if b == 0 { 1 } else { b }));
    u_rem(a: u32, b: u32) = a.wrapping_sub(u_div(a, b).wrapping_mul(if b == 0 { 1 } else { b }));
    i_min(a: i32, b: i32) = a.min(b);
    i_max(a: i32, b: i32) = a.max(b);
    u_min(a: u32, b: u32) = a.min(b);
    u_max(a: u32, b: u32) = a.max(b);
    and(a: u32, b: u32) = a & b;
    /// `a & !b`.
    and_not(a: u32, b: u32) = a & !b;
    or(a: u32, b: u32) = a | b;
    xor(a: u32, b: u32) = a ^ b;
    not(a: u32) = !a;
    shl(a: u32, b: u32) = a << (b & 31);
    shr_u(a: u32, b: u32) = a >> (b & 31);
    shr_i(a: i32, b: i32) = a >> (b & 31);
    i_eq(a: u32, b: u32) = truth(a == b);
    i_ne(a: u32, b: u32) = truth(a != b);
    i_lt(a: i32, b: i32) = truth(a < b);
    i_le(a: i32, b: i32) = truth(a <= b);
    u_lt(a: u32, b: u32) = truth(a < b);
    u_le(a: u32, b: u32) = truth(a <= b);
}
