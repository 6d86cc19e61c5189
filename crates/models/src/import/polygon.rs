//! Polygons of any corner count become triangles.
//!
//! Ear clipping (Meisters 1975) in the plane that faces the polygon most, with these additions: corners in the same
//! place are no obstacle (polygons with holes come as one outline that runs along a bridge twice); where no corner is
//! an ear (the outline crosses itself), the one that cuts least into others goes; the work is bounded.

/// Corner tests a file may cost on top of 64 a corner. Outlines that need more are fanned.
const TESTS_MAX: u64 = 30_000_000;

/// Work left for the polygons of one file.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    left: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { left: TESTS_MAX }
    }
}

/// Appends the triangles of one polygon, as positions in it: always two fewer than corners.
///
/// Shapes: at least three corners. Convex polygons are fanned from their first corner; a four-sided one is cut along
///         its
/// first diagonal unless that leaves it, as modelling tools do. Out: false where the work ran out and a fan was made.
pub fn triangulate(points: &[[f64; 3]], effort: &mut Effort, out: &mut Vec<[u32; 3]>) -> bool {
    let count = points.len();
    assert!(count >= 3, "a polygon of {count} corners");
    if count == 3 {
        out.push([0, 1, 2]);
        return true;
    }
    let flat = flatten(points);
    if count == 4 {
        // Both triangles on their proper side of the diagonal?
        let first = area(flat[0], flat[1], flat[2]) >= 0.0 && area(flat[0], flat[2], flat[3]) >= 0.0;
        let second = area(flat[0], flat[1], flat[3]) > 0.0 && area(flat[1], flat[2], flat[3]) > 0.0;
        out.extend(if first || !second { [[0, 1, 2], [0, 2, 3]] } else { [[0, 1, 3], [1, 2, 3]] });
        return true;
    }
    effort.left += 64 * count as u64;
    let before = out.len();
    if clip(&flat, effort, out) {
        return true;
    }
    out.truncate(before);
    out.extend((1..count as u32 - 1).map(|corner| [0, corner, corner + 1]));
    false
}

/// The polygon seen along its normal (Newell's), with a counter-clockwise outline: the two coordinates that change
/// most, unrounded.
fn flatten(points: &[[f64; 3]]) -> Vec<[f64; 2]> {
    let mut normal = [0.0; 3];
    let origin = points[0];
    let at = |corner: usize, axis: usize| points[corner % points.len()][axis] - origin[axis];
    for corner in 0..points.len() {
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            normal[axis] += (at(corner, u) - at(corner + 1, u)) * (at(corner, v) + at(corner + 1, v));
        }
    }
    let mut axis = 2;
    for other in [1, 0] {
        if normal[other].abs() > normal[axis].abs() {
            axis = other;
        }
    }
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let (u, v) = if normal[axis] < 0.0 { (v, u) } else { (u, v) };
    points.iter().map(|point| [point[u], point[v]]).collect()
}

/// Twice the area of a triangle; positive where it runs counter-clockwise, and 0 where rounding decides.
fn area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    let left = (b[0] - a[0]) * (c[1] - a[1]);
    let right = (c[0] - a[0]) * (b[1] - a[1]);
    // Shewchuk 1997, the bound of the first filter.
    let bound = 3.330_669_073_875_472e-16 * (left.abs() + right.abs());
    let area = left - right;
    if area.abs() <= bound { 0.0 } else { area }
}

/// Whether a point lies in a counter-clockwise triangle or on its edges.
fn inside(triangle: [[f64; 2]; 3], point: [f64; 2]) -> bool {
    let [a, b, c] = triangle;
    area(a, b, point) >= 0.0 && area(b, c, point) >= 0.0 && area(c, a, point) >= 0.0
}

/// Corners left, linked in a ring.
struct Ring<'p> {
    points: &'p [[f64; 2]],
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Corners that were not convex at some time; a corner never stops being convex but for rounding.
    reflex: Vec<u32>,
    /// Whether a corner is in `reflex`.
    listed: Vec<bool>,
    gone: Vec<bool>,
}

