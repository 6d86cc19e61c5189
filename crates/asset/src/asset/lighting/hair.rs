//! Hair: strands along the tangent.

use super::{Case, LightingModel, Needs, Param, number};

const PARAMS: &[Param] = &[
    number("hair_specular", 0.5, [0.0, 1.0], "Strength of the white reflection from the outside of strands."),
    number("backlit", 1.0, [0.0, 1.0], "Strength of light that shines through strands."),
    number("scatter", 1.0, [0.0, 1.0], "Strength of light that many strands scatter."),
];

pub const ROW: LightingModel = LightingModel {
    name: "hair",
    doc: "Strands along the tangent: a white highlight, a coloured one next to it, and light that shines through. Shadows hide that light: use it with `shadow = false`.",
    formula: "The sum of three lobes `M N A` (reflected; through; reflected inside) of widths `r^2`, `r^2 / 2` and `2 r^2` and shifts -0.07, 0.035 and 0.14, and of light scattered by many strands",
    source: "Karis, Physically Based Hair Shading in Unreal, 2016, after Marschner et al., Light Scattering from Human Hair Fibers, 2003, and d'Eon et al., An Energy-Conserving Hair Reflectance Model, 2011. Index of refraction 1.55. The cosine of half the angle along the strand is made of products, without arc sines. Light from everywhere is Lambert's of the root of the base colour, times `scatter`.",
    params: PARAMS,
    text: include_str!("hair.wgsl"),
    needs: Needs { frame: true, ..Needs::NOTHING },
    cases: &[Case { wraps: true, roughness_min: 0.25, within: 2e-3, ..Case::PLAIN }],
    ..LightingModel::PLAIN
};
