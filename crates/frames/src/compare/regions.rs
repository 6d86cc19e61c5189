//! Regions: pixels of a set that hang together by a side or a corner.
//!
//! Rows are cut into runs, and runs of neighbouring rows that touch are joined (union-find, the smaller index leads),
//! so that noise and whole pictures alike cost a pass over the words of the mask.

use serde::{Deserialize, Serialize};

use super::mask::{Bounds, Mask, TILE_PX};

/// Largest regions that are told one by one.
pub const REGIONS_TOLD: usize = 16;

/// Pixels that hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    pub pixel_count: u64,
    pub bounds: Bounds,
}

/// The regions of a set of pixels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regions {
    pub region_count: u64,
    /// The [`REGIONS_TOLD`] largest, largest first; of equal ones the upper one, then the left one.
    pub largest: Vec<Region>,
}

/// Pixels `start..end` of a row.
#[derive(Clone, Copy)]
struct Run {
    start: u32,
    end: u32,
}

/// The connected regions of `mask`.
pub fn regions(mask: &Mask) -> Regions {
    let mut runs: Vec<Run> = Vec::new();
    let mut leader: Vec<u32> = Vec::new();
    let mut found: Vec<Region> = Vec::new();
    let mut above = 0..0;
    for y in 0..mask.height_px {
        let first = runs.len();
        row_runs(mask.row(y), &mut runs);
        let mut up = above.clone();
        for index in first..runs.len() {
            let run = runs[index];
            leader.push(index as u32);
            let bounds = Bounds { left_px: run.start, top_px: y, right_px: run.end - 1, bottom_px: y };
            found.push(Region { pixel_count: u64::from(run.end - run.start), bounds });
            // Runs that end before this one begins, corners included, touch none of the later ones either.
            while up.start < up.end && runs[up.start].end < run.start {
                up.start += 1;
            }
            for above in up.clone().take_while(|i| runs[*i].start <= run.end) {
                let (a, b) = (lead(&mut leader, above as u32), lead(&mut leader, index as u32));
                leader[a.max(b) as usize] = a.min(b);
            }
        }
        above = first..runs.len();
    }
    for index in (0..found.len()).rev() {
        let to = leader[index] as usize;
        if to != index {
            // Leaders have smaller numbers, so what is folded here is complete.
            let part = found[index];
            let whole = &mut found[to];
            whole.pixel_count += part.pixel_count;
            whole.bounds = around(whole.bounds, part.bounds);
            found[index].pixel_count = 0;
        }
    }
    found.retain(|region| region.pixel_count > 0);
    let region_count = found.len() as u64;
    let order = |r: &Region| (std::cmp::Reverse(r.pixel_count), r.bounds.top_px, r.bounds.left_px);
    if found.len() > REGIONS_TOLD {
        found.select_nth_unstable_by_key(REGIONS_TOLD, order);
        found.truncate(REGIONS_TOLD);
    }
    found.sort_by_key(order);
    Regions { region_count, largest: found }
}

fn lead(leader: &mut [u32], mut index: u32) -> u32 {
    while leader[index as usize] != index {
        let next = leader[leader[index as usize] as usize];
        leader[index as usize] = next;
        index = next;
    }
    index
}

fn around(a: Bounds, b: Bounds) -> Bounds {
    Bounds {
        left_px: a.left_px.min(b.left_px),
        top_px: a.top_px.min(b.top_px),
        right_px: a.right_px.max(b.right_px),
        bottom_px: a.bottom_px.max(b.bottom_px),
    }
}

/// Adds the runs of one row, left to right.
fn row_runs(words: &[u64], runs: &mut Vec<Run>) {
    let first = runs.len();
    for (index, &word) in words.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            let bit = left.trailing_zeros();
            let length = (!(left >> bit)).trailing_zeros().min(TILE_PX - bit);
            left &= u64::MAX.checked_shl(bit + length).unwrap_or(0);
            let start = index as u32 * TILE_PX + bit;
            // A run goes on from the word before.
            if bit == 0 && runs.len() > first && runs[runs.len() - 1].end == start {
                let last = runs.len() - 1;
                runs[last].end = start + length;
            } else {
                runs.push(Run { start, end: start + length });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mask(rows: &[&str]) -> Mask {
        let mut out = Mask::empty(rows[0].len() as u32, rows.len() as u32);
        for (y, row) in rows.iter().enumerate() {
            row.bytes().enumerate().filter(|(_, b)| *b == b'#').for_each(|(x, _)| out.insert(x as u32, y as u32));
        }
        out
    }

    #[test]
    fn corners_join_and_gaps_do_not() {
        let found = regions(&mask(&["#...#", ".#..#", "..#..", "#...#", "#####"]));
        assert_eq!(found.region_count, 3);
        let sizes: Vec<u64> = found.largest.iter().map(|r| r.pixel_count).collect();
        assert_eq!(sizes, [7, 3, 2]);
        assert_eq!(found.largest[0].bounds, Bounds { left_px: 0, top_px: 3, right_px: 4, bottom_px: 4 });
        assert_eq!(regions(&mask(&["....."])).region_count, 0);
    }

    proptest! {
        /// Against a flood fill.
        #[test]
        fn as_a_flood_fill_finds_them(width in 1u32..150, height in 1u32..12, seed in any::<u64>(), density in 0u64..100) {
            let mut out = Mask::empty(width, height);
            let mut state = seed | 1;
            for y in 0..height {
                for x in 0..width {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    if (state >> 33) % 100 < density {
                        out.insert(x, y);
                    }
                }
            }
            let found = regions(&out);
            let mut open = out.clone();
            let mut sizes = Vec::new();
            for (x, y) in out.pixels() {
                let mut stack = vec![(x, y)];
                let mut size = 0u64;
                while let Some((x, y)) = stack.pop() {
                    if !open.contains(x, y) {
                        continue;
                    }
                    open.row_mut(y)[(x / TILE_PX) as usize] &= !(1 << (x % TILE_PX));
                    size += 1;
                    for ny in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                        stack.extend((x.saturating_sub(1)..=(x + 1).min(width - 1)).map(|nx| (nx, ny)));
                    }
                }
                if size > 0 {
                    sizes.push(size);
                }
            }
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            prop_assert_eq!(found.region_count, sizes.len() as u64);
            sizes.truncate(REGIONS_TOLD);
            prop_assert_eq!(found.largest.iter().map(|r| r.pixel_count).collect::<Vec<_>>(), sizes);
        }
    }
}
