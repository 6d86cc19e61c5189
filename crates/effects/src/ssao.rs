//! `kind = "ssao"`.

use super::row::{Effect, Reach, Read, Space, Stage, number, whole};
use super::Values;

pub const ROW: Effect = Effect {
    name: "ssao",
    doc: "Ambient occlusion from points around each surface: faster and coarser than `gtao`. Direct light stays.",
    formula: "the share of `taps` points of a hemisphere of the radius that are not hidden; a surface hides a point if it is before it, by less than the radius, and rises above the plane of the hemisphere; the mean of 4 x 4 pixels; to the power `power`",
    source: "Filion, McNaughton 2008",
    space: Space::Occlusion,
    reach: Reach::Others,
    params: &[number("radius_m", 0.5, [1e-4, 1e6], "Things farther away do not occlude."), number("radius_heights", 0.0, [0.0, 2.0], "If above 0, the radius is this share of the picture's height, at every distance, instead of `radius_m`."), whole("taps", 16, [1, 64], "Points for each pixel."), number("bias", 0.02, [0.0, 1.0], "A surface hides points only if it rises above the plane by more than this share of the radius."), number("power", 1.0, [0.1, 8.0], "Higher values darken gaps.")],
    identity: &[],
    stages: two,
    text: include_str!("ssao.wgsl"),
};

fn two(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    let first = Stage { reads: vec![Read::Depth], ..Stage::of_input("points") };
    vec![first, Stage { reads: vec![Read::Depth, Read::Stage(0)], ..Stage::of_input("apply") }]
}
