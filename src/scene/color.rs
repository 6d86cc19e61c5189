//! Colours of files: `"#rrggbb"` is sRGB, arrays are linear.

/// Linear value of an 8-bit sRGB sample (IEC 61966-2-1), rounded once from double precision.
///
/// `x^2.4` is taken as `x^2 * (x^(1/5))^2` with Newton's method: no machine's library has a say.
pub(super) fn linear_of_srgb8(sample: u8) -> f32 {
    let encoded = f64::from(sample) / 255.0;
    if encoded <= 0.04045 {
        return (encoded / 12.92) as f32;
    }
    let x = (encoded + 0.055) / 1.055;
    let mut root = 1.0;
    for _ in 0..40 {
        let fourth = root * root * root * root;
        root = (4.0 * root + x / fourth) / 5.0;
    }
    (x * x * root * root) as f32
}

/// Linear RGB and alpha of `#rgb`, `#rrggbb` or `#rrggbbaa`; alpha only where `with_alpha`. `None` for other texts.
pub(super) fn parse_hex(text: &str, with_alpha: bool) -> Option<[f32; 4]> {
    let digits = text.strip_prefix('#')?;
    let values: Vec<u8> = digits.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = match values.len() {
        3 => values.iter().map(|v| v * 17).collect(),
        6 => values.chunks_exact(2).map(|v| v[0] * 16 + v[1]).collect(),
        8 if with_alpha => values.chunks_exact(2).map(|v| v[0] * 16 + v[1]).collect(),
        _ => return None,
    };
    let alpha = bytes.get(3).map_or(1.0, |a| (f64::from(*a) / 255.0) as f32);
    Some([linear_of_srgb8(bytes[0]), linear_of_srgb8(bytes[1]), linear_of_srgb8(bytes[2]), alpha])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures to nine digits from an independent computation in 50 decimal digits.
    #[test]
    fn known_values() {
        for (sample, want) in [
            (0u8, 0.0),
            (1, 0.000_303_526_984),
            (10, 0.003_035_269_84),
            (11, 0.003_346_535_76),
            (55, 0.038_204_371_6),
            (128, 0.215_860_500),
            (188, 0.502_886_458),
            (254, 0.991_102_097),
            (255, 1.0),
        ] {
            let got = f64::from(linear_of_srgb8(sample));
            assert!((got - want).abs() <= want * 6e-8, "{sample}: {got} {want}");
        }
        assert!((0..255u8).all(|s| linear_of_srgb8(s) < linear_of_srgb8(s + 1)));
    }

    #[test]
    fn texts() {
        assert_eq!(parse_hex("#ff0000", false), Some([1.0, 0.0, 0.0, 1.0]));
        assert_eq!(parse_hex("#F00", false), Some([1.0, 0.0, 0.0, 1.0]));
        assert_eq!(parse_hex("#ff000000", true), Some([1.0, 0.0, 0.0, 0.0]));
        for text in ["ff0000", "#ff00", "#ff000000", "#gg0000", "", "#", "#ffé00"] {
            assert_eq!(parse_hex(text, false), None, "{text}");
        }
    }
}
