//! Msm: four moments.

use super::esm::{BLUR_TEXELS, MOMENTS};
use super::row::{ShadowReads, ShadowRow};
use crate::scene::key::rows;

pub const ROW: ShadowRow = ShadowRow {
    name: "msm",
    doc: "Four moments of depth, blurred: little light in shadows, whatever the layers.",
    formula: "the least share at `t` or behind of a distribution with moments 1 to 4 of `2 t - 1` (Hamburger), mixed with 0, 0.63, 0, 0.63 by 3e-6",
    source: "Peters, Klein 2015",
    reads: ShadowReads::Moments {
        of: "vec4f(2.0 * t - 1.0, (2.0 * t - 1.0) * (2.0 * t - 1.0), (2.0 * t - 1.0) * (2.0 * t - 1.0) * (2.0 * t - 1.0), (2.0 * t - 1.0) * (2.0 * t - 1.0) * (2.0 * t - 1.0) * (2.0 * t - 1.0))",
    },
    keys: rows! { BLUR_TEXELS },
    needs: &[MOMENTS],
    text: include_str!("msm.wgsl"),
    ..ShadowRow::DEPTH
};
