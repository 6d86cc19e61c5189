//! Custom: nodes say what each light sends to the eye.

use super::{Case, Limit, LightingModel};

pub const ROW: LightingModel = LightingModel {
    name: "custom",
    doc: "Nodes say what each light sends to the eye: `radiance` names one, and the node `light` says what arrives. Without `radiance` it is `lambert`.",
    formula: "What `radiance` names, for each light where something of it arrives, and 0 elsewhere. Where no node reads `shadow` of `light`, its shadow multiplies it. Without `radiance`: `base / pi * nl`",
    source: "The custom root of material graphs in engine books, as in Unreal's and Unity's custom lighting nodes, 2012 to 2020. What is the same for all lights is computed once a pixel. Light from everywhere is Lambert's of the base colour.",
    text: include_str!("custom.wgsl"),
    cases: &[Case {
        is_reciprocal: true,
        albedo_max: Some(1.0),
        around_within: Some(1e-3),
        ..Case::PLAIN
    }],
    limits: &[Limit { set: &[], of: "lambert", other_set: &[], metallic: 0.0 }],
    ..LightingModel::PLAIN
};
