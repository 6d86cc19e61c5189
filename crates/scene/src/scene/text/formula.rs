//! Arithmetic in scene files: `"$(rows * 2 + 1)"`.
//!
//! Numbers, names of parameters, `+ - * /`, brackets, and a few functions; angles in degrees. Whole numbers stay whole
//! as long as the result is one, so that counts can be computed.

use crate::scene::angle::sin_cos_deg;

/// A number of a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Whole(i64),
    Float(f64),
}

/// What is wrong with a formula, and the byte where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FormulaError {
    pub at: std::ops::Range<usize>,
    pub message: String,
    /// Whether a name was not known.
    pub unknown: bool,
}

/// Brackets in brackets.
const DEPTH_MAX: usize = 32;
const FUNCTIONS: &[(&str, usize)] =
    &[("abs", 1), ("floor", 1), ("ceil", 1), ("round", 1), ("sqrt", 1), ("sin", 1), ("cos", 1), ("min", 2), ("max", 2)];

/// Computes `text`. `lookup` gives the number that a name stands for, or says what is wrong with it (and whether it is
/// unknown).
pub(crate) fn compute(
    text: &str,
    lookup: &mut dyn FnMut(&str) -> Result<Number, (String, bool)>,
) -> Result<Number, FormulaError> {
    let mut reader = Reader { text, at: 0, depth: 0, lookup };
    let value = reader.sum()?;
    reader.blank();
    match reader.at == text.len() {
        true => Ok(value),
        false => Err(reader.error(reader.at..text.len(), "expected an operator: + - * /")),
    }
}

impl Number {
    pub fn float(self) -> f64 {
        match self {
            Number::Whole(n) => n as f64,
            Number::Float(x) => x,
        }
    }

    /// The whole result where both are whole and it fits, else the float one.
    fn with(self, other: Number, whole: fn(i64, i64) -> Option<i64>, float: fn(f64, f64) -> f64) -> Number {
        if let (Number::Whole(a), Number::Whole(b)) = (self, other)
            && let Some(n) = whole(a, b)
        {
            return Number::Whole(n);
        }
        Number::Float(float(self.float(), other.float()))
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    lookup: &'a mut dyn FnMut(&str) -> Result<Number, (String, bool)>,
}

impl Reader<'_> {
    fn error(&self, at: std::ops::Range<usize>, message: impl Into<String>) -> FormulaError {
        FormulaError { at, message: message.into(), unknown: false }
    }

