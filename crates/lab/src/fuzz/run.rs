//! Trying one input.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use stillframe_heap::Counting;

use super::{Case, Mutant, Target};

/// Inputs under this size must stay under [`HELD_MAX_BYTES`].
pub const SMALL_BYTES: usize = 1_000_000;
/// The most that a small input may make the program hold at once.
pub const HELD_MAX_BYTES: usize = 256_000_000;

/// Where inputs are tried.
#[derive(Clone, Copy, Debug)]
pub struct Bench<'a> {
    /// A folder to write to, of nobody else's.
    pub scratch: &'a Path,
    /// The program's allocator; `None`: memory is not looked at.
    pub heap: Option<&'static Counting>,
    pub mutant: Option<Mutant>,
}

/// What an input did that none may do.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub kind: Kind,
    /// What broke, in one line.
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Panic,
    /// Small, and yet too much was held.
    Memory,
    /// What came out breaks a law.
    Law,
    /// Seen from outside: it took too long.
    Hang,
    /// Seen from outside: the program died.
    Crash,
}

impl Kind {
    pub const WORDS: &[(&str, Kind)] = &[
        ("panic", Kind::Panic),
        ("memory", Kind::Memory),
        ("law", Kind::Law),
        ("hang", Kind::Hang),
        ("crash", Kind::Crash),
    ];

    pub fn word(self) -> &'static str {
        Kind::WORDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}

/// Tries an input; `None` if every law holds. Panics of what is tried end here; whoever calls says what is printed of
/// them.
pub fn try_case(target: &Target, case: &Case, bench: Bench<'_>) -> Option<Finding> {
    let check = || {
        catch_unwind(AssertUnwindSafe(|| {
            if let Some(mutant) = bench.mutant {
                mutant.strike(case);
            }
            (target.check)(case, bench.scratch, bench.mutant)
        }))
    };
    let (outcome, held_bytes) = match bench.heap {
        Some(heap) => heap.watch(check),
        None => (check(), 0),
    };
    let finding = |kind, message: String| Some(Finding { kind, message: message.replace('\n', " ") });
    match outcome {
        Err(payload) => {
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_string());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            finding(Kind::Panic, text.unwrap_or_else(|| "a panic without words".into()))
        }
        Ok(Err(law)) => finding(Kind::Law, law),
        Ok(Ok(())) if case.size_bytes() < SMALL_BYTES && held_bytes > HELD_MAX_BYTES => {
            let message = format!("{} bytes make it hold {} MB at once", case.size_bytes(), held_bytes / 1_000_000);
            finding(Kind::Memory, message)
        }
        Ok(Ok(())) => None,
    }
}
