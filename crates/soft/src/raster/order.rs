//! Order: how a tile's pixels are numbered. A tile is 64x64 pixels, 8x8 blocks of 8x8 pixels, row by row; a block is
//! 4x4 quads, row by row; a quad is 2x2 pixels. So a block is 64 lanes side by side and a quad four.
//!
//! In: coordinates inside a tile. Out: indices and masks of 64 lanes.

/// Pixels along a side of a tile, which is also the cell of the interpolation rules.
pub const TILE_PX: usize = 64;
/// Pixels of a tile.
pub const TILE_AREA: usize = TILE_PX * TILE_PX;
/// Blocks of a tile.
pub const BLOCKS: usize = 64;

/// Lane of the pixel at (x, y) of a block.
pub const fn lane_of(x: usize, y: usize) -> usize {
    ((y >> 1) * 4 + (x >> 1)) * 4 + (y & 1) * 2 + (x & 1)
}

/// Index of the pixel at (x, y) of a tile.
pub const fn index_of(x: usize, y: usize) -> usize {
    ((y >> 3) * 8 + (x >> 3)) * 64 + lane_of(x & 7, y & 7)
}

/// Pixel (x, y) of a tile's index.
pub const fn pixel_of(index: usize) -> (usize, usize) {
    let (block, lane) = (index >> 6, index & 63);
    let (quad, bits) = (lane >> 2, lane & 3);
    ((block & 7) * 8 + (quad & 3) * 2 + (bits & 1), (block >> 3) * 8 + (quad >> 2) * 2 + (bits >> 1))
}

/// `BELOW_X[n]`: the lanes of a block with x < n.
pub const BELOW_X: [u64; 9] = below(true);
/// `BELOW_Y[n]`: the lanes of a block with y < n.
pub const BELOW_Y: [u64; 9] = below(false);

const fn below(is_x: bool) -> [u64; 9] {
    let mut table = [0; 9];
    let mut n = 0;
    while n < 9 {
        let mut y = 0;
        while y < 8 {
            let mut x = 0;
            while x < 8 {
                if (if is_x { x } else { y }) < n {
                    table[n] |= 1 << lane_of(x, y);
                }
                x += 1;
            }
            y += 1;
        }
        n += 1;
    }
    table
}

/// x of the 16 lanes of two pixel rows.
pub const ROW_X: [i32; 16] = row(true);
/// y of the 16 lanes of two pixel rows: 0 or 1.
pub const ROW_Y: [i32; 16] = row(false);

const fn row(is_x: bool) -> [i32; 16] {
    let mut table = [0; 16];
    let mut lane = 0;
    while lane < 16 {
        let (x, y) = pixel_of(lane);
        table[lane] = if is_x { x as i32 } else { y as i32 };
        lane += 1;
    }
    table
}

/// Half-open box of pixels; of the target or of a tile, as the user says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Box2 {
    pub x0: i32,
    pub y0: i32,
    pub x1: i32,
    pub y1: i32,
}

impl Box2 {
    pub fn is_empty(&self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }
    #[must_use]
    pub fn and(&self, other: &Box2) -> Box2 {
        Box2 {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }
    /// The smallest box around both; an empty one counts for nothing.
    #[must_use]
    pub fn around(&self, other: &Box2) -> Box2 {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => *other,
            (_, true) => *self,
            _ => Box2 {
                x0: self.x0.min(other.x0),
                y0: self.y0.min(other.y0),
                x1: self.x1.max(other.x1),
                y1: self.y1.max(other.y1),
            },
        }
    }
    #[must_use]
    pub fn moved(&self, dx: i32, dy: i32) -> Box2 {
        Box2 { x0: self.x0 + dx, y0: self.y0 + dy, x1: self.x1 + dx, y1: self.y1 + dy }
    }
    /// The lanes inside this box of the block whose first pixel is (x, y).
    #[inline(always)]
    pub fn lanes_of_block(&self, x: i32, y: i32) -> u64 {
        let at = |edge: i32, start: i32| (edge - start).clamp(0, 8) as usize;
        let columns = BELOW_X[at(self.x1, x)] & !BELOW_X[at(self.x0, x)];
        let rows = BELOW_Y[at(self.y1, y)] & !BELOW_Y[at(self.y0, y)];
        columns & rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbering_is_one_to_one() {
        for index in 0..TILE_AREA {
            let (x, y) = pixel_of(index);
            assert_eq!(index_of(x, y), index);
        }
        assert_eq!(
            [index_of(0, 0), index_of(1, 0), index_of(0, 1), index_of(2, 0), index_of(0, 2), index_of(8, 0)],
            [0, 1, 2, 4, 16, 64]
        );
    }

    #[test]
    fn boxes_name_their_lanes() {
        let part = Box2 { x0: 9, y0: 3, x1: 12, y1: 100 };
        for (bx, by) in [(0, 0), (8, 0), (8, 8), (16, 0)] {
            let mask = part.lanes_of_block(bx, by);
            for y in 0..8 {
                for x in 0..8 {
                    let (px, py) = (bx + x, by + y);
                    let want = (9..12).contains(&px) && (3..100).contains(&py);
                    assert_eq!(mask >> lane_of(x as usize, y as usize) & 1 == 1, want);
                }
            }
        }
    }
}
