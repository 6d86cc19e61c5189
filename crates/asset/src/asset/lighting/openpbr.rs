//! OpenPBR Surface 1.1: fuzz over a coat over a base.

use super::{Case, Hook, Layer, LightingModel, Limit, Needs, Param, color, number};

const PARAMS: &[Param] = &[
    number("base_weight", 1.0, [0.0, 1.0], "Multiplies `base_color`."),
    number("base_diffuse_roughness", 0.0, [0.0, 1.0], "Roughness of what is scattered; 0 is Lambert's."),
    number("specular_weight", 1.0, [0.0, 1.0], "Strength of the reflection of the base."),
    color("specular_color", &[1.0, 1.0, 1.0], "Colour of that reflection; of metals, at about 82 degrees."),
    number("specular_ior", 1.5, [1.0, 10.0], "Index of refraction of everything but metals."),
    number("specular_roughness_anisotropy", 0.0, [0.0, 1.0], "How much narrower the highlight is across the tangent, as of brushed metal.").of("specular_roughness_anisotropy"),
    number("transmission_weight", 0.0, [0.0, 1.0], "Share of the light that goes straight through, as through glass.").of("transmission_weight"),
    color("transmission_color", &[1.0, 1.0, 1.0], "What is left of white light after `transmission_depth_m` inside; where that is 0, what comes through the surface.").of("transmission_weight"),
    number("transmission_depth_m", 0.0, [0.0, 1e9], "Metres in the world; 0: the surface alone is coloured.").of("transmission_weight"),
    number("transmission_dispersion_scale", 0.0, [0.0, 1.0], "Strength of the spread of colours in what is thick.").of("transmission_dispersion_scale"),
    number("transmission_dispersion_abbe_number", 20.0, [1.0, 100.0], "The smaller, the wider colours are spread.").of("transmission_dispersion_scale"),
    number("thickness_m", 0.0, [0.0, 1e6], "How thick it is below the surface, in the space of the mesh; 0 is a thin sheet, which bends no light.").of("thickness_m"),
    number("subsurface_weight", 0.0, [0.0, 1.0], "Share of the scattered light that enters the surface first."),
    color("subsurface_color", &[0.8, 0.8, 0.8], "Colour of that light."),
    number("subsurface_radius_m", 1.0, [0.0, 1e6], "How far that light goes inside between two scattering events, in metres of the world; 0: it leaves where it enters."),
    color("subsurface_radius_scale", &[1.0, 0.5, 0.25], "Factors of that length for red, green and blue."),
    number("subsurface_scatter_anisotropy", 0.0, [-1.0, 1.0], "Whether such an event turns light back (-1), anywhere (0) or hardly (1)."),
    number("coat_weight", 0.0, [0.0, 1.0], "Strength of a coat over the base."),
    color("coat_color", &[1.0, 1.0, 1.0], "What is left of white light on its way in and out, at normal incidence.").of("coat_weight"),
    number("coat_roughness", 0.0, [0.0, 1.0], "Roughness of the coat."),
    number("coat_roughness_anisotropy", 0.0, [0.0, 1.0], "The same as `specular_roughness_anisotropy`, of the coat.").of("coat_roughness_anisotropy"),
    number("coat_ior", 1.6, [1.0, 10.0], "Index of refraction of the coat."),
    number("coat_darkening", 1.0, [0.0, 1.0], "How much the base darkens below the coat, as wet things do.").of("coat_weight"),
    number("fuzz_weight", 0.0, [0.0, 1.0], "Strength of fibres over all, as of velvet and dust.").of("fuzz_weight"),
    color("fuzz_color", &[1.0, 1.0, 1.0], "Colour of the fibres.").of("fuzz_weight"),
    number("fuzz_roughness", 0.5, [0.0, 1.0], "Roughness of the fibres; with 0 only the very edge shines.").of("fuzz_weight"),
    number("thin_film_weight", 0.0, [0.0, 1.0], "Strength of a thin film's colours, as of soap and oil.").of("thin_film_weight"),
    number("thin_film_thickness_nm", 500.0, [0.0, 10_000.0], "Thickness of the film, nanometres.").of("thin_film_weight"),
    number("thin_film_ior", 1.4, [1.0, 5.0], "Index of refraction of the film.").of("thin_film_weight"),
];

