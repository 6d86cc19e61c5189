//! `kind = "directional"`.

use super::LightKind;
use super::function::{FUNCTION, FUNCTION_SIZE_M};
use crate::scene::fields::Case;
use crate::scene::key::{Key, number, rows};
use crate::scene::schema::{NOT_NEGATIVE, Variant};

#[expect(clippy::approx_constant, reason = "as the page shows it: f32's pi")]
const ILLUMINANCE_LUX: Key<f32> = number(
    "illuminance_lux",
    3.1415927,
    NOT_NEGATIVE,
    "Illuminance on a surface that faces it. A white one shows illuminance / pi.",
)
.moves();

pub(super) const CASE: Case<LightKind> = Case {
    variant: Variant {
        word: "directional",
        doc: "Parallel light, like the sun's.",
        keys: rows! { ILLUMINANCE_LUX, FUNCTION, FUNCTION_SIZE_M },
    },
    blank: || LightKind::Directional { illuminance_lux: 0.0 },
    fields: |on, light| {
        let LightKind::Directional { illuminance_lux } = light else { return false };
        on.field(ILLUMINANCE_LUX, illuminance_lux);
        true
    },
};
