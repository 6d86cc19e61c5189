//! TOML text to [`Table`]s with places.

use std::ops::Range;

use toml_edit::{Document, Item, TableLike};

use crate::scene::code;
use crate::scene::text::syntax::{Entry, Kind, Place, Table, Value};
use crate::scene::text::weigh::weigh;

/// Largest scene file.
pub(crate) const TEXT_MAX_BYTES: u64 = 2_000_000;

/// A mistake in the text itself: code, place, message.
#[derive(Debug)]
pub(crate) struct TextError {
    pub code: &'static str,
    pub place: Place,
    pub message: String,
}

/// Why a text is no TOML that is read here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotToml {
    /// Whether it would take too much memory, be it TOML or not.
    pub is_too_much: bool,
    pub span: Range<usize>,
    pub message: String,
}

impl NotToml {
    /// In words with the line, for who tells no more of a file.
    pub fn words(&self, text: &str) -> String {
        let before = &text.as_bytes()[..self.span.start.min(text.len())];
        let line_number = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        format!("line {line_number}: {}", self.message)
    }
}

/// Reads TOML, as every TOML file of people is to be read: the parser alone takes any amount of memory, and its stack
/// has no end if brackets do not match. `weight` counts the memory that texts take which are held together.
///
/// Errors: the first place where the text is no TOML, or would take too much memory.
pub fn toml_document<'a>(text: &'a str, weight: &mut usize) -> Result<Document<&'a str>, NotToml> {
    let weighed = weigh(text, *weight).map_err(|error| NotToml {
        is_too_much: true,
        span: error.at..error.at + 1,
        message: error.message.into(),
    })?;
    *weight = weighed.bytes;
    let wrong = |span, message: &str| NotToml { is_too_much: false, span, message: plain(message) };
    let read = weighed.stray.map_or(text, |end| &text[..end]);
    let document = Document::parse(read).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        match lone_return(read).filter(|at| *at <= span.end) {
            Some(at) => wrong(at..at + 1, "a line ends in CR alone; lines of TOML end in LF or CR LF"),
            None => wrong(span, error.message()),
        }
    })?;
    match weighed.stray {
        Some(end) => Err(wrong(end - 1..end, "a bracket that closes no open one")),
        None => Ok(document),
    }
}

