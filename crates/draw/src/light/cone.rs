//! Cone: the part of space that one map of a lamp must hold.
//!
//! In directions from the lamp, as in `fit` across parallel light: where something is both seen and behind some other
//! caster. A lamp outside of what it lights so needs one map and not six, and its texels go where shadows can be seen.

use glam::{Quat, Vec3};
use stillframe_base::geom::Aabb;
use stillframe_base::math::camera::look_rotation;

use super::fit::Held;
use super::seen::Seen;

/// Where a lamp's shadows can be seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cone {
    /// Nowhere.
    Empty,
    /// About `forward`; `half`: tangent of the half angle.
    Around { forward: Vec3, half: f32 },
    /// In more directions than one map should hold.
    Wide,
}

/// The widest cone of one map: at 60 degrees, 1.73, a texel is four times as wide at its edge.
pub const HALF_MAX: f32 = 1.2;

/// What lies less in front than this part of its distance has no place in a map.
const FRONT_MIN: f32 = 0.05;

impl Cone {
    pub fn fitted(eye: Vec3, seen: &Seen) -> Cone {
        let Some(mut forward) = towards_casters(eye, seen) else { return Cone::Wide };
        let mut found = Cone::Wide;
        // The second time about the middle of what was found the first time.
        for _ in 0..2 {
            let view_from_world = look_rotation(forward, Vec3::Y).conjugate();
            let Some(held) = Held::new(seen, |points| boxed(view_from_world, eye, points)) else { return Cone::Empty };
            let (min, max) = (held.fitted.min.truncate(), held.fitted.max.truncate());
            if !(max - min).is_finite() {
                return Cone::Wide;
            }
            let half = min.abs().max(max.abs()).max_element().max(1e-3);
            found = if half <= HALF_MAX { Cone::Around { forward, half } } else { Cone::Wide };
            let middle = (min + max) * 0.5;
            forward = view_from_world.conjugate() * middle.extend(-1.0).normalize();
        }
        found
    }
}

/// From the lamp to the middle of what casts shadows, first of all on itself.
fn towards_casters(eye: Vec3, seen: &Seen) -> Option<Vec3> {
    let around = |itself: bool| {
        let casters = seen.casters.iter().filter(|caster| itself || caster.itself.is_none());
        casters.map(|caster| caster.bounds).fold(Aabb::EMPTY, Aabb::union)
    };
    let bounds = if around(false).is_empty() { around(true) } else { around(false) };
    (bounds.center() - eye).try_normalize()
}

/// Tangents across the axis, without limit where a point is not in front. In z, nothing is known.
fn boxed(view_from_world: Quat, eye: Vec3, points: &[Vec3]) -> Aabb {
    let mut out = Aabb::EMPTY;
    for &point in points {
        let p = view_from_world * (point - eye);
        if -p.z <= FRONT_MIN * p.length() {
            return Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
        }
        let across = p.truncate() / -p.z;
        out = out.with(across.extend(f32::NEG_INFINITY)).with(across.extend(f32::INFINITY));
    }
    out
}
