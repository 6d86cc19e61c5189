//! Extent: the shape of a light as its shadow's filter takes it.

use glam::Vec3;
use stillframe_base::math::camera::look_rotation;

use super::piece::down;
use crate::view::ShotLight;

/// An ellipse or a rectangle about a light's middle: half axes, metres, of parallel rays for each metre along them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Extent {
    pub across: Vec3,
    pub along: Vec3,
    pub is_square: bool,
}

impl Extent {
    /// A disk that faces what is lit along `forward`.
    pub fn facing(forward: Vec3, radius: f32) -> Extent {
        let rotation = look_rotation(forward, Vec3::Y);
        Extent { across: rotation * Vec3::X * radius, along: rotation * Vec3::Y * radius, is_square: false }
    }

    /// Across a light's axis.
    pub fn of_light(light: &ShotLight, half_m: [f32; 2], is_square: bool) -> Extent {
        Extent { across: light.across * half_m[0], along: down(light) * half_m[1], is_square }
    }

    /// The same to the right, down and away along a map that looks along `forward`.
    pub fn seen_along(self, forward: Vec3) -> Extent {
        let rotation = look_rotation(forward, Vec3::Y).conjugate();
        let seen = |axis: Vec3| rotation * axis * Vec3::new(1.0, -1.0, -1.0);
        Extent { across: seen(self.across), along: seen(self.along), ..self }
    }
}
