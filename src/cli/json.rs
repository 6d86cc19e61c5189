//! Json: messages for programs. One line per message; a document where a command prints one thing only.

use serde_json::{Map, Value, json};

use super::status::Failure;
use super::{Surroundings, stderr, stdout};
use crate::source::{Diagnostic, Severity, line_column};

/// Where lines of JSON go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    Stdout,
    /// Standard output holds a picture.
    Stderr,
}

/// An object with the program's version and the name of its form in front.
pub fn document(schema: &str, fields: Value) -> Value {
    let mut out = Map::new();
    out.insert("stillframe".into(), env!("CARGO_PKG_VERSION").into());
    out.insert("schema".into(), schema.into());
    match fields {
        Value::Object(fields) => out.extend(fields),
        other => unreachable!("{other} is not an object"),
    }
    Value::Object(out)
}

/// An object as a line of text.
pub fn text(schema: &str, fields: &Value) -> String {
    // What it is comes first, for people who look over a program's shoulder.
    let fields = fields.to_string();
    let rest = fields.strip_prefix('{').unwrap_or_else(|| unreachable!("{fields} is not an object"));
    let version = env!("CARGO_PKG_VERSION");
    format!("{{\"stillframe\":\"{version}\",\"schema\":\"{schema}\",{rest}")
}

/// Prints an object as a line, if programs read.
pub fn line(schema: &str, fields: Value, surroundings: &Surroundings) -> Result<(), Failure> {
    let Some(stream) = surroundings.json else { return Ok(()) };
    let text = text(schema, &fields);
    match stream {
        Stream::Stdout => stdout::line(&text),
        Stream::Stderr => {
            stderr::note(&text);
            Ok(())
        }
    }
}

/// A diagnostic: `text` is what its span points into.
pub fn diagnostic(diagnostic: &Diagnostic, file: &str, text: Option<&str>) -> Value {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let at = diagnostic.span.as_ref().zip(text).map(|(span, text)| line_column(text, span.start));
    json!({
        "severity": severity,
        "code": diagnostic.code,
        "file": file,
        "line": at.map(|at| at.line),
        "column": at.map(|at| at.column),
        "span_bytes": diagnostic.span.as_ref().map(|span| [span.start, span.end]),
        "message": diagnostic.message,
        "help": diagnostic.help,
    })
}
