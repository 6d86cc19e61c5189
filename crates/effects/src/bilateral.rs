//! `kind = "bilateral"`.

use super::row::{Effect, Reach, Space, number, one};

pub const ROW: Effect = Effect {
    name: "bilateral",
    doc: "A blur that keeps edges: pixels of another colour count less.",
    formula: "the mean of the pixels up to 3 `sigma_px` away each way, weighed by exp(-d^2 / (2 `sigma_px`^2) - e^2 / (2 `sigma_color`^2)), d the distance in pixels, e that of the colours",
    source: "Tomasi, Manduchi 1998",
    space: Space::Any,
    reach: Reach::Others,
    params: &[
        number("sigma_px", 2.0, [0.0, 4.0], "Standard deviation over places, in pixels."),
        number("sigma_color", 0.1, [0.001, 1e4], "Standard deviation over colours: a greater difference is an edge."),
    ],
    identity: &[("sigma_px", 0.0)],
    stages: one,
    text: include_str!("bilateral.wgsl"),
};
