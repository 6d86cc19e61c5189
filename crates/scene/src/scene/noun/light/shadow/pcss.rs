//! Pcss: the disk is as wide as the penumbra.

use super::disk::SPIRAL;
use super::hard::TEXEL;
use super::row::ShadowRow;
use crate::scene::key::{Key, number, rows};
use crate::scene::schema::{POSITIVE, range};

/// Wider penumbras are drawn this wide.
const RADIUS_MAX: f32 = 24.0;

const LIGHT_WIDTH_M: Key<f32> =
    number("light_width_m", 0.2, POSITIVE, "Diameter of the light, of lights that shine from a point.");
const LIGHT_ANGLE_DEG: Key<f32> = number(
    "light_angle_deg",
    0.53,
    range(0.0, 90.0),
    "Angle under which a directional light is seen; the default is the sun's.",
);

pub const ROW: ShadowRow = ShadowRow {
    name: "pcss",
    doc: "Soft near and wide far from what casts them: a disk as wide as the penumbra, at most 24 texels in radius.",
    formula: "penumbra `w = (d - b) / b * light_width_m`, of directional lights `(d - b) * 2 tan(angle / 2)`, with the mean distance `b` of what is nearer among 16 texels; mean of 32 comparisons",
    source: "Fernando 2005",
    reach_texels: RADIUS_MAX + 0.5,
    keys: rows! { LIGHT_WIDTH_M, LIGHT_ANGLE_DEG },
    needs: &[TEXEL, SPIRAL],
    text: include_str!("pcss.wgsl"),
    by_pixel: true,
    ..ShadowRow::DEPTH
};
