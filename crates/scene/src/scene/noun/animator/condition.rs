//! Conditions of transitions: `"speed > 0.1 and not (time_left < 0.2)"`.
//!
//! Comparisons of a parameter with a number, `time_left < SECONDS`, `always`; joined by `not`, then `and`, then `or`,
//! with brackets. What is printed reads back as the same condition, down to its brackets.

use std::ops::Range;

use stillframe_anim::graph::{Compare, Condition};
use stillframe_base::tick::Tick;

use crate::scene::schema::NUMBER_MAX;
use crate::scene::text::toml;

/// Words that no parameter can have for its name.
pub(crate) const WORDS: [&str; 5] = ["and", "or", "not", "always", "time_left"];

/// In the order in which they are looked for: longer ones first. The first of each meaning is printed.
const COMPARISONS: &[(&str, Compare)] = &[
    ("<=", Compare::LessOrEqual),
    (">=", Compare::GreaterOrEqual),
    ("!=", Compare::NotEqual),
    ("<", Compare::Less),
    (">", Compare::Greater),
    ("=", Compare::Equal),
];

/// Signs of programming languages, and what stands for them here.
const FOREIGN: &[(&str, &str)] = &[("&&", "and"), ("||", "or"), ("&", "and"), ("|", "or"), ("==", "="), ("!", "not")];

/// What to write instead of what stands at a mistake, if that is another language's.
pub(crate) fn advice(text: &str, error: &ConditionError) -> Option<String> {
    let rest = &text[error.at.start..];
    // The first half of `==` has been read.
    let doubled = rest.starts_with('=') && text[..error.at.start].trim_end().ends_with('=');
    let own =
        if doubled { Some("=") } else { FOREIGN.iter().find(|(sign, _)| rest.starts_with(sign)).map(|own| own.1) };
    own.map(|own| format!("write `{own}`"))
}

/// Brackets in brackets, and comparisons in all.
const DEPTH_MAX: usize = 32;
const COMPARISONS_MAX: usize = 256;
/// The longest time that can be left.
const SECONDS_MAX: f64 = 1e6;

/// What is wrong with a condition, and the bytes where.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ConditionError {
    pub at: Range<usize>,
    pub message: String,
}

/// A condition with the places of the parameters it names.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parsed {
    pub condition: Condition,
    pub names: Vec<(String, Range<usize>)>,
}

/// Reads `text`. Which parameters there are does not matter.
pub(crate) fn parse(text: &str) -> Result<Parsed, ConditionError> {
    let mut reader = Reader { text, at: 0, depth: 0, comparison_count: 0, names: Vec::new() };
    let condition = reader.any()?;
    reader.blank();
    match reader.at == text.len() {
        true => Ok(Parsed { condition, names: reader.names }),
        false => Err(reader.rest("expected `and`, `or` or the end")),
    }
}

/// The text of a condition.
pub(crate) fn print(condition: &Condition) -> String {
    joined(condition, 0)
}

/// `above`: how tightly what stands around binds: 1 for `or`, 2 for `and`, 3 for `not`.
fn joined(condition: &Condition, above: usize) -> String {
    let list = |parts: &[Condition], word: &str, own: usize| {
        parts.iter().map(|part| joined(part, own)).collect::<Vec<_>>().join(word)
    };
    let (own, text) = match condition {
        Condition::Always => (9, "always".to_string()),
        Condition::Compare { parameter, is, than } => {
            let sign = COMPARISONS.iter().find(|(_, meaning)| meaning == is).map_or("=", |(sign, _)| sign);
            (9, format!("{parameter} {sign} {}", toml::float32(*than)))
        }
        Condition::TimeLeft { below } => (9, format!("time_left < {}", toml::float(below.seconds()))),
        // Not one of the texts that can be read; what they mean can.
        Condition::And(parts) if parts.is_empty() => (9, "always".to_string()),
        Condition::Or(parts) if parts.is_empty() => (3, "not always".to_string()),
        Condition::And(parts) | Condition::Or(parts) if parts.len() == 1 => return joined(&parts[0], above),
        Condition::Or(parts) => (1, list(parts, " or ", 1)),
        Condition::And(parts) => (2, list(parts, " and ", 2)),
        // `not not x` needs no brackets.
        Condition::Not(part) => (3, format!("not {}", joined(part, 2))),
    };
    if own <= above { format!("({text})") } else { text }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    comparison_count: usize,
    names: Vec<(String, Range<usize>)>,
}

