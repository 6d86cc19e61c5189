//! The ground that a bare model stands on: a round floor that fades into the background.

use glam::{Mat4, Vec3};
use stillframe_base::geom::Aabb;
use stillframe_base::math::ops;

use crate::asset::{AlphaMode, Geometry, Material};
use crate::bake::{self, TangentWish};
use crate::scene::Scene;

/// Corners of every circle.
const SEGMENTS: u32 = 96;
/// Circles of the fading rim, the inner one included.
const RIM_CIRCLES: u32 = 17;

/// The floor under `bounds` and its place: an opaque middle and a rim that fades out. Under nothing it lies about the
/// origin, as under a cube of a metre.
pub fn under(bounds: Aabb) -> ([(Geometry, Material); 2], Mat4) {
    let stand_in = Aabb::new(Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 1.0, 0.5));
    let bounds = if bounds.is_empty() { stand_in } else { bounds };
    let diagonal_m = bounds.size().length().max(1e-3);
    let center = bounds.center();
    let middle = Material {
        name: "ground".to_string(),
        base_color: Scene::GROUND_COLOR,
        metallic: 0.0,
        roughness: Scene::GROUND_ROUGHNESS,
        ..Material::default()
    };
    let rim = Material { alpha_mode: AlphaMode::Blend, ..middle.clone() };
    let place = Mat4::from_translation(Vec3::new(center.x, bounds.min.y, center.z));
    let [opaque_m, clear_m] = Scene::GROUND_RADII_RATIO.map(|ratio| ratio * diagonal_m);
    let parts = [(disk(opaque_m), middle), (fading(opaque_m, clear_m), rim)];
    (parts.map(|(geometry, material)| (bake::complete(geometry, TangentWish::Any).geometry, material)), place)
}

/// Adds a circle's corners, counter-clockwise seen from above.
fn circle(geometry: &mut Geometry, radius_m: f32, alpha: f32) {
    for segment in 0..SEGMENTS {
        let (sin, cos) = ops::sin_cos(segment as f32 * (std::f32::consts::TAU / SEGMENTS as f32));
        point(geometry, [cos * radius_m, 0.0, -sin * radius_m], alpha);
    }
}

fn point(geometry: &mut Geometry, position: [f32; 3], alpha: f32) {
    geometry.positions.push(position);
    geometry.normals.push([0.0, 1.0, 0.0]);
    geometry.colors.push([1.0, 1.0, 1.0, alpha]);
}

fn disk(radius_m: f32) -> Geometry {
    let mut out = Geometry::default();
    circle(&mut out, radius_m, 1.0);
    point(&mut out, [0.0; 3], 1.0);
    for segment in 0..SEGMENTS {
        out.indices.extend([SEGMENTS, segment, (segment + 1) % SEGMENTS]);
    }
    out.colors.clear();
    out
}

/// Opacity falls from 1 at `inner_m` to 0 at `outer_m`, level at both ends.
fn fading(inner_m: f32, outer_m: f32) -> Geometry {
    let mut out = Geometry::default();
    for ring in 0..RIM_CIRCLES {
        let t = ring as f32 / (RIM_CIRCLES - 1) as f32;
        circle(&mut out, inner_m + (outer_m - inner_m) * t, 1.0 - t * t * (3.0 - 2.0 * t));
    }
    for ring in 0..RIM_CIRCLES - 1 {
        for segment in 0..SEGMENTS {
            let next = (segment + 1) % SEGMENTS;
            let [a, b] = [ring * SEGMENTS + segment, ring * SEGMENTS + next];
            out.indices.extend([a, a + SEGMENTS, b + SEGMENTS, a, b + SEGMENTS, b]);
        }
    }
    out
}
