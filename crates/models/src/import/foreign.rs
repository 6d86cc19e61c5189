//! Parsers of other people: a panic in one of them is a fault of the file that it was given, and no bug of ours.
//!
//! In: a call. Out: what it gives, or that it panicked. Never here: parsers of our own, whose panics are bugs.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Set while this thread is in a parser of other people.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// What `parse` gives; `None` if it panics. What it was changing is then half done, and must be dropped.
pub fn call<T>(parse: impl FnOnce() -> T) -> Option<T> {
    let before = INSIDE.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(parse)).ok();
    INSIDE.set(before);
    outcome
}

/// Whether this thread is in a parser of other people: whoever tells panics has nothing to tell then.
pub fn is_running() -> bool {
    INSIDE.get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_here() {
        assert_eq!(call(|| 7), Some(7));
        let nested = call(|| {
            assert_eq!(call(|| assert!(!is_running(), "on purpose")), None);
            is_running()
        });
        assert_eq!((nested, is_running()), (Some(true), false));
    }
}
