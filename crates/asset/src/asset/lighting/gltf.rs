//! glTF's metallic-roughness surface, and the layers of its extensions.

use super::{Case, Hook, IOR, Layer, LightingModel, Limit, Needs, Param, SPECULAR, SPECULAR_COLOR, color, number, turn};

const PARAMS: &[Param] = &[
    IOR,
    SPECULAR,
    SPECULAR_COLOR,
    number("clearcoat", 0.0, [0.0, 1.0], "Strength of a clear varnish over all."),
    number("clearcoat_roughness", 0.0, [0.0, 1.0], "Roughness of the varnish."),
    color("sheen_color", &[0.0, 0.0, 0.0], "Colour of fibres over all, as of velvet."),
    number("sheen_roughness", 0.0, [0.0, 1.0], "Roughness of the fibres; with 0 only the very edge shines."),
    number("anisotropy", 0.0, [0.0, 1.0], "How much wider the highlight is along the tangent, as of brushed metal."),
    turn("anisotropy_rotation_deg", "Turns that direction, counter-clockwise from the tangent."),
    number("iridescence", 0.0, [0.0, 1.0], "Strength of a thin film's colours, as of soap and oil."),
    number("iridescence_ior", 1.3, [1.0, 5.0], "Index of refraction of the film."),
    number("iridescence_thickness_nm", 400.0, [0.0, 10_000.0], "Thickness of the film, nanometres."),
];

const LAYERS: &[Layer] = &[
    Layer {
        name: "anisotropy",
        weight: "anisotropy",
        hook: Hook::Microfacets,
        frame: true,
        text: include_str!("anisotropy.wgsl"),
    },
    Layer {
        name: "iridescence",
        weight: "iridescence",
        hook: Hook::Fresnel,
        frame: false,
        text: include_str!("iridescence.wgsl"),
    },
    Layer {
        name: "clearcoat",
        weight: "clearcoat",
        hook: Hook::Over,
        frame: false,
        text: include_str!("clearcoat.wgsl"),
    },
    Layer {
        name: "sheen",
        weight: "sheen_color",
        hook: Hook::Over,
        frame: false,
        text: concat!(include_str!("sheen_albedo.wgsl"), "\n", include_str!("sheen.wgsl")),
    },
];

const NO_LAYERS: [(&str, [f64; 3]); 4] =
    [("clearcoat", [0.0; 3]), ("sheen_color", [0.0; 3]), ("anisotropy", [0.0; 3]), ("iridescence", [0.0; 3])];
const COAT: [(&str, [f64; 3]); 3] = [("sheen_color", [0.0; 3]), ("anisotropy", [0.0; 3]), ("iridescence", [0.0; 3])];
const SHEEN: [(&str, [f64; 3]); 4] = [
    ("clearcoat", [0.0; 3]),
    ("anisotropy", [0.0; 3]),
    ("iridescence", [0.0; 3]),
    ("sheen_roughness", [0.6, 0.0, 0.0]),
];
const BRUSHED: [(&str, [f64; 3]); 3] = [("clearcoat", [0.0; 3]), ("sheen_color", [0.0; 3]), ("iridescence", [0.0; 3])];
const FILM: [(&str, [f64; 3]); 3] = [("clearcoat", [0.0; 3]), ("sheen_color", [0.0; 3]), ("anisotropy", [0.0; 3])];

pub const ROW: LightingModel = LightingModel {
    name: "gltf",
    doc: "glTF's metallic-roughness surface, with a varnish, fibres, brushing and a thin film over it where they are asked for.",
    formula: "`mix(base / pi (1 - max F) + F D V, (base + (1 - base) (1 - vh)^5) D V, metallic) * nl`; see [the lighting model](lighting.md). Anisotropy: `at = mix(a, 1, anisotropy^2)`, `ab = a` in D and V. Iridescence: F is the Airy sum of a film. Clearcoat: `below * (1 - c F(nv)) + c F(vh) D V` with f0 = 0.04. Sheen: `below * min(1 - s E(nv), 1 - s E(nl)) + sheen D / (4 (nl + nv - nl nv))` with `s` the strongest channel",
    source: "glTF 2.0, appendix B; KHR_materials_ior, _specular, _clearcoat, _sheen, _anisotropy, _iridescence; Estevez, Kulla 2017 and Neubelt, Pettineo 2013 (sheen); Heitz, Understanding the Masking-Shadowing Function, 2014 (anisotropy); Belcour, Barla, A Practical Extension to Microfacet Theory for the Modeling of Varying Iridescence, 2017. White plastic returns up to 12 % more than arrives at 84 degrees. The varnish has the normal of the surface. Textures of layers are not read. In light from everywhere the fibres' lobe is Lambert's of their albedo.",
    params: PARAMS,
    smoothest: |own, roughness| match own.value("clearcoat")[0] > 0.0 {
        true => roughness.min(own.value("clearcoat_roughness")[0]),
        false => roughness,
    },
    text: include_str!("gltf.wgsl"),
    needs: Needs { dielectric: true, ..Needs::NOTHING },
    layers: LAYERS,
    cases: &[
        Case {
            set: &NO_LAYERS,
            is_reciprocal: true,
            albedo_max: Some(1.15),
            around_within: Some(2e-2),
            ..Case::PLAIN
        },
        Case { set: &COAT, albedo_max: Some(1.15), around_within: Some(2e-2), ..Case::PLAIN },
        Case { set: &SHEEN, is_reciprocal: true, albedo_max: Some(1.15), around_within: Some(0.1), within: 2e-3, ..Case::PLAIN },
        Case { set: &BRUSHED, is_reciprocal: true, albedo_max: Some(1.15), ..Case::PLAIN },
        Case { set: &FILM, is_reciprocal: true, within: 2e-3, ..Case::PLAIN },
    ],
    limits: &[
        Limit { set: &COAT, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &SHEEN, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &BRUSHED, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &FILM, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
    ],
};
