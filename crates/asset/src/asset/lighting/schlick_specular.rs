//! Schlick's highlight: Phong's without a power.

use super::{Case, LightingModel, Param, color, number, roughness_of_power};

const PARAMS: &[Param] = &[
    color("specular_color", &[0.5, 0.5, 0.5], "Colour of the highlight."),
    number("exponent", 32.0, [2.0, 10_000.0], "The larger, the smaller the highlight."),
];

pub const ROW: LightingModel = LightingModel {
    name: "schlick_specular",
    doc: "A fraction in place of Phong's power: a sharp middle with a wide skirt.",
    formula: "`base / pi * nl + specular / pi * t / (n - n t + t)` with `t = max(rv, 0)`, where `nl > 0`",
    source: "Schlick, A Fast Alternative to Phong's Specular Model, Graphics Gems IV, 1994. A lamp of the books of intensity 1 is one of pi lux.",
    params: PARAMS,
    smoothest: |own, _| roughness_of_power(4.0 * own.value("exponent")[0]),
    text: include_str!("schlick_specular.wgsl"),
    cases: &[Case { within: 5e-3, ..Case::PLAIN }],
    ..LightingModel::PLAIN
};
