//! Built-in shapes as geometry.
//!
//! Every shape has unit normals, texture coordinates in 0..1 (times `uv_scale` where a shape has one), tangents along
//! u, and counter-clockwise faces seen from outside. Closed ones are watertight: vertices along seams and edges have
//! equal positions, bit for bit, because each point is computed once from whole-number places on the shape.
//!
//! Texture coordinates count v downwards, as glTF does: v is 0 at the top of a shape. Triangles of an
//! icosphere that cross its seam reach past u = 1, so that they need no other cut.

use glam::{Vec2, Vec3};

use super::mesh::{Mesh, turn};
use super::solid;
use crate::asset::Geometry;
use crate::asset::Shape;

/// Geometry of a shape. Segment counts below the least that makes sense are raised to it.
pub fn shape(shape: &Shape) -> Geometry {
    let mut mesh = Mesh::default();
    match *shape {
        Shape::Box { size_m } => solid::cuboid(&mut mesh, size_m),
        Shape::Sphere { radius_m, segments, rings } => {
            let profile = arc_profile(radius_m, rings.max(2));
            revolve(&mut mesh, &profile, segments.max(3));
        }
        Shape::Icosphere { radius_m, subdivisions } => solid::icosphere(&mut mesh, radius_m, subdivisions),
        Shape::Plane { size_m: [x, z], uv_scale } => {
            mesh.quad(Vec3::ZERO, Vec3::X * (x * 0.5), Vec3::NEG_Z * (z * 0.5), uv_scale);
        }
        Shape::Quad { size_m: [x, y], uv_scale } => {
            mesh.quad(Vec3::ZERO, Vec3::X * (x * 0.5), Vec3::Y * (y * 0.5), uv_scale);
        }
        Shape::Disk { radius_m, segments } => mesh.disk(0.0, radius_m, segments.max(3), true),
        Shape::Cylinder { radius_m, height_m, segments } => {
            let (segments, half) = (segments.max(3), height_m * 0.5);
            let side = [Ring::new(radius_m, half, Vec2::X, 0.0), Ring::new(radius_m, -half, Vec2::X, 1.0)];
            revolve(&mut mesh, &side, segments);
            mesh.disk(half, radius_m, segments, true);
            mesh.disk(-half, radius_m, segments, false);
        }
        Shape::Cone { radius_m, height_m, segments } => {
            let (segments, half) = (segments.max(3), height_m * 0.5);
            let slope = Vec2::new(height_m, radius_m).normalize_or(Vec2::X);
            let side = [Ring::new(0.0, half, slope, 0.0), Ring::new(radius_m, -half, slope, 1.0)];
            revolve(&mut mesh, &side, segments);
            mesh.disk(-half, radius_m, segments, false);
        }
        Shape::Capsule { radius_m, height_m, segments, rings } => {
            revolve(&mut mesh, &capsule_profile(radius_m, height_m, rings.max(2)), segments.max(3));
        }
        Shape::Torus { major_radius_m, minor_radius_m, major_segments, minor_segments } => {
            solid::torus(&mut mesh, [major_radius_m, minor_radius_m], [major_segments.max(3), minor_segments.max(3)]);
        }
        Shape::Triangle { points_m } => solid::triangle(&mut mesh, points_m),
    }
    mesh.finish()
}

/// A circle of a surface of revolution.
#[derive(Clone, Copy)]
struct Ring {
    radius_m: f32,
    height_m: f32,
    /// (outwards, upwards), unit.
    normal: Vec2,
    v: f32,
}

impl Ring {
    fn new(radius_m: f32, height_m: f32, normal: Vec2, v: f32) -> Ring {
        Ring { radius_m, height_m, normal, v }
    }
}

/// Rings of a sphere from the north to the south pole; their normals are exact along the axes.
fn arc_profile(radius_m: f32, rings: u32) -> Vec<Ring> {
    (0..=rings)
        .map(|ring| {
            let normal = polar(ring, rings);
            Ring::new(normal.x * radius_m, normal.y * radius_m, normal, ring as f32 / rings as f32)
        })
        .collect()
}

/// (outwards, upwards) after `ring` of `rings` steps from the north pole to the south pole.
fn polar(ring: u32, rings: u32) -> Vec2 {
    let around = turn(ring, rings * 2);
    Vec2::new(around.y, around.x)
}

/// Two half spheres of `rings` steps each and the straight part between; v runs with the length of the profile.
fn capsule_profile(radius_m: f32, height_m: f32, rings: u32) -> Vec<Ring> {
    let half = height_m * 0.5;
    let arc_m = std::f32::consts::FRAC_PI_2 * radius_m;
    let length_m = (arc_m * 2.0 + height_m).max(f32::MIN_POSITIVE);
    let mut profile = Vec::new();
    for (lift, start_m, first) in [(half, 0.0, 0), (-half, arc_m + height_m, rings)] {
        for ring in 0..=rings {
            let normal = polar(first + ring, rings * 2);
            let v = ((start_m + arc_m * (ring as f32 / rings as f32)) / length_m).min(1.0);
            profile.push(Ring::new(normal.x * radius_m, lift + normal.y * radius_m, normal, v));
        }
    }
    profile
}

/// Turns a profile (from top to bottom) about Y. u runs once around, from +X through -Z, so that textures read
/// upright and unmirrored from outside. Rings without a radius become poles, with a vertex of its own for each segment.
fn revolve(mesh: &mut Mesh, profile: &[Ring], segments: u32) {
    let mut rows: Vec<Vec<u32>> = Vec::new();
    for ring in profile {
        let pole = ring.radius_m == 0.0;
        let columns = if pole { segments } else { segments + 1 };
        let row = (0..columns)
            .map(|segment| {
                // The last column repeats the first one's positions with u = 1.
                let around = turn(segments - segment % segments, segments);
                let (at, u) = match pole {
                    // A pole's vertex belongs to one segment: it takes the middle of it.
                    true => {
                        (turn(2 * segments - (2 * segment + 1) % (2 * segments), 2 * segments), segment as f32 + 0.5)
                    }
                    false => (around, segment as f32),
                };
                let position = Vec3::new(around.x * ring.radius_m, ring.height_m, around.y * ring.radius_m);
                let normal = Vec3::new(at.x * ring.normal.x, ring.normal.y, at.y * ring.normal.x);
                let tangent = Vec3::new(at.y, 0.0, -at.x);
                mesh.vertex(position, normal, tangent, Vec2::new((u / segments as f32).min(1.0), ring.v))
            })
            .collect();
        rows.push(row);
    }
    for (pair, rings) in rows.windows(2).zip(profile.windows(2)) {
        for segment in 0..segments as usize {
            let (above, below) = (&pair[0], &pair[1]);
            match (rings[0].radius_m == 0.0, rings[1].radius_m == 0.0) {
                (true, true) => {}
                (true, false) => mesh.triangle([above[segment], below[segment], below[segment + 1]]),
                (false, true) => mesh.triangle([above[segment], below[segment], above[segment + 1]]),
                (false, false) => {
                    mesh.triangle([above[segment], below[segment], below[segment + 1]]);
                    mesh.triangle([above[segment], below[segment + 1], above[segment + 1]]);
                }
            }
        }
    }
}
