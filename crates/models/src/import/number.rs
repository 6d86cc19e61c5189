//! Numbers in text files, fast and exactly as `str::parse` reads them.
//!
//! Up to 19 digits are gathered in an integer. Where that and the power of ten are exact in an f64, one division or
//! multiplication gives the nearest f64 (Clinger 1990); it rounds to the nearest f32 unless it lies half-way between
//! two. Those rare cases, and everything longer, go to the standard library.

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// Reads a number at `at` and moves behind it. `None` where none stands there, or one that is not finite.
#[inline]
pub fn float(bytes: &[u8], at: &mut usize) -> Option<f32> {
    let start = *at;
    let mut place = start;
    let negative = bytes.get(place) == Some(&b'-');
    if negative || bytes.get(place) == Some(&b'+') {
        place += 1;
    }
    let first = place;
    let mut mantissa = 0_u64;
    while let Some(digit) = bytes.get(place).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
        place += 1;
    }
    let mut digit_count = place - first;
    let mut exponent = 0_i64;
    if bytes.get(place) == Some(&b'.') {
        place += 1;
        let after = place;
        while let Some(digit) = bytes.get(place).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            place += 1;
        }
        digit_count += place - after;
        exponent = -((place - after) as i64);
    }
    if digit_count == 0 {
        return None;
    }
    if matches!(bytes.get(place), Some(b'e' | b'E')) {
        let mut end = place + 1;
        let down = bytes.get(end) == Some(&b'-');
        if down || bytes.get(end) == Some(&b'+') {
            end += 1;
        }
        let digits = end;
        let mut power = 0_i64;
        while let Some(digit) = bytes.get(end).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
            power = (power * 10 + i64::from(digit)).min(100_000);
            end += 1;
        }
        if end > digits {
            exponent += if down { -power } else { power };
            place = end;
        }
    }
    *at = place;
    if digit_count <= 19 && mantissa < 1 << 53 && (-22..=22).contains(&exponent) {
        let whole = mantissa as f64;
        let power = POWERS[exponent.unsigned_abs() as usize];
        let near = if exponent < 0 { whole / power } else { whole * power };
        let is_half_way = near.to_bits() & 0x1FFF_FFFF == 0x1000_0000;
        // Below 1e-30 the steps of f32 grow coarser.
        if !is_half_way && (mantissa == 0 || (1e-30..1e30).contains(&near)) {
            return Some(if negative { -near as f32 } else { near as f32 });
        }
    }
    let text = std::str::from_utf8(&bytes[start..place]).expect("signs, digits, points and exponents are ASCII");
    text.parse::<f32>().ok().filter(|value| value.is_finite())
}

/// The same with the digits of an f64.
pub fn double(bytes: &[u8], at: &mut usize) -> Option<f64> {
    let start = *at;
    float(bytes, at)?;
    std::str::from_utf8(&bytes[start..*at]).ok()?.parse().ok()
}

/// Reads a whole number at `at` and moves behind it. `None` where none stands there, or one beyond 32 bits.
#[inline]
pub fn integer(bytes: &[u8], at: &mut usize) -> Option<i64> {
    let mut place = *at;
    let negative = bytes.get(place) == Some(&b'-');
    if negative || bytes.get(place) == Some(&b'+') {
        place += 1;
    }
    let first = place;
    let mut value = 0_i64;
    while let Some(digit) = bytes.get(place).map(|b| b.wrapping_sub(b'0')).filter(|d| *d < 10) {
        value = (value * 10 + i64::from(digit)).min(1 << 40);
        place += 1;
    }
    if place == first || value > i64::from(u32::MAX) {
        return None;
    }
    *at = place;
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn same(text: &str) {
        let mut at = 0;
        let found = float(text.as_bytes(), &mut at);
        let wanted = text.parse::<f32>().expect("a number");
        assert_eq!(found.map(f32::to_bits), wanted.is_finite().then_some(wanted.to_bits()), "{text}");
        assert_eq!(at, text.len(), "{text}");
    }

    #[test]
    fn odd_numbers() {
        for text in [
            "0",
            "-0",
            "1.",
            ".5",
            "+.5e1",
            "16777217",
            "16777217.0",
            "16777219",
            "3.4028236e38",
            "1e39",
            "1e-46",
            "1.17549435e-38",
            "0.000000000000000000000000000000000000011754943508222875",
            "123456789012345678901234567890",
            "1e22",
            "1e23",
            "9007199254740993",
            "8388608.5",
            "8388609.5",
            "0.30000001192092896",
            "1e100000000000",
        ] {
            same(text);
        }
        for text in ["", "-", ".", "e5", "nan", "inf", "x"] {
            assert_eq!(float(text.as_bytes(), &mut 0), None, "{text}");
        }
        let mut at = 0;
        assert_eq!((float(b"1e x", &mut at), at), (Some(1.0), 1));
        for (text, wanted) in [("12/3", Some(12)), ("-7", Some(-7)), ("99999999999", None), ("/", None)] {
            assert_eq!(integer(text.as_bytes(), &mut 0), wanted, "{text}");
        }
    }

    proptest! {
        #[test]
        fn as_the_standard_library_reads(bits in any::<u32>(), digits in 0..12_usize, mantissa in any::<u32>(), power in -30..30_i32) {
            let value = f32::from_bits(bits);
            if value.is_finite() {
                same(&format!("{value}"));
                same(&format!("{value:e}"));
                same(&format!("{value:.digits$}"));
                // Half-way to the next number.
                same(&format!("{:e}", (f64::from(value) + f64::from(f32::from_bits(bits ^ 1))) / 2.0));
            }
            same(&format!("{mantissa}e{power}"));
        }
    }
}
