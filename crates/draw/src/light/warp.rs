//! Warp: a directional light's map with more texels near the camera, by a perspective across the light.
//!
//! Source: Wimmer, Scherzer, Purgathofer 2004, "Light space perspective shadow maps": a frustum across the light along
//! the camera's axis, its apex as far before what is seen as makes errors near and far alike. Our changes: `w` does not
//! depend on the distance along the light, so a ray of light has one texel, and depth has the sign and ends of other
//! maps; the apex is above the camera, and sides are as wide as the seen points need.

use glam::{Mat3, Mat4, Quat, Vec3};
use stillframe_base::math::camera::look_rotation;

use super::fit::{Held, boxed};
use super::seen::Seen;
use crate::view::product;

/// What such a map must hold. Here light comes along -z, and the camera looks along y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Warp {
    light_from_world: Mat4,
    /// Across the light: where the axis of the frustum stands, and where its apex is.
    axis: f32,
    apex: f32,
    /// From the apex to the first and to the last that it must hold.
    ends_m: [f32; 2],
    /// Its left and right side, over the distance from the apex.
    sides: [f32; 2],
    /// Along the light, towards it.
    first: f32,
    last: f32,
}

/// Where the light runs along the camera's axis, near and far have one size.
const SINE_MIN: f32 = 0.05;

/// Beyond so many times the depth, a perspective shows nothing.
const APEX_MAX: f32 = 50.0;

impl Warp {
    /// `None`: a perspective is of no use here.
    pub fn new(direction: Vec3, seen: &Seen) -> Option<Warp> {
        let (eye, ahead) = seen.eye()?;
        let to_light = look_rotation(direction, Vec3::Y).conjugate();
        let across = (to_light * ahead).truncate();
        let sine = across.length();
        if sine < SINE_MIN {
            return None;
        }
        // Turned until the camera looks along y.
        let turn = Quat::from_mat3(&Mat3::from_cols(
            Vec3::new(across.y, across.x, 0.0) / sine,
            Vec3::new(-across.x, across.y, 0.0) / sine,
            Vec3::Z,
        ));
        let light_from_world = Mat4::from_quat(turn * to_light);
        let Held { first, fitted, last } = Held::new(seen, |points| boxed(light_from_world, points))?;
        let (begin, end) = (fitted.min.y, fitted.max.y.max(fitted.min.y + 1e-3));
        let [near_m, far_m] = seen.ends_m();
        let before = (near_m + (near_m * far_m).sqrt()) / sine;
        if !(fitted.max - fitted.min).truncate().is_finite() || before > APEX_MAX * (end - begin) {
            return None;
        }
        let axis = light_from_world.transform_point3(eye).x;
        let apex = begin - before;
        let ends_m = [before, end - apex];
        // As wide as the points say, and no wider than the box.
        let over = |x: f32, is_right: bool| (x - axis) / ends_m[usize::from((x > axis) != is_right)];
        let by_box = [over(fitted.min.x, false), over(fitted.max.x, true)];
        let points = seen.receivers.iter().flatten().map(|&p| light_from_world.transform_point3(p));
        let [left, right] = points.fold([f32::INFINITY, f32::NEG_INFINITY], |[left, right], p| {
            if p.y <= apex {
                return [f32::NEG_INFINITY, f32::INFINITY];
            }
            let side = (p.x - axis) / (p.y - apex);
            [left.min(side), right.max(side)]
        });
        let [left, right] = [left.max(by_box[0]), right.min(by_box[1])];
        let sides = [left, right.max(left + 1e-4)];
        Some(Warp { light_from_world, axis, apex, ends_m, sides, first, last })
    }

    /// Texels that the picture can show.
    pub fn wanted_px(&self, seen: &Seen) -> f32 {
        let world_from_light = self.light_from_world.transpose();
        let widths = self.ends_m.map(|away_m| {
            let [left, right] = self.sides.map(|side| side * away_m);
            let corners = [(left, self.last), (right, self.last), (left, self.first), (right, self.first)];
            let points = corners.map(|(x, z)| Vec3::new(self.axis + x, self.apex + away_m, z));
            (right - left) / seen.texel_m(points.map(|p| world_from_light.transform_vector3(p)))
        });
        widths[0].max(widths[1])
    }

    /// `clip_from_world` of the map; the width of a texel, `x + y * clip w`, at most; how deep it is, metres. `margin`:
    /// texels around what it must hold that a filter may look at.
    pub fn map(&self, size_px: u32, margin: f32) -> (Mat4, [f32; 2], f32) {
        let Warp { light_from_world, axis, apex, ends_m: [near, far], sides: [left, right], first, last } = *self;
        let (middle, half) = (0.5 * (left + right), 0.5 * (right - left));
        let size = size_px as f32;
        let inside = (size - 2.0 * margin) / size;
        let slack = (first - last).max(far - near) * 1e-3;
        let deep = first - last + 2.0 * slack;
        // Down the map: `a + b / w` from -inside to inside.
        let b = 2.0 * inside / (1.0 / far - 1.0 / near);
        let a = inside - b / far;
        let across = inside / half;
        // Where the map begins, nearer than what it must hold, depth is 1 at the light's end.
        let begin = b / (-1.0 - a);
        let depth = begin / deep;
        let clip_from_light = Mat4::from_cols_array_2d(&[
            [across, 0.0, 0.0, 0.0],
            [-across * middle, a, 0.0, 1.0],
            [0.0, 0.0, depth, 0.0],
            [across * (middle * apex - axis), b - a * apex, depth * (slack - last), -apex],
        ]);
        // Texels are wider and deeper away from the apex; a line through both ends lies above.
        let texel = |w: f32| (2.0 * half * w / (inside * size)).max(2.0 * w * w / (b.abs() * size));
        let [at_near, at_far] = [begin, far].map(texel);
        let rise = (at_far - at_near) / (far - begin);
        (product(clip_from_light, light_from_world), [at_near - rise * begin, rise], deep)
    }
}
