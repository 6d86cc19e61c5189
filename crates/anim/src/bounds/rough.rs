//! Rough: the book's box of a skinned model, kept to be compared with.
//!
//! Source: "Game engine: principles and practice" volume 2, section 1.10, stage 3. Ours: it begins with nothing (D6: one of its listings
//! begins with the smallest positive number).

use glam::{Affine3A, Vec3};
use stillframe_base::geom::Aabb;

use crate::pose::Affine;

/// The box of the joints' origins, enlarged on every side by half of the size of the box of the meshes as they were bound.
///
/// It need not hold all vertices (D7): a flat mesh that is turned sticks out by what it is wide. [`PaletteBounds`](super::PaletteBounds)
/// holds them.
pub fn book_rough(models: &[Affine], meshes: &[Aabb]) -> Aabb {
    let origins = Aabb::of_points(models.iter().map(|model| Vec3::from(Affine3A::from(*model).translation)));
    let mesh = meshes.iter().fold(Aabb::EMPTY, |all, mesh| all.union(*mesh));
    if mesh.is_empty() || origins.is_empty() {
        return origins;
    }
    Aabb::new(origins.min - mesh.half_size(), origins.max + mesh.half_size())
}
