//! `kind = "gtao"`.

use super::row::{Effect, Reach, Read, Space, Stage, choice, number, whole};
use super::Values;

pub const ROW: Effect = Effect {
    name: "gtao",
    doc: "Ambient occlusion from horizons: light from around does not reach corners and gaps. Lights of the scene are not changed.",
    formula: "the share of the cosine-weighted hemisphere that is free, between the highest horizons within the radius of `slices` planes through the eye's ray, `steps` depths to each side; the mean of 4 x 4 pixels; to the power `power`",
    source: "Jimenez, Wu, Pesce, Jarabo 2016",
    space: Space::Occlusion,
    reach: Reach::Others,
    params: &[number("radius_m", 0.5, [1e-4, 1e6], "What is farther away keeps nothing away."), number("radius_heights", 0.0, [0.0, 2.0], "Where it is above 0, the radius is this part of the height of what is seen at each distance, instead of `radius_m`."), number("falloff", 0.4, [0.0, 1.0], "Part of the radius over which what is near counts less and less."), whole("slices", 2, [1, 16], "Planes for each pixel; 16 pixels together have 16 times as many."), whole("steps", 12, [1, 64], "Depths to each side of a plane."), number("power", 1.0, [0.1, 8.0], "More makes gaps darker."), choice("size", "full", &["full", "half"], "`half` looks at every other pixel of every other row: four times as fast.")],
    identity: &[],
    stages: two,
    text: include_str!("gtao.wgsl"),
};

fn two(values: &Values, _: [u32; 2]) -> Vec<Stage> {
    let halvings = values.number("size") as u32;
    let first = Stage { reads: vec![Read::Depth], halvings, ..Stage::of_input("horizons") };
    vec![first, Stage { reads: vec![Read::Depth, Read::Stage(0)], ..Stage::of_input("apply") }]
}
