//! glTF's metallic-roughness surface, and the layers of its extensions.

use super::{Case, Hook, IOR, Layer, LightingModel, Limit, Needs, Param, SPECULAR, SPECULAR_COLOR, color, number, turn};
use crate::asset::Slot;

const PARAMS: &[Param] = &[
    // Light that goes through is bent and spread by it.
    Param { is_read: true, of: "transmission", ..IOR },
    SPECULAR,
    SPECULAR_COLOR,
    number("clearcoat", 0.0, [0.0, 1.0], "Strength of a clear varnish over all.").of("clearcoat"),
    number("clearcoat_roughness", 0.0, [0.0, 1.0], "Roughness of the varnish.").of("clearcoat"),
    number("clearcoat_normal_scale", 1.0, [-100.0, 100.0], "Strength of `clearcoat_normal_texture`.").of("clearcoat"),
    color("sheen_color", &[0.0, 0.0, 0.0], "Colour of fibres over all, as of velvet.").of("sheen_color"),
    number("sheen_roughness", 0.0, [0.0, 1.0], "Roughness of the fibres; with 0 only the very edge shines.").of("sheen_color"),
    number("anisotropy", 0.0, [0.0, 1.0], "How much wider the highlight is along the tangent, as of brushed metal.").of("anisotropy"),
    turn("anisotropy_rotation_deg", "Turns that direction, counter-clockwise from the tangent.").of("anisotropy"),
    number("iridescence", 0.0, [0.0, 1.0], "Strength of a thin film's colours, as of soap and oil.").of("iridescence"),
    number("iridescence_ior", 1.3, [1.0, 5.0], "Index of refraction of the film.").of("iridescence"),
    number("iridescence_thickness_nm", 400.0, [0.0, 10_000.0], "Thickness of the film, nanometres.").of("iridescence"),
    number("iridescence_thickness_min_nm", 100.0, [0.0, 10_000.0], "Thickness where `iridescence_thickness_texture` is 0, nanometres.").of("iridescence"),
    number("transmission", 0.0, [0.0, 1.0], "Share of the light that goes straight through, as through glass; `base_color` tints it.").of("transmission"),
    number("thickness_m", 0.0, [0.0, 1e6], "How thick it is below the surface, in the space of the mesh; 0 is a thin sheet, which bends no light.").of("thickness_m"),
    color("attenuation_color", &[1.0, 1.0, 1.0], "What is left of white light after `attenuation_distance_m` inside.").of("thickness_m"),
    number("attenuation_distance_m", 0.0, [0.0, 1e9], "Metres in the world; 0: nothing is absorbed.").of("thickness_m"),
    number("dispersion", 0.0, [0.0, 100.0], "Spread of colours in what is thick: 20 divided by the Abbe number.").of("dispersion"),
    number("diffuse_transmission", 0.0, [0.0, 1.0], "Share of the scattered light that leaves on the other side, as of leaves and paper.").of("diffuse_transmission"),
    color("diffuse_transmission_color", &[1.0, 1.0, 1.0], "Colour of that light.").of("diffuse_transmission"),
];

