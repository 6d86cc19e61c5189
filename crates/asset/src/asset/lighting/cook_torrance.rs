//! Cook-Torrance: microfacets by Beckmann's distribution.

use super::{Case, LightingModel, Param, color, flag};

const PARAMS: &[Param] = &[
    color("specular_color", &[0.04, 0.04, 0.04], "What is reflected at normal incidence."),
    flag("classic", "Whether the factor of the lobe is 1 / pi as in the paper, in place of 1 / 4."),
];

pub const ROW: LightingModel = LightingModel {
    name: "cook_torrance",
    doc: "The first microfacet model, for plastics and metals. `roughness^2` is the slope of the facets.",
    formula: "`(base / pi (1 - max F) + F D G / (4 nl nv)) * nl` with `D = exp(-tan^2 / m^2) / (pi m^2 nh^4)`, `G = min(1, 2 nh nv / vh, 2 nh nl / vh)`, `F = R + (1 - R) (1 - vh)^5`, `m = roughness^2`",
    source: "Cook, Torrance, A Reflectance Model for Computer Graphics, 1982; the factor 1 / 4 is of Walter et al., Microfacet Models for Refraction, 2007. Schlick's Fresnel term in place of the exact one. m is at least 0.045^2. White plastic returns up to 5 % more than arrives at grazing angles. What a mirror shows is weighed as GGX of the same roughness.",
    params: PARAMS,
    text: include_str!("cook_torrance.wgsl"),
    cases: &[
        Case {
            set: &[("classic", [0.0; 3])],
            is_reciprocal: true,
            albedo_max: Some(1.05),
            roughness_min: 0.2,
            within: 2e-3,
            ..Case::PLAIN
        },
        Case { set: &[("classic", [1.0; 3])], is_reciprocal: true, roughness_min: 0.2, within: 2e-3, ..Case::PLAIN },
    ],
    ..LightingModel::PLAIN
};