const LAYERS: &[Layer] = &[
    Layer {
        name: "transmission",
        areas: true,
        weights: &["transmission_weight"],
        hook: Hook::Through,
        text: include_str!("openpbr_transmission.wgsl"),
        through: include_str!("through_thin.wgsl"),
        ..Layer::PLAIN
    },
    Layer {
        name: "volume",
        areas: true,
        weights: &["transmission_weight", "thickness_m"],
        instead_of: "transmission",
        hook: Hook::Through,
        text: include_str!("openpbr_transmission.wgsl"),
        through: concat!(
            include_str!("openpbr_volume.wgsl"),
            "\n",
            include_str!("through_thick.wgsl"),
            "\n",
            include_str!("through_volume.wgsl")
        ),
        is_measured: true,
        ..Layer::PLAIN
    },
    Layer {
        name: "dispersion",
        areas: true,
        weights: &["transmission_weight", "thickness_m", "transmission_dispersion_scale"],
        instead_of: "volume",
        hook: Hook::Through,
        text: include_str!("openpbr_transmission.wgsl"),
        through: concat!(
            include_str!("openpbr_volume.wgsl"),
            "\n",
            include_str!("openpbr_dispersion.wgsl"),
            "\n",
            include_str!("through_thick.wgsl"),
            "\n",
            include_str!("through_dispersion.wgsl")
        ),
        is_measured: true,
        ..Layer::PLAIN
    },
    Layer {
        name: "subsurface",
        areas: true,
        weights: &["subsurface_weight", "subsurface_radius_m"],
        unless: "transmission_weight",
        hook: Hook::Subsurface,
        text: include_str!("openpbr_subsurface.wgsl"),
        ..Layer::PLAIN
    },
    Layer {
        name: "anisotropy",
        weights: &["specular_roughness_anisotropy"],
        hook: Hook::Microfacets,
        frame: true,
        text: include_str!("openpbr_brushed.wgsl"),
        ..Layer::PLAIN
    },
    Layer {
        name: "thin_film",
        areas: true,
        weights: &["thin_film_weight"],
        hook: Hook::Fresnel,
        text: concat!(include_str!("film.wgsl"), "\n", include_str!("openpbr_film.wgsl")),
        ..Layer::PLAIN
    },
    Layer {
        name: "coat",
        areas: true,
        weights: &["coat_weight"],
        hook: Hook::Over,
        text: concat!(include_str!("openpbr_coat.wgsl"), "\n", include_str!("openpbr_coat_plain.wgsl")),
        ..Layer::PLAIN
    },
    Layer {
        name: "brushed_coat",
        weights: &["coat_weight", "coat_roughness_anisotropy"],
        instead_of: "coat",
        hook: Hook::Over,
        frame: true,
        text: concat!(include_str!("openpbr_coat.wgsl"), "\n", include_str!("openpbr_coat_brushed.wgsl")),
        ..Layer::PLAIN
    },
    Layer {
        name: "fuzz",
        weights: &["fuzz_weight"],
        hook: Hook::Over,
        text: include_str!("openpbr_fuzz.wgsl"),
        ..Layer::PLAIN
    },
];

const OFF: [f64; 3] = [0.0; 3];
/// Light leaves where it enters: twins know one point.
const INSIDE: (&str, [f64; 3]) = ("subsurface_radius_m", OFF);
const BASE: [(&str, [f64; 3]); 7] = [
    INSIDE,
    ("specular_ior", [1.5, 0.0, 0.0]),
    ("transmission_weight", OFF),
    ("specular_roughness_anisotropy", OFF),
    ("thin_film_weight", OFF),
    ("coat_weight", OFF),
    ("fuzz_weight", OFF),
];
const NO_LAYERS: [(&str, [f64; 3]); 6] = [
    INSIDE,
    ("transmission_weight", OFF),
    ("specular_roughness_anisotropy", OFF),
    ("thin_film_weight", OFF),
    ("coat_weight", OFF),
    ("fuzz_weight", OFF),
];
const BRUSHED: [(&str, [f64; 3]); 5] = [
    INSIDE,
    ("transmission_weight", OFF), ("thin_film_weight", OFF), ("coat_weight", OFF), ("fuzz_weight", OFF),
];
const FILM: [(&str, [f64; 3]); 5] = [
    INSIDE,
    ("transmission_weight", OFF), ("specular_roughness_anisotropy", OFF), ("coat_weight", OFF), ("fuzz_weight", OFF),
];
const COAT: [(&str, [f64; 3]); 8] = [
    INSIDE,
    ("specular_ior", [1.5, 0.0, 0.0]),
    ("coat_ior", [1.6, 0.0, 0.0]),
    ("transmission_weight", OFF),
    ("specular_roughness_anisotropy", OFF),
    ("thin_film_weight", OFF),
    ("coat_roughness_anisotropy", OFF),
    ("fuzz_weight", OFF),
];
const BRUSHED_COAT: [(&str, [f64; 3]); 5] = [
    INSIDE,
    ("transmission_weight", OFF),
    ("specular_roughness_anisotropy", OFF),
    ("thin_film_weight", OFF),
    ("fuzz_weight", OFF),
];
const FUZZ: [(&str, [f64; 3]); 6] = [
    INSIDE,
    ("specular_ior", [1.5, 0.0, 0.0]),
    ("transmission_weight", OFF),
    ("specular_roughness_anisotropy", OFF),
    ("thin_film_weight", OFF),
    ("coat_weight", OFF),
];
const GLASS: [(&str, [f64; 3]); 5] = [
    INSIDE,
    ("specular_roughness_anisotropy", OFF),
    ("thin_film_weight", OFF),
    ("coat_weight", OFF),
    ("fuzz_weight", OFF),
];

