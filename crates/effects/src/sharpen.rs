//! `kind = "sharpen"`.

use super::row::{Effect, Reach, Space, number, one};

pub const ROW: Effect = Effect {
    name: "sharpen",
    doc: "Sharpens edges, more where contrast is low.",
    formula: "weights of the four neighbours from the room that their least and greatest leave, by `strength` from 1/8 to 1/5",
    source: "AMD FidelityFX CAS 2019",
    space: Space::Ldr,
    reach: Reach::Others,
    params: &[number("strength", 0.5, [0.0, 1.0], "How much.")],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("sharpen.wgsl"),
};
