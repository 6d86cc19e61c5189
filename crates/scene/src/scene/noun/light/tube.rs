//! `kind = "tube"`.

use super::LightKind;
use super::area::LUMINANCE_NITS;
use crate::scene::fields::{Case, case};
use crate::scene::key::{Key, number};
use crate::scene::schema::{NOT_NEGATIVE, POSITIVE};

const LENGTH_M: Key<f32> =
    number("length_m", 1.0, NOT_NEGATIVE, "Length of the straight part along its X axis, without the round ends.")
        .moves();
const RADIUS_M: Key<f32> = number("radius_m", 0.05, POSITIVE, "Radius of the tube and of its round ends.").moves();

pub(super) const CASE: Case<LightKind> = case!(LightKind::Tube, "tube", "Light from a tube along its X axis.", { luminance_nits: LUMINANCE_NITS, length_m: LENGTH_M, radius_m: RADIUS_M });
