//! `kind = "gtao"`.

use super::row::{Effect, Reach, Read, Space, Stage, choice, number, whole};
use super::Values;

pub const ROW: Effect = Effect {
    name: "gtao",
    doc: "Ambient occlusion from horizons: less light from around reaches corners and gaps. Direct light stays.",
    formula: "the share of the cosine-weighted hemisphere that is free, between the highest horizons within the radius of `slices` planes through the eye's ray, `steps` depths to each side; the mean of 4 x 4 pixels; to the power `power`",
    source: "Jimenez, Wu, Pesce, Jarabo 2016",
    space: Space::Occlusion,
    reach: Reach::Others,
    params: &[number("radius_m", 0.5, [1e-4, 1e6], "Things farther away do not occlude."), number("radius_heights", 0.0, [0.0, 2.0], "If above 0, the radius is this share of the picture's height, at every distance, instead of `radius_m`."), number("falloff", 0.4, [0.0, 1.0], "Outer share of the radius over which occlusion fades."), whole("slices", 2, [1, 16], "Planes for each pixel. A pattern of 16 pixels has 16 times as many."), whole("steps", 12, [1, 64], "Depths that are read on each side of a plane."), number("power", 1.0, [0.1, 8.0], "Higher values darken gaps."), choice("size", "full", &["full", "half"], "`half` reads every other pixel of every other row, which is up to four times as fast.")],
    identity: &[],
    stages: two,
    text: include_str!("gtao.wgsl"),
};

fn two(values: &Values, _: [u32; 2]) -> Vec<Stage> {
    let halvings = values.number("size") as u32;
    let first = Stage { reads: vec![Read::Depth], halvings, ..Stage::of_input("horizons") };
    vec![first, Stage { reads: vec![Read::Depth, Read::Stage(0)], ..Stage::of_input("apply") }]
}
