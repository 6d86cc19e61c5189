//! `kind = "directional"`.

use super::LightKind;
use crate::scene::fields::{Case, case};
use crate::scene::key::{Key, number};
use crate::scene::schema::NOT_NEGATIVE;

#[expect(clippy::approx_constant, reason = "as the page shows it: f32's pi")]
const ILLUMINANCE_LUX: Key<f32> = number(
    "illuminance_lux",
    3.1415927,
    NOT_NEGATIVE,
    "Illuminance on a surface that faces it. A white one shows illuminance / pi.",
)
.moves();

pub(super) const CASE: Case<LightKind> = case!(LightKind::Directional, "directional", "Parallel light, like the sun's.", { illuminance_lux: ILLUMINANCE_LUX });
