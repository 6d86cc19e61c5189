//! Runs: the ranges of lanes that kernels work on. All lanes at first; fewer inside a branch or loop that few lanes
//! take.

/// Lanes of one step of a range: the widest vector.
pub const CHUNK: usize = 16;
/// Chunks without lanes between two others that are worked on all the same: a second call costs more.
const GAP_MAX: u32 = 3;
/// Lanes of the largest workgroup.
pub const LANES_MAX: usize = 1024;

/// A range of lanes, both multiples of [`CHUNK`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    pub start: u16,
    pub len: u16,
}

/// Ranges in ascending order, apart from each other.
#[derive(Clone, Copy, Debug)]
pub struct Runs {
    list: [Run; LANES_MAX / CHUNK / 2],
    count: u8,
}

impl Runs {
    pub const NONE: Runs = Runs { list: [Run { start: 0, len: 0 }; LANES_MAX / CHUNK / 2], count: 0 };

    /// The lanes `0..lane_count`, up to a whole chunk.
    pub fn all(lane_count: usize) -> Runs {
        assert!(lane_count <= LANES_MAX, "{lane_count} lanes of {LANES_MAX}");
        let mut runs = Runs::NONE;
        if lane_count > 0 {
            runs.list[0] = Run { start: 0, len: lane_count.next_multiple_of(CHUNK) as u16 };
            runs.count = 1;
        }
        runs
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[Run] {
        &self.list[..self.count as usize]
    }

    /// The part of these runs where bit `chunk` is set, small gaps kept.
    pub fn of_chunks(bits: u64) -> Runs {
        let mut runs = Runs::NONE;
        let mut rest = bits;
        while rest != 0 {
            let first = rest.trailing_zeros();
            let mut len = (!(rest >> first)).trailing_zeros();
            loop {
                // What lies behind this stretch, if anything near.
                let behind = first + len;
                let next = if behind < 64 { rest >> behind } else { 0 };
                let gap = next.trailing_zeros();
                if next == 0 || gap > GAP_MAX {
                    break;
                }
                len += gap + (!(next >> gap)).trailing_zeros();
            }
            runs.list[runs.count as usize] =
                Run { start: (first as usize * CHUNK) as u16, len: (len as usize * CHUNK) as u16 };
            runs.count += 1;
            let behind = first + len;
            rest = if behind < 64 { rest >> behind << behind } else { 0 };
        }
        runs
    }
}

/// Kernels that look at masks, chosen once.
#[derive(Clone, Copy, Debug)]
pub struct MaskKernels {
    /// Bit k: one of the lanes `16 k .. 16 k + 16` is not zero.
    pub live_chunks: fn(&[u32]) -> u64,
    pub all_set: fn(&[u32]) -> bool,
}

impl MaskKernels {
    /// Chunks of `runs` with a lane of `mask` below `lane_count`.
    pub fn live(&self, runs: &Runs, mask: &[u32], lane_count: usize) -> u64 {
        let mut bits = 0;
        for run in runs.as_slice() {
            let (start, end) = (run.start as usize, (run.start as usize + run.len as usize).min(lane_count));
            if start < end {
                bits |= (self.live_chunks)(&mask[start..end]) << (start / CHUNK);
            }
        }
        bits
    }

    /// Whether all lanes of `runs` below `lane_count` have `mask`.
    pub fn all(&self, runs: &Runs, mask: &[u32], lane_count: usize) -> bool {
        runs.as_slice().iter().all(|run| {
            let (start, end) = (run.start as usize, (run.start as usize + run.len as usize).min(lane_count));
            start >= end || (self.all_set)(&mask[start..end])
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cover_the_chunks_and_merge_small_gaps() {
        for (bits, want) in [
            (0u64, &[][..]),
            (1, &[(0, 16)]),
            (0b101, &[(0, 48)]),
            (0b10_0001, &[(0, 16), (80, 16)]),
            (u64::MAX, &[(0, 1024)]),
            (1 << 63 | 1, &[(0, 16), (1008, 16)]),
            (0xF0F0, &[(64, 64), (192, 64)]),
        ] {
            let runs = Runs::of_chunks(bits);
            let got: Vec<(u16, u16)> = runs.as_slice().iter().map(|r| (r.start, r.len)).collect();
            assert_eq!(got, want, "{bits:#b}");
        }
        assert_eq!(Runs::all(3).as_slice(), [Run { start: 0, len: 16 }]);
    }
}
