//! Cloth: fibres that stand up, over a matt surface.

use super::{Case, LightingModel, Param, color};

const PARAMS: &[Param] = &[color("sheen_color", &[0.3, 0.3, 0.3], "Colour of the fibres' reflection.")];

pub const ROW: LightingModel = LightingModel {
    name: "cloth",
    doc: "Velvet, felt and cotton: no highlight, but a soft shine towards the edge. `roughness` is that of the fibres.",
    formula: "`(base / pi + sheen D / (4 (nl + nv - nl nv))) * nl` with `D = (2 + 1 / a) sin(h)^(1 / a) / (2 pi)` and `a = roughness^2`",
    source: "Estevez, Kulla, Production Friendly Microfacet Sheen BRDF, 2017 (D); Neubelt, Pettineo, Crafting a Next-Gen Material Pipeline for The Order: 1886, 2013 (the rest). roughness is at least 0.07. Nothing is taken from the base for what the fibres reflect.",
    params: PARAMS,
    text: concat!(include_str!("sheen_albedo.wgsl"), "\n", include_str!("cloth.wgsl")),
    cases: &[Case {
        is_reciprocal: true,
        roughness_min: 0.25,
        around_within: Some(0.02),
        within: 2e-3,
        ..Case::PLAIN
    }],
    ..LightingModel::PLAIN
};
