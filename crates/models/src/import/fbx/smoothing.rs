//! Normals from smoothing groups and hard edges, where the file stores none.
//!
//! Around a control point, corners that belong together get one normal: the sum of their polygons' normals, weighted by
//! the corner's angle. They belong together where their polygons share a smoothing group (groups are the bits of a
//! mask; 0 is never smooth) or a smooth edge.

use glam::DVec3;
use stillframe_base::math::ops64;

use super::layer::{Layer, Outline};

/// What says which corners belong together.
pub enum Smoothing {
    /// A mask for each polygon.
    Groups(Vec<u32>),
    /// Whether the edge that starts at each corner is smooth.
    Edges(Vec<bool>),
}

impl Smoothing {
    /// Reads a smoothing layer's values.
    pub fn of(layer: &Layer, values: &[i32], outline: &Outline) -> Smoothing {
        if !layer.is_by_edge() {
            let mask = |polygon: usize| {
                let corner = outline.starts[polygon];
                layer.value(outline, corner).map_or(0, |value| values[value] as u32)
            };
            return Smoothing::Groups((0..outline.polygon_count()).map(mask).collect());
        }
        // An edge that is not listed is smooth.
        let smooth = |edge: u32| layer.value_of_edge(edge as usize).is_none_or(|value| values[value] != 0);
        Smoothing::Edges(outline.edge_of_corners().into_iter().map(|edge| edge == u32::MAX || smooth(edge)).collect())
    }
}

/// Sets of corners that belong together.
struct Sets {
    parents: Vec<u32>,
}

impl Sets {
    fn root(&mut self, mut corner: u32) -> u32 {
        while self.parents[corner as usize] != corner {
            let parent = self.parents[corner as usize];
            self.parents[corner as usize] = self.parents[parent as usize];
            corner = self.parents[corner as usize];
        }
        corner
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
    }
}

/// For each corner the first one of those that it belongs together with.
pub fn sets(outline: &Outline, smoothing: &Smoothing) -> Vec<u32> {
    let count = outline.corner_count() as u32;
    let mut sets = Sets { parents: (0..count).collect() };
    match smoothing {
        Smoothing::Groups(masks) => {
            // Corners by control point; within it, the first corner that has each bit.
            let mut order: Vec<u32> = (0..count).collect();
            order.sort_by_key(|corner| outline.points[*corner as usize]);
            let mut first = [u32::MAX; 32];
            let mut point = u32::MAX;
            for corner in order {
                if outline.points[corner as usize] != point {
                    point = outline.points[corner as usize];
                    first = [u32::MAX; 32];
                }
                let mask = masks[outline.polygons[corner as usize] as usize];
                for bit in (0..32).filter(|bit| mask >> bit & 1 == 1) {
                    if first[bit] == u32::MAX {
                        first[bit] = corner;
                    } else {
                        sets.join(first[bit], corner);
                    }
                }
            }
        }
        Smoothing::Edges(smooth) => {
            // Half edges with the same ends, side by side.
            let mut order: Vec<u32> = (0..count).collect();
            order.sort_by_key(|corner| outline.ends(*corner));
            for pair in order.windows(2) {
                let [a, b] = [pair[0], pair[1]];
                if outline.ends(a) != outline.ends(b) || !smooth[a as usize] || !smooth[b as usize] {
                    continue;
                }
                let (after_a, after_b) = (outline.after(a), outline.after(b));
                if outline.points[a as usize] == outline.points[b as usize] {
                    sets.join(a, b);
                    sets.join(after_a, after_b);
                } else {
                    sets.join(a, after_b);
                    sets.join(after_a, b);
                }
            }
        }
    }
    (0..count).map(|corner| sets.root(corner)).collect()
}

/// The same where all that is known is normals: corners of one point with one normal belong together.
pub fn sets_of_normals(outline: &Outline, normals: &[[f32; 3]]) -> Vec<u32> {
    // -0 and 0 are one number.
    let key = |corner: u32| (outline.points[corner as usize], normals[corner as usize].map(|x| (x + 0.0).to_bits()));
    let mut order: Vec<u32> = (0..outline.corner_count() as u32).collect();
    order.sort_by_key(|corner| key(*corner));
    let mut out = order.clone();
    for together in order.chunk_by(|a, b| key(*a) == key(*b)) {
        together.iter().for_each(|corner| out[*corner as usize] = together[0]);
    }
    out
}

/// A unit normal for each corner; zero where polygons have no area.
pub fn normals(positions: &[[f64; 3]], outline: &Outline, sets: &[u32]) -> Vec<[f32; 3]> {
    let mut sums = vec![DVec3::ZERO; sets.len()];
    for polygon in 0..outline.polygon_count() {
        let normal = polygon_normal(positions, outline, polygon);
        for corner in outline.starts[polygon]..outline.starts[polygon + 1] {
            sums[sets[corner as usize] as usize] += normal * angle(positions, outline, corner);
        }
    }
    sets.iter().map(|set| unit(sums[*set as usize]).as_vec3().to_array()).collect()
}

/// Zero where the polygon has no area.
pub fn polygon_normal(positions: &[[f64; 3]], outline: &Outline, polygon: usize) -> DVec3 {
    let corners = outline.starts[polygon]..outline.starts[polygon + 1];
    let at = |corner: u32| DVec3::from(positions[outline.points[corner as usize] as usize]);
    let origin = at(corners.start);
    let mut normal = DVec3::ZERO;
    for corner in corners {
        normal += (at(corner) - origin).cross(at(outline.after(corner)) - origin);
    }
    unit(normal)
}

/// How wide a corner of a polygon is.
pub fn angle(positions: &[[f64; 3]], outline: &Outline, corner: u32) -> f64 {
    let at = |corner: u32| DVec3::from(positions[outline.points[corner as usize] as usize]);
    let (before, here, after) = (at(outline.before(corner)), at(corner), at(outline.after(corner)));
    let (back, ahead) = (before - here, after - here);
    ops64::atan2(back.cross(ahead).length(), back.dot(ahead))
}

/// Zero for what has no direction.
pub fn unit(vector: DVec3) -> DVec3 {
    let length = vector.length();
    if length > 0.0 && length.is_finite() { vector / length } else { DVec3::ZERO }
}
