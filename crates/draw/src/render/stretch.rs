//! Stretch: a part of a pass's draws that is recorded at once.

use std::ops::Range;

use super::job::Capture;

/// Draws of one pass that are looked at; what comes behind is looked at together.
const DRAWS_MAX: usize = 512;

/// A stretch of a pass's draws: all of them, unless draws are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub draws: Range<usize>,
    pub count: usize,
}

impl Stretch {
    pub fn all(count: usize) -> Stretch {
        Stretch { draws: 0..count, count }
    }

    /// Whether the targets are cleared first.
    pub fn is_first(&self) -> bool {
        self.draws.start == 0
    }

    pub fn is_last(&self) -> bool {
        self.draws.end == self.count
    }

    /// The part of a list that begins at draw `offset`.
    pub fn of<'a, T>(&self, list: &'a [T], offset: usize) -> &'a [T] {
        let at = |index: usize| index.saturating_sub(offset).min(list.len());
        &list[at(self.draws.start)..at(self.draws.end)]
    }

    pub fn holds(&self, index: usize) -> bool {
        self.draws.contains(&index)
    }
}

/// The stretches that a pass of so many draws is recorded in.
pub fn stretches(capture: Capture, count: usize) -> Vec<Stretch> {
    if capture != Capture::Draws || count < 2 {
        return vec![Stretch::all(count)];
    }
    let end = |index: usize| if index + 1 == DRAWS_MAX.min(count) { count } else { index + 1 };
    (0..DRAWS_MAX.min(count)).map(|index| Stretch { draws: index..end(index), count }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_cover_every_draw_once() {
        for count in [0, 1, 2, 5, DRAWS_MAX - 1, DRAWS_MAX, DRAWS_MAX + 1, 2000] {
            for capture in [Capture::Off, Capture::Passes, Capture::Draws] {
                let all = stretches(capture, count);
                assert!(all[0].is_first() && all.last().unwrap().is_last(), "{count}");
                assert!(all.windows(2).all(|pair| pair[0].draws.end == pair[1].draws.start));
                assert_eq!(all.last().unwrap().draws.end, count);
                assert!(all.len() <= DRAWS_MAX && (capture == Capture::Draws || all.len() == 1));
            }
        }
    }
}
