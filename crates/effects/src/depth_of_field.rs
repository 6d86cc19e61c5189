//! `kind = "depth_of_field"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, number};

pub const ROW: Effect = Effect {
    name: "depth_of_field",
    doc: "What is not in focus is blurred, as a lens does it, from one picture. Edges of near things and what they hide are a guess; `[accumulate] lens` is right.",
    formula: "circles of diameter `aperture_m` |z - f| / (z f) in the tangent of the angle of view, z the distance along the view axis, f `focus_m`; each pixel gathers points of up to 10 rings about it whose circles reach it, by the inverse of their areas",
    source: "Potmesil, Chakravarty 1981; Jimenez 2014",
    space: Space::Hdr,
    reach: Reach::Others,
    params: &[
        number("focus_m", 3.0, [1e-3, 1e6], "What is this far away along the view axis is sharp."),
        number("aperture_m", 0.05, [0.0, 10.0], "Diameter of the lens: focal length over f-number."),
        number("radius_max_px", 16.0, [0.0, 64.0], "Wider circles are not drawn."),
    ],
    identity: &[("aperture_m", 0.0)],
    stages: three,
    text: include_str!("depth_of_field.wgsl"),
};

fn three(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![
        Stage { reads: vec![Read::Depth], ..Stage::of_input("circles") },
        Stage { reads: vec![Read::Stage(0)], halvings: 4, ..Stage::of_input("reach") },
        Stage { reads: vec![Read::Input, Read::Stage(0), Read::Stage(1)], ..Stage::of_input("gather") },
    ]
}