impl Ring<'_> {
    fn corners(&self, corner: usize) -> [usize; 3] {
        [self.previous[corner] as usize, corner, self.next[corner] as usize]
    }

    fn triangle(&self, corner: usize) -> [[f64; 2]; 3] {
        self.corners(corner).map(|corner| self.points[corner])
    }

    fn area(&self, corner: usize) -> f64 {
        let [a, b, c] = self.triangle(corner);
        area(a, b, c)
    }

    /// How many corners lie in the triangle at `corner`; those in the same place as one of its corners count only where
    /// the outline enters the triangle there.
    fn obstacles(&self, corner: usize, effort: &mut Effort) -> u32 {
        let triangle = self.triangle(corner);
        let own = self.corners(corner);
        effort.left = effort.left.saturating_sub(self.reflex.len() as u64 + 1);
        let mut count = 0;
        for other in &self.reflex {
            let other = *other as usize;
            if self.gone[other] || own.contains(&other) || !inside(triangle, self.points[other]) {
                continue;
            }
            let twin = triangle.iter().position(|point| *point == self.points[other]);
            count += u32::from(match twin {
                None => true,
                Some(twin) => self.enters(triangle, twin, other),
            });
        }
        count
    }

    /// Whether the outline at `other`, which lies on the triangle's corner `twin`, runs into the triangle.
    fn enters(&self, triangle: [[f64; 2]; 3], twin: usize, other: usize) -> bool {
        let (a, b, c) = (triangle[twin], triangle[(twin + 1) % 3], triangle[(twin + 2) % 3]);
        [self.next[other], self.previous[other]].into_iter().any(|end| {
            let end = self.points[end as usize];
            area(a, b, end) > 0.0 && area(a, end, c) > 0.0
        })
    }
}

