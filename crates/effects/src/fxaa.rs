//! `kind = "fxaa"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, number};

pub const ROW: Effect = Effect {
    name: "fxaa",
    doc: "Smooths edges that the picture shows, without knowing what is drawn.",
    formula: "the pixel next to the edge, by how near its end is; `subpixel` of the difference to the mean of 3 x 3",
    source: "Lottes 2009 (FXAA 3.11)",
    space: Space::Ldr,
    reach: Reach::Others,
    params: &[number("subpixel", 0.75, [0.0, 1.0], "How much single pixels are smoothed."), number("threshold", 0.125, [0.0, 1.0], "Edges have more contrast, as a share of the lightest pixel."), number("threshold_dark", 0.0312, [0.0, 1.0], "Edges have more contrast than this.")],
    identity: &[("threshold", 1.0), ("threshold_dark", 1.0)],
    stages: two,
    text: include_str!("fxaa.wgsl"),
};

/// Lights, and the picture.
fn two(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![
        Stage::of_input("lights"),
        Stage { reads: vec![Read::Input, Read::Stage(0)], ..Stage::of_input("apply") },
    ]
}
