//! `kind = "grain"`.

use super::row::{Effect, Reach, Space, number, one, whole};

pub const ROW: Effect = Effect {
    name: "grain",
    doc: "Grain of film, most in middle tones.",
    formula: "encoded x plus `strength` times noise with a deviation of 1 times 4 x (1 - x)",
    source: "",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[number("strength", 0.04, [0.0, 1.0], "Deviation of middle tones."), number("color", 0.0, [0.0, 1.0], "0: each pixel is lighter or darker; 1: each channel by itself."), whole("seed", 1, [0, 16777215], "Another number gives other grain.")],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("grain.wgsl"),
};
