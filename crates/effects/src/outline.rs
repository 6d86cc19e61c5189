//! `kind = "outline"`.

use super::row::{Effect, Reach, Space, color, number, one};

pub const ROW: Effect = Effect {
    name: "outline",
    doc: "Draws lines where the picture changes.",
    formula: "the length of the gradient of encoded luminance, by Sobel, over `threshold`",
    source: "Sobel, Feldman 1968",
    space: Space::Ldr,
    reach: Reach::Others,
    params: &[number("strength", 1.0, [0.0, 1.0], "How much lines cover."), number("threshold", 0.2, [0.0, 4.0], "Lines are drawn where the change is greater."), color("color", &[0.0, 0.0, 0.0], 1.0, "Of the lines.")],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("outline.wgsl"),
};
