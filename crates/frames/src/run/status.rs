//! Status: how one case ended, and what a shell is told of many.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a case ended. `Pass`, `KnownFailure` and `Skipped` are green; everything else is a failure with an exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    #[default]
    Pass,
    /// It differs, and the scene says why that is known.
    KnownFailure,
    /// Its inputs are those of an earlier run whose picture is the reference's.
    Skipped,
    /// The picture is not the reference's.
    Differs,
    /// There is no reference yet.
    New,
    /// There is a reference, but no case.
    Gone,
    /// Size or format are not the reference's.
    Size,
    /// The reference was made by another adapter, or another contract of it.
    Adapter,
    /// The same scene gave different pictures.
    Nondet,
    Crash,
    Timeout,
    /// The scene's files have mistakes.
    Invalid,
    /// The picture equals one that it must differ from.
    Same,
    /// A known failure that fails no more.
    Fixed,
    /// The reference would be larger than the project allows.
    Oversize,
    /// The picture is the reference's, but the one that the store keeps is missing, cut short or another.
    Damaged,
    /// The disk is full, a folder cannot be written, a store does not answer.
    Environment,
}

impl Status {
    pub const ALL: [Status; 17] = [
        Status::Pass,
        Status::KnownFailure,
        Status::Skipped,
        Status::Differs,
        Status::New,
        Status::Gone,
        Status::Size,
        Status::Adapter,
        Status::Nondet,
        Status::Crash,
        Status::Timeout,
        Status::Invalid,
        Status::Same,
        Status::Fixed,
        Status::Oversize,
        Status::Damaged,
        Status::Environment,
    ];

    /// The word in `run.jsonl` and JUnit.
    pub fn word(self) -> &'static str {
        match self {
            Status::Pass => "pass",
            Status::KnownFailure => "known-failure",
            Status::Skipped => "skipped",
            Status::Differs => "differs",
            Status::New => "new",
            Status::Gone => "gone",
            Status::Size => "size",
            Status::Adapter => "adapter",
            Status::Nondet => "nondet",
            Status::Crash => "crash",
            Status::Timeout => "timeout",
            Status::Invalid => "invalid",
            Status::Same => "same",
            Status::Fixed => "fixed",
            Status::Oversize => "oversize",
            Status::Damaged => "damaged",
            Status::Environment => "environment",
        }
    }

    pub fn is_failure(self) -> bool {
        !matches!(self, Status::Pass | Status::KnownFailure | Status::Skipped)
    }

    /// Whether a decision about a reference can mend it.
    pub fn is_pending(self) -> bool {
        matches!(self, Status::Differs | Status::New | Status::Gone | Status::Size | Status::Adapter | Status::Damaged)
    }

    /// What a shell sees when this is the worst: 1 pictures differ, 2 bad input, 3 crash or timeout, 5 references
    /// missing or extra, 6 nondeterminism, 7 not the reference's adapter, 8 the disk or the network.
    pub fn exit_status(self) -> u8 {
        match self {
            Status::Pass | Status::KnownFailure | Status::Skipped => 0,
            Status::Differs | Status::Size | Status::Same | Status::Fixed => 1,
            Status::Invalid => 2,
            Status::Crash | Status::Timeout => 3,
            Status::New | Status::Gone | Status::Oversize | Status::Damaged => 5,
            Status::Nondet => 6,
            Status::Adapter => 7,
            Status::Environment => 8,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// Cases counted by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub passed: u32,
    pub failed: u32,
    pub skipped: u32,
}

impl Tally {
    pub fn of(statuses: impl IntoIterator<Item = Status>) -> Tally {
        let mut tally = Tally::default();
        for status in statuses {
            match status {
                Status::Skipped => tally.skipped += 1,
                status if status.is_failure() => tally.failed += 1,
                _ => tally.passed += 1,
            }
        }
        tally
    }

    pub fn total(self) -> u32 {
        self.passed + self.failed + self.skipped
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

/// Several exit statuses at once: the one that a shell is told.
pub fn worst_exit_status(statuses: impl IntoIterator<Item = u8>) -> u8 {
    const ORDER: [u8; 9] = [3, 6, 7, 8, 2, 1, 5, 4, 0];
    let rank = |status: &u8| ORDER.iter().position(|known| known == status).unwrap_or(0);
    statuses.into_iter().min_by_key(rank).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_json() {
        for status in Status::ALL {
            assert_eq!(serde_json::to_string(&status).unwrap(), format!("\"{}\"", status.word()));
            assert_eq!(status.is_failure(), status.exit_status() != 0, "{status}");
        }
    }

    #[test]
    fn the_worst_counts_and_never_a_count() {
        for (statuses, want) in
            [(&[0, 0][..], 0), (&[], 0), (&[0, 5], 5), (&[5, 1], 1), (&[1, 7, 5], 7), (&[7, 6], 6), (&[1, 6, 3, 7], 3)]
        {
            assert_eq!(worst_exit_status(statuses.iter().copied()), want, "{statuses:?}");
        }
        assert_eq!(worst_exit_status(std::iter::repeat_n(1, 256)), 1);
    }

    #[test]
    fn a_tally_counts_each_once() {
        let tally = Tally::of(Status::ALL);
        assert_eq!((tally.passed, tally.failed, tally.skipped, tally.total()), (2, 14, 1, 17));
        assert_eq!(tally.to_string(), "2 passed, 14 failed, 1 skipped");
    }
}
