//! `kind = "smaa"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, flag, number, whole};

pub const ROW: Effect = Effect {
    name: "smaa",
    doc: "Smooths edges by the shapes that they make. Straight edges along rows and columns stay as they are.",
    formula: "an edge has more contrast than `threshold`, and half of that of its neighbours; each pixel next to one is mixed with the pixel across by the area that the line between the ends of the edge cuts off",
    source: "Jimenez et al. 2012 (SMAA 1x)",
    space: Space::Ldr,
    reach: Reach::Others,
    params: &[
        number("threshold", 0.1, [0.0, 1.0], "Edges have more contrast than this, in encoded luminance or alpha."),
        whole("search_px", 32, [1, 128], "How far along an edge its ends are looked for, each way."),
        flag("diagonals", true, "Whether stairs of steps of one and two pixels are seen as one line."),
        number("corner", 0.0, [0.0, 1.0], "How much right-angled corners are rounded."),
    ],
    identity: &[("threshold", 1.0)],
    stages: four,
    text: include_str!("smaa.wgsl"),
};

/// Lights, edges, how much pixels mix, and the picture.
fn four(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![
        Stage::of_input("lights"),
        Stage { reads: vec![Read::Stage(0)], ..Stage::of_input("edges") },
        Stage { reads: vec![Read::Stage(1)], ..Stage::of_input("weights") },
        Stage { reads: vec![Read::Input, Read::Stage(2)], ..Stage::of_input("blend") },
    ]
}
