//! Choices: where a generator's decisions come from. One generator serves seeds, the bytes of a coverage-guided fuzzer,
//! and proptest.
//!
//! The first of several possibilities is the simplest, and bytes that have run out choose it: so shorter and smaller
//! bytes give simpler values (the idea of Hypothesis: MacIver and Donaldson, "Test-case reduction via test-case
//! generation", 2020).

use stillframe_base::rng::Stream;

/// A source of decisions.
#[derive(Debug)]
pub enum Choices<'a> {
    Random(&'a mut Stream),
    /// What is left of them; then zeros.
    Bytes(&'a [u8]),
}

impl Choices<'_> {
    /// A number in `0..count`. None to choose from is a bug and asserts.
    pub fn below(&mut self, count: u64) -> u64 {
        assert!(count > 0, "a number below 0");
        match self {
            Choices::Random(stream) => match u32::try_from(count) {
                Ok(count) => u64::from(stream.below(count)),
                // The bias is under 2^-20 for the counts that are asked for.
                Err(_) => ((u128::from(stream.next_u64()) * u128::from(count)) >> 64) as u64,
            },
            Choices::Bytes(bytes) => {
                let wanted = (64 - (count - 1).leading_zeros()).div_ceil(8) as usize;
                let (taken, rest) = bytes.split_at(wanted.min(bytes.len()));
                *bytes = rest;
                taken.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)) % count
            }
        }
    }

    /// A number from `low` to `high`, both included; `low` is the simplest.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        self.wide(i128::from(low), i128::from(high)) as i64
    }

    /// As [`between`](Choices::between), for ranges of less than 2^64.
    pub fn wide(&mut self, low: i128, high: i128) -> i128 {
        assert!(low <= high && high - low < i128::from(u64::MAX), "a number from {low} to {high}");
        low + i128::from(self.below((high - low) as u64 + 1))
    }

    /// Whether something happens that happens once in `count` times.
    pub fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == count - 1
    }

    /// One of `items`; the first is the simplest.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// A place in `weights`, as often as its weight says.
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut number = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if number < *weight {
                return index;
            }
            number -= weight;
        }
        unreachable!("a number below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stillframe_base::rng::Rng;

    #[test]
    fn both_sources_stay_in_range_and_reach_it_all() {
        let mut stream = Rng::new(1).stream("choices", 0);
        let noise: Vec<u8> = (0..4096).map(|_| stream.next_u32() as u8).collect();
        for mut choices in [Choices::Random(&mut stream), Choices::Bytes(&noise)] {
            let mut seen = [0; 7];
            for _ in 0..500 {
                seen[choices.below(7) as usize] += 1;
                assert!((-3..=1 << 40).contains(&choices.between(-3, 1 << 40)));
            }
            assert!(seen.iter().all(|count| *count > 30), "{seen:?}");
            let counts = (0..500).map(|_| choices.weighted(&[1, 0, 3])).fold([0; 3], |mut counts, at| {
                counts[at] += 1;
                counts
            });
            assert!(counts[1] == 0 && counts[2] > 2 * counts[0] && counts[0] > 50, "{counts:?}");
        }
    }

    #[test]
    fn bytes_that_have_run_out_choose_the_simplest() {
        let mut choices = Choices::Bytes(&[5]);
        assert_eq!((choices.below(9), choices.below(9), choices.between(-3, 3), choices.one_in(4)), (5, 0, -3, false));
        assert_eq!(*Choices::Bytes(&[0x01, 0x02]).pick(&(0..1000).collect::<Vec<i32>>()), 0x0201);
    }
}
