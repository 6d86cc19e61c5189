//! Exact: numbers as they are written, and one rounding.

/// A fraction: `over` is at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exact {
    of: i128,
    over: i128,
}

/// Digits before and behind the point, and powers of ten.
const DIGITS_MAX: u32 = 27;

impl Exact {
    pub const fn whole(number: i128) -> Exact {
        Exact { of: number, over: 1 }
    }

    /// `12`, `-0.25`, `1_000`, `2.5e-3`, `30000/1001`. None for what is no such number, or has more digits than 128
    /// bits hold.
    pub fn of_text(text: &str) -> Option<Exact> {
        match text.split_once('/') {
            Some((of, over)) => {
                let (of, over) = (decimal(of.trim())?, decimal(over.trim())?);
                of.divided_by(over)
            }
            None => decimal(text.trim()),
        }
    }

    pub fn times(self, other: Exact) -> Option<Exact> {
        let product = Exact { of: self.of.checked_mul(other.of)?, over: self.over.checked_mul(other.over)? };
        Some(product.reduced())
    }

    pub fn divided_by(self, other: Exact) -> Option<Exact> {
        let inverse = Exact { of: other.over.checked_mul(other.of.signum())?, over: other.of.checked_abs()? };
        if inverse.over == 0 { None } else { self.times(inverse) }
    }

    pub fn plus(self, other: Exact) -> Option<Exact> {
        let (a, b) = (self.of.checked_mul(other.over)?, other.of.checked_mul(self.over)?);
        Some(Exact { of: a.checked_add(b)?, over: self.over.checked_mul(other.over)? }.reduced())
    }

    pub fn is_positive(self) -> bool {
        self.of > 0
    }

    /// The nearest whole number, half to even.
    pub fn nearest(self) -> i128 {
        let (quotient, rest) = (self.of.div_euclid(self.over), self.of.rem_euclid(self.over));
        // Not doubled: `rest` may take all bits.
        let up = match rest.cmp(&(self.over - rest)) {
            std::cmp::Ordering::Less => false,
            std::cmp::Ordering::Equal => quotient % 2 != 0,
            std::cmp::Ordering::Greater => true,
        };
        quotient + i128::from(up)
    }

    pub fn floor(self) -> i128 {
        self.of.div_euclid(self.over)
    }

    fn reduced(self) -> Exact {
        let (mut a, mut b) = (self.of.unsigned_abs(), self.over.unsigned_abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        // The divisor is at most `over`, so it fits.
        let divisor = a.max(1) as i128;
        Exact { of: self.of / divisor, over: self.over / divisor }
    }
}

fn decimal(text: &str) -> Option<Exact> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, power) = match digits.split_once(['e', 'E']) {
        Some((mantissa, power)) => (mantissa, power.parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (before, behind) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let figures: String = before.chars().chain(behind.chars()).filter(|c| *c != '_').collect();
    let places = behind.chars().filter(|c| *c != '_').count() as i32;
    let good = !before.is_empty() && figures.bytes().all(|byte| byte.is_ascii_digit());
    if !good || figures.trim_start_matches('0').len() > DIGITS_MAX as usize {
        return None;
    }
    let of: i128 = sign * figures.trim_start_matches('0').parse::<i128>().or(figures.parse()).ok()?;
    let power = power.checked_sub(places)?;
    if power.unsigned_abs() > DIGITS_MAX {
        return None;
    }
    let ten = 10i128.checked_pow(power.unsigned_abs())?;
    let exact = if power >= 0 { Exact { of: of.checked_mul(ten)?, over: 1 } } else { Exact { of, over: ten } };
    Some(exact.reduced())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_as_written() {
        for (text, of, over) in [
            ("12", 12, 1),
            ("-0.25", -1, 4),
            ("+1_000.50", 2001, 2),
            ("2.5e-3", 1, 400),
            ("3e2", 300, 1),
            ("30000/1001", 30_000, 1001),
            ("-1/-2", 1, 2),
            ("0.1/0.3", 1, 3),
            ("0", 0, 1),
            ("0.000", 0, 1),
        ] {
            assert_eq!(Exact::of_text(text), Some(Exact { of, over }), "{text}");
        }
        for text in
            ["", "a", "1/0", "--1", ".5", "1e99", "1.2.3", "1/2/3", "0x10", "9999999999999999999999999999", "1e", "-"]
        {
            assert_eq!(Exact::of_text(text), None, "{text}");
        }
    }

    #[test]
    fn one_rounding_half_to_even() {
        for (text, nearest, floor) in
            [("0.5", 0, 0), ("1.5", 2, 1), ("-0.5", 0, -1), ("-1.5", -2, -2), ("2.4999999999", 2, 2), ("-7/3", -2, -3)]
        {
            let exact = Exact::of_text(text).expect("a number");
            assert_eq!((exact.nearest(), exact.floor()), (nearest, floor), "{text}");
        }
        // A float would be a tie here.
        let above = Exact::of_text("0.50000000000000000001").expect("a number");
        assert_eq!(above.nearest(), 1);
        let big = Exact::of_text("1e27").expect("a number");
        assert_eq!(big.times(big), None);
        assert_eq!(big.plus(Exact::whole(1)).map(Exact::nearest), Some(10i128.pow(27) + 1));
    }
}