pub const ROW: LightingModel = LightingModel {
    name: "openpbr",
    doc: "OpenPBR's surface: fibres over a coat over a base of metal, plastic or glass. Keys are the specification's, with few changes that docs/lighting-models.md lists.",
    formula: "`base = mix(kept d + c g F D V, w g' F' D V, metallic)` with `d` EON's matt surface of `mix(base_weight base, subsurface_color, subsurface_weight) (1 - transmission_weight)`; `F` Fresnel's equations of an index whose f0 is `specular_weight` times that of `specular_ior`; `c` = `specular_color`; `kept = 1 - E(nv)`, E the albedo of the white reflection; `F' = f0 + (1 - f0) (1 - vh)^5 - dip vh (1 - vh)^6` with `f0 = base_weight base` and a dip that multiplies F' by `specular_color` at `vh = 1/7`; `g = 1 + f0 (1 / E1(nv) - 1)`, E1 the albedo of the lobe without F. Anisotropy: `at = a sqrt(2 / (1 + (1 - s)^2))`, `ab = (1 - s) at`. Thin film: F and F' are those of a film, as for `gltf`. Coat: `below mix(1, T (1 - E(nv)), coat_weight) Delta + coat_weight g F D V` with `T = coat_color^((1 / cl + 1 / cv) / 2)`, cl and cv the cosines inside the coat; `Delta = mix(1, (1 - K) / (1 - K albedo), coat_weight coat_darkening)` with `K = 1 - (1 - f0) / coat_ior^2`. Below it `roughness^4` is mixed with `min(1, roughness^4 + 2 coat_roughness^4)`, and the index with its ratio to `coat_ior`. Fuzz: `below (1 - fuzz_weight R(nv)) + fuzz_weight fuzz_color R(nv) lobe`. The whole times `nl`. With a `subsurface_radius_m`, `subsurface_weight subsurface_color` of `d` is instead what the surface gathers around the point",
    source: "Academy Software Foundation, OpenPBR Surface 1.1, 2024; Zeltner, Burley, Chiang, Practical Multiple-Scattering Sheen Using Linearly Transformed Cosines, 2022 (fuzz), with the fits of MaterialX 1.39 to its tables; Portsmouth, Kutz, Hill 2024 (EON); Hoffman, Generating RGB Spectra from F82-tint, 2023 (metals); Turquin 2019 (g); Belcour, Barla 2017 (film); Heitz 2014 (anisotropy). Christensen, Burley, Approximate Reflectance Profiles for Efficient Subsurface Scattering, 2015; see [below the surface](#below-the-surface). With a `transmission_weight`, subsurface light is scattered where it enters. What is emitted is not dimmed by coat and fuzz. The part of E for f90 is a rational fit of MaterialX 1.39, within 0.04. In light from everywhere the fuzz is Lambert's of its albedo, and the coat is not brushed.",
    params: PARAMS,
    smoothest: |own, roughness| match own.value("coat_weight")[0] > 0.0 {
        true => roughness.min(own.value("coat_roughness")[0]),
        false => roughness,
    },
    text: concat!(
        include_str!("ggx_albedo.wgsl"),
        "\n",
        include_str!("eon_lobe.wgsl"),
        "\n",
        include_str!("openpbr_anisotropy.wgsl"),
        "\n",
        include_str!("openpbr.wgsl")
    ),
    needs: Needs {
        areas: true,
        prepared: "    rough: f32,\n    eta: f32,\n    f0: f32,\n    shares: vec2f,\n    kept: f32,\n    scattered: vec3f,\n    metal_f0: vec3f,\n    dip: vec3f,\n",
        ..Needs::NOTHING
    },
    layers: LAYERS,
    cases: &[
        Case { set: &BASE, albedo_max: Some(1.03), around_within: Some(3e-2), within: 2e-3, ..Case::PLAIN },
        Case { set: &BRUSHED, albedo_max: Some(1.05), within: 2e-3, ..Case::PLAIN },
        Case { set: &FILM, within: 2e-3, ..Case::PLAIN },
        Case { set: &COAT, albedo_max: Some(1.05), around_within: Some(5e-2), within: 2e-3, ..Case::PLAIN },
        Case { set: &BRUSHED_COAT, albedo_max: Some(1.05), within: 2e-3, ..Case::PLAIN },
        Case { set: &FUZZ, albedo_max: Some(1.05), around_within: Some(5e-2), within: 2e-3, ..Case::PLAIN },
        Case { set: &GLASS, albedo_max: Some(1.03), within: 2e-3, ..Case::PLAIN },
    ],
    limits: &[
        Limit { set: &BRUSHED, of: "openpbr", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &FILM, of: "openpbr", other_set: &NO_LAYERS, metallic: 0.3 },
        Limit { set: &COAT, of: "openpbr", other_set: &BASE, metallic: 0.3 },
        Limit { set: &FUZZ, of: "openpbr", other_set: &BASE, metallic: 0.3 },
        Limit { set: &GLASS, of: "openpbr", other_set: &NO_LAYERS, metallic: 0.3 },
    ],
    ..LightingModel::PLAIN
};
