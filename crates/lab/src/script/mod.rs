//! Scripts of time control as texts: a clip with events, how it is played, and what is done to it step by step.
//!
//! In: TOML. Out: a [`Script`](stillframe_oracle::Script) with names and places, what it does when it is played, and
//! its text again; and lines of JSON, by which another program plays it. Never here: printing, files, processes.
//! `stillframe anim run` plays scripts; `stillframe fuzz time` makes them and keeps its findings as such files.
//!
//! Numbers are exact: decimals and fractions are taken as written, not by way of floats, and rounded once, to a tick, a
//! sub-tick or a speed's 1/65536.

mod exact;
pub(crate) mod keys;
pub mod line;
mod play;
mod print;
pub(crate) mod profile;
pub(crate) mod read;
mod talk;

pub use play::{Fault, Row, play};
pub use print::print;
pub use profile::read_profile;
pub use read::{Loaded, OPS_MAX, TEXT_MAX_BYTES, read};
pub use talk::{Recorded, Wrong, talk};

/// Codes of complaints; docs/diagnostics.md explains them.
pub mod code {
    pub const UNKNOWN_EVENT: &str = "E0801";
    pub const EVENT_OUTSIDE: &str = "E0802";
    pub const TOO_FAR: &str = "E0803";
    pub const TOO_MANY_SIGNALS: &str = "E0804";
    pub const NOT_A_ROW: &str = "E0805";
}
