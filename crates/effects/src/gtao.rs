//! `kind = "gtao"`.

use super::Values;
use super::occlusion::{BOUNCES, POWER, RADIUS_HEIGHTS, RADIUS_M, stages};
use super::row::{Effect, Reach, Space, Stage, choice, number, whole};

pub const ROW: Effect = Effect {
    name: "gtao",
    doc: "Ambient occlusion from horizons: less light from around reaches corners and gaps. Direct light stays.",
    formula: "the share of the cosine-weighted hemisphere that is free, between the highest horizons within the radius of `slices` planes through the eye's ray, `steps` depths to each side; the mean of 4 x 4 pixels; to the power `power`; with `bounces`, a cubic in it and the luminance of the surface's colour",
    source: "Jimenez, Wu, Pesce, Jarabo 2016",
    space: Space::Occlusion,
    reach: Reach::Others,
    params: &[
        RADIUS_M,
        RADIUS_HEIGHTS,
        number("falloff", 0.4, [0.0, 1.0], "Outer share of the radius over which occlusion fades."),
        whole("slices", 2, [1, 16], "Planes for each pixel. A pattern of 16 pixels has 16 times as many."),
        whole("steps", 12, [1, 64], "Depths that are read on each side of a plane."),
        POWER,
        BOUNCES,
        choice(
            "size",
            "full",
            &["full", "half"],
            "`half` reads every other pixel of every other row, which is up to four times as fast.",
        ),
    ],
    identity: &[],
    stages: two,
    text: include_str!("gtao.wgsl"),
};

fn two(values: &Values, _: [u32; 2]) -> Vec<Stage> {
    stages("horizons", values.number("size") as u32)
}
