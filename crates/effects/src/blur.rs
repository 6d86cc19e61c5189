//! `kind = "blur"`.

use super::row::{Effect, Reach, Read, Space, Stage, choice, number};
use super::Values;

pub const ROW: Effect = Effect {
    name: "blur",
    doc: "Blurs by a Gauss or a box.",
    formula: "weights exp(-x^2 / (2 `sigma_px`^2)) to 3 sigma, along rows, then along columns; a `box` is as wide as has that deviation",
    source: "",
    space: Space::Any,
    reach: Reach::Others,
    params: &[number("sigma_px", 2.0, [0.0, 64.0], "Standard deviation, in pixels."), choice("shape", "gauss", &["gauss", "box"], "The weights.")],
    identity: &[("sigma_px", 0.0)],
    stages: two,
    text: include_str!("blur.wgsl"),
};

fn two(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![Stage::of_input("rows"), Stage { reads: vec![Read::Stage(0)], ..Stage::of_input("columns") }]
}
