//! Pick: rows of a table by number, four for each of sixteen lanes, checked together.
#![expect(
    unsafe_code,
    reason = "one check for 64 numbers instead of 64 checks: a third of the time of a skinning kernel"
)]

use super::{ROW, Row};

/// Numbers of rows that are all in the table.
#[derive(Clone, Copy)]
pub struct Picked<'a> {
    table: &'a [Row],
    numbers: &'a [[u16; 4]; ROW],
}

impl<'a> Picked<'a> {
    /// Panics if a number is not of the table.
    #[inline(always)]
    pub fn new(table: &'a [Row], numbers: &'a [[u16; 4]; ROW]) -> Picked<'a> {
        let mut max = 0;
        for number in numbers.as_flattened() {
            max = max.max(*number);
        }
        assert!(usize::from(max) < table.len(), "row {max} of {}", table.len());
        Picked { table, numbers }
    }

    /// The row with number `k` of `lane`.
    #[inline(always)]
    pub fn row(&self, lane: usize, k: usize) -> &'a Row {
        let number = usize::from(self.numbers[lane][k]);
        debug_assert!(number < self.table.len(), "row {number} of {}", self.table.len());
        // SAFETY: `new` found that no number is larger than the table's last, and both are borrowed since.
        unsafe { self.table.get_unchecked(number) }
    }
}
