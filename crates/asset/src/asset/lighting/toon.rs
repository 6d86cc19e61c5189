//! Toon: light in bands, as in drawings.

use super::{Case, LightingModel, Param, color, number};

const PARAMS: &[Param] = &[
    number("bands", 3.0, [2.0, 16.0], "Number of bands from dark to light, whole."),
    number("softness", 0.05, [0.0, 1.0], "Share of a band over which it becomes the next."),
    color("specular_color", &[0.0, 0.0, 0.0], "Colour of a highlight with a hard edge."),
    number("specular_size", 0.1, [0.0, 1.0], "Size of the highlight: 1 - nh at its edge is the square of it."),
    color("rim_color", &[0.0, 0.0, 0.0], "Colour of a rim on the lit side."),
    number("rim_width", 0.3, [0.0, 1.0], "Width of the rim: the cosine to the eye at its edge."),
];

pub const ROW: LightingModel = LightingModel {
    name: "toon",
    doc: "Light in bands, with a hard highlight and a rim, as in drawings.",
    formula: "`(base / pi * ramp(nl) + specular / pi * edge(nh) + rim / pi * edge(nv) * nl)` where `nl > 0`; `ramp` has `bands` equal steps from 0 to 1",
    source: "Lake et al., Stylized Rendering Techniques for Scalable Real-Time 3D Animation, 2000, with the ramp as a formula. Light from everywhere is flat: the base colour.",
    params: PARAMS,
    text: include_str!("toon.wgsl"),
    cases: &[Case { set: &[("softness", [0.5, 0.0, 0.0])], within: 1e-2, ..Case::PLAIN }],
    ..LightingModel::PLAIN
};
