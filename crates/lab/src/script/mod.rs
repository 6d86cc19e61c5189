//! Scripts of time control as texts: a clip with events, how it is played, and what is done to it step by step.
//!
//! In: TOML. Out: a [`Script`](stillframe_oracle::Script) with names and places, what it does when it is played, and
//! its text again. Never here: printing, files. `stillframe anim run` plays scripts; `stillframe fuzz time` makes them
//! and keeps its findings as such files.
//!
//! Numbers are exact: decimals and fractions are taken as written, not by way of floats, and rounded once, to a tick, a
//! sub-tick or a speed's 1/65536.

mod exact;
mod keys;
mod play;
mod print;
mod read;

pub use play::{Fault, Row, play};
pub use print::print;
pub use read::{Loaded, OPS_MAX, TEXT_MAX_BYTES, read};

/// Codes of complaints; docs/diagnostics.md explains them.
pub mod code {
    pub const UNKNOWN_EVENT: &str = "E0801";
    pub const EVENT_OUTSIDE: &str = "E0802";
    pub const TOO_FAR: &str = "E0803";
    pub const TOO_MANY_SIGNALS: &str = "E0804";
}
