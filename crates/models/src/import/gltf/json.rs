//! A place in a glTF document: a JSON value that knows its path, so that every complaint can name it.

use serde_json::Value;

use crate::import::{Fault, code};

/// A value, or the lack of one, and the way to it from the document's root. Keys are static, so it is copied freely.
#[derive(Clone, Copy)]
pub struct At<'v> {
    value: Option<&'v Value>,
    steps: [Step; STEPS_MAX],
    step_count: usize,
}

#[derive(Clone, Copy)]
enum Step {
    Key(&'static str),
    Item(usize),
}

/// No place that the importer reads lies deeper; further steps are left out of the path shown.
const STEPS_MAX: usize = 10;

type Result<T> = std::result::Result<T, Fault>;

impl<'v> At<'v> {
    pub fn root(value: &'v Value) -> At<'v> {
        At { value: Some(value), steps: [Step::Key(""); STEPS_MAX], step_count: 0 }
    }

    fn step(mut self, value: Option<&'v Value>, step: Step) -> At<'v> {
        if self.step_count < STEPS_MAX {
            self.steps[self.step_count] = step;
            self.step_count += 1;
        }
        At { value: value.filter(|v| !v.is_null()), ..self }
    }

    /// The member `name`; absent where this is no object or has none.
    pub fn key(self, name: &'static str) -> At<'v> {
        self.step(self.value.and_then(|v| v.get(name)), Step::Key(name))
    }

    fn item(self, index: usize) -> At<'v> {
        self.step(self.value.and_then(|v| v.get(index)), Step::Item(index))
    }

    /// Entry `index` of the list here; an absent one is a fault of `by`, the place that names it.
    pub fn entry(self, index: u32, by: At<'v>) -> Result<At<'v>> {
        let entry = self.item(index as usize);
        if entry.value.is_some() {
            return Ok(entry);
        }
        let message = format!("{by} refers to {entry}, but the list has {} entries", self.len());
        Err(Fault::new(code::REFERENCE, message))
    }

    /// Length of the list here; 0 where there is none.
    pub fn len(self) -> usize {
        self.value.and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// Every entry of the list here. Errors: something that is no list.
    pub fn items(self) -> Result<impl Iterator<Item = At<'v>>> {
        let list: &'v [Value] = match self.value {
            None => &[],
            Some(Value::Array(list)) => list,
            Some(_) => return Err(self.wrong("a list")),
        };
        Ok(list.iter().enumerate().map(move |(index, value)| self.step(Some(value), Step::Item(index))))
    }

    pub fn exists(self) -> bool {
        self.value.is_some()
    }

    pub fn some(self) -> Option<At<'v>> {
        self.exists().then_some(self)
    }

    pub fn wrong(self, wanted: &str) -> Fault {
        let message = match self.value {
            None => format!("{self} is missing: expected {wanted}"),
            Some(value) => format!("{self} must be {wanted}, found {}", brief(value)),
        };
        Fault::new(code::VALUE, message)
    }

    pub fn fault(self, code: &'static str, message: impl std::fmt::Display) -> Fault {
        Fault::new(code, format!("{self}: {message}"))
    }

    pub fn u64(self) -> Result<u64> {
        let value = self.value.ok_or_else(|| self.wrong("an integer"))?;
        // Some writers store counts as 3.0.
        let whole = |f: f64| ((0.0..=9e15).contains(&f) && f.trunc() == f).then_some(f as u64);
        value.as_u64().or_else(|| value.as_f64().and_then(whole)).ok_or_else(|| self.wrong("an integer"))
    }

    pub fn u64_or(self, default: u64) -> Result<u64> {
        if self.exists() { self.u64() } else { Ok(default) }
    }

    /// A position in one of the document's lists.
    pub fn index(self) -> Result<u32> {
        u32::try_from(self.u64()?).map_err(|_| self.wrong("a position in a list"))
    }

    pub fn opt_index(self) -> Result<Option<u32>> {
        self.some().map(At::index).transpose()
    }

    pub fn f32(self) -> Result<f32> {
        let number = self.value.and_then(Value::as_f64).ok_or_else(|| self.wrong("a number"))? as f32;
        if number.is_finite() { Ok(number) } else { Err(self.wrong("a number that fits in 32 bits")) }
    }

    /// Numbers that an f32 holds, with all their digits.
    pub fn doubles<const N: usize>(self) -> Result<Option<[f64; N]>> {
        if self.floats::<N>()?.is_none() {
            return Ok(None);
        }
        let mut out = [0.0; N];
        for (index, number) in out.iter_mut().enumerate() {
            let at = self.item(index);
            *number = at.value.and_then(Value::as_f64).ok_or_else(|| at.wrong("a number"))?;
        }
        Ok(Some(out))
    }

    pub fn f32_or(self, default: f32) -> Result<f32> {
        if self.exists() { self.f32() } else { Ok(default) }
    }

    pub fn floats<const N: usize>(self) -> Result<Option<[f32; N]>> {
        if !self.exists() {
            return Ok(None);
        }
        let list = self.value.and_then(Value::as_array).filter(|l| l.len() == N);
        if list.is_none() {
            return Err(self.wrong(&format!("a list of {N} numbers")));
        }
        let mut out = [0.0; N];
        for (index, number) in out.iter_mut().enumerate() {
            *number = self.item(index).f32()?;
        }
        Ok(Some(out))
    }

    pub fn bool_or(self, default: bool) -> Result<bool> {
        match self.value {
            None => Ok(default),
            Some(value) => value.as_bool().ok_or_else(|| self.wrong("true or false")),
        }
    }

    pub fn str(self) -> Result<&'v str> {
        self.value.and_then(Value::as_str).ok_or_else(|| self.wrong("a text"))
    }

