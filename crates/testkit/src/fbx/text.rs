//! Writes records as text, as programs do: 7.x with marked lists, 6.x with rows of values.

use stillframe_base::base64::base64;

use super::write::{Record, Value};

/// From this version on, text has the words of packed tangents as whole numbers.
const WORDS_AS_WHOLE_NUMBERS: u32 = 7200;

/// A text of version 7 (7400 or 7500) or 6 (6100).
pub fn text_of(top: &[Record], version: u32) -> Vec<u8> {
    let mut out = format!(
        "; FBX {}.{}.0 project file\n; Copyright (C) nobody\n; ----------------------------------------------------\n\n",
        version / 1000,
        version % 1000 / 100
    );
    for record in top {
        put(&mut out, record, version, 0);
        out.push('\n');
    }
    out.into_bytes()
}

fn put(out: &mut String, record: &Record, version: u32, depth: usize) {
    let indent = "\t".repeat(depth);
    *out += &indent;
    *out += &record.name;
    out.push_str(": ");
    for (place, value) in record.values.iter().enumerate() {
        if place > 0 {
            // Values of one record may lie on several lines.
            out.push_str(if place % 10 == 9 { ",\n" } else { ", " });
        }
        put_value(out, &record.name, value, version, &indent);
    }
    // An object without records inside has its braces, too.
    if !record.inside.is_empty() || record.values.is_empty() || depth == 1 && record.values.len() >= 3 {
        out.push_str(" {\n");
        record.inside.iter().for_each(|inside| put(out, inside, version, depth + 1));
        *out += &indent;
        out.push('}');
    }
    out.push('\n');
}

fn put_value(out: &mut String, name: &str, value: &Value, version: u32, indent: &str) {
    match value {
        Value::Int(value) => *out += &value.to_string(),
        Value::Long(value) => *out += &value.to_string(),
        Value::Double(value) => *out += &number(*value),
        Value::Letter(letter) => out.push(char::from(*letter)),
        Value::Text(text) => *out += &quoted(text),
        Value::Bytes(bytes) => {
            out.push_str(",\n");
            // Long pictures come in parts.
            let parts: Vec<String> = bytes
                .chunks(300)
                .map(|part| format!("{indent}\t\"{}\"", String::from_utf8_lossy(&base64(part))))
                .collect();
            *out += &parts.join(",\n");
        }
        Value::Ints(values) => list(out, values.iter().map(i32::to_string), version, indent),
        Value::Longs(values) => list(out, values.iter().map(i64::to_string), version, indent),
        Value::Doubles(values) => list(out, values.iter().map(|value| number(*value)), version, indent),
        Value::Floats(values) if name == "KeyAttrDataFloat" && version >= WORDS_AS_WHOLE_NUMBERS => {
            list(out, values.iter().map(|value| (value.to_bits() as i32).to_string()), version, indent);
        }
        Value::Floats(values) => list(out, values.iter().map(|value| number(f64::from(*value))), version, indent),
    }
}

fn list(out: &mut String, numbers: impl ExactSizeIterator<Item = String>, version: u32, indent: &str) {
    let count = numbers.len();
    let marked = version >= 7000;
    if marked {
        *out += &format!("*{count} {{\n{indent}\ta: ");
    }
    for (place, number) in numbers.enumerate() {
        if place > 0 {
            out.push_str(if place % 30 == 29 { ",\n" } else { "," });
        }
        *out += &number;
    }
    if marked {
        *out += &format!("\n{indent}}} ");
    }
}

/// The shortest digits that come back to the bit, without a fraction where there is none.
fn number(value: f64) -> String {
    let digits = format!("{value:?}");
    match digits.strip_suffix(".0") {
        Some(whole) if whole != "-0" => whole.to_string(),
        _ => digits,
    }
}

/// `Cube\0\x01Model` is `Model::Cube` in text.
fn quoted(text: &str) -> String {
    let text = match text.split_once("\0\x01") {
        Some((name, class)) => format!("{class}::{name}"),
        None => text.to_string(),
    };
    format!("\"{}\"", text.replace('"', "&quot;").replace('\n', "&lf;").replace('\r', "&cr;"))
}
