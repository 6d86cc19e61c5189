//! A bounding volume hierarchy: which of many triangles a ray meets, in f64.
//!
//! It is for answers that must be right, so that pictures can be checked by them. Sources: surface area heuristic over
//! bins (Wald 2007, "On fast construction of SAH-based bounding volume hierarchies"); a test of ray and triangle
//! without holes along edges and at corners (Woop, Benthin, Wald 2013, "Watertight ray/triangle intersection"); a test
//! of ray and box that rounding cannot fail (Ize 2013, "Robust BVH ray traversal"). Ours: where two triangles are
//! equally far, the one of the lower number is met, so that no answer depends on the order of boxes; deep trees are
//! halved by count, so that a list of 64 places is enough to walk any of them; no second test in higher precision,
//! since edges that two triangles share get exactly opposite signs in f64 too.

use glam::DVec3;

/// Bins that centres are counted in, along each axis.
const BINS: usize = 16;
/// At most so many triangles are tested one by one.
const LEAF_MAX: usize = 4;
/// From this depth on lists are halved by count.
const DEPTH_OF_COST: u32 = 30;
/// Places on the way down: `DEPTH_OF_COST` and the 32 halvings of 2^32 triangles.
const WAY: usize = 64;
/// A test of a box in tests of a triangle.
const BOX_COST: f64 = 0.5;

/// A half line, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    pub origin: DVec3,
    /// Of any length but 0; distances are counted in its lengths.
    pub direction: DVec3,
    /// Where it begins and ends, in lengths of the direction.
    pub from: f64,
    pub to: f64,
}

impl Ray {
    /// From a point on, without end. What contains the point itself is met.
    pub const fn new(origin: DVec3, direction: DVec3) -> Ray {
        Ray { origin, direction, from: 0.0, to: f64::INFINITY }
    }

    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.direction * distance
    }
}

/// Where a ray meets a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// In lengths of the ray's direction.
    pub distance: f64,
    /// Of the three corners; they make 1.
    pub weights: [f64; 3],
    /// Place of the triangle in the list that the hierarchy was made of.
    pub triangle: u32,
    /// Whether the ray comes from the side from which the corners are in counter-clockwise order.
    pub is_front: bool,
}

/// Triangles, sorted so that a ray is tested against few of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bvh {
    /// The first is around everything.
    nodes: Vec<Node>,
    /// In the order of leaves, each with its place in the list.
    triangles: Vec<([DVec3; 3], u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    bounds: Bounds,
    /// The first triangle of a leaf, else the first of two nodes.
    first: u32,
    /// Triangles of a leaf, else 0.
    count: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    min: DVec3,
    max: DVec3,
}

impl Bounds {
    const EMPTY: Bounds = Bounds { min: DVec3::INFINITY, max: DVec3::NEG_INFINITY };

