//! Words: counts, sizes and numbers as people read them, in charts and on the command line.

/// `1 node`, `12,345 nodes`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{grouped} {}", if number == 1 { one } else { many })
}

/// Four significant digits or so, without zeros that say nothing.
pub fn short(value: f32) -> String {
    let decimals = match value.abs() {
        v if v >= 100.0 => 1,
        v if v >= 10.0 => 2,
        _ => 3,
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// `812 B`, `12.3 KB`, `4.56 MB`.
pub fn bytes_words(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} KB", bytes as f64 / 1e3),
        _ => format!("{:.2} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, want) in [
            (0.0, "0"),
            (-0.0001, "0"),
            (1.5, "1.5"),
            (0.12345, "0.123"),
            (12.345, "12.35"),
            (1234.56, "1234.6"),
            (100.0, "100"),
        ] {
            assert_eq!(short(value), want, "{value}");
        }
        assert_eq!(
            (count(1, "vertex", "vertices"), count(1234567, "vertex", "vertices")),
            ("1 vertex".into(), "1,234,567 vertices".into())
        );
    }
}
