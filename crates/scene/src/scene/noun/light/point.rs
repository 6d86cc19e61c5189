//! `kind = "point"`.

use super::LightKind;
use super::function::FUNCTION;
use super::window::{WINDOW, Window};
use crate::scene::fields::Case;
use crate::scene::key::{Key, flag, number, optional, rows};
use crate::scene::schema::{NOT_NEGATIVE, POSITIVE, Type, Variant};

pub(super) const INTENSITY_CD: Key<f32> =
    number("intensity_cd", 10.0, NOT_NEGATIVE, "Candela: at d metres the illuminance is intensity / d^2.").moves();
pub(super) const RANGE_M: Key<Option<f32>> =
    optional("range_m", Type::Number(POSITIVE), "no end", "Fades out towards this distance (KHR_lights_punctual).")
        .moves();
pub(super) const PROFILE: Key<Option<String>> = optional(
    "profile",
    Type::File,
    "none",
    "How bright it is in each direction: an `.ies` file (IES LM-63), whose candela stand instead of `intensity_cd`. Its axis is the light's -Z.",
);
const NORMALIZE: Key<bool> = flag(
    "normalize",
    false,
    "Whether the brightest direction of `profile` has `intensity_cd`, whatever the file says.",
);

pub(super) const CASE: Case<LightKind> = Case {
    variant: Variant {
        word: "point",
        doc: "Light from a point in all directions.",
        keys: rows! { INTENSITY_CD, RANGE_M, WINDOW, PROFILE, NORMALIZE, FUNCTION },
    },
    blank: || LightKind::Point {
        intensity_cd: 0.0,
        range_m: None,
        window: Window::Gltf,
        profile: None,
        normalize: false,
    },
    fields: |on, light| {
        let LightKind::Point { intensity_cd, range_m, window, normalize, profile: _ } = light else { return false };
        on.field(INTENSITY_CD, intensity_cd);
        on.field(RANGE_M, range_m);
        on.field(WINDOW, window);
        on.field(NORMALIZE, normalize);
        true
    },
};
