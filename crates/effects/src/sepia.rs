//! `kind = "sepia"`.

use super::row::{Effect, Reach, Space, color, one};

pub const ROW: Effect = Effect {
    name: "sepia",
    doc: "A brown photograph.",
    formula: "luminance times `tone`, which has a luminance of 1",
    source: "",
    space: Space::Any,
    reach: Reach::Pixel,
    params: &[color("tone", &[1.0, 0.8, 0.55], 1.0, "The colour of white.")],
    identity: &[],
    stages: one,
    text: include_str!("sepia.wgsl"),
};
