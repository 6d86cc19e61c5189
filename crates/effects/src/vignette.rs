//! `kind = "vignette"`.

use super::row::{Effect, Reach, Space, choice, number, one};

pub const ROW: Effect = Effect {
    name: "vignette",
    doc: "Pictures darken towards their corners.",
    formula: "`natural` cos^4 of the angle whose tangent is r tan(`angle_deg`); `artistic` 1 - `strength` r^(2 `power`); r is 1 at half the diagonal",
    source: "",
    space: Space::Any,
    reach: Reach::Pixel,
    params: &[choice("shape", "artistic", &["artistic", "natural"], "How light falls off."), number("strength", 0.3, [0.0, 1.0], "How dark corners are."), number("power", 1.0, [0.1, 8.0], "Of `artistic`: above 1 only corners darken."), number("angle_deg", 30.0, [0.0, 80.0], "Of `natural`: how far corners are from the axis.")],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("vignette.wgsl"),
};
