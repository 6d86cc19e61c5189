//! Values: what people type behind a flag, read into plain data. One function per kind of value.

use clap::{
    ValueEnum,
    builder::{PossibleValuesParser, TypedValueParser},
};

use crate::take::AdapterChoice;

/// When messages are coloured.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Auto,
    Always,
    Never,
}

/// One of some words, each with its meaning.
pub fn one_of<T: Clone + Send + Sync + 'static>(
    meanings: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(meanings.iter().map(|(word, _)| *word)).map(|word| {
        let found = meanings.iter().find(|(known, _)| *known == word);
        found.map(|(_, meaning)| meaning.clone()).expect("clap lets only the known words through")
    })
}

pub fn numbers<const N: usize>(known: [&'static str; N]) -> impl TypedValueParser<Value = u32> {
    PossibleValuesParser::new(known).map(|word| word.parse().expect("clap lets only the known numbers through"))
}

/// Steps of 255.
pub fn steps(text: &str) -> Result<f64, String> {
    bounded(text, 0.0, 255.0)
}

/// A part of a whole.
pub fn share(text: &str) -> Result<f64, String> {
    bounded(text, 0.0, 1.0)
}

pub fn exposure(text: &str) -> Result<f32, String> {
    bounded(text, -64.0, 64.0).map(|n| n as f32)
}

pub fn seconds(text: &str) -> Result<f64, String> {
    bounded(text, -1e6, 1e6)
}

pub fn minutes(text: &str) -> Result<f64, String> {
    bounded(text, 0.0, 1e5)
}

pub fn timeout(text: &str) -> Result<f64, String> {
    bounded(text, 0.01, 1e5)
}

pub fn frames_a_second(text: &str) -> Result<f64, String> {
    bounded(text, 1e-3, 1e6)
}

fn bounded(text: &str, min: f64, max: f64) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (min..=max).contains(&number) => Ok(number),
        Ok(_) => Err(format!("expected {min} to {max}")),
        Err(_) => Err("expected a number".into()),
    }
}

pub fn adapter(text: &str) -> Result<AdapterChoice, String> {
    match text.split_once(':') {
        None if text == "soft" => Ok(AdapterChoice::Soft),
        None if text == "native" => Ok(AdapterChoice::Native(None)),
        Some(("native", part)) if !part.is_empty() => Ok(AdapterChoice::Native(Some(part.to_string()))),
        _ => Err("expected soft, native or native:PART".into()),
    }
}

pub fn millimetres(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "expected a number such as 0.1".to_string())?;
    // Below a millionth f32 itself is further off; beyond a metre there is no clip left.
    if (1e-6..=1e3).contains(&number) { Ok(number) } else { Err("expected 0.000001 to 1000".to_string()) }
}

/// Numbers of frames, in order, as `--frames` takes them: `0..59`, `1,4,9..12`; ends are included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frames(pub Vec<i32>);

/// More are a mistake rather than a wish.
const FRAMES_MAX: i64 = 1_000_000;

impl Frames {
    pub fn parse(text: &str) -> Result<Frames, String> {
        let form = || format!("`{text}` is not a list of frames: write A..B including both, or a list like 1,4,9..12");
        let number = |text: &str| text.trim().parse::<i32>().map_err(|_| form());
        let mut out = Vec::new();
        for part in text.split(',') {
            let (first, last) = match part.split_once("..") {
                Some((first, last)) => (number(first)?, number(last.strip_prefix('=').unwrap_or(last))?),
                None => (number(part)?, number(part)?),
            };
            if last < first {
                return Err(format!("`{part}`: the last frame is before the first"));
            }
            if i64::from(last) - i64::from(first) + out.len() as i64 >= FRAMES_MAX {
                return Err(format!("`{text}`: more than {FRAMES_MAX} frames"));
            }
            out.extend(first..=last);
        }
        Ok(Frames(out))
    }
}

/// A size in bytes: a number with `KiB`, `MiB`, `GiB`, their first letters, or nothing behind it.
pub fn memory(text: &str) -> Result<u64, String> {
    let digit_count = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digit_count);
    let shift = match unit.trim_start().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kib" => 10,
        "m" | "mib" => 20,
        "g" | "gib" => 30,
        _ => return Err("expected a size like 2GiB or 512MiB".to_string()),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| "expected a size like 2GiB or 512MiB".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_ranges_and_lists() {
        for (text, want) in
            [("0..3", vec![0, 1, 2, 3]), ("7", vec![7]), ("-1..1", vec![-1, 0, 1]), ("1,4, 9..=10", vec![1, 4, 9, 10])]
        {
            assert_eq!(Frames::parse(text), Ok(Frames(want)), "{text}");
        }
        for text in ["", "a", "3..1", "1..", "..2", "1...2", "0..2000000", "-2147483648..2147483647", "1,"] {
            assert!(Frames::parse(text).is_err(), "{text}");
        }
    }
}