/// The first carriage return without a line feed, as very old editors end lines.
fn lone_return(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().position(|(at, byte)| *byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
}

/// Reads the text of source `source`. `weight` counts the memory that all texts of a scene take together.
///
/// Errors: the first place where the text is no TOML, or would take too much memory.
pub(crate) fn parse(text: &str, source: u32, weight: &mut usize) -> Result<Table, TextError> {
    let document = toml_document(text, weight).map_err(|error| TextError {
        code: if error.is_too_much { code::TOO_MUCH } else { code::SYNTAX },
        place: Place::new(source, error.span),
        message: error.message,
    })?;
    Ok(table(document.as_table(), source))
}

/// One value, as it stands right of an equals sign. `offset` is where `text` starts in its source.
pub(crate) fn parse_value(text: &str, source: u32, offset: usize) -> Result<Value, TextError> {
    // Values know no places of their own; as part of a document they do.
    const HEAD: &str = "v=";
    let shift = |place: Place| {
        let back = |at: u32| at.saturating_sub(HEAD.len() as u32) + offset as u32;
        Place { start: back(place.start), end: back(place.end), ..place }
    };
    let whole = Place::new(source, offset..offset + text.len());
    let mut document = parse(&format!("{HEAD}{text}"), source, &mut 0)
        .map_err(|error| TextError { place: shift(error.place), ..error })?;
    if document.entries.len() != 1 {
        return Err(TextError { code: code::SYNTAX, place: whole, message: "expected one value".into() });
    }
    let mut value = document.entries.remove(0).value;
    each_place(&mut value, &shift);
    Ok(value)
}

/// Moves a value, and all that it holds.
pub(crate) fn each_place(value: &mut Value, shift: &dyn Fn(Place) -> Place) {
    value.place = shift(value.place);
    match &mut value.kind {
        Kind::List(values) => values.iter_mut().for_each(|v| each_place(v, shift)),
        Kind::Table(table) => table.entries.iter_mut().for_each(|entry| {
            entry.key_place = shift(entry.key_place);
            each_place(&mut entry.value, shift);
        }),
        _ => {}
    }
}

/// The parser's words as one sentence.
fn plain(message: &str) -> String {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() { "not valid TOML".into() } else { line }
}

/// Recursion ends: deeply nested text is refused before.
fn table(from: &dyn TableLike, source: u32) -> Table {
    let mut entries = Vec::with_capacity(from.len());
    for (name, item) in from.iter() {
        let key_span = from.get_key_value(name).and_then(|(key, _)| key.span());
        let value = item_value(item, source);
        let Some(value) = value else { continue };
        // Keys of `[a.b]` know where they stand only in part; their table does.
        let key_place = key_span.map_or(value.place, |span| Place::new(source, span));
        entries.push(Entry { key: name.to_string(), key_place, value });
    }
    Table { entries }
}

fn item_value(item: &Item, source: u32) -> Option<Value> {
    let span = item.span();
    let kind = match item {
        Item::None => return None,
        Item::Value(value) => return Some(plain_value(value, source)),
        Item::Table(inner) => Kind::Table(table(inner, source)),
        Item::ArrayOfTables(list) => Kind::List(
            list.iter()
                .map(|inner| {
                    let place = Place::new(source, inner.span().unwrap_or(0..0));
                    Value { kind: Kind::Table(table(inner, source)), place }
                })
                .collect(),
        ),
    };
    Some(Value { place: place_of(span, &kind, source), kind })
}

/// Tables that are only implied (`[a.b]` implies `a`) stand where their first key stands.
fn place_of(span: Option<Range<usize>>, kind: &Kind, source: u32) -> Place {
    match (span, kind) {
        (Some(span), _) => Place::new(source, span),
        (None, Kind::Table(table)) if !table.entries.is_empty() => table.entries[0].key_place,
        (None, Kind::List(values)) if !values.is_empty() => values[0].place,
        (None, _) => Place::new(source, 0..0),
    }
}

fn plain_value(value: &toml_edit::Value, source: u32) -> Value {
    use toml_edit::Value as V;
    let kind = match value {
        V::String(text) => Kind::Text(text.value().clone()),
        V::Integer(number) => Kind::Whole(*number.value()),
        V::Float(number) => Kind::Float(*number.value()),
        V::Boolean(flag) => Kind::Bool(*flag.value()),
        V::Datetime(_) => Kind::Date,
        V::Array(values) => Kind::List(values.iter().map(|v| plain_value(v, source)).collect()),
        V::InlineTable(inner) => Kind::Table(table(inner, source)),
    };
    Value { place: place_of(value.span(), &kind, source), kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, place: Place) -> &str {
        &text[place.span()]
    }

    #[test]
    fn everything_knows_where_it_stands() {
        let text =
            "title = \"x\"\n[camera.main]\nposition = [1, 2.5, 3]\n[[node]]\nname = 'n'\n[[node]]\na.b = { c = 1 }\n";
        let table = parse(text, 0, &mut 0).unwrap();
        let title = table.entry("title").unwrap();
        assert_eq!((at(text, title.key_place), at(text, title.value.place)), ("title", "\"x\""));
        let (name, place, camera) = table.named("camera").next().unwrap();
        assert_eq!((name, at(text, place)), ("main", "main"));
        assert_eq!(at(text, camera.value("position").unwrap().place), "[1, 2.5, 3]");
        let nodes: Vec<_> = table.list("node").map(|(place, _)| at(text, place)).collect();
        assert_eq!(nodes, ["[[node]]", "[[node]]"]);
    }

    #[test]
    fn values_of_arguments_are_shifted() {
        let argument = "a.b=[1, {c = true}]";
        let value = parse_value(&argument[4..], 3, 4).unwrap();
        assert_eq!(at(argument, value.place), "[1, {c = true}]");
        let Kind::List(values) = &value.kind else { panic!("{value:?}") };
        assert_eq!((at(argument, values[1].place), values[1].place.source), ("{c = true}", 3));
        assert!(parse_value("1\nb=2", 1, 0).is_err());
        assert!(parse_value("agx", 1, 0).is_err());
    }

    /// The mark at the start of a text is no part of it; places count it all the same.
    #[test]
    fn marks_and_line_ends_of_editors() {
        let text = "\u{feff}title = \"x\"\r\n[output]\r\nsamples = 1\r\n";
        let table = parse(text, 0, &mut 0).unwrap();
        assert_eq!(at(text, table.entry("title").unwrap().key_place), "title");
        let error = parse("title = \"x\"\r[output]\rsamples = 1\r", 0, &mut 0).unwrap_err();
        assert!(error.message.contains("CR alone") && error.place.start == 11, "{error:?}");
        let error = parse("title\n# a\r", 0, &mut 0).unwrap_err();
        assert!(!error.message.contains("CR"), "what comes first is told: {error:?}");
    }

    #[test]
    fn what_is_no_toml_says_where() {
        for (text, part) in [("a = ", ""), ("a = 1\na = 2\n", "a"), ("[x\n", ""), ("a = 'b", "")] {
            let error = parse(text, 0, &mut 0).unwrap_err();
            assert!(at(text, error.place).contains(part), "{text}: {error:?}");
            assert!(!error.message.is_empty());
        }
        let deep = format!("a = {}", "[".repeat(100_000));
        assert!(parse(&deep, 0, &mut 0).is_err());
    }
}
