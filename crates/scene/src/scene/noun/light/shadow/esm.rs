//! Esm: means of an exponential.

use super::row::{ShadowReads, ShadowRow};
use crate::scene::key::{Key, number, rows, whole};
use crate::scene::schema::range;

/// `moments_at`, `moment_distance`, `plane_distance`.
pub(super) const MOMENTS: &str = include_str!("moments.wgsl");

/// Of all techniques with moments: the first of their keys.
pub(super) const BLUR_TEXELS: Key<f32> = whole(
    "blur_texels",
    2,
    0,
    16,
    "How far moments are averaged in each direction before they are read, in texels; weights of a tent.",
);

const EXPONENT: Key<f32> =
    number("exponent", 80.0, range(1.0, 80.0), "`c` of `exp(c t)`: larger is sharper and leaks less.");

pub const ROW: ShadowRow = ShadowRow {
    name: "esm",
    doc: "The mean of an exponential of depth, blurred: smooth, too bright where something is close before the surface.",
    formula: "`min(1, exp(-c t) * mean(exp(c map)))`",
    source: "Annen, Mertens, Seidel, Flerackers, Kautz 2008; Salvi 2008",
    reads: ShadowReads::Moments { of: "vec4f(exp(own.y * t), 0.0, 0.0, 0.0)" },
    keys: rows! { BLUR_TEXELS, EXPONENT },
    offset_texels: [0.0; 2],
    needs: &[MOMENTS],
    text: include_str!("esm.wgsl"),
    ..ShadowRow::DEPTH
};
