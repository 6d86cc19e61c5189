//! Mask: a set of pixels, one bit each, and what can be asked of it: bounds, tiles, connected regions.
//!
//! Rows are words of 64 bits, so a word of a row is a tile's width, and a tile that holds nothing is found by looking
//! at 64 words.

use serde::{Deserialize, Serialize};

/// Side of a tile.
pub const TILE_PX: u32 = 64;

/// A rectangle of pixels, ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    pub left_px: u32,
    pub top_px: u32,
    pub right_px: u32,
    pub bottom_px: u32,
}

impl Bounds {
    /// The rectangle of a size whose first pixel is at `left_px`, `top_px`.
    ///
    /// Panics on a side of 0, and on one that ends beyond the largest number.
    pub fn of(left_px: u32, top_px: u32, width_px: u32, height_px: u32) -> Bounds {
        let last = |first: u32, count: u32| count.checked_sub(1).and_then(|rest| first.checked_add(rest));
        match (last(left_px, width_px), last(top_px, height_px)) {
            (Some(right_px), Some(bottom_px)) => Bounds { left_px, top_px, right_px, bottom_px },
            _ => panic!("no rectangle: {width_px} x {height_px} at {left_px},{top_px}"),
        }
    }

    pub fn width_px(&self) -> u32 {
        self.right_px - self.left_px + 1
    }

    pub fn height_px(&self) -> u32 {
        self.bottom_px - self.top_px + 1
    }
}

/// A set of the pixels of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    pub width_px: u32,
    pub height_px: u32,
    /// `words_a_row()` words for each row; the lowest bit is the leftmost pixel. Bits beyond the width are 0.
    words: Vec<u64>,
}

impl Mask {
    /// No pixels.
    pub fn empty(width_px: u32, height_px: u32) -> Mask {
        let words = width_px.div_ceil(TILE_PX) as usize * height_px as usize;
        Mask { width_px, height_px, words: vec![0; words] }
    }

    pub fn words_a_row(&self) -> usize {
        self.width_px.div_ceil(TILE_PX) as usize
    }

    /// The words of row `y`.
    pub fn row(&self, y: u32) -> &[u64] {
        let count = self.words_a_row();
        &self.words[y as usize * count..(y as usize + 1) * count]
    }

    pub(super) fn row_mut(&mut self, y: u32) -> &mut [u64] {
        let count = self.words_a_row();
        &mut self.words[y as usize * count..(y as usize + 1) * count]
    }

    pub fn contains(&self, x: u32, y: u32) -> bool {
        self.row(y)[(x / TILE_PX) as usize] >> (x % TILE_PX) & 1 == 1
    }

    pub fn insert(&mut self, x: u32, y: u32) {
        self.row_mut(y)[(x / TILE_PX) as usize] |= 1 << (x % TILE_PX);
    }

    /// Adds all pixels of a rectangle within the picture.
    pub fn insert_all(&mut self, bounds: Bounds) {
        assert!(bounds.right_px < self.width_px && bounds.bottom_px < self.height_px, "{bounds:?} is not within");
        let (first, last) = (bounds.left_px / TILE_PX, bounds.right_px / TILE_PX);
        for y in bounds.top_px..=bounds.bottom_px {
            let row = self.row_mut(y);
            for word in first..=last {
                let from = if word == first { bounds.left_px % TILE_PX } else { 0 };
                let to = if word == last { bounds.right_px % TILE_PX } else { TILE_PX - 1 };
                row[word as usize] |= u64::MAX << from & u64::MAX >> (TILE_PX - 1 - to);
            }
        }
    }

    pub fn pixel_count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The smallest rectangle around all pixels.
    pub fn bounds(&self) -> Option<Bounds> {
        self.bounds_of(0..self.words_a_row(), 0..self.height_px)
    }

