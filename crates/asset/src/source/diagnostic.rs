//! A diagnostic: an error or a warning about a file.

use std::ops::Range;
use std::path::PathBuf;

/// An error or a warning about a file, with its place and a suggested fix.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Stable, e.g. `E0312`; listed in docs/diagnostics.md.
    pub code: &'static str,
    pub severity: Severity,
    /// As the user named it.
    pub file: PathBuf,
    /// Byte range in the file's text; `None` for binary files, and for diagnostics about the whole file.
    pub span: Option<Range<usize>>,
    pub message: String,
    /// "did you mean ...?", or what to do.
    pub help: Option<String>,
}

/// Whether a diagnostic stops the command. Errors sort before warnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file cannot be used: codes `E....`.
    Error,
    /// The file is used, though something in it is ignored, replaced or has no effect: codes `W....`.
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
            message: shortened(message.into()),
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
        Diagnostic { help: Some(shortened(help.into())), ..self }
    }

    /// The same with a way out, where there is one.
    pub fn help_if<H: Into<String>>(self, help: Option<H>) -> Diagnostic {
        help.into_iter().fold(self, Diagnostic::help)
    }
}

/// Files may hold names of a megabyte, and complaints quote names: of a very long text the middle is left out.
fn shortened(mut text: String) -> String {
    const KEPT_BYTES: usize = 1000;
    if text.len() > 3 * KEPT_BYTES {
        let (mut start, mut end) = (KEPT_BYTES, text.len() - KEPT_BYTES);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        while !text.is_char_boundary(end) {
            end += 1;
        }
        text.replace_range(start..end, " ... ");
    }
    text
}

/// Puts complaints into the order in which people read them: by file, then by place, then by code. Equal ones become
/// one.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    let start = |d: &Diagnostic| d.span.as_ref().map(|s| (s.start, s.end));
    diagnostics.sort_by(|a, b| (&a.file, start(a), a.code, &a.message).cmp(&(&b.file, start(b), b.code, &b.message)));
    diagnostics.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_in_the_middle() {
        let long = Diagnostic::error("E0101", "f", format!("a key `{}` is unknown", "\u{e9}".repeat(500_000)));
        assert!(long.message.starts_with("a key `\u{e9}") && long.message.ends_with("\u{e9}` is unknown"));
        assert!(long.message.len() < 2010, "{}", long.message.len());
        assert_eq!(shortened("x".repeat(3000)).len(), 3000);
    }

    #[test]
    fn sorted_by_place_and_each_once() {
        let at = |start: usize, code| Diagnostic::error(code, "a.toml", "m").at(start..start + 1);
        let mut found = vec![at(9, "E1"), at(2, "E2"), at(9, "E1"), Diagnostic::error("E3", "a.toml", "m")];
        sort(&mut found);
        let codes: Vec<_> = found.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["E3", "E2", "E1"]);
    }
}