/// Out: false where the work ran out.
fn clip(points: &[[f64; 2]], effort: &mut Effort, out: &mut Vec<[u32; 3]>) -> bool {
    let count = points.len();
    let mut ring = Ring {
        points,
        next: (0..count as u32).map(|corner| (corner + 1) % count as u32).collect(),
        previous: (0..count as u32).map(|corner| (corner + count as u32 - 1) % count as u32).collect(),
        reflex: Vec::new(),
        listed: vec![false; count],
        gone: vec![false; count],
    };
    for corner in 0..count {
        if ring.area(corner) <= 0.0 {
            ring.listed[corner] = true;
            ring.reflex.push(corner as u32);
        }
    }
    // A convex outline: a fan from the first corner.
    if ring.reflex.is_empty() {
        out.extend((1..count as u32 - 1).map(|corner| [0, corner, corner + 1]));
        return true;
    }
    let (mut corner, mut left, mut misses) = (1, count, 0);
    // While nothing better is known: the corner whose triangle holds the fewest others.
    let mut least = (u32::MAX, 0);
    while left > 3 {
        if effort.left == 0 {
            return false;
        }
        let size = ring.area(corner);
        let obstacles = if size > 0.0 { ring.obstacles(corner, effort) } else { u32::MAX - 1 };
        effort.left = effort.left.saturating_sub(1);
        if obstacles != 0 {
            if obstacles < least.0 {
                least = (obstacles, corner);
            }
            misses += 1;
            if misses < left {
                corner = ring.next[corner] as usize;
                continue;
            }
            corner = least.1;
        }
        let [before, _, after] = ring.corners(corner);
        out.push([before as u32, corner as u32, after as u32]);
        ring.next[before] = after as u32;
        ring.previous[after] = before as u32;
        ring.gone[corner] = true;
        left -= 1;
        misses = 0;
        least = (u32::MAX, 0);
        // The list is swept now and then, so that tests cost what is left.
        if left.is_power_of_two() || left % 256 == 0 {
            let mut reflex = std::mem::take(&mut ring.reflex);
            effort.left = effort.left.saturating_sub(reflex.len() as u64);
            reflex.retain(|corner| {
                let stays = !ring.gone[*corner as usize] && ring.area(*corner as usize) <= 0.0;
                ring.listed[*corner as usize] = stays;
                stays
            });
            ring.reflex = reflex;
        }
        for near in [before, after] {
            if !ring.listed[near] && ring.area(near) <= 0.0 {
                ring.listed[near] = true;
                ring.reflex.push(near as u32);
            }
        }
        // Two corners on: slivers around one corner are avoided.
        corner = ring.next[after] as usize;
    }
    let [before, here, after] = ring.corners(corner);
    out.push([before as u32, here as u32, after as u32]);
    true
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use stillframe_base::math::ops64;

    use super::*;

    fn made(points: &[[f64; 2]]) -> Vec<[u32; 3]> {
        let points: Vec<[f64; 3]> = points.iter().map(|p| [p[0], p[1], 0.0]).collect();
        let mut out = Vec::new();
        assert!(triangulate(&points, &mut Effort::default(), &mut out));
        assert_eq!(out.len(), points.len() - 2);
        out
    }

    /// Signed and unsigned area of all triangles, and the outline's.
    fn areas(points: &[[f64; 2]], triangles: &[[u32; 3]]) -> (f64, f64, f64) {
        let each = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|corner| points[corner as usize]);
            (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        };
        let outline = (0..points.len()).map(|i| {
            let (a, b) = (points[i], points[(i + 1) % points.len()]);
            a[0] * b[1] - a[1] * b[0]
        });
        (triangles.iter().map(each).sum(), triangles.iter().map(|t| each(t).abs()).sum(), outline.sum())
    }

    fn check(points: &[[f64; 2]]) {
        let triangles = made(points);
        let (signed, whole, outline) = areas(points, &triangles);
        assert!((signed - outline).abs() < 1e-9 * (1.0 + outline.abs()), "{signed} of {outline}: {triangles:?}");
        assert!((whole - outline.abs()).abs() < 1e-9 * (1.0 + outline.abs()), "folded: {points:?} {triangles:?}");
    }

    #[test]
    fn shapes_by_hand() {
        assert_eq!(made(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), [[0, 1, 2], [0, 2, 3]]);
        // An arrow head whose second corner is the dent: the first diagonal would leave it.
        assert_eq!(made(&[[0.0, 0.0], [1.0, 0.2], [2.0, 0.0], [1.0, 2.0]]), [[0, 1, 3], [1, 2, 3]]);
        assert_eq!(made(&[[1.0, 0.2], [2.0, 0.0], [1.0, 2.0], [0.0, 0.0]]), [[0, 1, 2], [0, 2, 3]]);
        // L, comb, and a convex outline with corners on its edges.
        check(&[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [1.0, 1.0], [1.0, 3.0], [0.0, 3.0]]);
        check(&[[0.0, 0.0], [5.0, 0.0], [5.0, 3.0], [4.0, 1.0], [3.0, 3.0], [2.0, 1.0], [1.0, 3.0], [0.5, 1.0]]);
        check(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0], [0.0, 2.0], [0.0, 1.0]]);
    }

    #[test]
    fn a_hole_on_a_bridge() {
        // A square with a square hole, joined by a bridge that runs there and back.
        let outline = [
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ];
        check(&outline);
        // Two holes on one outline.
        check(&[
            [0.0, 0.0],
            [9.0, 0.0],
            [9.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [6.0, 1.0],
            [6.0, 3.0],
            [8.0, 3.0],
            [8.0, 1.0],
            [6.0, 1.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ]);
    }

    #[test]
    fn nonsense_gives_as_many_triangles() {
        made(&[[0.0, 0.0]; 9]);
        made(&[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0], [0.5, 2.0]]);
        let spiral: Vec<[f64; 2]> =
            (0..3000).map(|i| [f64::from(i * 7919 % 3001), f64::from(i * 104_729 % 2999)]).collect();
        let points: Vec<[f64; 3]> = spiral.iter().map(|p| [p[0], p[1], 0.0]).collect();
        let mut out = Vec::new();
        triangulate(&points, &mut Effort { left: 1_000_000 }, &mut out);
        assert_eq!(out.len(), 2998);
    }

    proptest! {
        /// Stars around a point, in any plane: no area is lost or covered twice.
        #[test]
        fn stars_keep_their_area(radii in prop::collection::vec(0.1_f64..1.0, 5..60), turn in 0.0_f64..6.0) {
            let count = radii.len() as f64;
            let points: Vec<[f64; 2]> = radii.iter().enumerate().map(|(i, r)| {
                let (sin, cos) = ops64::sin_cos(turn + std::f64::consts::TAU * i as f64 / count);
                [r * cos, r * sin]
            }).collect();
            check(&points);
        }

        /// Turned over, in another plane, or started at another corner: the same polygon is covered.
        #[test]
        fn planes_do_not_matter(radii in prop::collection::vec(0.1_f64..1.0, 5..30), plane in 0_usize..6) {
            let count = radii.len() as f64;
            let points: Vec<[f64; 3]> = radii.iter().enumerate().map(|(i, r)| {
                let (sin, cos) = ops64::sin_cos(std::f64::consts::TAU * i as f64 / count);
                let (u, v) = if plane < 3 { (r * cos, r * sin) } else { (r * sin, r * cos) };
                let mut point = [0.0; 3];
                point[plane % 3] = 5.0 + 0.25 * u;
                point[(plane + 1) % 3] = u;
                point[(plane + 2) % 3] = v;
                point
            }).collect();
            let mut out = Vec::new();
            prop_assert!(triangulate(&points, &mut Effort::default(), &mut out));
            let of = |triangle: [[f64; 3]; 3]| {
                let [a, b, c] = triangle.map(glam::DVec3::from);
                (b - a).cross(c - a)
            };
            let whole: glam::DVec3 = (1..points.len() - 1).map(|i| of([points[0], points[i], points[i + 1]])).sum();
            let each: Vec<glam::DVec3> = out.iter().map(|t| of(t.map(|i| points[i as usize]))).collect();
            let sum: glam::DVec3 = each.iter().sum();
            prop_assert!((sum - whole).length() < 1e-9);
            prop_assert!((each.iter().map(|n| n.length()).sum::<f64>() - whole.length()).abs() < 1e-9, "{out:?}");
        }
    }
}
