//! Hard: one texel decides.

use super::row::ShadowRow;

/// `occluder`, `shadow_texel`.
pub(super) const TEXEL: &str = include_str!("texel.wgsl");

pub const ROW: ShadowRow = ShadowRow {
    name: "hard",
    doc: "One comparison with the nearest texel: edges in steps of texels.",
    formula: "`d <= map` at the nearest texel",
    source: "Williams 1978",
    reach_texels: 0.5,
    needs: &[TEXEL],
    text: include_str!("hard.wgsl"),
    ..ShadowRow::DEPTH
};
