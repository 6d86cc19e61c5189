//! `kind = "taa"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, choice, number, whole};

pub const ROW: Effect = Effect {
    name: "taa",
    doc: "Smooths edges by the frames before: each is taken at another point of its pixels and follows what moves. Set `samples = 1` of `[output]` with it.",
    formula: "mix of the frames before, at the place that the nearest surface around came from, and of this one, by 1 / their number; the frames before are clipped to the mean and `gamma` standard deviations of the 3x3 pixels around, in YCoCg",
    source: "Karis 2014; Salvi 2016",
    space: Space::Any,
    reach: Reach::Others,
    params: &[
        whole("frames", 16, [1, 64], "How many frames it is the mean of. The points of 16 are spread evenly."),
        choice("clip", "variance", &["variance", "none"], "How frames before are kept from leaving trails; `none` is right where nothing moves."),
        number("gamma", 1.0, [0.0, 8.0], "How far they may be from the mean around, in standard deviations."),
    ],
    identity: &[("frames", 1.0)],
    stages: resolved,
    text: include_str!("taa.wgsl"),
};

fn resolved(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    let reads = vec![Read::Input, Read::Before(0), Read::Motion, Read::Depth];
    vec![Stage { reads, ..Stage::of_input("apply") }]
}
