//! `kind = "disk"`.

use super::LightKind;
use super::area::{LUMINANCE_NITS, TWO_SIDED};
use super::sphere::RADIUS_M;
use crate::scene::fields::{Case, case};

pub(super) const CASE: Case<LightKind> = case!(LightKind::Disk, "disk", "Light from a disk across its Z axis.", { luminance_nits: LUMINANCE_NITS, radius_m: RADIUS_M, two_sided: TWO_SIDED });
