//! `kind = "false_color"`.

use super::row::{Effect, Reach, Space, number, one};

pub const ROW: Effect = Effect {
    name: "false_color",
    doc: "Shows exposure as colours: each colour is a stop. It is for looking at light, so tone mapping should be `none`.",
    formula: "stops of the luminance from `grey`: below -6 black, then violet, blue, cyan, green (from -1/2 to 1/2), yellow, orange, red, and white from 6 on",
    source: "",
    space: Space::Hdr,
    reach: Reach::Pixel,
    params: &[number("grey", 0.18, [0.0001, 1e4], "The luminance of stop 0.")],
    identity: &[],
    stages: one,
    text: include_str!("false_color.wgsl"),
};
