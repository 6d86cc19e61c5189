//! `kind = "adjust"`.

use super::row::{Effect, Reach, Space, number, one};

pub const ROW: Effect = Effect {
    name: "adjust",
    doc: "Contrast about middle grey, and saturation.",
    formula: "0.18 (x / 0.18)^`contrast`, then `saturation` about the luminance",
    source: "",
    space: Space::Any,
    reach: Reach::Pixel,
    params: &[number("contrast", 1.0, [0.0, 4.0], "Above 1 more, below 1 less."), number("saturation", 1.0, [0.0, 4.0], "0 is grey.")],
    identity: &[("contrast", 1.0), ("saturation", 1.0)],
    stages: one,
    text: include_str!("adjust.wgsl"),
};
