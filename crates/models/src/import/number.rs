//! Numbers in text files, fast and exactly as `str::parse` reads them.
//!
//! Up to 19 digits are gathered in an integer. Where that and the power of ten are exact in an f64, one division or
//! multiplication gives the nearest f64 (Clinger 1990); it rounds to the nearest f32 unless it lies half-way between
//! two. Those rare cases, and everything longer, go to the standard library.

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// A number's text in parts.
struct Parts {
    negative: bool,
    /// All digits, of which the last count where there are more than 19.
    mantissa: u64,
    digit_count: usize,
    exponent: i64,
    /// It has neither a point nor an exponent.
    is_whole: bool,
}

/// The number at `at`, moving behind it; `None`, without moving, where none stands there.
#[inline]
fn parts(bytes: &[u8], at: &mut usize) -> Option<Parts> {
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
    let mut is_whole = true;
    if bytes.get(place) == Some(&b'.') {
        is_whole = false;
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
            is_whole = false;
            exponent += if down { -power } else { power };
            place = end;
        }
    }
    *at = place;
    Some(Parts { negative, mantissa, digit_count, exponent, is_whole })
}

impl Parts {
    /// The nearest f64, without its sign, where one multiplication or division gives it.
    #[inline]
    fn near(&self) -> Option<f64> {
        if self.digit_count > 19 || self.mantissa >= 1 << 53 || !(-22..=22).contains(&self.exponent) {
            return None;
        }
        let whole = self.mantissa as f64;
        let power = POWERS[self.exponent.unsigned_abs() as usize];
        Some(if self.exponent < 0 { whole / power } else { whole * power })
    }
}

fn spelled(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("signs, digits, points and exponents are ASCII")
}

/// Reads a number at `at` and moves behind it. `None` where none stands there, or one that is not finite.
#[inline]
pub fn float(bytes: &[u8], at: &mut usize) -> Option<f32> {
    let start = *at;
    let parts = parts(bytes, at)?;
    if let Some(near) = parts.near() {
        let is_half_way = near.to_bits() & 0x1FFF_FFFF == 0x1000_0000;
        // Below 1e-30 the steps of f32 grow coarser.
        if !is_half_way && (parts.mantissa == 0 || (1e-30..1e30).contains(&near)) {
            return Some(if parts.negative { -near as f32 } else { near as f32 });
        }
    }
    spelled(&bytes[start..*at]).parse::<f32>().ok().filter(|value| value.is_finite())
}

/// A number as its text has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Whole(i64),
    /// Infinite where it is too large.
    Real(f64),
}

/// Reads a number at `at` and moves behind it: whole where it has neither a point nor an exponent and fits. `None`,
/// without moving, where none stands there.
#[inline]
pub fn number(bytes: &[u8], at: &mut usize) -> Option<Number> {
    let start = *at;
    let parts = parts(bytes, at)?;
    // "-0" is a number with fractions, because whole ones have no such zero.
    if parts.is_whole && parts.digit_count <= 18 && !(parts.negative && parts.mantissa == 0) {
        let value = parts.mantissa as i64;
        return Some(Number::Whole(if parts.negative { -value } else { value }));
    }
    if let Some(near) = parts.near() {
        return Some(Number::Real(if parts.negative { -near } else { near }));
    }
    let text = spelled(&bytes[start..*at]);
    if parts.is_whole
        && let Ok(value) = text.parse::<i64>()
    {
        return Some(Number::Whole(value));
    }
    text.parse::<f64>().ok().map(Number::Real)
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

    #[test]
    fn whole_and_real_numbers() {
        for (text, want, end) in [
            ("12,", Some(Number::Whole(12)), 2),
            ("-0 ", Some(Number::Real(-0.0)), 2),
            ("1e3", Some(Number::Real(1000.0)), 3),
            ("9223372036854775807", Some(Number::Whole(i64::MAX)), 19),
            ("-9223372036854775808", Some(Number::Whole(i64::MIN)), 20),
            ("9223372036854775808", Some(Number::Real(9_223_372_036_854_775_808.0)), 19),
            ("1e999", Some(Number::Real(f64::INFINITY)), 5),
            ("0.1000000000000000055511151231257827", Some(Number::Real(0.1)), 36),
            ("-x", None, 0),
            ("", None, 0),
        ] {
            let mut at = 0;
            assert_eq!((number(text.as_bytes(), &mut at), at), (want, end), "{text}");
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back_to_the_bit(bits in any::<u64>(), whole in any::<i64>(), places in 0..20_usize) {
            let value = f64::from_bits(bits);
            let real = |text: &str| match number(text.as_bytes(), &mut 0) {
                Some(Number::Real(value)) => value.to_bits(),
                other => panic!("{text}: {other:?}"),
            };
            if value.is_finite() {
                prop_assert_eq!(real(&format!("{value:?}")), bits);
                let text = format!("{value:.places$e}");
                prop_assert_eq!(real(&text), text.parse::<f64>().expect("a number").to_bits());
            }
            prop_assert_eq!(number(whole.to_string().as_bytes(), &mut 0), Some(Number::Whole(whole)));
        }

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
