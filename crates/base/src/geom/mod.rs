//! Geometry: bounds.

use glam::Vec3;

/// Axis-aligned bounding box; empty when `min > max` in any axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    pub min: Vec3,
    pub max: Vec3,
}

impl Aabb {
    pub const EMPTY: Aabb = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };
}

impl Default for Aabb {
    fn default() -> Self {
        Aabb::EMPTY
    }
}
