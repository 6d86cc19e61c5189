//! `kind = "sphere"`.

use super::LightKind;
use super::area::LUMINANCE_NITS;
use crate::scene::fields::{Case, case};
use crate::scene::key::{Key, number};
use crate::scene::schema::POSITIVE;

pub(super) const RADIUS_M: Key<f32> = number("radius_m", 0.5, POSITIVE, "Radius of the light.").moves();

pub(super) const CASE: Case<LightKind> = case!(LightKind::Sphere, "sphere", "Light from the surface of a ball.", { luminance_nits: LUMINANCE_NITS, radius_m: RADIUS_M });
