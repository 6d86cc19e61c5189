//! `kind = "posterize"`.

use super::row::{Effect, Reach, Space, one, whole};

pub const ROW: Effect = Effect {
    name: "posterize",
    doc: "Few steps of each channel.",
    formula: "encoded values rounded to `steps` from black to white",
    source: "",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[whole("steps", 6, [2, 256], "How many values a channel has.")],
    identity: &[],
    stages: one,
    text: include_str!("posterize.wgsl"),
};
