//! Values as TOML text that reads back as the same value.

use std::fmt::Write;

use crate::scene::text::syntax::{Kind, Value};

/// A TOML basic string.
pub(crate) fn text(value: &str) -> String {
    let mut out = String::from("\"");
    for character in value.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A text of a scene file: one that begins with a dollar sign would name a parameter, so it gets a second one.
pub fn scene_text(value: &str) -> String {
    if value.starts_with('$') { text(&format!("${value}")) } else { text(value) }
}

/// A TOML key, with quotes where it needs them.
pub fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_string() } else { text(name) }
}

/// Any value, on one line.
pub(crate) fn value(value: &Value) -> String {
    match &value.kind {
        Kind::Text(value) => scene_text(value),
        Kind::Whole(number) => number.to_string(),
        Kind::Float(number) => float(*number),
        Kind::Bool(flag) => flag.to_string(),
        Kind::Date | Kind::Missing => "\"\"".to_string(),
        Kind::List(values) => list(values.iter().map(self::value)),
        Kind::Table(table) if table.entries.is_empty() => "{}".to_string(),
        Kind::Table(table) => {
            let parts: Vec<String> =
                table.entries.iter().map(|e| format!("{} = {}", key(&e.key), self::value(&e.value))).collect();
            format!("{{ {} }}", parts.join(", "))
        }
    }
}

/// Debug prints the shortest text that reads back as the same float, always with a point or an exponent: TOML's form.
pub(crate) fn float(number: f64) -> String {
    if number.is_nan() { "nan".to_string() } else { format!("{number:?}") }
}

/// The same of a single-precision float.
pub(crate) fn float32(number: f32) -> String {
    format!("{number:?}")
}

pub(crate) fn list(values: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", values.into_iter().collect::<Vec<_>>().join(", "))
}