    fn with(self, other: Bounds) -> Bounds {
        Bounds { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    fn with_point(self, point: DVec3) -> Bounds {
        Bounds { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Half of its surface; of one of nothing 0.
    fn area(self) -> f64 {
        let size = (self.max - self.min).max(DVec3::ZERO);
        size.x * size.y + size.y * size.z + size.z * size.x
    }
}

/// A triangle while the hierarchy is made.
#[derive(Clone, Copy)]
struct Part {
    bounds: Bounds,
    center: DVec3,
    number: u32,
}

impl Bvh {
    /// Of triangles by their corners. One of a corner that is not finite is never met, nor is one without an area.
    ///
    /// The same triangles give the same hierarchy on every machine.
    pub fn new(triangles: &[[DVec3; 3]]) -> Bvh {
        assert!(u32::try_from(triangles.len()).is_ok(), "{} triangles", triangles.len());
        let finite = |corners: &[DVec3; 3]| corners.iter().all(|corner| corner.is_finite());
        let mut parts: Vec<Part> = triangles
            .iter()
            .enumerate()
            .filter(|(_, corners)| finite(corners))
            .map(|(number, corners)| {
                let bounds = corners.iter().fold(Bounds::EMPTY, |bounds, corner| bounds.with_point(*corner));
                Part { bounds, center: bounds.min * 0.5 + bounds.max * 0.5, number: number as u32 }
            })
            .collect();
        if parts.is_empty() {
            return Bvh::default();
        }
        let around = |parts: &[Part]| parts.iter().fold(Bounds::EMPTY, |bounds, part| bounds.with(part.bounds));
        let mut nodes = vec![Node { bounds: around(&parts), first: 0, count: parts.len() as u32 }];
        let mut open = vec![(0usize, 0u32)];
        while let Some((at, depth)) = open.pop() {
            let Node { bounds, first, count } = nodes[at];
            let range = first as usize..(first + count) as usize;
            let Some(middle) = split(&mut parts[range.clone()], bounds, depth) else { continue };
            let left = nodes.len() as u32;
            for half in [range.start..range.start + middle, range.start + middle..range.end] {
                let bounds = around(&parts[half.clone()]);
                nodes.push(Node { bounds, first: half.start as u32, count: half.len() as u32 });
            }
            nodes[at] = Node { bounds, first: left, count: 0 };
            open.extend([(left as usize + 1, depth + 1), (left as usize, depth + 1)]);
        }
        let triangles = parts.iter().map(|part| (triangles[part.number as usize], part.number)).collect();
        Bvh { nodes, triangles }
    }

    /// How many triangles can be met at all.
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// The nearest triangle that the ray meets among those that `takes` says yes to; of equally near ones that of the
    /// lowest number.
    pub fn nearest(&self, ray: &Ray, takes: &dyn Fn(&Hit) -> bool) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        self.walk(ray, &mut |hit, to| {
            let is_nearer = best.is_none_or(|best| {
                hit.distance < best.distance || (hit.distance == best.distance && hit.triangle < best.triangle)
            });
            if is_nearer && takes(&hit) {
                best = Some(hit);
                *to = hit.distance;
            }
            true
        });
        best
    }

    /// Whether the ray meets any triangle that `takes` says yes to.
    pub fn meets(&self, ray: &Ray, takes: &dyn Fn(&Hit) -> bool) -> bool {
        let mut is_met = false;
        self.walk(ray, &mut |hit, _| {
            is_met = takes(&hit);
            !is_met
        });
        is_met
    }

    /// Calls `met` for triangles that the ray meets, with the end of the ray, which it may move nearer, until it says
    /// no.
    fn walk(&self, ray: &Ray, met: &mut dyn FnMut(Hit, &mut f64) -> bool) {
        let Some(root) = self.nodes.first() else { return };
        let Some(test) = Test::new(ray) else { return };
        let mut to = ray.to;
        let mut way = [(0u32, 0.0f64); WAY];
        let mut height = 0;
        if let Some(at) = test.enters(root.bounds, to) {
            way[0] = (0, at);
            height = 1;
        }
        while height > 0 {
            height -= 1;
            let (index, at) = way[height];
            if at > to {
                continue;
            }
            let node = self.nodes[index as usize];
            if node.count > 0 {
                for (corners, number) in &self.triangles[node.first as usize..(node.first + node.count) as usize] {
                    if let Some(hit) = test.meets(corners, *number, to)
                        && !met(hit, &mut to)
                    {
                        return;
                    }
                }
                continue;
            }
            let children =
                [node.first, node.first + 1].map(|child| (child, test.enters(self.nodes[child as usize].bounds, to)));
            let mut push = |(child, at): (u32, Option<f64>)| {
                if let Some(at) = at {
                    way[height] = (child, at);
                    height += 1;
                }
            };
            // The nearer one is on top.
            let [left, right] = children;
            let is_left_nearer = left.1.unwrap_or(f64::INFINITY) <= right.1.unwrap_or(f64::INFINITY);
            let [far, near] = if is_left_nearer { [right, left] } else { [left, right] };
            push(far);
            push(near);
        }
    }
}

/// Sorts triangles into two lists: how many are in the first. `None`: they stay together.
fn split(parts: &mut [Part], bounds: Bounds, depth: u32) -> Option<usize> {
    if parts.len() == 1 {
        return None;
    }
    let centers = parts.iter().fold(Bounds::EMPTY, |bounds, part| bounds.with_point(part.center));
    // Halved first: the difference of two finite numbers may be none.
    let half_size = centers.max * 0.5 - centers.min * 0.5;
    let bin = |axis: usize, center: DVec3| {
        let share = (center[axis] * 0.5 - centers.min[axis] * 0.5) / half_size[axis];
        ((share * BINS as f64) as usize).min(BINS - 1)
    };
    let mut best: Option<(f64, usize, usize)> = None;
    for axis in (0..3).filter(|axis| half_size[*axis] > 0.0 && depth < DEPTH_OF_COST) {
        let mut bins = [(Bounds::EMPTY, 0usize); BINS];
        for part in &*parts {
            let (around, count) = &mut bins[bin(axis, part.center)];
            *around = around.with(part.bounds);
            *count += 1;
        }
        let mut after = [0.0; BINS];
        let (mut around, mut count) = (Bounds::EMPTY, 0);
        for at in (1..BINS).rev() {
            around = around.with(bins[at].0);
            count += bins[at].1;
            after[at] = around.area() * count as f64;
        }
        (around, count) = (Bounds::EMPTY, 0);
        for at in 1..BINS {
            around = around.with(bins[at - 1].0);
            count += bins[at - 1].1;
            let cost = around.area() * count as f64 + after[at];
            if count > 0 && count < parts.len() && best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, axis, at));
            }
        }
    }
    let whole = bounds.area();
    if let Some((cost, axis, at)) = best
        && cost.is_finite()
    {
        let stays = parts.len() <= LEAF_MAX && cost + BOX_COST * 2.0 * whole >= parts.len() as f64 * whole;
        // Those of one bin keep their order, so that the order of the list is all that counts.
        return (!stays).then(|| {
            parts.sort_by_key(|part| bin(axis, part.center) >= at);
            parts.partition_point(|part| bin(axis, part.center) < at)
        });
    }
    if parts.len() <= LEAF_MAX {
        return None;
    }
    let longest = (0..3).fold(0, |best, axis| if half_size[axis] > half_size[best] { axis } else { best });
    parts.sort_by(|a, b| a.center[longest].total_cmp(&b.center[longest]).then(a.number.cmp(&b.number)));
    Some(parts.len() / 2)
}

