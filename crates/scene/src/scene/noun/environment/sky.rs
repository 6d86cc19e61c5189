//! `sky = { ... }`: a computed daylight sky.

use crate::scene::angle::radians;
use crate::scene::fields::Fields;
use crate::scene::key::{Key, color, number, rows};
use crate::scene::schema::{ANY, Kind, Row, kind, range};

pub(crate) static TABLE: Kind = kind("sky = { ... }", "A clear sky over flat ground.", KEYS);

const SUN_ELEVATION_DEG: Key<f64> =
    number("sun_elevation_deg", 35.0, range(-90.0, 90.0), "Height of the sun over the horizon.").moves();
const SUN_AZIMUTH_DEG: Key<f64> =
    number("sun_azimuth_deg", 45.0, ANY, "Direction of the sun, from +X towards +Z.").moves();
const TURBIDITY: Key<f32> = number("turbidity", 2.5, range(1.0, 20.0), "Relative amount of haze; 1 is none.").moves();
const GROUND_ALBEDO: Key<[f32; 3]> = color("ground_albedo", &[0.3, 0.3, 0.3], 1.0, "What the ground reflects.").moves();
static KEYS: &[Row] = rows! { SUN_ELEVATION_DEG, SUN_AZIMUTH_DEG, TURBIDITY, GROUND_ALBEDO };

/// The procedural sky. `shader` holds its formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sky {
    pub sun_elevation_rad: f32,
    /// From +X towards +Z.
    pub sun_azimuth_rad: f32,
    /// Relative amount of haze, >= 1.
    pub turbidity: f32,
    pub ground_albedo: [f32; 3],
}

impl Default for Sky {
    fn default() -> Sky {
        Sky {
            sun_elevation_rad: radians(SUN_ELEVATION_DEG.default()),
            sun_azimuth_rad: radians(SUN_AZIMUTH_DEG.default()),
            turbidity: TURBIDITY.default(),
            ground_albedo: GROUND_ALBEDO.default(),
        }
    }
}

pub(super) fn fields(on: &mut Fields<'_, '_>, sky: &mut Sky) {
    let Sky { sun_elevation_rad, sun_azimuth_rad, turbidity, ground_albedo } = sky;
    on.angle(SUN_ELEVATION_DEG, sun_elevation_rad);
    on.angle(SUN_AZIMUTH_DEG, sun_azimuth_rad);
    on.field(TURBIDITY, turbidity);
    on.field(GROUND_ALBEDO, ground_albedo);
}
