//! Pcss: the disk is as wide as the penumbra.

use std::f32::consts::PI;

use super::super::LightKind;
use super::OWN_MAX;
use super::disk::SPIRAL;
use super::hard::TEXEL;
use super::row::ShadowRow;
use crate::scene::key::{Key, number, rows};
use crate::scene::schema::{POSITIVE, range};

/// Wider penumbras are drawn this wide.
const RADIUS_MAX: f32 = 24.0;

const LIGHT_WIDTH_M: Key<f32> = number(
    "light_width_m",
    0.2,
    POSITIVE,
    "Diameter of the light, of lights that shine from a point. If not written, that of the light where it has a size.",
);
const LIGHT_ANGLE_DEG: Key<f32> = number(
    "light_angle_deg",
    0.53,
    range(0.0, 90.0),
    "Angle under which a directional light is seen; the default is the sun's. If not written, `angular_diameter_deg` of the light where it has one.",
);

/// The width of a disk as large as the light, and the angle of a sun.
fn of_light(kind: &LightKind) -> [Option<f32>; OWN_MAX] {
    let disk_m = |area_m2: f32| Some(2.0 * (area_m2 / PI).sqrt());
    let width_m = match *kind {
        LightKind::Sphere { radius_m, .. } | LightKind::Disk { radius_m, .. } => Some(2.0 * radius_m),
        LightKind::Rect { size_m: [width_m, height_m], .. } => disk_m(width_m * height_m),
        // As it looks from its side.
        LightKind::Tube { length_m, radius_m, .. } => disk_m((2.0 * length_m + PI * radius_m) * radius_m),
        _ => None,
    };
    let angle_deg = match *kind {
        LightKind::Directional { angular_diameter_rad, .. } => {
            Some(angular_diameter_rad.to_degrees()).filter(|angle_deg| *angle_deg > 0.0)
        }
        _ => None,
    };
    [width_m, angle_deg, None, None]
}

pub const ROW: ShadowRow = ShadowRow {
    name: "pcss",
    doc: "Soft near and wide far from what casts them: a disk as wide as the penumbra, at most 24 texels in radius.",
    formula: "penumbra `w = (d - b) / b * light_width_m`, of directional lights `(d - b) * 2 tan(angle / 2)`, with the mean distance `b` of what hides a part of the light among 32 texels; mean of 64 parts of the light, each looked for as far away as what hides it",
    source: "Fernando 2005",
    reach_texels: RADIUS_MAX + 0.5,
    keys: rows! { LIGHT_WIDTH_M, LIGHT_ANGLE_DEG },
    of_light,
    needs: &[TEXEL, SPIRAL],
    text: include_str!("pcss.wgsl"),
    by_pixel: true,
    is_metric: true,
    ..ShadowRow::DEPTH
};
