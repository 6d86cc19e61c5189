//! Keys: TOML tables whose keys are known, values with their places, numbers as they are written.

use std::ops::Range;
use std::path::Path;

use toml_edit::{Item, TableLike, Value};

use super::exact::Exact;
use crate::scene::code;
use crate::source::{Diagnostic, did_you_mean};

/// The text, and what is wrong with it so far.
pub struct Found<'a> {
    pub file: &'a Path,
    pub text: &'a str,
    pub list: Vec<Diagnostic>,
}

/// A table, or a value's place for one.
#[derive(Clone)]
pub struct Table<'a> {
    pub table: &'a dyn TableLike,
    pub place: Range<usize>,
}

/// A value with its place.
#[derive(Clone)]
pub struct At<'a> {
    pub value: &'a Value,
    pub place: Range<usize>,
}

impl<'a> Found<'a> {
    pub fn tell(&mut self, code: &'static str, place: Range<usize>, message: impl Into<String>) -> &mut Diagnostic {
        // An empty place is none: nothing could be underlined.
        let complaint = Diagnostic {
            span: Some(place).filter(|place| !place.is_empty()),
            ..Diagnostic::error(code, self.file, message)
        };
        self.list.push(complaint);
        self.list.last_mut().unwrap_or_else(|| unreachable!("just pushed"))
    }

    pub fn tell_help(&mut self, code: &'static str, place: Range<usize>, message: String, help: Option<String>) {
        self.tell(code, place, message).help = help;
    }

    /// A word of a list; complains if it is none.
    pub fn word<T: Copy>(&mut self, at: &At<'_>, words: &[(&str, T)]) -> Option<T> {
        let word = self.text_of(at)?;
        if let Some((_, value)) = words.iter().find(|(known, _)| *known == word) {
            return Some(*value);
        }
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        self.tell_help(
            code::UNKNOWN_WORD,
            at.place.clone(),
            format!("\"{word}\" is not one of {}", known.join(", ")),
            near(&word, known.iter().copied()),
        );
        None
    }

    pub fn text_of(&mut self, at: &At<'_>) -> Option<String> {
        let text = at.value.as_str().map(str::to_string);
        if text.is_none() {
            self.tell(code::WRONG_TYPE, at.place.clone(), "expected a text");
        }
        text
    }

    pub fn flag(&mut self, at: &At<'_>) -> Option<bool> {
        let flag = at.value.as_bool();
        if flag.is_none() {
            self.tell(code::WRONG_TYPE, at.place.clone(), "expected true or false");
        }
        flag
    }

    /// A number, or a text with a number or a fraction.
    pub fn exact(&mut self, at: &At<'_>) -> Option<Exact> {
        let written = match at.value {
            Value::Integer(number) => return Some(Exact::whole(i128::from(*number.value()))),
            Value::Float(number) if !number.value().is_finite() => {
                self.tell(code::NOT_FINITE, at.place.clone(), "expected a finite number");
                return None;
            }
            Value::Float(_) => self.text.get(at.place.clone()).unwrap_or_default().to_string(),
            Value::String(text) => text.value().clone(),
            _ => String::new(),
        };
        let exact = Exact::of_text(&written);
        if exact.is_none() {
            let code = if at.value.is_float() { code::OUT_OF_RANGE } else { code::WRONG_TYPE };
            let message = "expected a number such as 12, 0.25 or \"1/3\" with at most 27 digits";
            self.tell(code, at.place.clone(), message);
        }
        exact
    }

    /// A whole number in a range.
    pub fn whole(&mut self, at: &At<'_>, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let Some(number) = at.value.as_integer() else {
            self.tell(code::WRONG_TYPE, at.place.clone(), "expected an integer");
            return None;
        };
        if !range.contains(&number) {
            let (low, high) = (range.start(), range.end());
            self.tell(code::OUT_OF_RANGE, at.place.clone(), format!("{number} is not in {low}..{high}"));
            return None;
        }
        Some(number)
    }
}

/// "did you mean ...?"
pub fn near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    did_you_mean(word, known).map(|word| format!("did you mean `{word}`?"))
}

impl<'a> Table<'a> {
    /// Complains about keys that are none of `known`.
    pub fn only(&self, known: &[&str], found: &mut Found<'a>) {
        for (key, item) in self.table.iter() {
            if !known.contains(&key) {
                let place = self.key_place(key, item);
                found.tell_help(
                    code::UNKNOWN_KEY,
                    place,
                    format!("unknown key `{key}`"),
                    near(key, known.iter().copied()).or_else(|| Some(format!("known are {}", known.join(", ")))),
                );
            }
        }
    }

    fn key_place(&self, key: &str, item: &Item) -> Range<usize> {
        let own = self.table.get_key_value(key).and_then(|(key, _)| key.span());
        own.or_else(|| item.span()).unwrap_or_else(|| self.place.clone())
    }

    /// The value of a key; complains if it is a table.
    pub fn value(&self, key: &str, found: &mut Found<'a>) -> Option<At<'a>> {
        let item = self.table.get(key)?;
        let place = item.span().unwrap_or_else(|| self.place.clone());
        match item {
            Item::Value(value) => Some(At { value, place }),
            _ => {
                found.tell(code::WRONG_TYPE, self.key_place(key, item), format!("`{key}` is a value, not a table"));
                None
            }
        }
    }

    /// The table of a key.
    pub fn child(&self, key: &str, found: &mut Found<'a>) -> Option<Table<'a>> {
        let item = self.table.get(key)?;
        let place = self.key_place(key, item);
        match item.as_table_like() {
            Some(table) => Some(Table { table, place }),
            None => {
                found.tell(code::WRONG_TYPE, place, format!("`{key}` is a table"));
                None
            }
        }
    }

    /// What a list of a key holds, tables in brackets or values.
    pub fn list(&self, key: &str, found: &mut Found<'a>) -> Vec<Element<'a>> {
        let Some(item) = self.table.get(key) else { return Vec::new() };
        match item {
            Item::ArrayOfTables(tables) => {
                let place = |table: &toml_edit::Table| table.span().unwrap_or_else(|| self.place.clone());
                tables.iter().map(|table| Element::Table(Table { table, place: place(table) })).collect()
            }
            Item::Value(Value::Array(values)) => {
                let element = |value: &'a Value| {
                    let place = value.span().unwrap_or_else(|| self.place.clone());
                    match value {
                        Value::InlineTable(table) => Element::Table(Table { table, place }),
                        value => Element::Value(At { value, place }),
                    }
                };
                values.iter().map(element).collect()
            }
            _ => {
                found.tell(code::WRONG_TYPE, self.key_place(key, item), format!("`{key}` is a list"));
                Vec::new()
            }
        }
    }

    /// The first of `keys` that is there; complains about a second one.
    pub fn one_of(&self, keys: &[String], found: &mut Found<'a>) -> Option<(usize, At<'a>)> {
        let mut first: Option<(usize, At<'a>)> = None;
        for (index, key) in keys.iter().enumerate() {
            let Some(item) = self.table.get(key) else { continue };
            if let Some((known, _)) = &first {
                let message = format!("`{key}` and `{}` set the same thing", keys[*known]);
                found.tell_help(code::EXCLUSIVE_KEYS, self.key_place(key, item), message, Some("remove one".into()));
                continue;
            }
            first = self.value(key, found).map(|at| (index, at)).or(first);
        }
        first
    }
}

/// One of a list.
pub enum Element<'a> {
    Table(Table<'a>),
    Value(At<'a>),
}
