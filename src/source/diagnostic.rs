//! One complaint about a file.

use std::ops::Range;
use std::path::PathBuf;

/// One complaint about a file, with the place and the way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Stable, e.g. `E0312`; listed in docs/diagnostics.md.
    pub code: &'static str,
    pub severity: Severity,
    /// As the user named it.
    pub file: PathBuf,
    /// Byte range in the file's text; `None` for binary files and whole-file complaints.
    pub span: Option<Range<usize>>,
    pub message: String,
    /// "did you mean ...?", or what to do.
    pub help: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Error,
    Warning,
}

impl Diagnostic {
    /// An error about a whole file.
    pub fn error(code: &'static str, file: impl Into<PathBuf>, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            file: file.into(),
            span: None,
            message: message.into(),
            help: None,
        }
    }

    /// A warning about a whole file.
    pub fn warning(code: &'static str, file: impl Into<PathBuf>, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, file, message) }
    }

    /// The same at a byte range of the file's text.
    pub fn at(self, span: Range<usize>) -> Diagnostic {
        Diagnostic { span: Some(span), ..self }
    }

    /// The same with a way out.
    pub fn help(self, help: impl Into<String>) -> Diagnostic {
        Diagnostic { help: Some(help.into()), ..self }
    }
}

/// Puts complaints into the order in which people read them: by file, then by place, then by code. Equal ones become one.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let start = |d: &Diagnostic| d.span.as_ref().map(|s| (s.start, s.end));
    diagnostics.sort_by(|a, b| (&a.file, start(a), a.code, &a.message).cmp(&(&b.file, start(b), b.code, &b.message)));
    diagnostics.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_by_place_and_each_once() {
        let at = |start: usize, code| Diagnostic::error(code, "a.toml", "m").at(start..start + 1);
        let mut found = vec![at(9, "E1"), at(2, "E2"), at(9, "E1"), Diagnostic::error("E3", "a.toml", "m")];
        sort(&mut found);
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["E3", "E2", "E1"]);
    }
}