    /// [`bounds`](Mask::bounds) of what lies in these words of these rows.
    pub(super) fn bounds_of(&self, words: std::ops::Range<usize>, rows: std::ops::Range<u32>) -> Option<Bounds> {
        let mut columns = vec![0u64; words.len()];
        let mut vertical = None;
        for y in rows {
            let mut any = 0;
            for (all, word) in columns.iter_mut().zip(&self.row(y)[words.clone()]) {
                *all |= word;
                any |= word;
            }
            if any != 0 {
                let (top, _) = vertical.unwrap_or((y, y));
                vertical = Some((top, y));
            }
        }
        let (top_px, bottom_px) = vertical?;
        let first = columns.iter().position(|word| *word != 0)?;
        let last = columns.iter().rposition(|word| *word != 0)?;
        let place = |word: usize, bit: u32| (words.start + word) as u32 * TILE_PX + bit;
        let left_px = place(first, columns[first].trailing_zeros());
        let right_px = place(last, 63 - columns[last].leading_zeros());
        Some(Bounds { left_px, top_px, right_px, bottom_px })
    }

    /// The pixels in order, rows top to bottom.
    pub fn pixels(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.height_px).flat_map(move |y| {
            self.row(y).iter().enumerate().flat_map(move |(index, word)| {
                let mut left = *word;
                std::iter::from_fn(move || {
                    if left == 0 {
                        return None;
                    }
                    let bit = left.trailing_zeros();
                    left &= left - 1;
                    Some((index as u32 * TILE_PX + bit, y))
                })
            })
        })
    }

    /// The pixels whose eight neighbours are all in the set: what is left of areas that are three pixels thick and
    /// more.
    pub fn eroded(&self) -> Mask {
        let mut out = Mask::empty(self.width_px, self.height_px);
        let count = self.words_a_row();
        // Each row first keeps what has both neighbours beside it; then rows are met three by three.
        let across: Vec<u64> = (0..self.height_px)
            .flat_map(|y| {
                let row = self.row(y);
                (0..count).map(move |i| {
                    let before = if i > 0 { row[i - 1] >> 63 } else { 0 };
                    let after = if i + 1 < count { row[i + 1] << 63 } else { 0 };
                    row[i] & (row[i] << 1 | before) & (row[i] >> 1 | after)
                })
            })
            .collect();
        for y in 1..self.height_px.saturating_sub(1) {
            let at = y as usize * count;
            for (i, word) in out.row_mut(y).iter_mut().enumerate() {
                *word = across[at - count + i] & across[at + i] & across[at + count + i];
            }
        }
        out
    }

    /// The pixels, and the eight neighbours of each.
    pub fn grown(&self) -> Mask {
        let mut out = Mask::empty(self.width_px, self.height_px);
        let count = self.words_a_row();
        let beyond = count as u32 * TILE_PX - self.width_px;
        for y in 0..self.height_px {
            let rows = y.saturating_sub(1)..(y + 2).min(self.height_px);
            let of = |i: usize| rows.clone().fold(0, |all, y| all | self.row(y)[i]);
            let mut before = 0;
            let mut here = of(0);
            for i in 0..count {
                let after = if i + 1 < count { of(i + 1) } else { 0 };
                out.row_mut(y)[i] = here | here << 1 | before >> 63 | here >> 1 | after << 63;
                (before, here) = (here, after);
            }
            out.row_mut(y)[count - 1] &= u64::MAX >> beyond;
        }
        out
    }

    /// Takes out the pixels of another set of the same size.
    pub fn remove_all(&mut self, others: &Mask) {
        assert_eq!((self.width_px, self.height_px), (others.width_px, others.height_px), "sets of other pictures");
        self.words.iter_mut().zip(&others.words).for_each(|(word, other)| *word &= !other);
    }

    pub fn tiles(&self) -> Tiles {
        let (columns, rows) = (self.words_a_row() as u32, self.height_px.div_ceil(TILE_PX));
        let mut tiles = Tiles { columns, rows, differing: Vec::new() };
        let mut any = vec![0u64; columns as usize];
        for ty in 0..rows {
            any.fill(0);
            for y in ty * TILE_PX..(ty * TILE_PX + TILE_PX).min(self.height_px) {
                any.iter_mut().zip(self.row(y)).for_each(|(any, word)| *any |= word);
            }
            let found = (0..columns).filter(|tx| any[*tx as usize] != 0);
            tiles.differing.extend(found.map(|tx| ty * columns + tx));
        }
        tiles
    }
}

