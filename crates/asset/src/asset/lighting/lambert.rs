//! Lambert: the same radiance in every direction.

use super::{Case, LightingModel};

pub const ROW: LightingModel = LightingModel {
    name: "lambert",
    doc: "A matt surface without any highlight.",
    formula: "`base / pi * nl`",
    source: "Lambert, Photometria, 1760.",
    text: include_str!("lambert.wgsl"),
    cases: &[Case { is_reciprocal: true, albedo_max: Some(1.0), around_within: Some(1e-4), ..Case::PLAIN }],
    ..LightingModel::PLAIN
};