    fn blank(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The next character that is no blank, if it is one of `these`; steps over it.
    fn take(&mut self, these: &[char]) -> Option<char> {
        self.blank();
        let next = self.text[self.at..].chars().next().filter(|c| these.contains(c))?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn sum(&mut self) -> Result<Number, FormulaError> {
        let mut value = self.product()?;
        while let Some(operator) = self.take(&['+', '-']) {
            let other = self.product()?;
            value = match operator {
                '+' => value.with(other, i64::checked_add, |a, b| a + b),
                _ => value.with(other, i64::checked_sub, |a, b| a - b),
            };
        }
        Ok(value)
    }

    fn product(&mut self) -> Result<Number, FormulaError> {
        let mut value = self.signed()?;
        while let Some(operator) = self.take(&['*', '/']) {
            let other = self.signed()?;
            let divided = |a: i64, b: i64| if b != 0 && a % b == 0 { a.checked_div(b) } else { None };
            value = match operator {
                '*' => value.with(other, i64::checked_mul, |a, b| a * b),
                _ => value.with(other, divided, |a, b| a / b),
            };
        }
        Ok(value)
    }

    fn signed(&mut self) -> Result<Number, FormulaError> {
        let mut negative = false;
        while let Some(sign) = self.take(&['-', '+']) {
            negative ^= sign == '-';
        }
        let value = self.single()?;
        Ok(if negative { Number::Whole(0).with(value, i64::checked_sub, |_, b| -b) } else { value })
    }

    fn single(&mut self) -> Result<Number, FormulaError> {
        if self.take(&['(']).is_some() {
            return self.inside();
        }
        self.blank();
        let start = self.at;
        let rest = &self.text[start..];
        let number = |c: char| c.is_ascii_digit() || c == '.' || c == '_';
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let first = rest.chars().next();
        if first.is_some_and(|c| c.is_ascii_digit() || c == '.') {
            let mut length = rest.find(|c: char| !number(c)).unwrap_or(rest.len());
            // An exponent, with its sign.
            if rest[length..].starts_with(['e', 'E']) {
                let signed = length + 1 + usize::from(rest[length + 1..].starts_with(['-', '+']));
                let digits = rest[signed..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - signed);
                length = signed + digits;
            }
            self.at += length;
            let digits = rest[..length].replace('_', "");
            let whole = digits.parse().ok().map(Number::Whole);
            let value = whole.or(digits.parse().ok().filter(|x: &f64| x.is_finite()).map(Number::Float));
            return value
                .ok_or_else(|| self.error(start..start + length, format!("`{}` is not a number", &rest[..length])));
        }
        if first.is_some_and(word) {
            let length = rest.find(|c: char| !word(c)).unwrap_or(rest.len());
            self.at += length;
            let name = &rest[..length];
            if self.take(&['(']).is_some() {
                return self.call(name, start);
            }
            let found = (self.lookup)(name);
            return found.map_err(|(message, unknown)| FormulaError { at: start..start + length, message, unknown });
        }
        Err(self.error(start..self.text.len(), "expected a number or a parameter's name"))
    }

    /// Behind an opening bracket, up to the closing one.
    fn inside(&mut self) -> Result<Number, FormulaError> {
        self.deeper()?;
        let value = self.sum()?;
        self.depth -= 1;
        self.close()?;
        Ok(value)
    }

    fn deeper(&mut self) -> Result<(), FormulaError> {
        self.depth += 1;
        match self.depth > DEPTH_MAX {
            true => Err(self.error(self.at..self.at, "brackets are nested too deeply")),
            false => Ok(()),
        }
    }

    fn close(&mut self) -> Result<(), FormulaError> {
        match self.take(&[')']) {
            Some(_) => Ok(()),
            None => Err(self.error(self.at..self.text.len(), "expected a closing bracket `)`")),
        }
    }

    fn call(&mut self, name: &str, start: usize) -> Result<Number, FormulaError> {
        let Some((_, count)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
            let known: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
            let message = format!("unknown function `{name}`; known are {}", known.join(", "));
            return Err(self.error(start..start + name.len(), message));
        };
        self.deeper()?;
        let first = self.sum()?;
        let second = if *count == 2 {
            if self.take(&[',']).is_none() {
                return Err(
                    self.error(self.at..self.text.len(), format!("`{name}` takes two numbers; expected a comma"))
                );
            }
            self.sum()?
        } else {
            first
        };
        self.depth -= 1;
        self.close()?;
        let (a, b) = (first.float(), second.float());
        let whole = |x: f64| if x.abs() < 9e15 { Number::Whole(x as i64) } else { Number::Float(x) };
        Ok(match (name, first) {
            ("abs", Number::Whole(n)) => n.checked_abs().map_or(Number::Float(a.abs()), Number::Whole),
            ("abs", _) => Number::Float(a.abs()),
            ("floor", _) => whole(a.floor()),
            ("ceil", _) => whole(a.ceil()),
            ("round", _) => whole(a.round()),
            ("sqrt", _) => Number::Float(a.sqrt()),
            ("sin", _) => Number::Float(sin_cos_deg(a).0),
            ("cos", _) => Number::Float(sin_cos_deg(a).1),
            ("min", _) if b < a => second,
            ("max", _) if b > a => second,
            _ => first,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Result<Number, FormulaError> {
        compute(text, &mut |name| match name {
            "n" => Ok(Number::Whole(6)),
            "x" => Ok(Number::Float(0.5)),
            other => Err((format!("no {other}"), true)),
        })
    }

    #[test]
    fn results() {
        for (text, want) in [
            ("1 + 2 * 3", Number::Whole(7)),
            ("(1 + 2) * 3", Number::Whole(9)),
            ("n / 3", Number::Whole(2)),
            ("n / 4", Number::Float(1.5)),
            ("-n - -2", Number::Whole(-4)),
            ("x * 2", Number::Float(1.0)),
            ("1e3 + 2.5e-1", Number::Float(1000.25)),
            ("1_000", Number::Whole(1000)),
            ("2 - 3 - 4", Number::Whole(-5)),
            ("floor(n / 4)", Number::Whole(1)),
            ("max(n, 7) + min(1, x)", Number::Float(7.5)),
            ("sin(90) + cos(180)", Number::Float(0.0)),
            ("sqrt(n * n)", Number::Float(6.0)),
            ("9223372036854775807 + 1", Number::Float(9_223_372_036_854_775_808.0)),
            ("1 / 0", Number::Float(f64::INFINITY)),
            ("abs(-3)", Number::Whole(3)),
        ] {
            assert_eq!(of(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn mistakes_are_underlined() {
        for (text, at, part) in [
            ("", "", "expected"),
            ("1 +", "", "expected"),
            ("1 2", "2", "operator"),
            ("(1", "", "bracket"),
            ("y + 1", "y", "no y"),
            ("tan(1)", "tan", "unknown function"),
            ("min(1)", ")", "comma"),
            ("1.2.3", "1.2.3", "not a number"),
            ("2 # 3", "# 3", "operator"),
        ] {
            let error = of(text).unwrap_err();
            assert_eq!((&text[error.at.clone()], error.message.contains(part)), (at, true), "{text}: {error:?}");
        }
        assert!(of(&"(".repeat(1000)).unwrap_err().message.contains("deep"));
        assert!(of(&"abs(".repeat(1000)).unwrap_err().message.contains("deep"));
        assert!(of(&"-".repeat(1000)).is_err());
    }
}
