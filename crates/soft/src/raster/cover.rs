//! Cover: which samples of a tile a triangle covers.
//!
//! In: snapped corners and a tile. Out: the blocks it touches with a mask of 64 lanes a sample. Exact integers: E(S) of
//! "Geometry" in `docs/adapter-rules.md`, less 1 for edges that do not own their points, is a constant plus
//! 256 (A i + B j) at pixel (i, j); its sign is that of floor(constant / 256) + A i + B j.

use stillframe_base::lanes::per_isa;

use super::bits;
use super::order::{BLOCKS, Box2, ROW_X, ROW_Y};
use super::setup::Corner;

/// Sample positions in 1/256 pixel from the pixel's corner.
pub const CENTER: [i32; 2] = [128, 128];
pub const SAMPLES_4: [[i32; 2]; 4] = [[96, 32], [224, 96], [32, 160], [160, 224]];

/// The positions of a target with `sample_count` samples.
pub fn sample_positions(sample_count: usize) -> &'static [[i32; 2]] {
    if sample_count == 1 { &[CENTER] } else { &SAMPLES_4 }
}

/// Covered blocks of one primitive in one tile.
#[derive(Clone, Debug)]
pub struct Blocks {
    pub count: usize,
    /// Block numbers, ascending.
    pub at: [u8; BLOCKS],
    /// By sample, by place in `at`: covered lanes. At least one sample has one.
    pub masks: [[u64; BLOCKS]; 4],
}

impl Default for Blocks {
    fn default() -> Blocks {
        Blocks { count: 0, at: [0; BLOCKS], masks: [[0; BLOCKS]; 4] }
    }
}

impl Blocks {
    /// Ands the box of each sample (in pixels of the tile) into the masks and drops what is left empty.
    pub fn clip(&mut self, boxes: &[Box2], samples: usize) {
        let mut kept = 0;
        for k in 0..self.count {
            let block = self.at[k];
            let (x, y) = (i32::from(block & 7) * 8, i32::from(block >> 3) * 8);
            let mut any = 0;
            for s in 0..samples {
                let mask = self.masks[s][k] & boxes[s].lanes_of_block(x, y);
                self.masks[s][kept] = mask;
                any |= mask;
            }
            self.at[kept] = block;
            kept += usize::from(any != 0);
        }
        self.count = kept;
    }
}

/// What came of covering a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Covered {
    Nothing,
    Some,
    /// Too far for 32 bits: `cover_wide` has to do it.
    Wide,
}

/// Edges that fit 32 bits inside a tile: A, B and the value at the tile's first pixel, by sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edges {
    pub a: [i32; 3],
    pub b: [i32; 3],
    pub e: [[i32; 3]; 4],
}

/// Edges in 64 bits, for triangles that reach far outside the target.
#[derive(Clone, Copy, Debug, Default)]
pub struct WideEdges {
    pub a: [i64; 3],
    pub b: [i64; 3],
    pub e: [[i64; 3]; 4],
}

/// Differences up to this keep 32 bits from overflowing: 126 * 2^22 + 2^30 < 2^31.
const NARROW: i32 = 1 << 22;
const FAR: i64 = 1 << 30;

/// Edges of a triangle with area `area` (not zero), seen from the tile whose corner is (ox, oy) in 1/256 pixel.
#[inline(always)]
pub fn wide_edges(v: &[Corner; 3], area: i64, ox: i32, oy: i32, positions: &[[i32; 2]]) -> WideEdges {
    let order = if area > 0 { [0, 1, 2] } else { [0, 2, 1] };
    let mut out = WideEdges::default();
    for k in 0..3 {
        let (p, q) = (&v[order[k]], &v[order[(k + 1) % 3]]);
        let (dx, dy) = (i64::from(q.x) - i64::from(p.x), i64::from(q.y) - i64::from(p.y));
        let owns = dy < 0 || dy == 0 && dx > 0;
        let base = dx * (i64::from(oy) - i64::from(p.y)) - dy * (i64::from(ox) - i64::from(p.x));
        let base = base - i64::from(!owns);
        out.a[k] = -dy;
        out.b[k] = dx;
        for (s, at) in positions.iter().enumerate() {
            out.e[s][k] = (base + dx * i64::from(at[1]) - dy * i64::from(at[0])) >> 8;
        }
    }
    out
}

