//! EON: Oren-Nayar with the light that facets send to each other.

use super::{Case, Limit, LightingModel};

pub const ROW: LightingModel = LightingModel {
    name: "eon",
    doc: "A rough matt surface that keeps all light: white stays white. `roughness` is its roughness.",
    formula: "`(base / pi * A (1 + r s / t) + rho / pi * (1 - E(nl)) (1 - E(nv)) / (1 - E_avg)) * nl` with Fujii's `s`, `t` and `A = 1 / (1 + (1 / 2 - 2 / (3 pi)) r)`, `E` the albedo of the first term, and `rho = base^2 E_avg / (1 - base (1 - E_avg))`",
    source: "Portsmouth, Kutz, Hill, EON: A Practical Energy-Preserving Rough Diffuse BRDF, 2024; the diffuse part of OpenPBR 1.1.",
    text: concat!(include_str!("eon_lobe.wgsl"), "\n", include_str!("eon.wgsl")),
    cases: &[Case { is_reciprocal: true, albedo_max: Some(1.0), around_within: Some(1e-3), ..Case::PLAIN }],
    limits: &[Limit { set: &[("roughness", [0.0; 3])], of: "lambert", other_set: &[], metallic: 0.0 }],
    ..LightingModel::PLAIN
};
