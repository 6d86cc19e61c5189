//! Exit statuses, and why a command failed.

use std::io;
use std::path::Path;

use crate::source::Diagnostic;
use crate::take::TakeError;

pub const OK: u8 = 0;
/// Something was found that must not be.
pub const FINDING: u8 = 1;
/// Bad usage, or a bad input file.
pub const USAGE: u8 = 2;
/// The device was lost, a loop ran without end, or an internal error that is not a panic.
pub const FAULT: u8 = 3;
/// No test matched.
pub const NO_TESTS: u8 = 4;
/// References are missing, extra, or wait for a decision.
pub const PENDING: u8 = 5;
/// The adapter is not available.
pub const ADAPTER: u8 = 7;
/// Disk full, no permission.
pub const ENVIRONMENT: u8 = 8;

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Arguments that do not fit together; the second part says what to do.
    Usage(String, Option<String>),
    /// Something is wrong with people's files, as they named them, or with `--set` arguments, whose texts are `edits`.
    Files {
        diagnostics: Vec<Diagnostic>,
        edits: Vec<String>,
    },
    /// Nothing matches the request; the second part lists what exists.
    NoMatch(String, Option<String>),
    Adapter(String),
    Environment(String),
    Fault(String),
    /// Several inputs failed, and each was reported.
    Several(u8),
    /// The reader of our output has gone away; nothing is wrong.
    ReaderGone,
}

impl Failure {
    pub fn status(&self) -> u8 {
        match self {
            Failure::Usage(..) | Failure::Files { .. } => USAGE,
            Failure::NoMatch(..) => NO_TESTS,
            Failure::Adapter(_) => ADAPTER,
            Failure::Environment(_) => ENVIRONMENT,
            Failure::Fault(_) => FAULT,
            Failure::Several(status) => *status,
            Failure::ReaderGone => OK,
        }
    }

    /// Why, in words without colour.
    pub fn words(&self) -> String {
        match self {
            Failure::Usage(message, None) | Failure::NoMatch(message, None) => message.clone(),
            Failure::Usage(message, Some(help)) | Failure::NoMatch(message, Some(help)) => {
                format!("{message} ({help})")
            }
            Failure::Files { diagnostics, .. } => {
                diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect::<Vec<_>>().join("; ")
            }
            Failure::Adapter(message) | Failure::Environment(message) | Failure::Fault(message) => message.clone(),
            Failure::Several(_) | Failure::ReaderGone => String::new(),
        }
    }

    /// Whether other inputs may still do well.
    pub fn is_of_one_input(&self) -> bool {
        matches!(self, Failure::Files { .. } | Failure::Fault(_))
    }

    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::Usage(message.into(), None)
    }

    pub fn of_take(error: TakeError, edits: &[String]) -> Failure {
        match error {
            TakeError::Scene(diagnostics) => Failure::Files { diagnostics, edits: edits.to_vec() },
            TakeError::Adapter(message) => Failure::Adapter(message),
            TakeError::World(message) => Failure::Environment(message),
            TakeError::Fault(message) => Failure::Fault(message),
        }
    }

    pub fn of_write(path: &Path, error: &io::Error) -> Failure {
        Failure::Environment(format!("{} cannot be written: {error}", path.display()))
    }
}

/// Which of two statuses counts for a run in which both happened.
pub fn worse(a: u8, b: u8) -> u8 {
    const ORDER: [u8; 5] = [FAULT, ADAPTER, ENVIRONMENT, USAGE, OK];
    let rank = |status: u8| ORDER.iter().position(|s| *s == status).unwrap_or(0);
    if rank(a) <= rank(b) { a } else { b }
}
