//! `kind = "blend"`.

use super::Values;
use super::row::{Effect, Reach, Read, Space, Stage, choice, number};

pub const ROW: Effect = Effect {
    name: "blend",
    doc: "Puts two pictures together: `input` and `with`.",
    formula: "the mix of `input` a and, with b of `with`, one of b, a + b, a b, a + b (1 - min(a, 1)), max, min, b over a, by `share`",
    source: "Porter, Duff 1984",
    space: Space::Any,
    reach: Reach::Pixel,
    params: &[
        number("share", 1.0, [0.0, 1.0], "How much of the result."),
        choice(
            "mode",
            "mix",
            &["mix", "add", "multiply", "screen", "lighten", "darken", "over"],
            "What the result is.",
        ),
    ],
    identity: &[("share", 0.0)],
    stages: both,
    text: include_str!("blend.wgsl"),
};

fn both(_: &Values, _: [u32; 2]) -> Vec<Stage> {
    vec![Stage { reads: vec![Read::Input, Read::With], ..Stage::of_input("apply") }]
}
