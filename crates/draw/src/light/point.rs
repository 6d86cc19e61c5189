//! Point: a lamp that shines everywhere. Six maps around it.

use glam::Vec3;

use super::map::{MapView, Rays, perspective_map};
use super::row::{Row, Terms};
use super::seen::Seen;
use crate::scene::LightKind;
use crate::view::ShotLight;

pub const ROW: Row =
    Row { name: "point", text: include_str!("point.wgsl"), rays: Rays::FromPoint, map_count: 6, terms, maps };

fn terms(kind: &LightKind) -> Terms {
    let LightKind::Point { intensity_cd, range_m } = *kind else { unreachable!("it is of this row") };
    Terms { strength: intensity_cd, own: [inverse_range2(range_m), 0.0, 0.0, 0.0] }
}

/// 1 / range^2; 0 without a range.
pub fn inverse_range2(range_m: Option<f32>) -> f32 {
    // A range of 0 lights nothing: the largest finite number makes the window 0 everywhere.
    range_m.map_or(0.0, |range| (1.0 / (range * range)).min(f32::MAX))
}

fn maps(light: &ShotLight, _: &Seen, size_px: u32, first_layer: u32) -> Vec<MapView> {
    let axes = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let view = |(i, axis)| perspective_map(light.position, axis, 1.0, size_px, first_layer + i);
    (0..).zip(axes).map(view).collect()
}
