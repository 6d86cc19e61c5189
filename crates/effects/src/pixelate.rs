//! `kind = "pixelate"`.

use super::row::{Effect, Reach, Space, one, whole};

pub const ROW: Effect = Effect {
    name: "pixelate",
    doc: "Large pixels.",
    formula: "the mean of each square",
    source: "",
    space: Space::Any,
    reach: Reach::Others,
    params: &[whole("size_px", 8, [1, 256], "Side of the squares.")],
    identity: &[("size_px", 1.0)],
    stages: one,
    text: include_str!("pixelate.wgsl"),
};
