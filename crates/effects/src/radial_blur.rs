//! `kind = "radial_blur"`.

use super::row::{Effect, Reach, Space, number, one, pair, whole};

pub const ROW: Effect = Effect {
    name: "radial_blur",
    doc: "Blurs towards a point.",
    formula: "the mean of `taps` points on the way to `center`, up to the share `strength` of it",
    source: "",
    space: Space::Any,
    reach: Reach::Others,
    params: &[number("strength", 0.1, [0.0, 1.0], "How far each pixel is drawn out, as a share of the way to the centre."), pair("center", &[0.5, 0.5], [-4.0, 5.0], "From 0 to 1, right and down."), whole("taps", 16, [2, 64], "How many points the mean is of.")],
    identity: &[("strength", 0.0)],
    stages: one,
    text: include_str!("radial_blur.wgsl"),
};
