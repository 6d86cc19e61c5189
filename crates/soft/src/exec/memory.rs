//! Memory: stores and atomics of active lanes, in lane order.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::program::ir::AtomicOp;

/// What an atomic does to a word: the new value, and for a compare-exchange whether it is written.
fn apply(fun: AtomicOp, old: u32, value: u32, compare: u32) -> u32 {
    match fun {
        AtomicOp::Add => old.wrapping_add(value),
        AtomicOp::Sub => old.wrapping_sub(value),
        AtomicOp::And => old & value,
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        AtomicOp::MinI => (old as i32).min(value as i32) as u32,
        AtomicOp::MaxI => (old as i32).max(value as i32) as u32,
        AtomicOp::MinU => old.min(value),
        AtomicOp::MaxU => old.max(value),
        AtomicOp::Exchange => value,
        AtomicOp::CompareExchange => {
            if old == compare {
                value
            } else {
                old
            }
        }
    }
}

/// Applies an atomic to `word`, which other threads may change too; gives the old value.
pub fn atomic(word: &AtomicU32, fun: AtomicOp, value: u32, compare: u32) -> u32 {
    let update = |old| Some(apply(fun, old, value, compare));
    match word.fetch_update(Ordering::Relaxed, Ordering::Relaxed, update) {
        Ok(old) | Err(old) => old,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atomics_give_the_old_word_and_leave_the_new() {
        use AtomicOp::*;
        let minus = -5i32 as u32;
        for (fun, old, value, compare, want) in [
            (Add, u32::MAX, 2, 0, 1),
            (Sub, 1, 2, 0, u32::MAX),
            (And, 6, 3, 0, 2),
            (Or, 6, 3, 0, 7),
            (Xor, 6, 3, 0, 5),
            (MinI, 3, minus, 0, minus),
            (MaxI, 3, minus, 0, 3),
            (MinU, 3, minus, 0, 3),
            (MaxU, 3, minus, 0, minus),
            (Exchange, 3, 9, 0, 9),
            (CompareExchange, 3, 9, 3, 9),
            (CompareExchange, 3, 9, 4, 3),
        ] {
            let word = AtomicU32::new(old);
            assert_eq!(atomic(&word, fun, value, compare), old, "{fun:?}");
            assert_eq!(word.into_inner(), want, "{fun:?}");
        }
    }
}
