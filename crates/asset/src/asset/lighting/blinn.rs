//! Blinn: a power of the cosine between the normal and the half vector.

use super::{Case, LightingModel, Param, color, flag, number, roughness_of_power};

const PARAMS: &[Param] = &[
    color("specular_color", &[0.5, 0.5, 0.5], "Colour of the highlight."),
    number("exponent", 64.0, [1.0, 10_000.0], "The larger, the smaller the highlight."),
    flag("normalized", "Whether a sharper highlight is brighter, so that all of them return alike much light."),
];

pub const ROW: LightingModel = LightingModel {
    name: "blinn",
    doc: "The highlight of old graphics books, about the half vector.",
    formula: "`base / pi * nl + specular / pi * nh^n` where `nl > 0`; with `normalized` the second term is `specular (n + 8) / (8 pi) * nh^n * nl`",
    source: "Blinn, Models of Light Reflection for Computer Synthesized Pictures, 1977; the factor (n + 8) / (8 pi) is Hoffman's, Real-Time Rendering, 3rd edition, 2008, and returns up to 8 % more than all light. A lamp of the books of intensity 1 is one of pi lux.",
    params: PARAMS,
    smoothest: |own, _| roughness_of_power(own.value("exponent")[0]),
    text: include_str!("blinn.wgsl"),
    cases: &[
        Case { set: &[("normalized", [0.0; 3])], within: 2e-3, ..Case::PLAIN },
        Case {
            set: &[("normalized", [1.0; 3]), ("specular_color", [0.4, 0.3, 0.2])],
            base_max: 0.5,
            is_reciprocal: true,
            albedo_max: Some(1.0),
            within: 2e-3,
            ..Case::PLAIN
        },
    ],
    ..LightingModel::PLAIN
};
