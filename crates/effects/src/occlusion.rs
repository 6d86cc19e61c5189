//! Occlusion: what effects of ambient occlusion share.

use super::row::{Param, Read, Stage, flag, number};

pub const RADIUS_M: Param = number("radius_m", 0.5, [1e-4, 1e6], "Things farther away do not occlude.");
pub const RADIUS_HEIGHTS: Param = number(
    "radius_heights",
    0.0,
    [0.0, 2.0],
    "If above 0, the radius is this share of the picture's height, at every distance, instead of `radius_m`.",
);
pub const POWER: Param = number("power", 1.0, [0.1, 8.0], "Higher values darken gaps.");

pub const BOUNCES: Param = flag(
    "bounces",
    false,
    "Whether light that comes off the sides of gaps counts: bright surfaces are less dark there.",
);

/// A stage that leaves shares and distances, and the one that takes the means of its patterns.
pub fn stages(shares: &'static str, halvings: u32) -> Vec<Stage> {
    let first = Stage { reads: vec![Read::Depth], halvings, ..Stage::of_input(shares) };
    vec![first, Stage { reads: vec![Read::Depth, Read::Stage(0)], ..Stage::of_input("apply") }]
}
