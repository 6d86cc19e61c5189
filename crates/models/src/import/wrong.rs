//! Wrong: what is wrong with a small text file, and where.

use std::ops::Range;
use std::path::Path;

use super::text::Plain;
use crate::source::Diagnostic;

pub struct Wrong {
    pub words: String,
    /// In the text.
    pub at: Option<Range<usize>>,
    pub help: &'static str,
}

impl Wrong {
    /// As an error of a file of a kind. Places are told in UTF-8 alone.
    pub fn diagnostic(
        self,
        (code, kind): (&'static str, &str),
        file: &Path,
        bytes: &[u8],
        plain: &Plain<'_>,
    ) -> Diagnostic {
        let error = Diagnostic::error(code, file, format!("not a valid {kind} file: {}", self.words)).help(self.help);
        let at = self.at.and_then(|at| plain.span(at)).filter(|_| std::str::from_utf8(bytes).is_ok());
        if let Some(at) = at { error.at(at) } else { error }
    }
}
