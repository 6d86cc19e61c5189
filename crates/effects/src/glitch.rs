//! `kind = "glitch"`.

use super::row::{Effect, Reach, Space, number, one, whole};

pub const ROW: Effect = Effect {
    name: "glitch",
    doc: "A broken signal: bands of rows jump, channels part.",
    formula: "each band of `band_px` rows moves by up to `strength` of the width, another amount each moment",
    source: "",
    space: Space::Any,
    reach: Reach::Others,
    params: &[number("strength", 0.05, [0.0, 1.0], "How far bands move, as a share of the width."), number("rate_hz", 8.0, [0.0, 1000.0], "How often they move."), whole("band_px", 8, [1, 1024], "Rows of a band."), whole("seed", 1, [0, 16777215], "Another number gives another signal.")],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("glitch.wgsl"),
};
