//! Messages: how diagnostics, failures and notes look to people. A diagnostic has its file, line and column, the
//! underlined text and a fix. All go to standard error.

use std::fmt;
use std::io::{IsTerminal, stderr};
use std::ops::Range;
use std::panic::PanicHookInfo;
use std::path::Path;

use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, NamedSource, SourceCode};
use serde_json::json;
use stillframe_base::bounded;

use super::status::Failure;
use super::stderr::say;
use super::values::When;
use super::{Surroundings, json, stdin};
use crate::import::foreign;
use crate::source::{Diagnostic, Severity, Vfs, count, line_column};

/// Whether messages are coloured.
#[expect(clippy::disallowed_methods, reason = "the command line reads NO_COLOR")]
pub fn wants_color(when: When) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    }
}

/// Prints why a command failed.
pub fn failure(failure: &Failure, surroundings: &Surroundings) {
    let paint = |text: &str| if surroundings.color { format!("\x1b[1;31m{text}\x1b[0m") } else { text.to_string() };
    if surroundings.json.is_some() {
        return failure_json(failure, surroundings);
    }
    match failure {
        Failure::Files { diagnostics, edits } => self::diagnostics(diagnostics, edits, surroundings),
        Failure::Usage(message, help) | Failure::NoMatch(message, help) => {
            let help = help.as_ref().map_or(String::new(), |h| format!("\nhelp: {h}"));
            say(&format!("{} {message}{help}\n", paint("error:")));
        }
        Failure::Adapter(message) | Failure::Environment(message) | Failure::Fault(message) => {
            say(&format!("{} {message}\n", paint("error:")));
        }
        Failure::Several(_) | Failure::ReaderGone => {}
    }
}

fn failure_json(failure: &Failure, surroundings: &Surroundings) {
    let (message, help) = match failure {
        Failure::Files { diagnostics, edits } => return self::diagnostics(diagnostics, edits, surroundings),
        Failure::Usage(message, help) | Failure::NoMatch(message, help) => (message, help.as_deref()),
        Failure::Adapter(message) | Failure::Environment(message) | Failure::Fault(message) => (message, None),
        Failure::Several(_) | Failure::ReaderGone => return,
    };
    let fields = json!({ "status": failure.status(), "message": message, "help": help });
    // A reader that has gone away does not matter.
    let _ = json::line("error/1", fields, surroundings);
}

/// Prints diagnostics, each with its place, and their number.
pub fn diagnostics(diagnostics: &[Diagnostic], edits: &[String], surroundings: &Surroundings) {
    if diagnostics.is_empty() {
        return;
    }
    if surroundings.json.is_some() {
        for diagnostic in diagnostics {
            let text = text_of(diagnostic, edits, surroundings);
            let fields = json::diagnostic(diagnostic, &as_named(&diagnostic.file), text.as_deref());
            // A reader that has gone away does not matter.
            let _ = json::line("diagnostic/1", fields, surroundings);
        }
        return;
    }
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&graphical(diagnostic, text_of(diagnostic, edits, surroundings), surroundings.color));
    }
    let errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).count();
    let warnings = diagnostics.len() - errors;
    let mut parts = Vec::new();
    if errors > 0 {
        parts.push(count(errors, "error", "errors"));
    }
    if warnings > 0 {
        parts.push(count(warnings, "warning", "warnings"));
    }
    out.push_str(&format!("{}\n", parts.join(", ")));
    say(&out);
}

/// Prints warnings; with `strict` they are errors.
pub fn warnings(
    warnings: &[Diagnostic],
    edits: &[String],
    strict: bool,
    surroundings: &Surroundings,
) -> Result<(), Failure> {
    if !strict || warnings.is_empty() {
        diagnostics(warnings, edits, surroundings);
        return Ok(());
    }
    let as_error = |warning: &Diagnostic| Diagnostic { severity: Severity::Error, ..warning.clone() };
    Err(Failure::Files { diagnostics: warnings.iter().map(as_error).collect(), edits: edits.to_vec() })
}

/// The text that a diagnostic's span points into: that of an argument or of the file.
fn text_of(diagnostic: &Diagnostic, edits: &[String], surroundings: &Surroundings) -> Option<String> {
    let name = diagnostic.file.to_string_lossy();
    if name == stdin::NAME {
        return surroundings.stdin.get().and_then(|bytes| String::from_utf8(bytes.clone()).ok());
    }
    if let Some(rest) = name.strip_prefix("--set") {
        let number = rest.trim_matches([' ', '(', ')']).parse::<usize>().unwrap_or(1);
        return edits.get(number.checked_sub(1)?).cloned();
    }
    bounded::read_text(&diagnostic.file, Vfs::FILE_MAX_BYTES).ok()
}