/// The pixels whose first to last sample can lie between `low` and `high` (1/256 pixel).
#[inline(always)]
pub fn pixels_between(low: i32, high: i32, samples: usize) -> (i32, i32) {
    let (first, last) = if samples == 1 { (128, 128) } else { (32, 224) };
    ((low - last + 255) >> 8, ((high - first) >> 8) + 1)
}

per_isa! {
    /// Covered lanes of a triangle of area `doubled` (not zero) in the tile whose corner is `origin` (1/256 pixel),
    /// inside `area` (pixels of the tile); 1 or 4 samples.
    pub fn cover(
        out: &mut Blocks,
        v: &[Corner; 3],
        doubled: i64,
        origin: &[i32; 2],
        area: &Box2,
        samples: usize,
    ) -> Covered {
        if samples == 1 {
            cover_triangle::<LEVEL, 1>(out, v, doubled, origin, area)
        } else {
            cover_triangle::<LEVEL, 4>(out, v, doubled, origin, area)
        }
    }
}

#[inline(always)]
fn cover_triangle<const LEVEL: u8, const SAMPLES: usize>(
    out: &mut Blocks,
    v: &[Corner; 3],
    doubled: i64,
    origin: &[i32; 2],
    area: &Box2,
) -> Covered {
    let Some(region) = region(v, origin, area, SAMPLES) else { return Covered::Nothing };
    // Counter-clockwise on the screen: vertices 1 and 2 change places.
    let (v1, v2) = if doubled > 0 { (&v[1], &v[2]) } else { (&v[2], &v[1]) };
    let x = [v[0].x, v1.x, v2.x].map(|x| x - origin[0]);
    let y = [v[0].y, v1.y, v2.y].map(|y| y - origin[1]);
    let mut edges = Edges::default();
    let positions = sample_positions(SAMPLES);
    let mut far = false;
    for k in 0..3 {
        let next = if k == 2 { 0 } else { k + 1 };
        let (dx, dy) = (x[next] - x[k], y[next] - y[k]);
        far |= dx.abs() > NARROW || dy.abs() > NARROW;
        let owns = dy < 0 || dy == 0 && dx > 0;
        edges.a[k] = dy.wrapping_neg();
        edges.b[k] = dx;
        let (dx, dy) = (i64::from(dx), i64::from(dy));
        let base = dy * i64::from(x[k]) - dx * i64::from(y[k]) - i64::from(!owns);
        for s in 0..SAMPLES {
            let e = (base + dx * i64::from(positions[s][1]) - dy * i64::from(positions[s][0])) >> 8;
            edges.e[s][k] = e.clamp(-FAR, FAR) as i32;
        }
    }
    if far {
        return Covered::Wide;
    }
    cover_samples::<LEVEL, SAMPLES>(out, &edges, &region);
    if out.count == 0 { Covered::Nothing } else { Covered::Some }
}

/// The blocks of the tile that a triangle's box meets inside `area`.
#[inline(always)]
pub fn region(v: &[Corner; 3], origin: &[i32; 2], area: &Box2, samples: usize) -> Option<Box2> {
    let low = |a: i32, b: i32, c: i32| a.min(b).min(c);
    let high = |a: i32, b: i32, c: i32| a.max(b).max(c);
    let (low_x, high_x) = (low(v[0].x, v[1].x, v[2].x), high(v[0].x, v[1].x, v[2].x));
    let (low_y, high_y) = (low(v[0].y, v[1].y, v[2].y), high(v[0].y, v[1].y, v[2].y));
    let (x0, x1) = pixels_between(low_x - origin[0], high_x - origin[0], samples);
    let (y0, y1) = pixels_between(low_y - origin[1], high_y - origin[1], samples);
    let reach = Box2 { x0, y0, x1, y1 }.and(area);
    let blocks = Box2 { x0: reach.x0 >> 3, y0: reach.y0 >> 3, x1: (reach.x1 + 7) >> 3, y1: (reach.y1 + 7) >> 3 };
    (!reach.is_empty()).then_some(blocks)
}

