//! `kind = "night_vision"`.

use super::row::{Effect, Reach, Space, color, number, one, whole};

pub const ROW: Effect = Effect {
    name: "night_vision",
    doc: "An image intensifier: faint light becomes bright, in the colour of a phosphor, with the noise of few photons.",
    formula: "`color` times 1 - exp(-x), x = 2^`gain_ev` times the luminance plus `noise` times its root times noise with a deviation of 1; dark outside of a circle of radius `tube`",
    source: "",
    space: Space::Hdr,
    reach: Reach::Pixel,
    params: &[
        number("strength", 1.0, [0.0, 1.0], "How much of it is seen."),
        number("gain_ev", 4.0, [-20.0, 20.0], "Stops by which light is amplified."),
        color("color", &[0.25, 1.0, 0.35], 16.0, "Light of the phosphor at most."),
        number("noise", 0.15, [0.0, 4.0], "Deviation where x is 1."),
        number("tube", 0.0, [0.0, 4.0], "Radius of what is seen, as a share of the height. At 0 all of it is seen."),
        whole("seed", 1, [0, 16777215], "Another number gives other noise."),
    ],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("night_vision.wgsl"),
};
