//! `kind = "ssao"`.

use super::row::{Effect, Reach, Read, Space, Stage, number, whole};
use super::Values;

pub const ROW: Effect = Effect {
    name: "ssao",
    doc: "Ambient occlusion from points about each surface: faster and coarser than `gtao`. Lights of the scene are not changed.",
    formula: "the share of `taps` points of a hemisphere of the radius that are before what is seen there, or behind it by more than the radius; the mean of 4 x 4 pixels; to the power `power`",
    source: "Filion, McNaughton 2008",
    space: Space::Occlusion,
    reach: Reach::Others,
    params: &[number("radius_m", 0.5, [1e-4, 1e6], "What is farther away keeps nothing away."), number("radius_heights", 0.0, [0.0, 2.0], "Where it is above 0, the radius is this part of the height of what is seen at each distance, instead of `radius_m`."), whole("taps", 16, [1, 64], "Points for each pixel."), number("bias", 0.02, [0.0, 1.0], "What hides a point rises above the surface by more than this part of the radius."), number("power", 1.0, [0.1, 8.0], "More makes gaps darker.")],
    identity: &[],
    stages: two,
    text: include_str!("ssao.wgsl"),
};

fn two(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    let first = Stage { reads: vec![Read::Depth], ..Stage::of_input("points") };
    vec![first, Stage { reads: vec![Read::Depth, Read::Stage(0)], ..Stage::of_input("apply") }]
}