/// Covered lanes of the blocks in `region`.
#[inline(always)]
pub fn cover_samples<const LEVEL: u8, const SAMPLES: usize>(out: &mut Blocks, edges: &Edges, region: &Box2) {
    let (a, b) = (&edges.a, &edges.b);
    let step = |k: usize| bits::steps::<LEVEL>(a[k], b[k]);
    let pattern = [step(0), step(1), step(2)];
    let (mut high, mut low) = ([0; 3], [0; 3]);
    for k in 0..3 {
        high[k] = 7 * (a[k].max(0) + b[k].max(0));
        low[k] = 7 * (a[k].min(0) + b[k].min(0));
    }
    let mut count = 0;
    for y in region.y0..region.y1 {
        for x in region.x0..region.x1 {
            let mut any = 0;
            for s in 0..SAMPLES {
                let e = |k: usize| edges.e[s][k] + 8 * (a[k] * x + b[k] * y);
                let e = [e(0), e(1), e(2)];
                let mask = if (e[0] + high[0]) | (e[1] + high[1]) | (e[2] + high[2]) < 0 {
                    0
                } else if (e[0] + low[0]) | (e[1] + low[1]) | (e[2] + low[2]) >= 0 {
                    u64::MAX
                } else {
                    let mut outside = 0;
                    for r in 0..4 {
                        let at = [e[0] + 2 * b[0] * r, e[1] + 2 * b[1] * r, e[2] + 2 * b[2] * r];
                        outside |= bits::outside::<LEVEL>(&pattern, at) << (16 * r);
                    }
                    !outside
                };
                out.masks[s][count & 63] = mask;
                any |= mask;
            }
            out.at[count & 63] = (y * 8 + x) as u8;
            count += usize::from(any != 0);
        }
    }
    out.count = count;
}

