//! Status: how one case ended, and what a shell is told of many.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a case ended. `Pass`, `KnownFailure` and `Unchanged` are green; everything else is a failure with an exit
/// status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    #[default]
    Pass,
    /// It differs, and the scene says why that is known.
    KnownFailure,
    /// Its inputs are those of an earlier run whose picture is the reference's.
    #[serde(alias = "skipped")]
    Unchanged,
    /// The picture is not the reference's.
    Differs,
    /// There is no reference yet.
    New,
    /// There is no reference of this name, but one without a case has these very pixels.
    Moved,
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
    pub const ALL: [Status; 18] = [
        Status::Pass,
        Status::KnownFailure,
        Status::Unchanged,
        Status::Differs,
        Status::New,
        Status::Moved,
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
            Status::Unchanged => "unchanged",
            Status::Differs => "differs",
            Status::New => "new",
            Status::Moved => "moved",
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
        !matches!(self, Status::Pass | Status::KnownFailure | Status::Unchanged)
    }

    /// Whether a decision about a reference can mend it.
    pub fn is_pending(self) -> bool {
        use Status::{Adapter, Damaged, Differs, Gone, Moved, New, Size};
        matches!(self, Differs | New | Moved | Gone | Size | Adapter | Damaged)
    }

    /// What a shell sees when this is the worst: 1 pictures differ, 2 bad input, 3 crash or timeout, 5 references
    /// missing or extra, 6 nondeterminism, 7 not the reference's adapter, 8 the disk or the network.
    pub fn exit_status(self) -> u8 {
        match self {
            Status::Pass | Status::KnownFailure | Status::Unchanged => 0,
            Status::Differs | Status::Size | Status::Same | Status::Fixed => 1,
            Status::Invalid => 2,
            Status::Crash | Status::Timeout => 3,
            Status::New | Status::Moved | Status::Gone | Status::Oversize | Status::Damaged => 5,
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
    /// They were to be run and were not: enough others had failed.
    pub skipped: u32,
    /// They have no reference yet.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub new: u32,
    /// Their reference has another name.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub moved: u32,
    /// Of those that passed: cases whose inputs are those of an earlier run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unchanged: u32,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Tally {
    pub fn of(statuses: impl IntoIterator<Item = Status>) -> Tally {
        let mut tally = Tally::default();
        for status in statuses {
            match status {
                Status::New => tally.new += 1,
                Status::Moved => tally.moved += 1,
                Status::Unchanged => (tally.passed, tally.unchanged) = (tally.passed + 1, tally.unchanged + 1),
                status if status.is_failure() => tally.failed += 1,
                _ => tally.passed += 1,
            }
        }
        tally
    }

    pub fn total(self) -> u32 {
        self.passed + self.failed + self.skipped + self.new + self.moved
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)?;
        let others = [(self.new, "new"), (self.moved, "moved")];
        others.iter().filter(|(count, _)| *count > 0).try_for_each(|(count, word)| write!(f, ", {count} {word}"))
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

    /// What earlier versions called skipped.
    #[test]
    fn runs_of_earlier_versions_are_read() {
        assert_eq!(serde_json::from_str::<Status>("\"skipped\"").unwrap(), Status::Unchanged);
        let tally: Tally = serde_json::from_str("{\"passed\":1,\"failed\":2,\"skipped\":3}").unwrap();
        assert_eq!(tally.total(), 6);
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
        assert_eq!((tally.passed, tally.failed, tally.skipped, tally.total()), (3, 13, 0, 18));
        assert_eq!((tally.new, tally.moved, tally.unchanged), (1, 1, 1));
        assert_eq!(tally.to_string(), "3 passed, 13 failed, 0 skipped, 1 new, 1 moved");
        assert_eq!(Tally::of([Status::Unchanged]).to_string(), "1 passed, 0 failed, 0 skipped");
    }
}
