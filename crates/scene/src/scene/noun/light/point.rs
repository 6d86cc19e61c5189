//! `kind = "point"`.

use super::LightKind;
use super::window::WINDOW;
use crate::scene::fields::{Case, case};
use crate::scene::key::{Key, number, optional};
use crate::scene::schema::{NOT_NEGATIVE, POSITIVE, Type};

pub(super) const INTENSITY_CD: Key<f32> =
    number("intensity_cd", 10.0, NOT_NEGATIVE, "Candela: at d metres the illuminance is intensity / d^2.").moves();
pub(super) const RANGE_M: Key<Option<f32>> =
    optional("range_m", Type::Number(POSITIVE), "no end", "Fades out towards this distance (KHR_lights_punctual).")
        .moves();

pub(super) const CASE: Case<LightKind> = case!(LightKind::Point, "point", "Light from a point in all directions.", { intensity_cd: INTENSITY_CD, range_m: RANGE_M, window: WINDOW });
