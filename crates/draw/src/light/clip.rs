//! Clip: the corners of what a box and a camera's view have in common.

use glam::{Mat4, Vec3, Vec4};
use stillframe_base::geom::Aabb;

use crate::view::inverse;

/// A finite piece of a camera's view: six planes pointing inwards and eight corners, the four nearest first.
#[derive(Clone, Debug)]
pub struct ViewVolume {
    planes: [Vec4; 6],
    corners: [Vec3; 8],
}

/// Pairs of corners of a box or view volume that an edge joins; bit 0, 1, 2 of an index is x, y, depth.
const EDGES: [(usize, usize); 12] =
    [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7)];

/// Faces as corners in order around.
const FACES: [[usize; 4]; 6] = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];

impl ViewVolume {
    /// The view of `clip_from_world` (reversed Z) between its near plane and where its depth is `far_depth`: a number
    /// above 0 where the view has no end.
    pub fn new(clip_from_world: Mat4, far_depth: f32) -> ViewVolume {
        let world_from_clip = inverse(clip_from_world);
        let corners = std::array::from_fn(|i| {
            let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let depth = if i >> 2 & 1 == 1 { far_depth } else { 1.0 };
            let point = world_from_clip * Vec4::new(sign(0), sign(1), depth, 1.0);
            point.truncate() / point.w
        });
        let [x, y, z, w] = [0, 1, 2, 3].map(|row| clip_from_world.row(row));
        ViewVolume { planes: [w + x, w - x, w + y, w - y, w - z, z - w * far_depth], corners }
    }

    pub fn corners(&self) -> &[Vec3; 8] {
        &self.corners
    }

    /// Points whose hull is the part of the box inside the view; none where they do not meet.
    pub fn common_points(&self, bounds: &Aabb) -> Vec<Vec3> {
        let corners = bounds.corners();
        let mut out = Vec::new();
        for face in FACES {
            let polygon = face.iter().map(|&i| corners[i]).collect();
            out.extend(self.planes.iter().fold(polygon, |polygon, plane| clip_polygon(polygon, *plane)));
        }
        // Where the view pierces the box, or lies inside it.
        for (a, b) in EDGES {
            out.extend(clip_segment(self.corners[a], self.corners[b], bounds).into_iter().flatten());
        }
        out
    }
}

/// Sutherland and Hodgman 1974, one plane.
fn clip_polygon(polygon: Vec<Vec3>, plane: Vec4) -> Vec<Vec3> {
    let mut out = Vec::with_capacity(polygon.len() + 1);
    for (i, &b) in polygon.iter().enumerate() {
        let a = polygon[(i + polygon.len() - 1) % polygon.len()];
        let (da, db) = (plane.dot(a.extend(1.0)), plane.dot(b.extend(1.0)));
        if (da < 0.0) != (db < 0.0) {
            out.push(a + (b - a) * (da / (da - db)));
        }
        if db >= 0.0 {
            out.push(b);
        }
    }
    out
}

/// The ends of the part of a segment inside a box.
fn clip_segment(a: Vec3, b: Vec3, bounds: &Aabb) -> Option<[Vec3; 2]> {
    let (mut first, mut last) = (0.0f32, 1.0f32);
    let d = b - a;
    for axis in 0..3 {
        if d[axis] == 0.0 {
            if a[axis] < bounds.min[axis] || a[axis] > bounds.max[axis] {
                return None;
            }
            continue;
        }
        let (t, u) = ((bounds.min[axis] - a[axis]) / d[axis], (bounds.max[axis] - a[axis]) / d[axis]);
        first = first.max(t.min(u));
        last = last.min(t.max(u));
    }
    (first <= last).then(|| [a + d * first, a + d * last])
}

#[cfg(test)]
mod tests {
    use stillframe_base::math::camera::{look_at, orthographic, perspective};

    use super::*;

    fn extent(points: &[Vec3]) -> (Vec3, Vec3) {
        points.iter().fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)))
    }

    #[test]
    fn a_box_inside_stays_whole_and_one_outside_vanishes() {
        let view = look_at(Vec3::new(0.0, 0.0, 10.0), Vec3::ZERO, Vec3::Y);
        let volume = ViewVolume::new(perspective(1.0, 1.0, 0.1, None) * view, 0.1 / 100.0);
        let small = Aabb { min: Vec3::splat(-1.0), max: Vec3::splat(1.0) };
        assert_eq!(extent(&volume.common_points(&small)), (small.min, small.max));
        let behind = Aabb { min: Vec3::new(-1.0, -1.0, 11.0), max: Vec3::new(1.0, 1.0, 12.0) };
        assert!(volume.common_points(&behind).is_empty());
    }

    #[test]
    fn a_box_around_the_view_gives_the_view() {
        let view = look_at(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, Vec3::Y);
        let volume = ViewVolume::new(orthographic(4.0, 2.0, 1.0, 9.0) * view, 0.0);
        let all = Aabb { min: Vec3::splat(-50.0), max: Vec3::splat(50.0) };
        let (min, max) = extent(&volume.common_points(&all));
        assert!((min - Vec3::new(-2.0, -1.0, -4.0)).length() < 1e-4, "{min}");
        assert!((max - Vec3::new(2.0, 1.0, 4.0)).length() < 1e-4, "{max}");
    }
}
