//! `kind = "dither"`.

use super::row::{Effect, Reach, Space, number, one};

pub const ROW: Effect = Effect {
    name: "dither",
    doc: "Hides the steps of 8 bits under a fine pattern.",
    formula: "encoded x plus the place in a Bayer matrix of 8 x 8, from -1/2 to 1/2, times `steps` / 255",
    source: "Bayer 1973",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[number("steps", 1.0, [0.0, 16.0], "Height of the pattern, in steps of 8 bits.")],
    identity: &[("steps", 0.0)],
    stages: one,
    text: include_str!("dither.wgsl"),
};
