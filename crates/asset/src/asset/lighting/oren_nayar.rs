//! Oren-Nayar: facets that are Lambert surfaces each.

use super::{Case, Limit, LightingModel, Param, flag, number};

const PARAMS: &[Param] = &[
    number("sigma", 0.5, [0.0, 1.5], "Standard deviation of the facets' slope, radians; with `fujii`, a roughness. 0 is Lambert's model."),
    flag("fujii", "Whether the improved form is used, which has no dark ring at grazing angles."),
];

pub const ROW: LightingModel = LightingModel {
    name: "oren_nayar",
    doc: "A rough matt surface such as clay, plaster or the moon: flatter than Lambert's.",
    formula: "`base / pi * (A + B max(s, 0) / max(nl, nv)) * nl` with `s = lv - nl nv`, `A = 1 - 0.5 sigma^2 / (sigma^2 + 0.33)`, `B = 0.45 sigma^2 / (sigma^2 + 0.09)`; with `fujii` `base * (A + B s / t) * nl` with `A = 1 / (pi + (pi / 2 - 2 / 3) sigma)`, `B = A sigma`, `t = max(nl, nv)` where `s > 0`, else 1",
    source: "Oren, Nayar, Generalization of Lambert's Reflectance Model, 1994 (the qualitative model); Fujii, A Tiny Improvement of Oren-Nayar Reflectance Model, 2012.",
    params: PARAMS,
    text: include_str!("oren_nayar.wgsl"),
    cases: &[
        Case {
            set: &[("fujii", [0.0; 3])],
            is_reciprocal: true,
            albedo_max: Some(1.0),
            around_within: Some(2e-3),
            ..Case::PLAIN
        },
        Case {
            set: &[("fujii", [1.0; 3])],
            is_reciprocal: true,
            albedo_max: Some(1.0),
            around_within: Some(2e-3),
            ..Case::PLAIN
        },
    ],
    limits: &[
        Limit { set: &[("sigma", [0.0; 3]), ("fujii", [0.0; 3])], of: "lambert", other_set: &[], metallic: 0.0 },
        Limit { set: &[("sigma", [0.0; 3]), ("fujii", [1.0; 3])], of: "lambert", other_set: &[], metallic: 0.0 },
    ],
    ..LightingModel::PLAIN
};
