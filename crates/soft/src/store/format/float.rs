//! Float: the small floats of texel formats, bit by bit.
//!
//! In and out: f32. Rounding to nearest even, overflow to infinity, NaN to one bit pattern.

/// The one NaN that leaves the adapter.
pub const NAN: f32 = f32::from_bits(0x7FC0_0000);

/// f16 to f32, exactly; every NaN becomes [`NAN`].
#[inline(always)]
pub fn from_f16(half: u16) -> f32 {
    let magnitude = u32::from(half & 0x7FFF);
    let sign = u32::from(half & 0x8000) << 16;
    // Shifting keeps subnormals right: the product with 2^112 moves the exponent and is exact.
    let scaled = f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000);
    let finite = f32::from_bits(scaled.to_bits() | sign);
    let special = if magnitude > 0x7C00 { NAN } else { f32::from_bits(0x7F80_0000 | sign) };
    if magnitude >= 0x7C00 { special } else { finite }
}

/// f32 to f16, nearest even.
#[inline(always)]
pub fn to_f16(value: f32) -> u16 {
    let sign = (value.to_bits() >> 16) as u16 & 0x8000;
    round_to_small(value.to_bits() & 0x7FFF_FFFF, 10) as u16 | sign
}

/// f32 to the unsigned float of 11 bits (6 of mantissa). Everything negative is 0.
pub fn to_f11(value: f32) -> u32 {
    to_unsigned(value, 6)
}

/// f32 to the unsigned float of 10 bits (5 of mantissa). Everything negative is 0.
pub fn to_f10(value: f32) -> u32 {
    to_unsigned(value, 5)
}

/// The unsigned float of 11 bits, exactly.
pub fn from_f11(bits: u32) -> f32 {
    from_f16(((bits & 0x7FF) << 4) as u16)
}

/// The unsigned float of 10 bits, exactly.
pub fn from_f10(bits: u32) -> f32 {
    from_f16(((bits & 0x3FF) << 5) as u16)
}

/// Three mantissas of 9 bits and one exponent of 5.
pub fn from_rgb9e5(bits: u32) -> [f32; 3] {
    // 2^(exponent - 15 - 9), from 2^-24 to 2^7.
    let scale = f32::from_bits((bits >> 27).wrapping_add(127 - 24) << 23);
    [0, 9, 18].map(|shift| (bits >> shift & 0x1FF) as f32 * scale)
}

fn to_unsigned(value: f32, mantissa_bits: u32) -> u32 {
    let bits = value.to_bits();
    // A NaN stays one whatever its sign.
    if bits > 0x8000_0000 && bits <= 0xFF80_0000 { 0 } else { round_to_small(bits & 0x7FFF_FFFF, mantissa_bits) }
}

/// Rounds the magnitude of an f32 to a float with 5 bits of exponent and `mantissa_bits`.
#[inline(always)]
fn round_to_small(magnitude: u32, mantissa_bits: u32) -> u32 {
    let infinity = 31 << mantissa_bits;
    let quiet_nan = infinity | 1 << (mantissa_bits - 1);
    let shift = 23 - mantissa_bits;
    // Normal results: rebias by 112, then round half to even by adding just under half, plus the last kept bit.
    let odd = magnitude >> shift & 1;
    let normal = magnitude.wrapping_add((1 << (shift - 1)) - 1 + odd).wrapping_sub(112 << 23) >> shift;
    // Subnormal results: adding 2^(-14 - mantissa_bits + 23) leaves the rounded steps in the last bits of the sum.
    let magic = f32::from_bits((127 - 14 + 23 - mantissa_bits) << 23);
    let subnormal = (f32::from_bits(magnitude) + magic).to_bits().wrapping_sub(magic.to_bits());
    let finite = if magnitude < 113 << 23 { subnormal } else { normal };
    let bounded = if finite > infinity { infinity } else { finite };
    let special = if magnitude > 0x7F80_0000 { quiet_nan } else { infinity };
    if magnitude >= 0x7F80_0000 { special } else { bounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The f16's value by its definition.
    fn half(bits: u16) -> f64 {
        let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3FF));
        let magnitude = match exponent {
            0 => mantissa * 2f64.powi(-24),
            31 if mantissa == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1.0 + mantissa / 1024.0) * 2f64.powi(exponent - 15),
        };
        if bits & 0x8000 == 0 { magnitude } else { -magnitude }
    }

    #[test]
    fn every_f16_widens_and_comes_back() {
        for bits in 0..=u16::MAX {
            let (value, want) = (from_f16(bits), half(bits));
            if want.is_nan() {
                assert_eq!((value.to_bits(), to_f16(value)), (0x7FC0_0000, 0x7E00));
            } else {
                assert_eq!(f64::from(value), want, "{bits:#x}");
                assert_eq!(to_f16(value), bits, "{bits:#x}");
            }
        }
    }

    #[test]
    fn f16_rounds_to_nearest_even_between_all_neighbours() {
        for bits in 0..0x7BFFu16 {
            let (low, high) = (from_f16(bits), from_f16(bits + 1));
            let middle = low + (high - low) * 0.5;
            let even = if bits & 1 == 0 { bits } else { bits + 1 };
            assert_eq!(to_f16(middle), even, "{bits:#x}");
            assert_eq!(to_f16(f32::from_bits(middle.to_bits() - 1)), bits);
            assert_eq!(to_f16(f32::from_bits(middle.to_bits() + 1)), bits + 1);
        }
        for (value, want) in [(65519.996, 0x7BFF), (65520.0, 0x7C00), (1e30, 0x7C00), (-1e30, 0xFC00), (-0.0, 0x8000)] {
            assert_eq!(to_f16(value), want, "{value}");
        }
    }

    #[test]
    fn small_floats_round_trip_and_have_no_sign() {
        for bits in 0..0x7C0 {
            assert_eq!(to_f11(from_f11(bits)), bits);
        }
        for bits in 0..0x3E0 {
            assert_eq!(to_f10(from_f10(bits)), bits);
        }
        for value in [-1.0, -0.0, f32::NEG_INFINITY, -1e-30] {
            assert_eq!((to_f11(value), to_f10(value)), (0, 0), "{value}");
        }
        assert_eq!((to_f11(f32::INFINITY), to_f10(1e9)), (0x7C0, 0x3E0));
        assert_eq!((to_f11(f32::NAN), to_f10(-f32::NAN)), (0x7E0, 0x3F0));
        assert_eq!(from_f11(0x7E0).to_bits(), 0x7FC0_0000);
        // Halfway between 1 and 1 + 1/64 goes to the even one.
        assert_eq!(from_f11(to_f11(1.0 + 1.0 / 128.0)), 1.0);
        assert_eq!(from_f11(to_f11(1.0 + 3.0 / 128.0)), 1.0 + 2.0 / 64.0);
    }

    #[test]
    fn shared_exponents_by_hand() {
        for (bits, want) in [
            (0, [0.0; 3]),
            (15 << 27 | 256 | 128 << 9 | 511 << 18, [0.5, 0.25, 511.0 / 512.0]),
            (31 << 27 | 511, [65408.0, 0.0, 0.0]),
            (1, [2f32.powi(-24), 0.0, 0.0]),
        ] {
            assert_eq!(from_rgb9e5(bits), want, "{bits:#x}");
        }
    }
}