    pub fn opt_str(self) -> Result<Option<&'v str>> {
        self.some().map(At::str).transpose()
    }

    fn path(self) -> String {
        let mut out = String::new();
        for step in &self.steps[..self.step_count] {
            match step {
                Step::Key(name) => {
                    if !out.is_empty() {
                        out.push('.');
                    }
                    out.push_str(name);
                }
                Step::Item(index) => out.push_str(&format!("[{index}]")),
            }
        }
        out
    }
}

impl std::fmt::Display for At<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.path())
    }
}

fn brief(value: &Value) -> String {
    match value {
        Value::Null => "null".to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => n.to_string(),
        Value::String(s) => format!("{:?}", s.chars().take(40).collect::<String>()),
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "an object".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_faults() {
        let value: Value = serde_json::from_str(r#"{"a":[{"b":1},{"b":"x"},3.0,-1,1e39,null]}"#).expect("JSON");
        let root = At::root(&value);
        let a = root.key("a");
        assert_eq!(a.len(), 6);
        assert_eq!(a.item(0).key("b").u64(), Ok(1));
        assert_eq!(a.item(2).u64(), Ok(3));
        let cases: [(Fault, &str); 6] = [
            (a.item(1).key("b").u64().expect_err("text"), "`a[1].b` must be an integer, found \"x\""),
            (a.item(3).u64().expect_err("negative"), "`a[3]` must be an integer, found -1"),
            (a.item(4).f32().expect_err("huge"), "`a[4]` must be a number that fits in 32 bits, found 1e+39"),
            (a.item(5).u64().expect_err("null"), "`a[5]` is missing: expected an integer"),
            (a.entry(9, root.key("c")).err().expect("far"), "`c` refers to `a[9]`, but the list has 6 entries"),
            (root.key("a").floats::<2>().expect_err("six"), "`a` must be a list of 2 numbers, found a list of 6"),
        ];
        for (fault, want) in cases {
            assert_eq!(fault.message, want);
        }
    }
}
