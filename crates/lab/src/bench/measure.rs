//! Measure: work in turn, by a clock that is passed.

use super::{Ready, Unit};

/// Nanoseconds since some moment.
pub type Clock<'a> = &'a dyn Fn() -> u64;

/// Samples of each, where nobody says.
pub const ROUNDS: usize = 101;

/// A sample is so long at least: the clock is nothing beside it, and it is shorter than a time slice, so that a busy
/// machine spoils few.
const SAMPLE_NS: u64 = 300_000;

/// What was measured, in some unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    pub median: f64,
    /// How far apart the quartiles are, as a share of the median: half of all samples lie between them.
    pub spread: f64,
    /// The best sample.
    pub min: f64,
    pub samples: usize,
}

/// Times works in turn, a sample each a round, so that what disturbs one disturbs all alike.
pub fn measure(works: &mut [Ready], unit: Unit, rounds: usize, clock: Clock<'_>) -> Vec<Figure> {
    let calls: Vec<u64> = works.iter_mut().map(|work| calls_a_sample(work, clock)).collect();
    let mut samples: Vec<Vec<f64>> = vec![Vec::with_capacity(rounds); works.len()];
    for _ in 0..rounds {
        for ((work, calls), samples) in works.iter_mut().zip(&calls).zip(&mut samples) {
            let call_ns = timed(work, *calls, clock) as f64 / *calls as f64;
            samples.push(unit.of(call_ns.max(1e-3), work.amount));
        }
    }
    samples.into_iter().map(|samples| figure(samples, unit)).collect()
}

fn figure(mut samples: Vec<f64>, unit: Unit) -> Figure {
    samples.sort_by(f64::total_cmp);
    let best = if unit.more_is_better() { samples.last() } else { samples.first() };
    let at = |place: usize| samples.get(place).copied().unwrap_or(f64::NAN);
    let (count, median) = (samples.len(), at(samples.len() / 2));
    Figure {
        median,
        spread: (at(count * 3 / 4) - at(count / 4)) / median,
        min: best.copied().unwrap_or(f64::NAN),
        samples: samples.len(),
    }
}

fn timed(work: &mut Ready, calls: u64, clock: Clock<'_>) -> u64 {
    let start = clock();
    (0..calls).for_each(|_| work.run());
    clock().saturating_sub(start)
}

fn calls_a_sample(work: &mut Ready, clock: Clock<'_>) -> u64 {
    let mut calls = 1;
    // The first calls also warm the caches. A clock that stands still must not keep us.
    while calls < 1 << 30 && timed(work, calls, clock) < SAMPLE_NS {
        calls *= 2;
    }
    calls
}
