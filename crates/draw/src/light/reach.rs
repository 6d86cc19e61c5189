//! Reach: the part of space that a light can light.

use glam::Vec3;

/// What a light can reach, in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reach {
    Everything,
    Sphere { center: Vec3, radius_m: f32 },
}
