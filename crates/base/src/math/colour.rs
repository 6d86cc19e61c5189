//! Colour: the sRGB transfer function, exact for 8 bits, and luminance.
//!
//! In: f32 channels, linear light or sRGB encoded. Out: the other, or 8-bit codes. Never here: gamuts, tone mapping.
//! Source: IEC 61966-2-1, with the constants 0.04045 and 0.0031308.

use super::ops::{pow, unless_nan};
use super::srgb_table::{DECODE_BITS, THRESHOLD_BITS};

/// Linear value of each 8-bit sRGB code, correctly rounded.
pub static LINEAR_FROM_SRGB8: [f32; 256] = {
    let mut table = [0.0; 256];
    let mut code = 0;
    while code < 256 {
        table[code] = f32::from_bits(DECODE_BITS[code]);
        code += 1;
    }
    table
};

/// `SRGB8_THRESHOLDS[code]`: the smallest f32 that encodes to more than `code`.
pub static SRGB8_THRESHOLDS: [f32; 255] = {
    let mut table = [0.0; 255];
    let mut code = 0;
    while code < 255 {
        table[code] = f32::from_bits(THRESHOLD_BITS[code]);
        code += 1;
    }
    table
};

/// Buckets of [2^-13, 1) by exponent and 7 bits of mantissa: none holds more than one threshold.
const BUCKET_SHIFT: u32 = 16;
const BUCKET_FIRST: u32 = 0x3900_0000 >> BUCKET_SHIFT;
const BUCKET_COUNT: usize = (0x3F80_0000 >> BUCKET_SHIFT) as usize - BUCKET_FIRST as usize;

/// The code at the start of each bucket.
static BUCKETS: [u8; BUCKET_COUNT] = {
    let mut table = [0; BUCKET_COUNT];
    let mut bucket = 0;
    let mut code = 0;
    while bucket < BUCKET_COUNT {
        // Bits of positive floats are in the order of the floats.
        while code < 255 && THRESHOLD_BITS[code] <= (BUCKET_FIRST + bucket as u32) << BUCKET_SHIFT {
            code += 1;
        }
        table[bucket] = code as u8;
        bucket += 1;
    }
    table
};

/// The 8-bit sRGB code of a linear value: exactly the number of thresholds at or below it. NaN and negatives give 0.
#[inline]
pub fn srgb8_from_linear(linear: f32) -> u8 {
    let linear = unless_nan(linear, 0.0);
    // 2^-13 is below the first threshold; at and over 1 the code is that just below 1.
    let inside = if linear > 1.220_703_1e-4 { linear } else { 1.220_703_1e-4 };
    let inside = if inside < 0.999_999_94 { inside } else { 0.999_999_94 };
    let code = BUCKETS[(inside.to_bits() >> BUCKET_SHIFT) as usize - BUCKET_FIRST as usize];
    code + u8::from(code < 255 && inside >= SRGB8_THRESHOLDS[usize::from(code)])
}

/// Linear light of an encoded value; negative values mirror.
#[inline(always)]
pub fn linear_from_srgb(encoded: f32) -> f32 {
    let a = encoded.abs();
    let linear = if a <= 0.04045 { a / 12.92 } else { pow((a + 0.055) / 1.055, 2.4) };
    linear.copysign(encoded)
}

/// sRGB encoding of a linear value; negative values mirror, values over 1 follow the curve.
#[inline(always)]
pub fn srgb_from_linear(linear: f32) -> f32 {
    let a = linear.abs();
    let encoded = if a <= 0.003_130_8 { a * 12.92 } else { 1.055 * pow(a, 1.0 / 2.4) - 0.055 };
    encoded.copysign(linear)
}

/// Relative luminance of linear RGB with the sRGB primaries (ITU-R BT.709).
#[inline(always)]
pub fn luminance(rgb: [f32; 3]) -> f32 {
    0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
}

/// An 8-bit sRGB colour as linear RGB.
pub fn linear_rgb_from_srgb8(rgb: [u8; 3]) -> [f32; 3] {
    rgb.map(|code| LINEAR_FROM_SRGB8[usize::from(code)])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::math::ops64;

    fn decode(encoded: f64) -> f64 {
        if encoded <= 0.04045 { encoded / 12.92 } else { ops64::pow((encoded + 0.055) / 1.055, 2.4) }
    }

    #[test]
    fn decode_table_is_correctly_rounded() {
        for (code, &linear) in LINEAR_FROM_SRGB8.iter().enumerate() {
            assert_eq!(linear, decode(code as f64 / 255.0) as f32, "{code}");
        }
    }

    #[test]
    fn thresholds_are_the_first_f32_past_each_half_code() {
        for (code, &threshold) in SRGB8_THRESHOLDS.iter().enumerate() {
            let exact = decode((code as f64 + 0.5) / 255.0);
            assert!(f64::from(threshold.next_down()) < exact && exact <= f64::from(threshold), "{code}");
        }
    }

    #[test]
    fn codes_round_trip_and_change_at_the_threshold() {
        for code in 0..=255u8 {
            assert_eq!(srgb8_from_linear(LINEAR_FROM_SRGB8[usize::from(code)]), code);
        }
        for (code, &threshold) in SRGB8_THRESHOLDS.iter().enumerate() {
            assert_eq!(usize::from(srgb8_from_linear(threshold)), code + 1);
            assert_eq!(usize::from(srgb8_from_linear(threshold.next_down())), code);
        }
        for (linear, code) in [
            (f32::NAN, 0),
            (f32::from_bits(0x7F80_0001), 0),
            (-1.0, 0),
            (-0.0, 0),
            (1e-45, 0),
            (1.0, 255),
            (f32::INFINITY, 255),
        ] {
            assert_eq!(srgb8_from_linear(linear), code);
        }
    }

    #[test]
    fn no_bucket_holds_two_thresholds() {
        assert!(THRESHOLD_BITS.windows(2).all(|pair| pair[0] >> BUCKET_SHIFT != pair[1] >> BUCKET_SHIFT));
    }

    proptest! {
        #[test]
        fn code_is_the_count_of_thresholds(bits in any::<u32>(), near in 0.0f32..1.1) {
            for linear in [f32::from_bits(bits), near] {
                let want = SRGB8_THRESHOLDS.iter().filter(|&&t| linear >= t).count();
                prop_assert_eq!(usize::from(srgb8_from_linear(linear)), want);
            }
        }

        #[test]
        fn float_forms_agree_with_f64_and_invert(x in -4.0f32..4.0) {
            let want = decode(f64::from(x.abs())).copysign(f64::from(x));
            prop_assert!((f64::from(linear_from_srgb(x)) - want).abs() <= want.abs() * 8e-7);
            prop_assert!((srgb_from_linear(linear_from_srgb(x)) - x).abs() <= x.abs() * 1e-6 + 3e-8);
        }
    }
}
