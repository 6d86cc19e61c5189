//! Pcss: the filter has the shape of the light and the width of the penumbra.

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
    "Diameter of a disk that faces the scene, of lights that shine from a point. If not written, the light's own shape where it has a size.",
);
const LIGHT_ANGLE_DEG: Key<f32> = number(
    "light_angle_deg",
    0.53,
    range(0.0, 90.0),
    "Angle under which a directional light is seen; the default is the sun's. If not written, `angular_diameter_deg` of the light where it has one.",
);

/// A light with a size is as large as it is.
fn of_light(kind: &LightKind) -> [bool; OWN_MAX] {
    let is_wide = matches!(
        kind,
        LightKind::Sphere { .. } | LightKind::Disk { .. } | LightKind::Rect { .. } | LightKind::Tube { .. }
    );
    let is_sun = matches!(*kind, LightKind::Directional { angular_diameter_rad, .. } if angular_diameter_rad > 0.0);
    [is_wide, is_sun, false, false]
}

pub const ROW: ShadowRow = ShadowRow {
    name: "pcss",
    doc: "Soft near and wide far from what casts them: the light's shape, as wide as the penumbra, at most 24 texels in radius.",
    formula: "a part of the light at `e` from its middle, as the map sees it, is looked for `e (d - b) / b` away, of directional lights `e (d - b)` with `tan(angle / 2)` for its radius; `b` is the mean distance of what hides a part of the light among 32 texels; mean of 64 parts of a disk, a rectangle or a tube's outline, each looked for once more as far away as what hides it",
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