/// The 64 x 64 pixel tiles of a picture that hold a pixel of a set. Tiles at the right and at the bottom may be cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tiles {
    pub columns: u32,
    pub rows: u32,
    /// `row * columns + column` of each, ascending.
    pub differing: Vec<u32>,
}

impl Tiles {
    pub fn tile_count(&self) -> u32 {
        self.columns * self.rows
    }

    pub fn contains(&self, column: u32, row: u32) -> bool {
        self.differing.binary_search(&(row * self.columns + column)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(width: u32, height: u32, pixels: &[(u32, u32)]) -> Mask {
        let mut mask = Mask::empty(width, height);
        pixels.iter().for_each(|(x, y)| mask.insert(*x, *y));
        mask
    }

    #[test]
    fn pixels_bounds_and_tiles() {
        let pixels = [(64, 3), (0, 70), (129, 70), (63, 71)];
        let mask = of(130, 80, &pixels);
        assert_eq!(mask.pixels().collect::<Vec<_>>(), pixels);
        assert_eq!(mask.pixel_count(), 4);
        assert_eq!(mask.bounds(), Some(Bounds { left_px: 0, top_px: 3, right_px: 129, bottom_px: 71 }));
        assert_eq!(mask.tiles(), Tiles { columns: 3, rows: 2, differing: vec![1, 3, 5] });
        assert!(mask.tiles().contains(1, 0) && !mask.tiles().contains(0, 0));
        assert!(mask.contains(129, 70) && !mask.contains(128, 70));
        assert_eq!(of(9, 9, &[]).bounds(), None);
    }

    #[test]
    fn rectangles_are_filled_across_words() {
        let bounds = Bounds::of(62, 1, 70, 2);
        let mut mask = of(200, 4, &[]);
        mask.insert_all(bounds);
        assert_eq!((mask.pixel_count(), mask.bounds()), (140, Some(bounds)));
        let mut one = of(200, 4, &[]);
        one.insert_all(Bounds::of(63, 3, 1, 1));
        assert_eq!(one.pixels().collect::<Vec<_>>(), [(63, 3)]);
    }

    #[test]
    fn growth_adds_neighbours_and_removal_takes_out() {
        let one = of(66, 9, &[(63, 4), (65, 0)]);
        let grown = one.grown();
        let block = (3..6).flat_map(|y| (62..65).map(move |x| (x, y)));
        let corner = (0..2).flat_map(|y| (64..66).map(move |x| (x, y)));
        let want = of(66, 9, &block.chain(corner).collect::<Vec<_>>());
        assert_eq!(grown, want);
        let mut left = grown;
        left.remove_all(&want.eroded());
        assert_eq!(left.pixel_count(), 12);
    }

    #[test]
    fn erosion_leaves_what_is_three_thick() {
        let block: Vec<(u32, u32)> = (0..3).flat_map(|y| (62..66).map(move |x| (x, y + 4))).collect();
        assert_eq!(of(100, 20, &block).eroded().pixels().collect::<Vec<_>>(), [(63, 5), (64, 5)]);
        assert!(of(100, 20, &block[..8]).eroded().is_empty());
        // Pixels at the border have no eight neighbours.
        let all: Vec<(u32, u32)> = (0..3).flat_map(|y| (0..3).map(move |x| (x, y))).collect();
        assert_eq!(of(3, 3, &all).eroded().pixels().collect::<Vec<_>>(), [(1, 1)]);
    }
}
