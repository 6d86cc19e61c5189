//! View: cameras that frame everything, by the side that they look from.

use glam::DVec3;
use stillframe_base::geom::{Framing, Lens};
use stillframe_base::math::ops64;

use crate::scene::angle::sin_cos_deg;
use crate::scene::word::Word;

/// Vertical field of view of a camera that nobody described.
const FOV_Y_RAD: f32 = std::f32::consts::FRAC_PI_4;

/// Share of the picture that what is framed may fill.
const FILL: f64 = 0.9;

/// From where everything is framed. Those along an axis and `Iso` are without perspective, as in a modelling tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// Three quarters from the front, a little above, with perspective.
    Auto,
    /// From +Z, where models look to.
    Front,
    /// From -Z.
    Back,
    /// From +X, at what is right in the picture of the front.
    Right,
    /// From -X.
    Left,
    /// From +Y, with the front below.
    Top,
    /// From -Y, with the front above.
    Bottom,
    /// From (1, 1, 1): the three axes have the same length.
    Iso,
}

impl View {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, View)] = &[
        ("auto", View::Auto),
        ("front", View::Front),
        ("side", View::Right),
        ("top", View::Top),
        ("iso", View::Iso),
        ("back", View::Back),
        ("left", View::Left),
        ("right", View::Right),
        ("bottom", View::Bottom),
    ];

    /// Vertical field of view; `None` without perspective.
    pub fn fov_y_rad(self) -> Option<f32> {
        (self == View::Auto).then_some(FOV_Y_RAD)
    }

    /// What a camera from there sees, for a picture of this shape.
    pub fn framing(self, aspect: f32) -> Framing {
        let (back, up) = match self {
            View::Auto => (DVec3::new(0.5, 0.42, 1.0), DVec3::Y),
            View::Front => (DVec3::Z, DVec3::Y),
            View::Back => (DVec3::NEG_Z, DVec3::Y),
            View::Right => (DVec3::X, DVec3::Y),
            View::Left => (DVec3::NEG_X, DVec3::Y),
            View::Top => (DVec3::Y, DVec3::NEG_Z),
            View::Bottom => (DVec3::NEG_Y, DVec3::Z),
            View::Iso => (DVec3::ONE, DVec3::Y),
        };
        let lens = match self.fov_y_rad() {
            Some(fov_y_rad) => {
                let (sin, cos) = ops64::sin_cos(f64::from(fov_y_rad) * 0.5);
                Lens::Perspective { tan_y: sin / cos }
            }
            None => Lens::Parallel,
        };
        Framing::new([back, up], lens, f64::from(aspect), FILL)
    }
}

impl Word for View {
    const WORDS: &'static [(&'static str, View)] = View::WORDS;
}

/// How far a camera has gone round what it frames: in turns, to its right. Studio lights go with it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Turn {
    pub now: f64,
    /// One frame before.
    pub before: f64,
}

impl Turn {
    /// Sine and cosine of the angle of some turns, exact at quarters.
    pub fn sin_cos(turns: f64) -> [f64; 2] {
        let (sin, cos) = sin_cos_deg(turns * 360.0);
        [sin, cos]
    }
}

#[cfg(test)]
mod tests {
    use glam::Mat4;

    use super::*;

    #[test]
    fn views_look_at_their_side_with_x_or_z_to_the_right() {
        for (view, eye, right) in [
            (View::Front, DVec3::Z, DVec3::X),
            (View::Back, DVec3::NEG_Z, DVec3::NEG_X),
            (View::Right, DVec3::X, DVec3::NEG_Z),
            (View::Left, DVec3::NEG_X, DVec3::Z),
            (View::Top, DVec3::Y, DVec3::X),
            (View::Bottom, DVec3::NEG_Y, DVec3::X),
        ] {
            let framing = view.framing(1.5);
            let framed = framing.framed(framing.reach(&[[0.0; 3]], &Mat4::IDENTITY), Turn::sin_cos(0.0));
            assert!((framed.back - eye).length() < 1e-12 && (framed.right - right).length() < 1e-12, "{view:?}");
            assert!((framed.eye.normalize() - eye).length() < 1e-6 && framed.height_m.is_some(), "{view:?}");
        }
        assert_eq!(View::of_word("side"), View::of_word("right"));
        // A quarter to its right is where the right view is.
        let front = View::Front.framing(1.5).about(glam::Vec3::ZERO);
        let quarter = front.framed(front.reach(&[[0.0; 3]], &Mat4::IDENTITY), Turn::sin_cos(0.25));
        assert!((quarter.back - DVec3::X).length() < 1e-12, "{quarter:?}");
    }
}
