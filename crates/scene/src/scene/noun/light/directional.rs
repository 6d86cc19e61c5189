//! `kind = "directional"`.

use super::LightKind;
use super::function::{FUNCTION, FUNCTION_SIZE_M};
use crate::scene::fields::{Case, Fields};
use crate::scene::key::{Key, number, rows};
use crate::scene::schema::{NOT_NEGATIVE, Variant, range};

#[expect(clippy::approx_constant, reason = "as the page shows it: f32's pi")]
const ILLUMINANCE_LUX: Key<f32> = number(
    "illuminance_lux",
    3.1415927,
    NOT_NEGATIVE,
    "Illuminance on a surface that faces it. A white one shows illuminance / pi.",
)
.moves();

const ANGULAR_DIAMETER_DEG: Key<f64> = number(
    "angular_diameter_deg",
    0.0,
    range(0.0, 90.0),
    "How large what shines looks from here: 0.53 for the sun. Its shadows are soft with `accumulate.light`.",
);

pub(super) const CASE: Case<LightKind> = Case {
    variant: Variant {
        word: "directional",
        doc: "Parallel light, like the sun's.",
        keys: rows! { ILLUMINANCE_LUX, ANGULAR_DIAMETER_DEG, FUNCTION, FUNCTION_SIZE_M },
    },
    blank: || LightKind::Directional { illuminance_lux: 0.0, angular_diameter_rad: 0.0 },
    fields: |on, light| {
        let LightKind::Directional { illuminance_lux, angular_diameter_rad } = light else { return false };
        on.field(ILLUMINANCE_LUX, illuminance_lux);
        // The text of a scene is part of its hash.
        if *angular_diameter_rad != 0.0 || !matches!(on, Fields::Print(_)) {
            on.angle(ANGULAR_DIAMETER_DEG, angular_diameter_rad);
        }
        true
    },
};
