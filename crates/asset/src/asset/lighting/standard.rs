//! glTF's surface with the light that its facets send to each other.

use super::{Case, IOR, LightingModel, Needs, SPECULAR, SPECULAR_COLOR};

pub const ROW: LightingModel = LightingModel {
    name: "standard",
    doc: "As `gltf` without layers, but rough metal keeps its brightness: light that facets send to each other is added.",
    formula: "As `gltf`, with the specular lobes times `1 + f0 (1 / E(nv) - 1)`, where E is the albedo of a white lobe",
    source: "Kulla, Conty, Revisiting Physically Based Shading at Imageworks, 2017; Turquin, Practical Multiple Scattering Compensation for Microfacet Models, 2019. Light from everywhere has the same factor, so that a white room shows what lights show; Fdez-Aguera, A Multiple-Scattering Microfacet Model for Real-Time Image-based Lighting, 2019, has another one for surfaces that are neither white nor black. White plastic returns up to 12 % more than arrives at 84 degrees, as with `gltf`. E is a polynomial, within 0.01 from roughness 0.3 up and within 0.02 below.",
    params: &[IOR, SPECULAR, SPECULAR_COLOR],
    text: concat!(include_str!("ggx_albedo.wgsl"), "\n", include_str!("standard.wgsl")),
    needs: Needs { dielectric: true, areas: true, prepared: "    albedo: f32,\n", ..Needs::NOTHING },
    cases: &[Case { albedo_max: Some(1.15), around_within: Some(2e-2), ..Case::PLAIN }],
    ..LightingModel::PLAIN
};
