//! `kind = "flash"`.

use super::row::{Effect, Reach, Space, color, number, one};

pub const ROW: Effect = Effect {
    name: "flash",
    doc: "The picture fades to one colour.",
    formula: "the mix of picture and `color` by `strength`",
    source: "",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[number("strength", 0.5, [0.0, 1.0], "1 is the colour alone."), color("color", &[1.0, 1.0, 1.0], 1.0, "What it fades to.")],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("flash.wgsl"),
};
