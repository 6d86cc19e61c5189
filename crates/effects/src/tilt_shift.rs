//! `kind = "tilt_shift"`.

use super::row::{Effect, Reach, Read, Space, Stage, number};
use super::Values;

pub const ROW: Effect = Effect {
    name: "tilt_shift",
    doc: "A band of the picture stays sharp, and the rest is blurred: places look like models of themselves.",
    formula: "a Gauss along rows, then along columns, whose deviation grows from 0 at `band` to `sigma_px` at `band` + `ramp` away from `center`, in heights of the picture",
    source: "",
    space: Space::Any,
    reach: Reach::Others,
    params: &[number("center", 0.5, [-1.0, 2.0], "Where the band is: 0 at the top, 1 at the bottom."), number("band", 0.1, [0.0, 1.0], "Half the height of what is sharp."), number("ramp", 0.3, [0.001, 2.0], "Over which height the blur grows."), number("sigma_px", 4.0, [0.0, 32.0], "The largest standard deviation, in pixels."), number("angle_deg", 0.0, [-180.0, 180.0], "How the band is turned.")],
    identity: &[("sigma_px", 0.0)],
    stages: two,
    text: include_str!("tilt_shift.wgsl"),
};

fn two(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![Stage::of_input("rows"), Stage { reads: vec![Read::Stage(0)], ..Stage::of_input("columns") }]
}
