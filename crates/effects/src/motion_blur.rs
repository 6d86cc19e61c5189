//! `kind = "motion_blur"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, number, whole};

pub const ROW: Effect = Effect {
    name: "motion_blur",
    doc: "What moves is blurred along its way, as in a picture whose shutter is open for a time, from one picture. What moving things hide is a guess; `[accumulate] shutter` is right.",
    formula: "of `taps` points along the longest way of the squares of 16 pixels around, each pixel gathers those that pass over it, and what it passes over itself, by what is before and what is behind",
    source: "McGuire et al. 2012; Jimenez 2014",
    space: Space::Hdr,
    reach: Reach::Others,
    params: &[
        number("shutter", 0.5, [0.0, 1.0], "How long the shutter is open, as a share of the time from frame to frame."),
        whole("taps", 16, [2, 64], "How many points each pixel gathers."),
        number("length_max_px", 32.0, [0.0, 64.0], "Longer ways are cut."),
    ],
    identity: &[("shutter", 0.0)],
    stages: three,
    text: include_str!("motion_blur.wgsl"),
};

fn three(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![
        Stage { reads: vec![Read::Motion], halvings: 4, ..Stage::of_input("longest") },
        Stage { reads: vec![Read::Stage(0)], halvings: 4, ..Stage::of_input("around") },
        Stage {
            reads: vec![Read::Motion, Read::Stage(1), Read::Input, Read::Depth],
            ..Stage::of_input("gather")
        },
    ]
}
