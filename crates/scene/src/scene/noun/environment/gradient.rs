//! `gradient = { ... }`: radiance by height.

use crate::scene::fields::Fields;
use crate::scene::key::{Key, required, rows};
use crate::scene::schema::{COLOR, Kind, Row, kind};

pub(crate) static TABLE: Kind = kind(
    "gradient = { ... }",
    "Radiance by the height y of a direction: from horizon to zenith above, from horizon to ground below, both in proportion to y.",
    KEYS,
);

const ZENITH: Key<[f32; 3]> = required("zenith", COLOR, "Straight up.").moves();
const HORIZON: Key<[f32; 3]> = required("horizon", COLOR, "Level.").moves();
const GROUND: Key<[f32; 3]> = required("ground", COLOR, "Straight down.").moves();
static KEYS: &[Row] = rows! { ZENITH, HORIZON, GROUND };

pub(super) fn fields(on: &mut Fields<'_, '_>, [zenith, horizon, ground]: [&mut [f32; 3]; 3]) {
    on.field(ZENITH, zenith);
    on.field(HORIZON, horizon);
    on.field(GROUND, ground);
}
