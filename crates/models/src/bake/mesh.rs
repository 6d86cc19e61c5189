//! Mesh: a shape being made, vertex by vertex, and the points of circles that shapes share.

use glam::{Vec2, Vec3};
use stillframe_base::math::ops;

use super::complete::bounds;
use crate::asset::Geometry;

/// A shape being made.
#[derive(Default)]
pub(super) struct Mesh {
    geometry: Geometry,
}

impl Mesh {
    pub fn vertex(&mut self, position: Vec3, normal: Vec3, tangent: Vec3, uv: Vec2) -> u32 {
        self.vertex_with(position, normal, tangent, 1.0, uv)
    }

    pub fn vertex_with(&mut self, position: Vec3, normal: Vec3, tangent: Vec3, sign: f32, uv: Vec2) -> u32 {
        // -0 and 0 would be different bits of one point.
        self.geometry.positions.push((position + Vec3::ZERO).to_array());
        self.geometry.normals.push((normal + Vec3::ZERO).to_array());
        self.geometry.tangents.push(tangent.extend(sign).to_array());
        self.geometry.uv0.push(uv.to_array());
        self.geometry.positions.len() as u32 - 1
    }

    pub fn triangle(&mut self, corners: [u32; 3]) {
        self.geometry.indices.extend(corners);
    }

    /// A rectangle about `center` spanned by two half sides, u along the first, v against the second; it faces
    /// `cross(right, up)`.
    pub fn quad(&mut self, center: Vec3, right: Vec3, up: Vec3, uv_scale: f32) {
        let normal = right.cross(up).normalize_or(Vec3::Y);
        let tangent = right.normalize_or(Vec3::X);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y): (f32, f32)| {
            let uv = Vec2::new((x + 1.0) * 0.5, (1.0 - y) * 0.5) * uv_scale;
            self.vertex(center + right * x + up * y, normal, tangent, uv)
        });
        self.triangle([corners[0], corners[1], corners[2]]);
        self.triangle([corners[0], corners[2], corners[3]]);
    }

    /// A flat disk across Y, facing up or down; its texture is the square around it, upright seen from outside with +X
    /// right.
    pub fn disk(&mut self, height_m: f32, radius_m: f32, segments: u32, up: bool) {
        let side = if up { 1.0 } else { -1.0 };
        let normal = Vec3::Y * side;
        let uv = |direction: Vec2| Vec2::new(direction.x, direction.y * side) * 0.5 + Vec2::splat(0.5);
        let center = self.vertex(Vec3::Y * height_m, normal, Vec3::X, uv(Vec2::ZERO));
        let rim: Vec<u32> = (0..segments)
            .map(|segment| {
                let around = turn(segment, segments);
                let position = Vec3::new(around.x * radius_m, height_m, around.y * radius_m);
                self.vertex(position, normal, Vec3::X, uv(around))
            })
            .collect();
        for segment in 0..segments as usize {
            let (here, next) = (rim[segment], rim[(segment + 1) % rim.len()]);
            self.triangle(if up { [center, next, here] } else { [center, here, next] });
        }
    }

    pub fn finish(mut self) -> Geometry {
        self.geometry.bounds = bounds(&self.geometry.positions);
        self.geometry
    }
}

/// The unit vector (x, z) after `step` of `steps` equal turns from +X towards +Z. Quarter turns are exact.
pub(super) fn turn(step: u32, steps: u32) -> Vec2 {
    let step = step % steps;
    let quarter = u64::from(step) * 4 / u64::from(steps);
    // Within a quarter, the angle is at most 45 degrees from an axis on one side or the other.
    let rest = u64::from(step) * 4 - quarter * u64::from(steps);
    let share = rest as f32 / steps as f32;
    let (sin, cos) = if rest == 0 { (0.0, 1.0) } else { ops::sin_cos(share * std::f32::consts::FRAC_PI_2) };
    match quarter {
        0 => Vec2::new(cos, sin),
        1 => Vec2::new(-sin, cos),
        2 => Vec2::new(-cos, -sin),
        _ => Vec2::new(sin, -cos),
    }
}
