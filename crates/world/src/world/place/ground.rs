//! The ground that a bare model stands on: a round floor that fades into the background.

use glam::{Mat4, Vec3};
use stillframe_base::geom::Aabb;

use crate::asset::{AlphaMode, Geometry, Material};
use crate::bake::{self, TangentWish};
use crate::scene::{Scene, Shape};

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
    let [opaque, clear] = Scene::GROUND_RADII_RATIO;
    let disk = bake::shape(&Shape::Disk { radius_m: opaque * diagonal_m, segments: SEGMENTS });
    let fades = fading(&disk, clear / opaque);
    ([(disk, middle), (fades, rim)], place)
}

/// The circle that edges `middle`, again and again up to `ratio` times as wide: opacity falls from 1 to 0, level at
/// both ends. Its first corners are those of the middle, bit for bit.
fn fading(middle: &Geometry, ratio: f32) -> Geometry {
    // The first vertex is the disk's centre.
    let (edge, segments) = (&middle.positions[1..], SEGMENTS as usize);
    let mut out = Geometry::default();
    for ring in 0..RIM_CIRCLES {
        let t = ring as f32 / (RIM_CIRCLES - 1) as f32;
        let (wider, alpha) = (1.0 + (ratio - 1.0) * t, 1.0 - t * t * (3.0 - 2.0 * t));
        out.positions.extend(edge.iter().map(|corner| corner.map(|x| x * wider)));
        out.normals.extend([[0.0, 1.0, 0.0]].repeat(segments));
        out.colors.extend([[1.0, 1.0, 1.0, alpha]].repeat(segments));
    }
    for ring in 0..RIM_CIRCLES - 1 {
        for segment in 0..SEGMENTS {
            let next = (segment + 1) % SEGMENTS;
            let [a, b] = [ring * SEGMENTS + segment, ring * SEGMENTS + next];
            out.indices.extend([a, b + SEGMENTS, a + SEGMENTS, a, b, b + SEGMENTS]);
        }
    }
    bake::complete(out, TangentWish::Any).geometry
}
