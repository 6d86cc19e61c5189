//! Group: triangles of one draw in one tile, set up side by side before they are covered one by one.
//!
//! In: corners, a tile. Out: edges, blocks to look at and barycentric gradients, a lane a triangle. In 32 bits, so only
//! for triangles near the tile; the others go one by one through `cover` and `setup`. Both give the same numbers.

use stillframe_base::lanes::{Isa, per_isa};

use super::cover::{Blocks, Edges, cover_samples, pixels_between, sample_positions};
use super::order::Box2;
use super::setup::{Barycentric, Corner};

/// Triangles of a group.
pub const GROUP: usize = 64;
/// Corners of near triangles lie between these, seen from the tile's corner in 1/256 pixel: a side is at most 2^15
/// long, so a product of two below 2^30 and a sum of two products, twice an area or an edge's value, below 2^31.
const NEAR: std::ops::RangeInclusive<i32> = -8192..=24576;

type Ints = [i32; GROUP];
type Doubles = [f64; GROUP];

/// An item of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    pub chunk: u32,
    pub number: u32,
}

/// One number a triangle.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Group {
    pub count: usize,
    pub entries: [Entry; GROUP],
    /// Positions by vertex.
    x: [Ints; 3],
    y: [Ints; 3],
    /// Not zero where the numbers below hold.
    near: Ints,
    /// Edges in the order of `cover`; values by sample.
    a: [Ints; 3],
    b: [Ints; 3],
    e: [[Ints; 3]; 4],
    /// Blocks to look at: left, top, right, bottom.
    region: [Ints; 4],
    /// In the order of `Barycentric`'s fields.
    gradients: [Doubles; 6],
}

impl Default for Group {
    fn default() -> Group {
        Group {
            count: 0,
            entries: [Entry { chunk: 0, number: 0 }; GROUP],
            x: [[0; GROUP]; 3],
            y: [[0; GROUP]; 3],
            near: [0; GROUP],
            a: [[0; GROUP]; 3],
            b: [[0; GROUP]; 3],
            e: [[[0; GROUP]; 3]; 4],
            region: [[0; GROUP]; 4],
            gradients: [[0.0; GROUP]; 6],
        }
    }
}

impl Group {
    #[inline(always)]
    pub fn push(&mut self, entry: Entry, v: &[Corner; 3]) {
        let at = self.count & (GROUP - 1);
        self.entries[at] = entry;
        for k in 0..3 {
            self.x[k][at] = v[k].x;
            self.y[k][at] = v[k].y;
        }
        self.count += 1;
    }

    /// Whether triangle `at` is set up here.
    #[inline(always)]
    pub fn is_near(&self, at: usize) -> bool {
        self.near[at] != 0
    }

    #[inline(always)]
    pub fn barycentric(&self, at: usize) -> Barycentric {
        let at = at & (GROUP - 1);
        let [c1, g1x, g1y, c2, g2x, g2y] = &self.gradients;
        Barycentric { c1: c1[at], g1x: g1x[at], g1y: g1y[at], c2: c2[at], g2x: g2x[at], g2y: g2y[at] }
    }

    #[inline(always)]
    pub fn edges(&self, at: usize, samples: usize) -> Edges {
        let at = at & (GROUP - 1);
        let mut edges = Edges::default();
        for k in 0..3 {
            edges.a[k] = self.a[k][at];
            edges.b[k] = self.b[k][at];
            for s in 0..samples {
                edges.e[s][k] = self.e[s][k][at];
            }
        }
        edges
    }

    /// Empty where the triangle's box misses the area.
    #[inline(always)]
    pub fn region(&self, at: usize) -> Box2 {
        let at = at & (GROUP - 1);
        Box2 { x0: self.region[0][at], y0: self.region[1][at], x1: self.region[2][at], y1: self.region[3][at] }
    }
}

#[inline(always)]
fn min3(v: [i32; 3]) -> i32 {
    v[0].min(v[1]).min(v[2])
}

#[inline(always)]
fn max3(v: [i32; 3]) -> i32 {
    v[0].max(v[1]).max(v[2])
}

