//! `kind = "afterimage"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, number, whole};

pub const ROW: Effect = Effect {
    name: "afterimage",
    doc: "Bright things leave trails that fade, as on an old screen or a slow sensor.",
    formula: "the greater of the picture and of `kept` times what this was one frame before, for `frames` frames",
    source: "persistence of phosphor",
    space: Space::Any,
    reach: Reach::Pixel,
    params: &[
        whole("frames", 16, [1, 64], "From how many frames before trails are seen, at least."),
        number("kept", 0.8, [0.0, 1.0], "What is left of a trail after a frame."),
    ],
    identity: &[("kept", 0.0)],
    stages: trailed,
    text: include_str!("afterimage.wgsl"),
};

fn trailed(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![Stage { reads: vec![Read::Input, Read::Before(0)], ..Stage::of_input("apply") }]
}
