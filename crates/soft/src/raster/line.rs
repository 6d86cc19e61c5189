//! Line: the pixels of lines and points in one tile. Exact integers; "Lines" and "Points" of `docs/adapter-rules.md`.

use super::cover::Blocks;
use super::order::{BLOCKS, TILE_PX, index_of};
use super::setup::Corner;

/// Pixels of a tile, by block.
struct Marks([u64; BLOCKS]);

impl Marks {
    fn set(&mut self, x: i64, y: i64) {
        let tile = 0..TILE_PX as i64;
        if tile.contains(&x) && tile.contains(&y) {
            let index = index_of(x as usize, y as usize);
            self.0[index >> 6] |= 1 << (index & 63);
        }
    }

    fn into_blocks(self, out: &mut Blocks, samples: usize) {
        out.count = 0;
        for (block, mask) in self.0.into_iter().enumerate() {
            if mask != 0 {
                out.at[out.count] = block as u8;
                for s in 0..samples {
                    out.masks[s][out.count] = mask;
                }
                out.count += 1;
            }
        }
    }
}

/// The pixel of a point; `tile`: first pixel of the tile.
pub fn cover_point(out: &mut Blocks, at: &Corner, tile: [i64; 2], samples: usize) {
    let mut marks = Marks([0; BLOCKS]);
    marks.set(i64::from(at.x >> 8) - tile[0], i64::from(at.y >> 8) - tile[1]);
    marks.into_blocks(out, samples);
}

/// The pixels of a line from `v[0]` to `v[1]`.
pub fn cover_line(out: &mut Blocks, v: &[Corner; 3], tile: [i64; 2], samples: usize) {
    let mut marks = Marks([0; BLOCKS]);
    let p = [[v[0].x, v[0].y], [v[1].x, v[1].y]].map(|p| p.map(i64::from));
    let steep = (p[1][1] - p[0][1]).abs() > (p[1][0] - p[0][0]).abs();
    // From here on x is the major axis.
    let (p, first) = if steep { (p.map(|[x, y]| [y, x]), tile[1]) } else { (p, tile[0]) };
    let (low, high) = (p[0][0].min(p[1][0]) >> 8, p[0][0].max(p[1][0]) >> 8);
    if p[0] != p[1] {
        for i in low.max(first)..=high.min(first + TILE_PX as i64 - 1) {
            if let Some(j) = row_of(p, i) {
                let (x, y) = if steep { (j, i) } else { (i, j) };
                marks.set(x - tile[0], y - tile[1]);
            }
        }
    }
    marks.into_blocks(out, samples);
}

/// The pixel row of a line in column `i`, if it draws there. The major axis is x.
fn row_of(p: [[i64; 2]; 2], i: i64) -> Option<i64> {
    let (dx, dy) = (p[1][0] - p[0][0], p[1][1] - p[0][1]);
    let xc = 256 * i + 128;
    let sign = dx.signum();
    let j = (sign * (p[0][1] * dx + dy * (xc - p[0][0]))).div_euclid(sign * dx * 256);
    let yc = 256 * j + 128;
    let inside = |p: [i64; 2]| (p[0] - xc).abs() + (p[1] - yc).abs() < 128 || p[0] == xc && p[1] == yc - 128;
    let between = xc >= p[0][0].min(p[1][0]) && xc <= p[0][0].max(p[1][0]);
    (!inside(p[1]) && (between || inside(p[0]))).then_some(j)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::super::order::pixel_of;
    use super::*;

    fn corner(x: i32, y: i32) -> Corner {
        Corner { x, y, z: 0.0, q: 1.0 }
    }

    fn pixels(a: (i32, i32), b: (i32, i32), tile: [i64; 2]) -> Vec<(i64, i64)> {
        let mut blocks = Blocks::default();
        cover_line(&mut blocks, &[corner(a.0, a.1), corner(b.0, b.1), corner(a.0, a.1)], tile, 1);
        let mut out = Vec::new();
        for k in 0..blocks.count {
            for lane in (0..64).filter(|lane| blocks.masks[0][k] >> lane & 1 == 1) {
                let (x, y) = pixel_of(usize::from(blocks.at[k]) * 64 + lane);
                out.push((x as i64 + tile[0], y as i64 + tile[1]));
            }
        }
        out.sort_unstable();
        out
    }

    #[test]
    fn lines_by_hand() {
        let px = |x: i32, y: i32| (x * 256 + 128, y * 256 + 128);
        // Centre to centre: the last pixel is left out.
        assert_eq!(pixels(px(1, 2), px(4, 2), [0, 0]), [(1, 2), (2, 2), (3, 2)]);
        assert_eq!(pixels(px(4, 2), px(1, 2), [0, 0]), [(2, 2), (3, 2), (4, 2)]);
        assert_eq!(pixels(px(2, 1), px(2, 3), [0, 0]), [(2, 1), (2, 2)]);
        assert_eq!(pixels(px(1, 1), px(3, 3), [0, 0]), [(1, 1), (2, 2)]);
        // Beyond the diamond of the last pixel: it is drawn.
        assert_eq!(pixels(px(1, 2), (4 * 256 + 255, 2 * 256 + 128), [0, 0]), [(1, 2), (2, 2), (3, 2)]);
        assert_eq!(pixels(px(1, 2), (5 * 256, 2 * 256 + 128), [0, 0]), [(1, 2), (2, 2), (3, 2), (4, 2)]);
        // Inside one diamond, and no length at all.
        assert_eq!(pixels((130, 128), (140, 128), [0, 0]), []);
        assert_eq!(pixels((130, 128), (130, 128), [0, 0]), []);
    }

    #[test]
    fn a_point_draws_the_pixel_that_holds_it() {
        let mut blocks = Blocks::default();
        cover_point(&mut blocks, &corner(70 * 256 + 255, 3 * 256), [64, 0], 4);
        assert_eq!((blocks.count, blocks.at[0]), (1, 0));
        assert_eq!(blocks.masks[3][0], 1 << index_of(6, 3));
        cover_point(&mut blocks, &corner(-1, 0), [0, 0], 1);
        assert_eq!(blocks.count, 0);
    }

    proptest! {
        /// Parts of a straight line draw no pixel twice and none besides the whole's; tiles agree.
        #[test]
        fn a_broken_line_is_the_whole_line(
            a in (-2000i32..34000, -2000i32..34000),
            step in (-900i32..900, -900i32..900),
            parts in 1i32..12,
        ) {
            let at = |k: i32| (a.0 + step.0 * k, a.1 + step.1 * k);
            let tiles: Vec<[i64; 2]> = (-1..3).flat_map(|y| (-1..3).map(move |x| [x * 64, y * 64])).collect();
            let all = |p, q| tiles.iter().flat_map(|&tile| pixels(p, q, tile)).collect::<Vec<_>>();
            let mut hits: BTreeMap<(i64, i64), i32> = BTreeMap::new();
            for k in 0..parts {
                all(at(k), at(k + 1)).into_iter().for_each(|p| *hits.entry(p).or_default() += 1);
            }
            let mut whole = all(at(0), at(parts));
            whole.sort_unstable();
            prop_assert_eq!(hits.keys().copied().collect::<Vec<_>>(), whole);
            prop_assert!(hits.values().all(|&n| n == 1));
        }
    }
}
