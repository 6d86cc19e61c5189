//! Vsm: mean and variance.

use super::esm::{BLUR_TEXELS, MOMENTS};
use super::row::{ShadowReads, ShadowRow};
use crate::scene::key::{Key, number, rows};
use crate::scene::schema::range;

const BLEED: Key<f32> = number(
    "bleed_reduction",
    0.0,
    range(0.0, 0.95),
    "Visibility below this is 0, above it grows to 1: less light in shadows of several layers, narrower penumbras.",
);

pub const ROW: ShadowRow = ShadowRow {
    name: "vsm",
    doc: "Mean and variance of depth, blurred: smooth, with light in shadows of several layers.",
    formula: "Chebyshev's bound `v / (v + (t - m)^2)` where `t > m`; `v` at least `0.25 (dx^2 + dy^2)` of the receiver's plane",
    source: "Donnelly, Lauritzen 2006",
    reads: ShadowReads::Moments { of: "vec4f(t, t * t, 0.0, 0.0)" },
    keys: rows! { BLUR_TEXELS, BLEED },
    needs: &[MOMENTS],
    text: include_str!("vsm.wgsl"),
    ..ShadowRow::DEPTH
};
