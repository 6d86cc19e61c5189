//! `kind = "kuwahara"`.

use super::row::{Effect, Reach, Space, one, whole};

pub const ROW: Effect = Effect {
    name: "kuwahara",
    doc: "A painted look: edges stay, the rest becomes patches.",
    formula: "of the four squares that meet at the pixel, the mean of the one that varies least",
    source: "Kuwahara et al. 1976",
    space: Space::Any,
    reach: Reach::Others,
    params: &[whole("radius_px", 4, [0, 16], "Side of the squares, less 1.")],
    identity: &[("radius_px", 0.0)],
    stages: one,
    text: include_str!("kuwahara.wgsl"),
};
