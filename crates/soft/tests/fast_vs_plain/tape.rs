//! Tape: the choices of one random case. proptest makes and shrinks the words; whoever builds a case reads them. A tape
//! that has run out gives zeros, and zero is always the simplest choice.

use proptest::prelude::*;
use stillframe_testkit::depth;

use crate::device::Verdict;

pub struct Tape<'a> {
    words: &'a [u32],
    at: usize,
}

impl<'a> Tape<'a> {
    pub fn new(words: &'a [u32]) -> Tape<'a> {
        Tape { words, at: 0 }
    }

    pub fn word(&mut self) -> u32 {
        self.at += 1;
        self.words.get(self.at - 1).copied().unwrap_or(0)
    }

    pub fn is_over(&self) -> bool {
        self.at >= self.words.len()
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.word() as usize % n
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    /// True in this many of a hundred cases.
    pub fn chance(&mut self, percent: u32) -> bool {
        // The top of the range, so that a shrunken word means no.
        self.word() % 100 >= 100 - percent
    }

    /// A float of any kind: small numbers most of the time, special ones now and then.
    pub fn float(&mut self) -> f32 {
        let word = self.word();
        match word >> 8 & 15 {
            0..=4 => (word >> 16 & 15) as f32 - 4.0,
            5..=9 => (word >> 12) as f32 / (1 << 18) as f32 - 2.0,
            10 => SPECIAL_FLOATS[(word >> 12) as usize % SPECIAL_FLOATS.len()],
            11 => f32::from_bits(self.word()),
            _ => (word >> 12) as f32 / (1 << 20) as f32,
        }
    }

    /// Bits of anything.
    pub fn bits(&mut self) -> u32 {
        let word = self.word();
        match word & 7 {
            0..=3 => self.float().to_bits(),
            4 => word >> 3 & 31,
            5 => self.word(),
            6 => [0, 1, u32::MAX, 0x8000_0000, 0x7FFF_FFFF, 31, 32, 33][(word >> 3) as usize & 7],
            _ => 0u32.wrapping_sub(word >> 3 & 63),
        }
    }
}

pub const SPECIAL_FLOATS: [f32; 18] = [
    0.0,
    -0.0,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
    f32::MIN_POSITIVE,
    1e-45,
    -1e-42,
    f32::MAX,
    f32::MIN,
    0.5,
    -0.5,
    1.5,
    2.5,
    2147483648.0,
    4294967296.0,
    8388608.5,
    std::f32::consts::PI,
];

/// Tapes of up to `longest` words.
pub fn tapes(longest: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..longest)
}

/// Failures are kept as named tests, not in files.
pub fn cases(push: u32) -> ProptestConfig {
    let cases = depth::cases(push);
    // `judge` has shrunk what fails, better than proptest can; and a generator that is often refused tests nothing.
    let (max_shrink_iters, max_global_rejects) = (0, 8 + cases / 20);
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters,
        max_global_rejects,
        ..ProptestConfig::default()
    }
}

/// Passes a tape for which `run` does, rejects an invalid one; shrinks one that differs and tells how.
pub fn judge<T>(words: &[u32], run: impl Fn(&[u32]) -> Result<T, Verdict>) -> Result<(), TestCaseError> {
    match run(words) {
        Ok(_) => Ok(()),
        Err(Verdict::Invalid(why)) => {
            // Seen with --nocapture only: what the generator still gets wrong.
            println!("not a valid case: {}", why.replace('\n', " "));
            Err(TestCaseError::reject("not a valid case"))
        }
        Err(Verdict::Differs(why)) => {
            let fails = |words: &[u32]| match run(words) {
                Err(Verdict::Differs(why)) => Some(why),
                _ => None,
            };
            let (words, why) = shrunken(words, why, fails);
            Err(TestCaseError::fail(format!("{why}\nthe tape: {words:?}")))
        }
    }
}

/// Shrinks a tape that fails: ever smaller parts of it become zeros. The tape, and what it fails with.
fn shrunken(words: &[u32], why: String, fails: impl Fn(&[u32]) -> Option<String>) -> (Vec<u32>, String) {
    let (mut best, mut why) = (words.to_vec(), why);
    let mut size = best.len().next_power_of_two();
    while size > 0 {
        for start in (0..best.len()).step_by(size) {
            let end = (start + size).min(best.len());
            if best[start..end].iter().all(|&word| word == 0) {
                continue;
            }
            let mut simpler = best.clone();
            simpler[start..end].fill(0);
            if let Some(text) = fails(&simpler) {
                (best, why) = (simpler, text);
            }
        }
        size /= 2;
    }
    (best, why)
}