/// A ray as tests want it.
struct Test {
    ray: Ray,
    /// The axes, that along which the ray goes farthest last.
    axes: [usize; 3],
    /// What makes the ray go along the last axis, at a length of 1.
    shear: [f64; 3],
    /// 1 by the direction.
    inverse: DVec3,
}

impl Test {
    /// Nothing is met by a ray without a direction, or of numbers that are not finite.
    fn new(ray: &Ray) -> Option<Test> {
        let size = ray.direction.abs();
        let along = if size.x >= size.y && size.x >= size.z {
            0
        } else if size.y >= size.z {
            1
        } else {
            2
        };
        if !(ray.direction.is_finite() && ray.origin.is_finite() && size[along] > 0.0) {
            return None;
        }
        let (mut across, mut up) = ((along + 1) % 3, (along + 2) % 3);
        if ray.direction[along] < 0.0 {
            (across, up) = (up, across);
        }
        let d = ray.direction;
        // Of no direction along an axis: one that takes for ever, so that 0 by 0 does not come up.
        let least = |x: f64| if x.abs() < 1e-300 { f64::copysign(1e-300, x) } else { x };
        Some(Test {
            ray: *ray,
            axes: [across, up, along],
            shear: [d[across] / d[along], d[up] / d[along], 1.0 / d[along]],
            inverse: DVec3::new(1.0 / least(d.x), 1.0 / least(d.y), 1.0 / least(d.z)),
        })
    }

    /// Where the ray enters a box, at or before `to`.
    fn enters(&self, bounds: Bounds, to: f64) -> Option<f64> {
        // More than twice the rounding of the three operations (Ize).
        const SLACK: f64 = 8.0 * f64::EPSILON;
        let low = (bounds.min - self.ray.origin) * self.inverse;
        let high = (bounds.max - self.ray.origin) * self.inverse;
        let (enter, leave) = (low.min(high).max_element(), low.max(high).min_element());
        let (enter, leave) = (enter - enter.abs() * SLACK, leave + leave.abs() * SLACK);
        let enter = enter.max(self.ray.from);
        (enter <= leave.min(to)).then_some(enter)
    }

