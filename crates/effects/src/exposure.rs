//! `kind = "exposure"`.

use super::row::{Effect, Reach, Space, number, one};

pub const ROW: Effect = Effect {
    name: "exposure",
    doc: "Brightens or darkens light by stops.",
    formula: "light times 2^`ev`",
    source: "",
    space: Space::Hdr,
    reach: Reach::Pixel,
    params: &[number("ev", 0.0, [-20.0, 20.0], "Stops: 1 doubles the light.")],
    identity: &[("ev", 0.0)],
    stages: one,
    text: include_str!("exposure.wgsl"),
};
