//! `kind = "ssao"`.

use super::Values;
use super::occlusion::{BOUNCES, POWER, RADIUS_HEIGHTS, RADIUS_M, stages};
use super::row::{Effect, Reach, Space, Stage, number, whole};

pub const ROW: Effect = Effect {
    name: "ssao",
    doc: "Ambient occlusion from points around each surface: faster and coarser than `gtao`. Direct light stays.",
    formula: "the share of `taps` points of a hemisphere of the radius that are not hidden; a surface hides a point if it is before it, by less than the radius, and rises above the plane of the hemisphere; the mean of 4 x 4 pixels; to the power `power`",
    source: "Filion, McNaughton 2008",
    space: Space::Occlusion,
    reach: Reach::Others,
    params: &[
        RADIUS_M,
        RADIUS_HEIGHTS,
        whole("taps", 16, [1, 64], "Points for each pixel."),
        number(
            "bias",
            0.02,
            [0.0, 1.0],
            "A surface hides points only if it rises above the plane by more than this share of the radius.",
        ),
        POWER,
        BOUNCES,
    ],
    identity: &[],
    stages: two,
    text: include_str!("ssao.wgsl"),
};

fn two(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    stages("points", 0)
}
