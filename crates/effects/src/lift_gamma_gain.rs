//! `kind = "lift_gamma_gain"`.

use super::row::{Effect, Reach, Space, color, one, triple};

pub const ROW: Effect = Effect {
    name: "lift_gamma_gain",
    doc: "Grades shadows, middle tones and lights.",
    formula: "encoded x becomes (`gain` (x + `lift` (1 - x))) to the 1 / `gamma`",
    source: "",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[triple("lift", &[0.0, 0.0, 0.0], [-1.0, 1.0], "Is added to black."), color("gamma", &[1.0, 1.0, 1.0], 8.0, "Above 1 brightens middle tones."), color("gain", &[1.0, 1.0, 1.0], 8.0, "Multiplies white.")],
    identity: &[("lift", 0.0), ("gamma", 1.0), ("gain", 1.0)],
    stages: one,
    text: include_str!("lift_gamma_gain.wgsl"),
};
