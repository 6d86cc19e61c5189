//! Phong: a power of the cosine to the mirror direction.

use super::{Case, LightingModel, Param, color, flag, number, roughness_of_power};

const PARAMS: &[Param] = &[
    color("specular_color", &[0.5, 0.5, 0.5], "Colour of the highlight."),
    number("exponent", 32.0, [1.0, 10_000.0], "The larger, the smaller the highlight."),
    flag("normalized", "Whether a sharper highlight is brighter, so that all of them return alike much light."),
];

pub const ROW: LightingModel = LightingModel {
    name: "phong",
    doc: "The highlight of old graphics books, about the mirror direction.",
    formula: "`base / pi * nl + specular / pi * max(rv, 0)^n` where `nl > 0`; with `normalized` the second term is `specular (n + 2) / (2 pi) * max(rv, 0)^n * nl`",
    source: "Phong, Illumination for Computer Generated Pictures, 1975; Lafortune, Willems, Using the Modified Phong Reflectance Model, 1994. A lamp of the books of intensity 1 is one of pi lux. What a mirror shows is weighed as if no part of the lobe were below the horizon.",
    params: PARAMS,
    smoothest: |own, _| roughness_of_power(4.0 * own.value("exponent")[0]),
    text: include_str!("phong.wgsl"),
    cases: &[
        Case { set: &[("normalized", [0.0; 3])], within: 2e-3, ..Case::PLAIN },
        Case {
            set: &[("normalized", [1.0; 3]), ("specular_color", [0.4, 0.3, 0.2])],
            base_max: 0.6,
            is_reciprocal: true,
            albedo_max: Some(1.0),
            within: 2e-3,
            ..Case::PLAIN
        },
    ],
    ..LightingModel::PLAIN
};
