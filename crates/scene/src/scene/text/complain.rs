//! Complaints: what is wrong with a scene's text, and where, before files have names.
//!
//! In: a code, a place, words. Out: a list that `read` turns into diagnostics. Never here: what is checked.

use crate::scene::text::syntax::Place;

/// A complaint before its file is known.
#[derive(Debug)]
pub(crate) struct Complaint {
    pub code: &'static str,
    pub place: Place,
    pub message: String,
    pub help: Option<String>,
}

/// Collects complaints.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    pub list: Vec<Complaint>,
}

impl Complaints {
    /// More than this many of one file are not reported: they would all be of one kind.
    pub const MAX: usize = 200;

    pub fn is_full(&self) -> bool {
        self.list.len() >= Complaints::MAX
    }

    pub fn add(&mut self, code: &'static str, place: Place, message: impl Into<String>, help: Option<String>) {
        if !self.is_full() {
            self.list.push(Complaint { code, place, message: message.into(), help });
        }
    }
}
