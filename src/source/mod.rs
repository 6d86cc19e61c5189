//! Source: people's files and what is wrong with them.
//!
//! In: paths and bytes under a root. Out: text, spans, [`Diagnostic`]s. Never here: what the text means.

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
