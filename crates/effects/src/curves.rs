//! `kind = "curves"`.

use super::row::{Effect, Reach, Space, color, number, one};

pub const ROW: Effect = Effect {
    name: "curves",
    doc: "Tone curves: one for each channel, then one for all of them.",
    formula: "encoded x of each channel goes through the curve of its channel, then through the `master` curve; a curve is a monotone cubic through its values at 0, 1/4, 1/2, 3/4 and 1, whose slopes at inner points are the mean of both sides, at most three times the lesser one, and 0 at a turn",
    source: "Fritsch, Carlson 1980",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[
        number("master_black", 0.0, [0.0, 1.0], "What 0 becomes."),
        number("master_shadows", 0.25, [0.0, 1.0], "What 1/4 becomes."),
        number("master_mids", 0.5, [0.0, 1.0], "What 1/2 becomes."),
        number("master_lights", 0.75, [0.0, 1.0], "What 3/4 becomes."),
        number("master_white", 1.0, [0.0, 1.0], "What 1 becomes."),
        color("black", &[0.0, 0.0, 0.0], 1.0, "What 0 becomes in red, green and blue."),
        color("shadows", &[0.25, 0.25, 0.25], 1.0, "What 1/4 becomes in red, green and blue."),
        color("mids", &[0.5, 0.5, 0.5], 1.0, "What 1/2 becomes in red, green and blue."),
        color("lights", &[0.75, 0.75, 0.75], 1.0, "What 3/4 becomes in red, green and blue."),
        color("white", &[1.0, 1.0, 1.0], 1.0, "What 1 becomes in red, green and blue."),
    ],
    identity: &[
        ("master_black", 0.0),
        ("master_shadows", 0.25),
        ("master_mids", 0.5),
        ("master_lights", 0.75),
        ("master_white", 1.0),
        ("black", 0.0),
        ("shadows", 0.25),
        ("mids", 0.5),
        ("lights", 0.75),
        ("white", 1.0),
    ],
    stages: one,
    text: include_str!("curves.wgsl"),
};