/// One diagnostic as text, with its lines of the file.
fn graphical(diagnostic: &Diagnostic, text: Option<String>, color: bool) -> String {
    let placed = match (&diagnostic.span, &text) {
        (Some(span), Some(text)) if span.end <= text.len() && fits(text, span.start) => {
            Some(visible(text, span.clone()))
        }
        _ => None,
    };
    let shown = Shown {
        diagnostic,
        // Without a place in a text, the file is named in the message.
        message: match &placed {
            Some(_) => diagnostic.message.clone(),
            // About the scene as a whole.
            None if diagnostic.file.is_dir() => diagnostic.message.clone(),
            None => format!("{}: {}", place(diagnostic, text.as_deref()), diagnostic.message),
        },
        source: placed.as_ref().map(|_| NamedSource::new(as_named(&diagnostic.file), text.unwrap_or_default())),
        span: placed,
    };
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_context_lines(1).with_links(false);
    let mut out = String::new();
    match handler.render_report(&mut out, &shown) {
        Ok(()) => out,
        Err(fmt::Error) => format!("{} {}\n", diagnostic.code, shown.message),
    }
}

/// The file, with line and column where they are known.
fn place(diagnostic: &Diagnostic, text: Option<&str>) -> String {
    let file = as_named(&diagnostic.file);
    match (&diagnostic.span, text) {
        (Some(span), Some(text)) => {
            let at = line_column(text, span.start);
            format!("{file}:{}:{}", at.line, at.column)
        }
        _ => file,
    }
}

/// A file below the folder that the command runs in is named from there, as people do; others as they are.
fn as_named(file: &Path) -> String {
    let here = std::env::current_dir().ok().and_then(|folder| folder.canonicalize().ok());
    let below = here.as_ref().and_then(|here| file.strip_prefix(here).ok());
    below.unwrap_or(file).display().to_string()
}

/// Whether the lines around a place are short enough to be shown; the drawing of very long ones is of no use to people,
/// and the library that draws them panics past column 65,535.
fn fits(text: &str, at: usize) -> bool {
    const LINE_MAX_BYTES: usize = 400;
    let bytes = text.as_bytes();
    let before = &bytes[..at.min(bytes.len())];
    let after = &bytes[at.min(bytes.len())..];
    // This line from its start, and the one before it; then the rest of this line, and the next one.
    let head = before.rsplit(|b| *b == b'\n').take(2).all(|line| line.len() <= LINE_MAX_BYTES);
    head && after.split(|b| *b == b'\n').take(2).all(|line| line.len() <= LINE_MAX_BYTES)
}

/// The part of the span on its first line, on characters' edges.
fn visible(text: &str, span: Range<usize>) -> Range<usize> {
    let (mut start, mut end) = (span.start.min(text.len()), span.end.min(text.len()));
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let line_end = text[start..end].find('\n').map_or(end, |length| start + length);
    start..line_end
}

#[derive(Debug)]
struct Shown<'a> {
    diagnostic: &'a Diagnostic,
    message: String,
    source: Option<NamedSource<String>>,
    span: Option<Range<usize>>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Shown<'_> {}

impl miette::Diagnostic for Shown<'_> {
    fn code<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        Some(Box::new(self.diagnostic.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        self.diagnostic.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.clone()?;
        Some(Box::new(std::iter::once(LabeledSpan::underline(span))))
    }
}

/// A bug of ours, in a few words; the status is 101.
pub fn panic(info: &PanicHookInfo<'_>) {
    if foreign::is_running() {
        // The importer says what is wrong with the file.
        return;
    }
    let payload = info.payload();
    let message = payload
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_string());
    let place = info.location().map_or("an unknown place".to_string(), |l| format!("{}:{}", l.file(), l.line()));
    say(&format!(
        "stillframe {}: this is a bug in stillframe, not in your files.\n  {message}\n  at {place}\n\
         Please report it with the scene and these lines. RUST_BACKTRACE=1 adds details.\n",
        env!("CARGO_PKG_VERSION")
    ));
    let backtrace = std::backtrace::Backtrace::capture();
    if backtrace.status() == std::backtrace::BacktraceStatus::Captured {
        say(&format!("{backtrace}\n"));
    }
}