const LAYERS: &[Layer] = &[
    Layer {
        name: "diffuse_transmission",
        weights: &["diffuse_transmission"],
        hook: Hook::Back,
        text: include_str!("diffuse_transmission.wgsl"),
        ..Layer::PLAIN
    },
    Layer {
        name: "transmission",
        areas: true,
        weights: &["transmission"],
        hook: Hook::Through,
        text: include_str!("transmission.wgsl"),
        through: include_str!("through_thin.wgsl"),
        ..Layer::PLAIN
    },
    Layer {
        name: "volume",
        areas: true,
        weights: &["transmission", "thickness_m"],
        instead_of: "transmission",
        hook: Hook::Through,
        text: include_str!("transmission.wgsl"),
        through: concat!(include_str!("volume.wgsl"), "\n", include_str!("through_thick.wgsl"), "\n", include_str!("through_volume.wgsl")),
        is_measured: true,
        ..Layer::PLAIN
    },
    Layer {
        name: "dispersion",
        areas: true,
        weights: &["transmission", "thickness_m", "dispersion"],
        instead_of: "volume",
        hook: Hook::Through,
        text: include_str!("transmission.wgsl"),
        through: concat!(include_str!("volume.wgsl"), "\n", include_str!("dispersion.wgsl"), "\n", include_str!("through_thick.wgsl"), "\n", include_str!("through_dispersion.wgsl")),
        is_measured: true,
        ..Layer::PLAIN
    },
    Layer {
        name: "specular",
        weights: &["specular"],
        slots: &[Slot::Specular, Slot::SpecularColor],
        ..Layer::PLAIN
    },
    Layer {
        name: "anisotropy",
        weights: &["anisotropy"],
        hook: Hook::Microfacets,
        frame: true,
        text: include_str!("anisotropy.wgsl"),
        ..Layer::PLAIN
    },
    Layer {
        name: "iridescence",
        areas: true,
        weights: &["iridescence"],
        hook: Hook::Fresnel,
        text: concat!(include_str!("film.wgsl"), "\n", include_str!("iridescence.wgsl")),
        ..Layer::PLAIN
    },
    Layer {
        name: "sheen",
        weights: &["sheen_color"],
        hook: Hook::Over,
        text: concat!(include_str!("sheen_albedo.wgsl"), "\n", include_str!("sheen.wgsl")),
        ..Layer::PLAIN
    },
    Layer {
        name: "clearcoat",
        areas: true,
        weights: &["clearcoat"],
        hook: Hook::Over,
        text: include_str!("clearcoat.wgsl"),
        ..Layer::PLAIN
    },
    Layer {
        name: "bumped_clearcoat",
        weights: &["clearcoat"],
        slots: &[Slot::ClearcoatNormal, Slot::Normal],
        instead_of: "clearcoat",
        hook: Hook::OverBent,
        members: "    coat_n: vec3f,\n",
        text: include_str!("bumped_clearcoat.wgsl"),
        ..Layer::PLAIN
    },
];

/// Textures of the layers.
const SLOTS: &[Slot] = &[
    Slot::Specular,
    Slot::SpecularColor,
    Slot::Clearcoat,
    Slot::ClearcoatRoughness,
    Slot::ClearcoatNormal,
    Slot::SheenColor,
    Slot::SheenRoughness,
    Slot::Anisotropy,
    Slot::Iridescence,
    Slot::IridescenceThickness,
    Slot::Transmission,
    Slot::Thickness,
    Slot::DiffuseTransmission,
    Slot::DiffuseTransmissionColor,
];

const NO_LAYERS: [(&str, [f64; 3]); 6] = [
    ("clearcoat", [0.0; 3]),
    ("sheen_color", [0.0; 3]),
    ("anisotropy", [0.0; 3]),
    ("iridescence", [0.0; 3]),
    ("transmission", [0.0; 3]),
    ("diffuse_transmission", [0.0; 3]),
];
const COAT: [(&str, [f64; 3]); 5] = [
    ("sheen_color", [0.0; 3]),
    ("anisotropy", [0.0; 3]),
    ("iridescence", [0.0; 3]),
    ("transmission", [0.0; 3]),
    ("diffuse_transmission", [0.0; 3]),
];
const SHEEN: [(&str, [f64; 3]); 6] = [
    ("clearcoat", [0.0; 3]),
    ("anisotropy", [0.0; 3]),
    ("iridescence", [0.0; 3]),
    ("transmission", [0.0; 3]),
    ("diffuse_transmission", [0.0; 3]),
    ("sheen_roughness", [0.6, 0.0, 0.0]),
];
const BRUSHED: [(&str, [f64; 3]); 5] = [
    ("clearcoat", [0.0; 3]),
    ("sheen_color", [0.0; 3]),
    ("iridescence", [0.0; 3]),
    ("transmission", [0.0; 3]),
    ("diffuse_transmission", [0.0; 3]),
];
const FILM: [(&str, [f64; 3]); 5] = [
    ("clearcoat", [0.0; 3]),
    ("sheen_color", [0.0; 3]),
    ("anisotropy", [0.0; 3]),
    ("transmission", [0.0; 3]),
    ("diffuse_transmission", [0.0; 3]),
];
const GLASS: [(&str, [f64; 3]); 5] = [
    ("clearcoat", [0.0; 3]),
    ("sheen_color", [0.0; 3]),
    ("anisotropy", [0.0; 3]),
    ("iridescence", [0.0; 3]),
    ("diffuse_transmission", [0.0; 3]),
];
const LEAF: [(&str, [f64; 3]); 5] = [
    ("clearcoat", [0.0; 3]),
    ("sheen_color", [0.0; 3]),
    ("anisotropy", [0.0; 3]),
    ("iridescence", [0.0; 3]),
    ("transmission", [0.0; 3]),
];

