//! `kind = "aberration"`.

use super::row::{Effect, Reach, Space, number, one};

pub const ROW: Effect = Effect {
    name: "aberration",
    doc: "Lateral chromatic aberration: lenses enlarge red and blue differently.",
    formula: "red is enlarged by 1 + `strength` r^2, blue by 1 - `strength` r^2; r is 1 at half the diagonal",
    source: "",
    space: Space::Any,
    reach: Reach::Others,
    params: &[number("strength", 0.004, [-0.2, 0.2], "How far red and blue part at the corners, as a share of half the diagonal.")],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("aberration.wgsl"),
};
