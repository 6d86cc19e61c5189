//! `kind = "rect"`.

use super::LightKind;
use super::area::{LUMINANCE_NITS, TWO_SIDED};
use crate::scene::fields::{Case, case};
use crate::scene::key::{Key, numbers};
use crate::scene::schema::POSITIVE;

const SIZE_M: Key<[f32; 2]> =
    numbers("size_m", &[1.0, 1.0], POSITIVE, "Width along its X axis and height along its Y axis.").moves();

pub(super) const CASE: Case<LightKind> = case!(LightKind::Rect, "rect", "Light from a rectangle across its Z axis.", { luminance_nits: LUMINANCE_NITS, size_m: SIZE_M, two_sided: TWO_SIDED });
