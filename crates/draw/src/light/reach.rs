//! Reach: the part of space that a light can light.

use glam::Vec3;

/// What a light can reach, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    Everything,
    Sphere { center: Vec3, radius_m: f32 },
}

impl Reach {
    /// Of a lamp that shines everywhere.
    pub fn around(center: Vec3, range_m: Option<f32>) -> Reach {
        range_m.map_or(Reach::Everything, |radius_m| Reach::Sphere { center, radius_m })
    }
}