per_isa! {
    /// Sets up all triangles of a group in the tile whose corner is `origin` (1/256 pixel), inside `area` (pixels of
    /// the tile). No triangle's area is zero.
    pub fn set_up(group: &mut Group, origin: &[i32; 2], area: &Box2, samples: usize) {
        let Group { count, x, y, near, a, b, e, region, gradients, .. } = group;
        let lanes = count.next_multiple_of(16).min(GROUP);
        let ([a0, a1, a2], [b0, b1, b2]) = (a, b);
        let [left, top, right, bottom] = region;
        for i in Isa::each::<LEVEL>(lanes) {
            let px = [x[0][i] - origin[0], x[1][i] - origin[0], x[2][i] - origin[0]];
            let py = [y[0][i] - origin[1], y[1][i] - origin[1], y[2][i] - origin[1]];
            let (low_x, high_x, low_y, high_y) = (min3(px), max3(px), min3(py), max3(py));
            let is_near = (low_x >= *NEAR.start()) & (high_x <= *NEAR.end()) & (low_y >= *NEAR.start()) & (high_y <= *NEAR.end());
            near[i] = i32::from(is_near);
            let ((x0, x1), (y0, y1)) = (pixels_between(low_x, high_x, samples), pixels_between(low_y, high_y, samples));
            let (x0, x1) = (x0.max(area.x0), x1.min(area.x1));
            let (y0, y1) = (y0.max(area.y0), y1.min(area.y1));
            let is_empty = (x0 >= x1) | (y0 >= y1);
            left[i] = x0 >> 3;
            top[i] = y0 >> 3;
            right[i] = if is_empty { x0 >> 3 } else { (x1 + 7) >> 3 };
            bottom[i] = if is_empty { y0 >> 3 } else { (y1 + 7) >> 3 };
        }
        for i in Isa::each::<LEVEL>(lanes) {
            let px = [x[0][i] - origin[0], x[1][i] - origin[0], x[2][i] - origin[0]];
            let py = [y[0][i] - origin[1], y[1][i] - origin[1], y[2][i] - origin[1]];
            // What overflows belongs to triangles that are not near.
            let sub = i32::wrapping_sub;
            let (x1, y1) = (sub(px[1], px[0]), sub(py[1], py[0]));
            let (x2, y2) = (sub(px[2], px[0]), sub(py[2], py[0]));
            let doubled = sub(x1.wrapping_mul(y2), x2.wrapping_mul(y1));
            let inv = 1.0 / f64::from(doubled);
            let (ox, oy) = (px[0].wrapping_neg(), py[0].wrapping_neg());
            gradients[0][i] = f64::from(sub(ox.wrapping_mul(y2), oy.wrapping_mul(x2))) * inv;
            gradients[1][i] = f64::from(y2.wrapping_mul(256)) * inv;
            gradients[2][i] = f64::from(x2.wrapping_mul(-256)) * inv;
            gradients[3][i] = f64::from(sub(x1.wrapping_mul(oy), y1.wrapping_mul(ox))) * inv;
            gradients[4][i] = f64::from(y1.wrapping_mul(-256)) * inv;
            gradients[5][i] = f64::from(x1.wrapping_mul(256)) * inv;
            // Counter-clockwise on the screen: vertices 1 and 2 change places.
            let turned = doubled < 0;
            let (qx1, qx2) = if turned { (px[2], px[1]) } else { (px[1], px[2]) };
            let (qy1, qy2) = if turned { (py[2], py[1]) } else { (py[1], py[2]) };
            (b0[i], b1[i], b2[i]) = (sub(qx1, px[0]), sub(qx2, qx1), sub(px[0], qx2));
            (a0[i], a1[i], a2[i]) = (sub(py[0], qy1), sub(qy1, qy2), sub(qy2, py[0]));
        }
        for (e, at) in e.iter_mut().zip(sample_positions(samples)) {
            for (k, e) in e.iter_mut().enumerate() {
                // A point of each edge, whichever way the triangle turns.
                let (a, b, x, y) = [(&*a0, &*b0, &x[0], &y[0]), (&*a1, &*b1, &x[1], &y[1]), (&*a2, &*b2, &x[0], &y[0])][k];
                for i in Isa::each::<LEVEL>(lanes) {
                    let (dx, dy) = (at[0] - (x[i] - origin[0]), at[1] - (y[i] - origin[1]));
                    let owns = (a[i] > 0) | (a[i] == 0) & (b[i] > 0);
                    let value = b[i].wrapping_mul(dy).wrapping_add(a[i].wrapping_mul(dx));
                    e[i] = value.wrapping_sub(i32::from(!owns)) >> 8;
                }
            }
        }
    }

    /// Covered lanes of triangle `at`, which is set up: as `cover`.
    pub fn cover_one(out: &mut Blocks, group: &Group, at: usize, samples: usize) {
        let (edges, region) = (group.edges(at, samples), group.region(at));
        if samples == 1 {
            cover_samples::<LEVEL, 1>(out, &edges, &region);
        } else {
            cover_samples::<LEVEL, 4>(out, &edges, &region);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::cover::{Covered, cover};
    use super::super::setup::area;
    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Side by side or one by one: the same blocks, the same gradients.
        #[test]
        fn a_group_is_as_its_triangles(
            corners in prop::collection::vec((-9000i32..25000, -9000i32..25000, -9000i32..25000, -9000i32..25000, 0u8..4), 1..=GROUP),
            tile in (0i32..200, 0i32..200),
            samples in prop::sample::select(vec![1usize, 4]),
            area_px in (0i32..40, 0i32..40, 20i32..=64, 20i32..=64),
        ) {
            let origin = [tile.0 * 64 * 256, tile.1 * 64 * 256];
            let area_px = Box2 { x0: area_px.0, y0: area_px.1, x1: area_px.2, y1: area_px.3 };
            let corner = |x: i32, y: i32| Corner { x: x + origin[0], y: y + origin[1], z: 0.0, q: 1.0 };
            let triangles: Vec<[Corner; 3]> = corners
                .into_iter()
                .map(|(x, y, dx, dy, form)| match form {
                    0 => [corner(x, y), corner(x + 700, y), corner(x, y + 600)],
                    1 => [corner(x, y), corner(x + dx % 1000, y + dy % 1000), corner(x - dy % 1500, y)],
                    2 => [corner(x, y), corner(dx, dy), corner(dy, x)],
                    _ => [corner(x / 128 * 128, y / 128 * 128), corner(dx / 128 * 128, dy / 128 * 128), corner(dy, dx)],
                })
                .filter(|v| area(v) != 0)
                .collect();
            for isa in Isa::available() {
                let mut group = Group::default();
                for (number, v) in triangles.iter().enumerate() {
                    group.push(Entry { chunk: 7, number: number as u32 }, v);
                }
                set_up(isa)(&mut group, &origin, &area_px, samples);
                for (at, v) in triangles.iter().enumerate() {
                    prop_assert_eq!(group.entries[at], Entry { chunk: 7, number: at as u32 });
                    let (mut want, mut got) = (Blocks::default(), Blocks::default());
                    if cover(isa)(&mut want, v, area(v), &origin, &area_px, samples) == Covered::Nothing {
                        want.count = 0;
                    }
                    if !group.is_near(at) {
                        continue;
                    }
                    cover_one(isa)(&mut got, &group, at, samples);
                    prop_assert_eq!(&got.at[..got.count], &want.at[..want.count]);
                    for s in 0..samples {
                        prop_assert_eq!(&got.masks[s][..got.count], &want.masks[s][..want.count]);
                    }
                    let (b, w) = (group.barycentric(at), Barycentric::triangle(v, origin[0], origin[1]));
                    let bits = |b: &Barycentric| [b.c1, b.g1x, b.g1y, b.c2, b.g2x, b.g2y].map(f64::to_bits);
                    prop_assert_eq!(bits(&b), bits(&w));
                }
            }
        }
    }
}
