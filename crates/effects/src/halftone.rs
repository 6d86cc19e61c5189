//! `kind = "halftone"`.

use super::row::{Effect, Reach, Space, choice, number, one};

pub const ROW: Effect = Effect {
    name: "halftone",
    doc: "Print: dots or lines whose width shows how dark it is.",
    formula: "black where the screen function of the turned grid is above the luminance",
    source: "",
    space: Space::Ldr,
    reach: Reach::Pixel,
    params: &[number("size_px", 6.0, [2.0, 256.0], "Distance of the dots."), number("angle_deg", 45.0, [-360.0, 360.0], "How the grid is turned."), choice("shape", "dots", &["dots", "lines"], "What is printed."), choice("ink", "black", &["black", "color"], "`color`: each channel has a screen of its own.")],
    identity: &[],
    stages: one,
    text: include_str!("halftone.wgsl"),
};
