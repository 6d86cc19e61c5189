//! The ground that a bare model stands on.

use glam::{Mat4, Vec3};
use stillframe_base::geom::Aabb;

use crate::asset::Material;
use crate::scene::{Scene, Shape};

/// The plane under `bounds`, its material and place. Under nothing it lies about the origin, as under a cube of a metre.
pub fn under(bounds: Aabb) -> (Shape, Material, Mat4) {
    let stand_in = Aabb::new(Vec3::new(-0.5, 0.0, -0.5), Vec3::new(0.5, 1.0, 0.5));
    let bounds = if bounds.is_empty() { stand_in } else { bounds };
    let side_m = (bounds.size().length() * Scene::GROUND_SIZE_RATIO).max(1e-3);
    let center = bounds.center();
    let material = Material {
        name: "ground".to_string(),
        base_color: Scene::GROUND_COLOR,
        metallic: 0.0,
        roughness: Scene::GROUND_ROUGHNESS,
        ..Material::default()
    };
    let place = Mat4::from_translation(Vec3::new(center.x, bounds.min.y, center.z));
    (Shape::Plane { size_m: [side_m; 2], uv_scale: 1.0 }, material, place)
}
