//! Reach: the part of space that a light can light.

use glam::Vec3;

/// What a light can reach, in world space: all of it lies in each part that is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// Middle and radius, metres.
    pub sphere: Option<(Vec3, f32)>,
    /// Where the light stands, the unit way it shines, cosine and sine of the half angle, of 90 degrees at most.
    pub cone: Option<Cone>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    pub apex: Vec3,
    pub axis: Vec3,
    pub cos: f32,
    pub sin: f32,
}

impl Reach {
    pub const EVERYWHERE: Reach = Reach { sphere: None, cone: None };

    pub fn sphere(center: Vec3, radius_m: f32) -> Reach {
        Reach { sphere: Some((center, radius_m)), cone: None }
    }
}
