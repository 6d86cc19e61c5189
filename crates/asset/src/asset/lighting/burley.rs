//! Burley: the diffuse lobe of the principled model.

use super::{Case, LightingModel};

pub const ROW: LightingModel = LightingModel {
    name: "burley",
    doc: "Disney's matt surface: darker at its edge where smooth, brighter where rough. `roughness` is its roughness.",
    formula: "`base / pi * (1 + (f90 - 1) (1 - nl)^5) (1 + (f90 - 1) (1 - nv)^5) * nl` with `f90 = 0.5 + 2 r vh^2`",
    source: "Burley, Physically Based Shading at Disney, 2012. Rough surfaces return up to a half more light than arrives at grazing angles. Light from everywhere is by means of the terms.",
    text: include_str!("burley.wgsl"),
    cases: &[Case { is_reciprocal: true, albedo_max: Some(1.55), around_within: Some(0.08), ..Case::PLAIN }],
    ..LightingModel::PLAIN
};
