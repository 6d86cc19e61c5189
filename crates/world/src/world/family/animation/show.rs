//! Show: skeletons, sockets, targets, trails and bounds as things to look at.
//!
//! Everything is triangles in the space of a model, without light of its own or of others, so that what is drawn is the
//! same from all sides. Nothing lies in front of what hides it: a material that is seen through shows what is inside.

use glam::{Mat3, Mat4, Vec3};
use stillframe_base::geom::Aabb;

use crate::asset::{Geometry, Material};

/// Linear colours.
pub const BONE: [f32; 3] = [0.9, 0.55, 0.1];
pub const X_AXIS: [f32; 3] = [0.8, 0.05, 0.05];
pub const Y_AXIS: [f32; 3] = [0.1, 0.6, 0.05];
pub const Z_AXIS: [f32; 3] = [0.05, 0.15, 0.9];
pub const TARGET: [f32; 3] = [0.85, 0.05, 0.6];
pub const POLE: [f32; 3] = [0.35, 0.2, 0.85];
pub const MISS: [f32; 3] = [0.9, 0.02, 0.02];
pub const TRAIL: [f32; 3] = [0.05, 0.6, 0.7];
pub const BOX: [f32; 3] = [0.75, 0.75, 0.1];

/// Triangles of one colour.
#[derive(Clone, Debug, Default)]
pub struct Drawing {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    indices: Vec<u32>,
}

impl Drawing {
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Raw: to be completed by baking.
    pub fn geometry(self) -> Geometry {
        let Drawing { positions, normals, indices } = self;
        Geometry { positions, normals, indices, ..Geometry::default() }
    }

    /// A bone: thick near its joint, a point at its end. Nothing where both are one.
    pub fn bone(&mut self, from: Vec3, to: Vec3) {
        let along = to - from;
        let length = along.length();
        if !(length > 0.0 && length.is_finite()) {
            return;
        }
        let [x, z] = across(along / length).map(|v| v * (length * 0.08));
        let ring = [x, z, -x, -z].map(|out| from + along * 0.12 + out);
        for i in 0..4 {
            let (here, next) = (ring[i], ring[(i + 1) % 4]);
            self.triangle([from, next, here]);
            self.triangle([to, here, next]);
        }
    }

    /// A bar with a square cross-section.
    pub fn line(&mut self, from: Vec3, to: Vec3, thickness_m: f32) {
        let along = to - from;
        let length = along.length();
        if !(length > 0.0 && length.is_finite()) {
            return;
        }
        let [x, z] = across(along / length).map(|v| v * (thickness_m * 0.5));
        let ring = [x + z, z - x, -x - z, x - z];
        for i in 0..4 {
            let (here, next) = (ring[i], ring[(i + 1) % 4]);
            self.triangle([from + here, from + next, to + next]);
            self.triangle([from + here, to + next, to + here]);
        }
        for (end, order) in [(from, [3, 2, 1, 0]), (to, [0, 1, 2, 3])] {
            let [a, b, c, d] = order.map(|i: usize| end + ring[i]);
            self.triangle([a, b, c]);
            self.triangle([a, c, d]);
        }
    }

    /// Three bars that cross.
    pub fn cross(&mut self, at: Vec3, size_m: f32, thickness_m: f32) {
        for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
            self.line(at - axis * size_m, at + axis * size_m, thickness_m);
        }
    }

    /// The edges of a box.
    pub fn edges(&mut self, bounds: Aabb, thickness_m: f32) {
        let corner = |n: usize| {
            let pick = |bit: usize, axis: usize| if n & bit == 0 { bounds.min[axis] } else { bounds.max[axis] };
            Vec3::new(pick(1, 0), pick(2, 1), pick(4, 2))
        };
        for n in 0..8_usize {
            for bit in [1, 2, 4] {
                if n & bit == 0 {
                    self.line(corner(n), corner(n | bit), thickness_m);
                }
            }
        }
    }

    fn triangle(&mut self, corners: [Vec3; 3]) {
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let first = self.positions.len() as u32;
        self.positions.extend(corners.map(|corner| corner.to_array()));
        self.normals.extend([normal.to_array(); 3]);
        self.indices.extend([first, first + 1, first + 2]);
    }
}

/// Axes of a place, one drawing each: x, y, z.
pub fn axes(drawings: &mut [Drawing; 3], place: &Mat4, length_m: f32, thickness_m: f32) {
    let origin = place.w_axis.truncate();
    let axes = Mat3::from_mat4(*place);
    for (drawing, axis) in drawings.iter_mut().zip([axes.x_axis, axes.y_axis, axes.z_axis]) {
        drawing.line(origin, origin + axis.normalize_or_zero() * length_m, thickness_m);
    }
}

/// Two unit vectors across a unit vector and each other.
fn across(along: Vec3) -> [Vec3; 2] {
    let size = along.abs();
    let axis = if size.x <= size.y && size.x <= size.z {
        Vec3::X
    } else if size.y <= size.z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let x = axis.cross(along).normalize();
    [x, along.cross(x)]
}

/// A colour that no light changes.
pub fn material(name: &str, [r, g, b]: [f32; 3]) -> Material {
    Material { name: name.to_string(), base_color: [r, g, b, 1.0], unlit: true, ..Material::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Surfaces are closed and face outwards: the volume by the divergence theorem is that of the body.
    fn volume(drawing: &Drawing) -> f32 {
        let corner = |i: u32| Vec3::from(drawing.positions[i as usize]);
        let of = |t: &[u32]| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0;
        drawing.indices.chunks_exact(3).map(of).sum()
    }

    #[test]
    fn bodies_are_closed_and_face_outwards() {
        let mut line = Drawing::default();
        line.line(Vec3::new(1.0, 2.0, 3.0), Vec3::new(1.0, 5.0, -1.0), 0.1);
        assert!((volume(&line) - 5.0 * 0.01).abs() < 1e-4, "{}", volume(&line));
        let mut bone = Drawing::default();
        bone.bone(Vec3::ZERO, Vec3::new(0.0, 3.0, 0.0));
        // Two pyramids on a square with a diagonal of 0.48.
        assert!((volume(&bone) - 0.48 * 0.48 / 2.0 * 3.0 / 3.0).abs() < 1e-4, "{}", volume(&bone));
        let mut nothing = Drawing::default();
        nothing.bone(Vec3::ONE, Vec3::ONE);
        nothing.line(Vec3::ONE, Vec3::ONE, 1.0);
        assert!(nothing.is_empty());
    }

    #[test]
    fn a_box_has_twelve_edges() {
        let mut edges = Drawing::default();
        edges.edges(Aabb { min: Vec3::ZERO, max: Vec3::new(1.0, 2.0, 3.0) }, 0.01);
        let mut one = Drawing::default();
        one.line(Vec3::ZERO, Vec3::X, 0.01);
        assert_eq!(edges.indices.len(), 12 * one.indices.len());
        assert!((volume(&edges) - 4.0 * 6.0 * 1e-4).abs() < 1e-5);
    }
}
