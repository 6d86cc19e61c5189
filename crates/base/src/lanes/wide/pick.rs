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
        let last = table.len().clamp(1, 1 << 16) - 1;
        // How far any number lies beyond the last row; this form becomes vectors, a comparison or a maximum branches.
        let mut beyond = 0;
        for number in numbers.as_flattened() {
            beyond |= number.saturating_sub(last as u16);
        }
        assert!(beyond == 0 && !table.is_empty(), "a number is not of the table");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_table_are_taken_and_others_refused() {
        let table: Vec<Row> = (0..300).map(|i| Row([i as f32; ROW])).collect();
        let mut numbers = [[0; 4]; ROW];
        for (length, number, taken) in
            [(1, 0, true), (1, 1, false), (300, 299, true), (300, 300, false), (300, u16::MAX, false), (0, 0, false)]
        {
            numbers[13][2] = number;
            let result = std::panic::catch_unwind(|| Picked::new(&table[..length], &numbers).row(13, 2).0[0]);
            assert_eq!(result.ok(), taken.then_some(f32::from(number)), "{number} of {length}");
        }
        let long = vec![Row::ZERO; (1 << 16) + 1];
        numbers[0][0] = u16::MAX;
        assert_eq!(Picked::new(&long, &numbers).row(0, 0), &Row::ZERO);
    }
}
