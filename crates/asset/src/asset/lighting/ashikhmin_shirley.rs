//! Ashikhmin-Shirley: an anisotropic power with a diffuse part that leaves room for it.

use super::{Case, LightingModel, Needs, Param, color, number, roughness_of_power};

const PARAMS: &[Param] = &[
    color("specular_color", &[0.05, 0.05, 0.05], "What is reflected at normal incidence."),
    number("exponent_u", 100.0, [0.0, 10_000.0], "Sharpness of the highlight along the tangent."),
    number("exponent_v", 100.0, [0.0, 10_000.0], "Sharpness of the highlight across it."),
];

pub const ROW: LightingModel = LightingModel {
    name: "ashikhmin_shirley",
    doc: "Polished or brushed surfaces under a clear reflection, such as varnished wood and metal paint.",
    formula: "`(28 base / (23 pi) (1 - R) (1 - (1 - nl / 2)^5) (1 - (1 - nv / 2)^5) + sqrt((nu + 1) (nv + 1)) / (8 pi) * nh^((nu ht^2 + nv hb^2) / (1 - nh^2)) / (vh max(nl, nv)) * F) * nl` with `F = R + (1 - R) (1 - vh)^5`, `R = specular_color`",
    source: "Ashikhmin, Shirley, An Anisotropic Phong BRDF Model, 2000. 1 - nh^2 is computed as ht^2 + hb^2 and at least 1e-7. What a mirror shows is weighed as GGX of the mean exponent.",
    params: PARAMS,
    smoothest: |own, _| roughness_of_power((own.value("exponent_u")[0] * own.value("exponent_v")[0]).sqrt()),
    text: include_str!("ashikhmin_shirley.wgsl"),
    needs: Needs { frame: true, ..Needs::NOTHING },
    cases: &[Case {
        is_reciprocal: true,
        albedo_max: Some(1.02),
        within: 5e-3,
        ..Case::PLAIN
    }],
    ..LightingModel::PLAIN
};