impl Reader<'_> {
    fn any(&mut self) -> Result<Condition, ConditionError> {
        let mut parts = vec![self.all()?];
        while self.word("or") {
            parts.push(self.all()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::Or(parts) })
    }

    fn all(&mut self) -> Result<Condition, ConditionError> {
        let mut parts = vec![self.one()?];
        while self.word("and") {
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Condition::And(parts) })
    }

    fn one(&mut self) -> Result<Condition, ConditionError> {
        if self.word("not") {
            self.deeper()?;
            let inner = self.one()?;
            self.depth -= 1;
            return Ok(Condition::Not(Box::new(inner)));
        }
        if self.sign("(") {
            self.deeper()?;
            let inner = self.any()?;
            self.depth -= 1;
            return if self.sign(")") { Ok(inner) } else { Err(self.rest("expected a closing bracket `)`")) };
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Condition, ConditionError> {
        self.blank();
        let start = self.at;
        let name = &self.text[start..start + self.name_length()];
        if name.is_empty() {
            return Err(self.rest("expected a parameter's name, `time_left`, `always`, `not` or a bracket"));
        }
        self.comparison_count += 1;
        if self.comparison_count > COMPARISONS_MAX {
            return Err(self.rest(&format!("a condition has at most {COMPARISONS_MAX} comparisons")));
        }
        let own = start..start + name.len();
        self.at = own.end;
        match name {
            "always" => return Ok(Condition::Always),
            "and" | "or" => {
                let message = format!("a condition is missing before `{name}`");
                return Err(ConditionError { at: own, message });
            }
            _ => {}
        }
        self.blank();
        let sign_at = self.at;
        let Some((sign, is)) = COMPARISONS.iter().find(|(sign, _)| self.sign(sign)) else {
            return Err(self.rest("expected a comparison: < <= > >= = !="));
        };
        if name != "time_left" {
            let than = self.number(NUMBER_MAX)? as f32;
            self.names.push((name.to_string(), own));
            return Ok(Condition::Compare { parameter: name.to_string(), is: *is, than });
        }
        if *is != Compare::Less {
            let message = format!("`time_left {sign}`: only `time_left <` is possible");
            return Err(ConditionError { at: sign_at..sign_at + sign.len(), message });
        }
        self.blank();
        let start = self.at;
        let seconds = self.number(SECONDS_MAX)?;
        if seconds < 0.0 {
            let message = "`time_left` is never below 0".to_string();
            return Err(ConditionError { at: start..self.at, message });
        }
        Ok(Condition::TimeLeft { below: Tick::from_seconds(seconds) })
    }

    fn number(&mut self, max: f64) -> Result<f64, ConditionError> {
        self.blank();
        let start = self.at;
        let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
        let bytes = self.text.as_bytes();
        let mut end = start;
        while let Some(byte) = bytes.get(end).map(|byte| char::from(*byte)) {
            let after_exponent = end > start && matches!(bytes[end - 1], b'e' | b'E');
            if part(byte) || (matches!(byte, '+' | '-') && (end == start || after_exponent)) {
                end += 1;
            } else {
                break;
            }
        }
        let written = &self.text[start..end];
        let digits = written.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit() || c == '.');
        let number = written.parse::<f64>().ok().filter(|_| digits);
        let wrong = |message: String| Err(ConditionError { at: start..end, message });
        match number {
            _ if start == end => Err(self.rest("expected a number")),
            None => wrong(format!("`{written}` is not a number")),
            Some(number) if number.abs() > max => wrong(format!("`{written}` is more than {max:e}")),
            Some(number) => {
                self.at = end;
                Ok(number)
            }
        }
    }

    fn deeper(&mut self) -> Result<(), ConditionError> {
        self.depth += 1;
        match self.depth > DEPTH_MAX {
            true => Err(self.rest("brackets are nested too deeply")),
            false => Ok(()),
        }
    }

    /// Takes a word, if it is the next one.
    fn word(&mut self, word: &str) -> bool {
        self.blank();
        let is = &self.text[self.at..self.at + self.name_length()] == word;
        self.at += if is { word.len() } else { 0 };
        is
    }

    fn sign(&mut self, sign: &str) -> bool {
        self.blank();
        let is = self.text[self.at..].starts_with(sign);
        self.at += if is { sign.len() } else { 0 };
        is
    }

    fn name_length(&self) -> usize {
        let rest = &self.text[self.at..];
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return 0;
        }
        rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
    }

    fn blank(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// A complaint about all that is left.
    fn rest(&self, message: &str) -> ConditionError {
        ConditionError { at: self.at..self.text.trim_end().len().max(self.at), message: message.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of(text: &str) -> String {
        print(&parse(text).unwrap_or_else(|e| panic!("{text}: {e:?}")).condition)
    }

    #[test]
    fn normal_forms() {
        for (text, want) in [
            ("always", "always"),
            (" speed>0.1 ", "speed > 0.1"),
            ("a = -2 or b != 1e3 and c <= +.5", "a = -2.0 or b != 1000.0 and c <= 0.5"),
            ("(a < 1 or b < 1) and c >= 1", "(a < 1.0 or b < 1.0) and c >= 1.0"),
            ("((a < 1) and b < 1) and c < 1", "(a < 1.0 and b < 1.0) and c < 1.0"),
            ("not (time_left < 0.2)", "not time_left < 0.2"),
            ("not not (a < 1 and b < 1)", "not not (a < 1.0 and b < 1.0)"),
            ("notable < 1", "notable < 1.0"),
        ] {
            assert_eq!(of(text), want, "{text}");
            assert_eq!(of(want), want);
        }
    }

    #[test]
    fn and_binds_before_or() {
        let Condition::Or(parts) = parse("a < 1 or b < 1 and not c < 1").unwrap().condition else { panic!() };
        let Condition::And(inner) = &parts[1] else { panic!("{parts:?}") };
        assert!(matches!(inner[1], Condition::Not(_)));
    }

    #[test]
    fn mistakes_are_underlined() {
        for (text, at, part) in [
            ("", "", "parameter"),
            ("speed", "", "comparison"),
            ("speed > ", "", "number"),
            ("speed > fast", "fast", "not a number"),
            ("speed > 1 2", "2", "`and`"),
            ("speed => 1", "> 1", "number"),
            ("(speed > 1", "", "bracket"),
            ("and speed > 1", "and", "before"),
            ("speed > 1 and", "", "parameter"),
            ("time_left > 1", ">", "only"),
            ("time_left < -1", "-1", "below 0"),
            ("speed > 1e300", "1e300", "more than"),
            ("speed > inf", "inf", "not a number"),
            ("1 < speed", "1 < speed", "parameter"),
        ] {
            let error = parse(text).unwrap_err();
            assert_eq!((&text[error.at.clone()], error.message.contains(part)), (at, true), "{text}: {error:?}");
        }
        assert!(parse(&"(".repeat(1000)).unwrap_err().message.contains("deep"));
        assert!(parse(&"not ".repeat(900)).unwrap_err().message.contains("deep"));
        assert!(parse(&"a < 1 and ".repeat(900)).unwrap_err().message.contains("at most 256"));
    }

    fn any_condition() -> impl Strategy<Value = Condition> {
        let signs = prop::sample::select(COMPARISONS.to_vec());
        let leaf = prop_oneof![
            Just(Condition::Always),
            ("[a-z][a-z0-9_]{0,6}", signs, -1e9f32..1e9)
                .prop_filter("a word of its own", |(name, _, _)| !WORDS.contains(&name.as_str()))
                .prop_map(|(parameter, (_, is), than)| Condition::Compare { parameter, is, than }),
            (0i64..1 << 49).prop_map(|ticks| Condition::TimeLeft { below: Tick(ticks) }),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            let parts = prop::collection::vec(inner.clone(), 2..4);
            prop_oneof![
                parts.clone().prop_map(Condition::And),
                parts.prop_map(Condition::Or),
                inner.prop_map(|part| Condition::Not(Box::new(part))),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(condition in any_condition()) {
            let text = print(&condition);
            prop_assert_eq!(parse(&text).unwrap().condition, condition, "{}", text);
        }

        #[test]
        fn any_text_is_survived(text in "([a-c]|and|or|not|always|time_left|[<>=!()0-9.e+-]| |\u{e9}){0,12}") {
            match parse(&text) {
                Ok(parsed) => prop_assert_eq!(parse(&print(&parsed.condition)).unwrap().condition, parsed.condition),
                Err(error) => prop_assert!(text.get(error.at.clone()).is_some(), "{} {:?}", text, error),
            }
        }
    }
}