    /// Where the ray meets a triangle, at or before `to`.
    fn meets(&self, corners: &[DVec3; 3], number: u32, to: f64) -> Option<Hit> {
        let [across, up, along] = self.axes;
        let [a, b, c] = corners.map(|corner| {
            let from = corner - self.ray.origin;
            [from[across] - self.shear[0] * from[along], from[up] - self.shear[1] * from[along], from[along]]
        });
        let u = c[0] * b[1] - c[1] * b[0];
        let v = a[0] * c[1] - a[1] * c[0];
        let w = b[0] * a[1] - b[1] * a[0];
        let is_front = u >= 0.0 && v >= 0.0 && w >= 0.0;
        if !(is_front || u <= 0.0 && v <= 0.0 && w <= 0.0) {
            return None;
        }
        let whole = u + v + w;
        if whole == 0.0 {
            return None;
        }
        let weights = [u / whole, v / whole, w / whole];
        let distance = self.shear[2] * (weights[0] * a[2] + weights[1] * b[2] + weights[2] * c[2]);
        let is_there = distance >= self.ray.from && distance <= to;
        is_there.then_some(Hit { distance, weights, triangle: number, is_front })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rng::{Rng, Stream};

    /// One by one, by the book (Möller, Trumbore 1997): the distance, and how deep inside the triangle the ray passes,
    /// in weights: below 0 outside.
    fn by_the_book(ray: &Ray, [a, b, c]: [DVec3; 3]) -> Option<(f64, f64)> {
        let (ab, ac) = (b - a, c - a);
        let p = ray.direction.cross(ac);
        let determinant = ab.dot(p);
        let from = ray.origin - a;
        let q = from.cross(ab);
        let (u, v) = (from.dot(p) / determinant, ray.direction.dot(q) / determinant);
        let inside = u.min(v).min(1.0 - u - v);
        inside.is_finite().then(|| (ac.dot(q) / determinant, inside))
    }

    fn point(stream: &mut Stream, scale: f64) -> DVec3 {
        DVec3::from([(); 3].map(|()| (stream.unit_f64() * 2.0 - 1.0) * scale))
    }

    /// Triangles of very different sizes; some are lines, points, or the same as the one before.
    fn soup(stream: &mut Stream, count: usize, scale: f64) -> Vec<[DVec3; 3]> {
        let mut out: Vec<[DVec3; 3]> = Vec::new();
        for _ in 0..count {
            let (center, size) = (point(stream, scale), scale * [1.0, 0.1, 0.01][stream.below(3) as usize]);
            let [a, b, c] = [(); 3].map(|()| center + point(stream, size));
            out.push(match (stream.below(12), out.last()) {
                (0, _) => [a, a, b],
                (1, _) => [a, a, a],
                (2, Some(last)) => *last,
                (3, _) => [a, b, c].map(|corner| DVec3::new(corner.x, 0.25 * scale, corner.z)),
                _ => [a, b, c],
            });
        }
        out
    }

    proptest! {
        /// The nearest of all triangles, and any of them, one by one.
        #[test]
        fn rays_meet_what_they_meet_one_by_one(seed in any::<u64>(), count in 0usize..200, power in -100i32..100) {
            let scale = f64::from_bits(((1023 + power) as u64) << 52);
            let mut stream = Rng::new(seed).stream("bvh", 0);
            let triangles = soup(&mut stream, count, scale);
            let bvh = Bvh::new(&triangles);
            for _ in 0..32 {
                let origin = point(&mut stream, 2.0 * scale);
                let mut direction = point(&mut stream, scale);
                if stream.below(4) == 0 {
                    direction[stream.below(3) as usize] = 0.0;
                }
                let ray = Ray { from: 0.25, to: [1.0, f64::INFINITY][stream.below(2) as usize], ..Ray::new(origin, direction) };
                let all: Vec<(f64, f64)> = triangles.iter().filter_map(|t| by_the_book(&ray, *t)).collect();
                let in_reach = |(distance, _): &&(f64, f64)| *distance >= ray.from && *distance <= ray.to;
                // Near edges and ends either answer is right.
                let is_clear = all.iter().all(|(d, inside)| {
                    let ends = (d - ray.from).abs().min((d - ray.to).abs());
                    inside.abs() > 1e-9 && (*inside < 0.0 || ends > 1e-9)
                });
                if !is_clear {
                    continue;
                }
                let want = all.iter().filter(|(_, inside)| *inside > 0.0).filter(in_reach).map(|(d, _)| *d).reduce(f64::min);
                let found = bvh.nearest(&ray, &|_| true);
                prop_assert_eq!(found.is_some(), want.is_some(), "{:?} for {:?}", found, want);
                prop_assert_eq!(bvh.meets(&ray, &|_| true), want.is_some());
                let (Some(hit), Some(want)) = (found, want) else { continue };
                prop_assert!((hit.distance - want).abs() <= 1e-9 * want.max(1.0), "{:?} for {}", hit, want);
                let corners = triangles[hit.triangle as usize];
                let there = (0..3).fold(DVec3::ZERO, |sum, i| sum + corners[i] * hit.weights[i]);
                prop_assert!((there - ray.at(hit.distance)).length() <= 1e-9 * scale);
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
                prop_assert_eq!(hit.is_front, normal.dot(direction) < 0.0);
                // Without the nearest, something else or nothing.
                let second = bvh.nearest(&ray, &|other| other.triangle != hit.triangle);
                prop_assert!(second.is_none_or(|second| second.distance >= hit.distance));
            }
        }

        /// Rays at the corners and edges of a closed ball never slip through, at any scale.
        #[test]
        fn a_closed_surface_has_no_holes(seed in any::<u64>(), power in -60i32..60) {
            let scale = f64::from_bits(((1023 + power) as u64) << 52);
            let mut stream = Rng::new(seed).stream("ball", 0);
            let middle = point(&mut stream, scale);
            // An octahedron, each face in 64.
            let corner = |x: f64, y: f64, z: f64| middle + DVec3::new(x, y, z).normalize() * scale;
            let mut triangles = Vec::new();
            for face in 0..8 {
                let sign = |bit: u32| if face >> bit & 1 == 0 { 1.0 } else { -1.0 };
                let at = |i: usize, j: usize| {
                    corner(sign(0) * i as f64, sign(1) * j as f64, sign(2) * (8 - i - j) as f64)
                };
                for i in 0..8 {
                    for j in 0..8 - i {
                        triangles.push([at(i, j), at(i + 1, j), at(i, j + 1)]);
                        if i + j < 7 {
                            triangles.push([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
                        }
                    }
                }
            }
            let bvh = Bvh::new(&triangles);
            let origin = middle + point(&mut stream, 0.3 * scale);
            for [a, b, _] in &triangles {
                for target in [*a, a.lerp(*b, stream.unit_f64())] {
                    let ray = Ray::new(origin, target - origin);
                    let hit = bvh.nearest(&ray, &|_| true);
                    prop_assert!(hit.is_some_and(|hit| (hit.distance - 1.0).abs() < 1e-9), "{:?}", hit);
                    prop_assert!(bvh.meets(&ray, &|_| true));
                }
            }
        }
    }

    #[test]
    fn nothing_is_met_where_nothing_is() {
        let ray = Ray::new(DVec3::ZERO, DVec3::X);
        assert_eq!(Bvh::new(&[]).nearest(&ray, &|_| true), None);
        let broken = [DVec3::splat(f64::NAN), DVec3::X, DVec3::Y];
        let endless = [DVec3::splat(f64::INFINITY), DVec3::X, DVec3::Y];
        let bvh = Bvh::new(&[broken, endless]);
        assert_eq!((bvh.triangle_count(), bvh.meets(&ray, &|_| true)), (0, false));
        let wall = [DVec3::new(1.0, -1.0, -1.0), DVec3::new(1.0, 1.0, -1.0), DVec3::new(1.0, 0.0, 1.0)];
        let bvh = Bvh::new(&[broken, wall]);
        assert_eq!(bvh.nearest(&ray, &|_| true).map(|hit| (hit.triangle, hit.distance)), Some((1, 1.0)));
        for nowhere in [DVec3::ZERO, DVec3::splat(f64::NAN)] {
            assert!(!bvh.meets(&Ray::new(DVec3::ZERO, nowhere), &|_| true), "{nowhere}");
        }
        // It ends before the wall, begins behind it, and looks away.
        assert!(!bvh.meets(&Ray { to: 0.5, ..ray }, &|_| true) && !bvh.meets(&Ray { from: 1.5, ..ray }, &|_| true));
        assert!(!bvh.meets(&Ray::new(DVec3::ZERO, DVec3::NEG_X), &|_| true));
    }

    #[test]
    fn of_equally_near_triangles_the_first_is_met() {
        let wall = [DVec3::new(1.0, -1.0, -1.0), DVec3::new(1.0, 1.0, -1.0), DVec3::new(1.0, 0.0, 1.0)];
        let bvh = Bvh::new(&[wall; 1000]);
        let ray = Ray::new(DVec3::ZERO, DVec3::X);
        assert_eq!(bvh.nearest(&ray, &|_| true).map(|hit| hit.triangle), Some(0));
        assert_eq!(bvh.nearest(&ray, &|hit| hit.triangle >= 617).map(|hit| hit.triangle), Some(617));
    }

    /// A tree of the worst shape: each triangle is twice as large as the one before.
    #[test]
    fn the_deepest_tree_can_be_walked() {
        let mut triangles = Vec::new();
        for power in -500..500i32 {
            let size = f64::from_bits(((1023 + power) as u64) << 52);
            triangles.push([DVec3::ZERO, DVec3::X * size, DVec3::Y * size]);
        }
        let bvh = Bvh::new(&triangles);
        let ray = Ray::new(DVec3::new(0.25, 0.25, 1.0), DVec3::NEG_Z);
        assert_eq!(bvh.nearest(&ray, &|_| true).map(|hit| hit.distance), Some(1.0));
    }
}
