//! `kind = "sh9"`.

use super::LightKind;
use crate::scene::fields::{Case, case};
use crate::scene::key::{Key, required};
use crate::scene::schema::Type;

const COEFFICIENTS: Key<[[f32; 3]; 9]> = required(
    "coefficients",
    Type::Rows { rows: 9, columns: 3 },
    "Red, green and blue of the radiance, nits, in the order L00, L1-1, L10, L11, L2-2, L2-1, L20, L21, L22 of the real, orthonormal spherical harmonics about the light's Z axis: L1-1 goes with y, L10 with z and L11 with x.",
);

pub(super) const CASE: Case<LightKind> = case!(LightKind::Sh9, "sh9", "Soft light from everywhere, as nine coefficients of spherical harmonics. It makes no shadows and no highlights.", { coefficients: COEFFICIENTS });
