//! Colours of files: `"#rrggbb"` is sRGB, arrays are linear.

use stillframe_base::math::colour::LINEAR_FROM_SRGB8;

/// Linear RGB and alpha of `#rgb`, `#rrggbb` or `#rrggbbaa`; alpha only where `with_alpha`. `None` for other texts.
pub(crate) fn parse_hex(text: &str, with_alpha: bool) -> Option<[f32; 4]> {
    let digits = text.strip_prefix('#')?;
    let values: Vec<u8> = digits.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = match values.len() {
        3 => values.iter().map(|v| v * 17).collect(),
        6 => values.chunks_exact(2).map(|v| v[0] * 16 + v[1]).collect(),
        8 if with_alpha => values.chunks_exact(2).map(|v| v[0] * 16 + v[1]).collect(),
        _ => return None,
    };
    let alpha = bytes.get(3).map_or(1.0, |a| (f64::from(*a) / 255.0) as f32);
    let linear = |at: usize| LINEAR_FROM_SRGB8[usize::from(bytes[at])];
    Some([linear(0), linear(1), linear(2), alpha])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures from an independent computation in 50 decimal digits.
    #[test]
    fn known_values() {
        for (text, want) in [
            ("#000000", 0.0),
            ("#0a0a0a", 0.003_035_269_84),
            ("#0b0b0b", 0.003_346_535_76),
            ("#808080", 0.215_860_500),
            ("#bcbcbc", 0.502_886_458),
            ("#ffffff", 1.0),
        ] {
            let got = f64::from(parse_hex(text, false).unwrap()[1]);
            assert!((got - want).abs() <= want * 6e-8, "{text}: {got} {want}");
        }
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
