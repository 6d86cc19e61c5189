//! Source: people's files and what is wrong with them.
//!
//! In: paths and bytes under a root. Out: text, places in it, [`Diagnostic`]s. Never here: what the text means,
//! printing.

mod content;
mod count;
mod diagnostic;
mod line;
mod suggest;
mod vfs;

pub use content::content_hash;
pub use count::count;
pub use diagnostic::{Diagnostic, Severity, sort};
pub use line::{LineColumn, line_column};
pub use suggest::{did_you_mean, near};
pub use vfs::{Vfs, code, find_plain, read_plain};
