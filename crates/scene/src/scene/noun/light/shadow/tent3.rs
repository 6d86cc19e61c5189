//! Tent3: weights 1 2 1 across and down, between texels.

use super::row::ShadowRow;

pub(super) const TENT: &str = include_str!("tent3.wgsl");

pub const ROW: ShadowRow = ShadowRow {
    name: "tent3",
    doc: "Weights 1 2 1 across and down, in four bilinear comparisons.",
    formula: "mean of `d <= map` over 4x4 texels, weights of a tent",
    source: "Castano 2013; Isidoro 2006",
    text: TENT,
    ..ShadowRow::DEPTH
};