/// The same for edges of 64 bits, lane by lane where a block is neither in nor out.
pub fn cover_wide(out: &mut Blocks, edges: &WideEdges, region: &Box2, samples: usize) {
    let (a, b) = (&edges.a, &edges.b);
    let mut count = 0;
    for y in i64::from(region.y0)..i64::from(region.y1) {
        for x in i64::from(region.x0)..i64::from(region.x1) {
            let mut any = 0;
            for s in 0..samples {
                let mut mask = u64::MAX;
                for k in 0..3 {
                    let e = edges.e[s][k] + 8 * (a[k] * x + b[k] * y);
                    if e + 7 * (a[k].max(0) + b[k].max(0)) < 0 {
                        mask = 0;
                    } else if e + 7 * (a[k].min(0) + b[k].min(0)) < 0 {
                        for lane in 0..64 {
                            let (i, row) = (lane & 15, (lane >> 4) as i64);
                            let at = e + a[k] * i64::from(ROW_X[i]) + b[k] * (i64::from(ROW_Y[i]) + 2 * row);
                            mask &= !(u64::from(at < 0) << lane);
                        }
                    }
                }
                out.masks[s][count & 63] = mask;
                any |= mask;
            }
            out.at[count & 63] = (y * 8 + x) as u8;
            count += usize::from(any != 0);
        }
    }
    out.count = count;
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use stillframe_base::lanes::Isa;

    use super::super::order::index_of;
    use super::super::setup::area;
    use super::*;

    fn corner(x: i32, y: i32) -> Corner {
        Corner { x, y, z: 0.0, q: 1.0 }
    }

    /// The rule as it is written: E(S) and the owning edges, one sample.
    fn owns(v: &[Corner; 3], sx: i64, sy: i64) -> bool {
        let d = area(v);
        let order = if d > 0 { [0, 1, 2] } else { [0, 2, 1] };
        d != 0
            && (0..3).all(|k| {
                let (p, q) = (v[order[k]], v[order[(k + 1) % 3]]);
                let (dx, dy) = (i64::from(q.x - p.x), i64::from(q.y - p.y));
                let e = dx * (sy - i64::from(p.y)) - dy * (sx - i64::from(p.x));
                e > 0 || e == 0 && (dy < 0 || dy == 0 && dx > 0)
            })
    }

    fn masks_of(v: &[Corner; 3], tile: (i32, i32), samples: usize, isa: Isa, wide: bool) -> Vec<[bool; 4]> {
        let mut out = vec![[false; 4]; 4096];
        let d = area(v);
        if d == 0 {
            return out;
        }
        let mut blocks = Blocks::default();
        let origin = [tile.0 * 64 * 256, tile.1 * 64 * 256];
        let whole = Box2 { x0: 0, y0: 0, x1: 64, y1: 64 };
        let done = cover(isa)(&mut blocks, v, d, &origin, &whole, samples);
        if done == Covered::Nothing {
            blocks.count = 0;
        } else if wide || done == Covered::Wide {
            let edges = wide_edges(v, d, origin[0], origin[1], sample_positions(samples));
            cover_wide(&mut blocks, &edges, &Box2 { x0: 0, y0: 0, x1: 8, y1: 8 }, samples);
        }
        for k in 0..blocks.count {
            for lane in 0..64 {
                for s in 0..samples {
                    out[usize::from(blocks.at[k]) * 64 + lane][s] = blocks.masks[s][k] >> lane & 1 == 1;
                }
            }
        }
        out
    }

    fn check(v: &[Corner; 3], tile: (i32, i32), samples: usize) {
        for isa in Isa::available() {
            for wide in [false, true] {
                let got = masks_of(v, tile, samples, isa, wide);
                for y in 0..64 {
                    for x in 0..64 {
                        for (s, at) in sample_positions(samples).iter().enumerate() {
                            let sx = i64::from((tile.0 * 64 + x) * 256 + at[0]);
                            let sy = i64::from((tile.1 * 64 + y) * 256 + at[1]);
                            let index = index_of(x as usize, y as usize);
                            assert_eq!(got[index][s], owns(v, sx, sy), "{isa} {v:?} ({x}, {y}) s{s}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_pixel_square_owns_its_top_and_left() {
        // Corners on pixel centres: the square from (1, 1) to (3, 3) covers pixels 1 and 2, not 3.
        let at = |x: i32, y: i32| corner(x * 256 + 128, y * 256 + 128);
        let first = masks_of(&[at(1, 1), at(3, 1), at(1, 3)], (0, 0), 1, Isa::Scalar, false);
        let second = masks_of(&[at(3, 1), at(3, 3), at(1, 3)], (0, 0), 1, Isa::Scalar, false);
        for y in 0..6 {
            for x in 0..6 {
                let hits = [&first, &second].iter().filter(|m| m[index_of(x, y)][0]).count();
                assert_eq!(hits, usize::from((1..3).contains(&x) && (1..3).contains(&y)), "({x}, {y})");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn kernels_follow_the_written_rule(c in prop::array::uniform6(-3000i32..20000), samples in prop::sample::select(vec![1usize, 4])) {
            let v = [corner(c[0], c[1]), corner(c[2], c[3]), corner(c[4], c[5])];
            check(&v, (0, 0), samples);
        }

        #[test]
        fn far_corners_do_not_overflow(c in prop::array::uniform6(-(1i32 << 29)..1 << 29), tile in (0i32..200, 0i32..200)) {
            let v = [corner(c[0], c[1]), corner(c[2], c[3]), corner(c[4], c[5])];
            check(&v, tile, 1);
        }

        /// A fan from a point inside to points on the tile's border; coarse positions make shared edges run through
        /// samples.
        #[test]
        fn a_fan_covers_each_sample_once(
            mid in (1i32..128, 1i32..128),
            border in prop::collection::btree_set((0usize..4, 0i32..128), 0..24),
            samples in prop::sample::select(vec![1usize, 4]),
        ) {
            let mid = corner(mid.0 * 128, mid.1 * 128);
            let far = 64 * 256;
            let mut ring: Vec<(usize, i32)> = border.into_iter().map(|(side, at)| (side, at * 128)).collect();
            ring.extend((0..4).map(|side| (side, 0)));
            ring.sort_unstable();
            ring.dedup();
            let points: Vec<Corner> = ring
                .into_iter()
                .map(|(side, at)| match side {
                    0 => corner(at, 0),
                    1 => corner(far, at),
                    2 => corner(far - at, far),
                    _ => corner(0, far - at),
                })
                .collect();
            let mut hits = vec![[0; 4]; 4096];
            for k in 0..points.len() {
                let v = [mid, points[k], points[(k + 1) % points.len()]];
                for (hit, got) in hits.iter_mut().zip(masks_of(&v, (0, 0), samples, Isa::detect(), false)) {
                    for s in 0..samples {
                        hit[s] += i32::from(got[s]);
                    }
                }
            }
            prop_assert!(hits.iter().all(|h| h[..samples].iter().all(|&n| n == 1)));
        }
    }
}
