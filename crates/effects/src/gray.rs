//! `kind = "gray"`.

use super::row::{Effect, Reach, Space, one};

pub const ROW: Effect = Effect {
    name: "gray",
    doc: "Luminance alone.",
    formula: "0.2126 red + 0.7152 green + 0.0722 blue",
    source: "Rec. ITU-R BT.709",
    space: Space::Any,
    reach: Reach::Pixel,
    params: &[],
    identity: &[],
    stages: one,
    text: include_str!("gray.wgsl"),
};
