//! `kind = "distortion"`.

use super::row::{Effect, Reach, Space, number, one};

pub const ROW: Effect = Effect {
    name: "distortion",
    doc: "Barrel and cushion distortion of lenses.",
    formula: "a point at radius r, 1 at half the diagonal, shows what is at r (1 + `k1` r^2 + `k2` r^4) / `zoom`",
    source: "Brown 1966",
    space: Space::Any,
    reach: Reach::Others,
    params: &[number("k1", 0.0, [-1.0, 1.0], "Above 0 barrel, below 0 cushion."), number("k2", 0.0, [-1.0, 1.0], "The same, further out."), number("zoom", 1.0, [0.1, 10.0], "Above 1 hides empty corners.")],
    identity: &[("k1", 0.0), ("k2", 0.0), ("zoom", 1.0)],
    stages: one,
    text: include_str!("distortion.wgsl"),
};
