//! `kind = "scanlines"`.

use super::row::{Effect, Reach, Space, number, one};

pub const ROW: Effect = Effect {
    name: "scanlines",
    doc: "Lines of an old screen.",
    formula: "each row of `pitch_px` is darker by up to `strength` between its lines",
    source: "",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[number("strength", 0.3, [0.0, 1.0], "How dark it is between lines."), number("pitch_px", 3.0, [2.0, 256.0], "Distance of lines."), number("mask", 0.0, [0.0, 1.0], "How much a mask of red, green and blue columns is seen.")],
    identity: &[("strength", 0.0), ("mask", 0.0)],
    stages: one,
    text: include_str!("scanlines.wgsl"),
};
