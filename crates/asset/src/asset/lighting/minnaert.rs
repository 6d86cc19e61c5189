//! Minnaert: the moon's limb.

use super::{Case, Limit, LightingModel, Param, number};

const PARAMS: &[Param] = &[number(
    "darkening",
    1.4,
    [0.5, 4.0],
    "Minnaert's exponent k: 1 is Lambert's model, more makes the edge darker, less makes it brighter.",
)];

pub const ROW: LightingModel = LightingModel {
    name: "minnaert",
    doc: "A matt surface with a darker or brighter edge, such as moons and velvet.",
    formula: "`base / pi * nl^k nv^(k - 1)` with `k = darkening`",
    source: "Minnaert, The reciprocity principle in lunar photometry, 1941. `nv` is at least 0.0001.",
    params: PARAMS,
    text: include_str!("minnaert.wgsl"),
    cases: &[
        Case { is_reciprocal: true, around_within: Some(1e-3), within: 5e-4, ..Case::PLAIN },
        Case {
            set: &[("darkening", [1.5, 0.0, 0.0])],
            is_reciprocal: true,
            albedo_max: Some(1.0),
            around_within: Some(1e-3),
            within: 5e-4,
            ..Case::PLAIN
        },
    ],
    limits: &[Limit { set: &[("darkening", [1.0; 3])], of: "lambert", other_set: &[], metallic: 0.0 }],
    ..LightingModel::PLAIN
};