pub const ROW: LightingModel = LightingModel {
    name: "gltf",
    doc: "glTF's metallic-roughness surface, with a varnish, fibres, brushing and a thin film over it where they are asked for.",
    formula: "`mix(base / pi (1 - max F) + F D V, (base + (1 - base) (1 - vh)^5) D V, metallic) * nl`; see [the lighting model](lighting.md). Anisotropy: `at = mix(a, 1, anisotropy^2)`, `ab = a` in D and V. Iridescence: F is the Airy sum of a film. Sheen: `below * min(1 - s E(nv), 1 - s E(nl)) + sheen D / (4 (nl + nv - nl nv))` with `s` the strongest channel. Clearcoat: `below * (1 - c F(nv)) + c F(vh) D V` with f0 = 0.04 and, with a normal map, its own normal. Transmission: `base` of the Lambert part times `1 - t`; what is behind is added times `t base (1 - metallic) (1 - F(nv))`. Diffuse transmission: `base` times `1 - d`, and from the other side `d color / pi (1 - F) nl`",
    source: "glTF 2.0, appendix B; KHR_materials_ior, _specular, _clearcoat, _sheen, _anisotropy, _iridescence, _transmission, _volume, _dispersion, _diffuse_transmission; Walter et al., Microfacet Models for Refraction through Rough Surfaces, 2007 (transmission); Estevez, Kulla 2017 and Neubelt, Pettineo 2013 (sheen); Heitz, Understanding the Masking-Shadowing Function, 2014 (anisotropy); Belcour, Barla, A Practical Extension to Microfacet Theory for the Modeling of Varying Iridescence, 2017. White plastic returns up to 12 % more than arrives at 84 degrees. The varnish lies over the fibres; it has a normal map of its own, or the normal of the mesh. In light from everywhere the fibres' lobe is Lambert's of their albedo.",
    params: PARAMS,
    smoothest: |own, roughness| match own.value("clearcoat")[0] > 0.0 {
        true => roughness.min(own.value("clearcoat_roughness")[0]),
        false => roughness,
    },
    text: include_str!("gltf.wgsl"),
    needs: Needs { dielectric: true, areas: true, ..Needs::NOTHING },
    layers: LAYERS,
    slots: SLOTS,
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
        Case { set: &GLASS, is_reciprocal: true, albedo_max: Some(1.15), around_within: Some(2e-2), ..Case::PLAIN },
        Case { set: &LEAF, albedo_max: Some(1.15), wraps: true, ..Case::PLAIN },
    ],
    limits: &[
        Limit { set: &COAT, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &SHEEN, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &BRUSHED, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &FILM, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &GLASS, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &LEAF, of: "gltf", other_set: &NO_LAYERS, metallic: 0.3 },
    ],
};
