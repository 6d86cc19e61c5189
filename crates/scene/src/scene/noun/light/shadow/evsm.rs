//! Evsm: mean and variance of exponentials.

use super::esm::{BLUR_TEXELS, MOMENTS};
use super::row::{ShadowReads, ShadowRow};
use crate::scene::key::{Key, number, rows};
use crate::scene::schema::range;

const POSITIVE_EXPONENT: Key<f32> =
    number("positive_exponent", 40.0, range(1.0, 42.0), "`c` of `exp(c t)`: larger leaks less.");
const NEGATIVE_EXPONENT: Key<f32> =
    number("negative_exponent", 5.0, range(1.0, 42.0), "`c` of `-exp(-c t)`, which bounds what the other does not.");

pub const ROW_2: ShadowRow = ShadowRow {
    name: "evsm2",
    doc: "Mean and variance of an exponential of depth: less light in shadows of several layers.",
    formula: "Chebyshev's bound of `exp(c t)`",
    source: "Lauritzen, McCool 2008",
    reads: ShadowReads::Moments { of: "vec4f(exp(own.y * t), exp(2.0 * own.y * t), 0.0, 0.0)" },
    keys: rows! { BLUR_TEXELS, POSITIVE_EXPONENT },
    offset_texels: [0.0; 2],
    needs: &[MOMENTS],
    text: include_str!("evsm2.wgsl"),
    ..ShadowRow::DEPTH
};

pub const ROW_4: ShadowRow = ShadowRow {
    name: "evsm4",
    doc: "The same of two exponentials, the lesser of both bounds.",
    formula: "the lesser of Chebyshev's bounds of `exp(c t)` and `-exp(-c' t)`",
    source: "Lauritzen, McCool 2008",
    reads: ShadowReads::Moments {
        of: "vec4f(exp(own.y * t), exp(2.0 * own.y * t), -exp(-own.z * t), exp(-2.0 * own.z * t))",
    },
    keys: rows! { BLUR_TEXELS, POSITIVE_EXPONENT, NEGATIVE_EXPONENT },
    needs: &[MOMENTS],
    text: include_str!("evsm4.wgsl"),
    ..ShadowRow::DEPTH
};
