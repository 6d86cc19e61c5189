//! Row: what a lighting model is to scenes, shaders, pages and tests.

use super::Lighting;
use crate::asset::Slot;

/// A lighting model. Its text has, for the name `NAME` and the struct `Name` of its parameters:
///
/// - `lobes_NAME(s: Surface, own: Name, v: vec3f, incident: Incident) -> vec3f`: f(l, v) cos E;
/// - `around_NAME(s: Surface, own: Name, v: vec3f, weight: f32) -> Around`: what light from everywhere sends to `v`, as
///   `around.wgsl` says; `weight` is the mean of the Schlick weight over the Lambert lobe;
/// - if it has `prepared` members, `prepare_NAME(s: Surface, own: Name, v: vec3f) -> Name` that fills them.
///
/// The first two of a model with layers are made of its parts and its layers: `NAME_dielectric` and `NAME_metal` are
/// Fresnel terms, `microfacets` is the lobe without one, `NAME_below` and `around_NAME_below` put them together.
#[derive(Clone, Copy, Debug)]
pub struct LightingModel {
    /// Under `model` in scene files.
    pub name: &'static str,
    /// A sentence for the table of keys.
    pub doc: &'static str,
    /// Markdown: what leaves for one unit of irradiance, with the cosine to the light.
    pub formula: &'static str,
    /// Papers and years, and our changes.
    pub source: &'static str,
    pub params: &'static [Param],
    /// WGSL.
    pub text: &'static str,
    pub needs: Needs,
    /// What may be laid over, by parameters that are not 0; only then is the text there.
    pub layers: &'static [Layer],
    /// Places of textures that only it has.
    pub slots: &'static [Slot],
    /// The least roughness of its mirrors, for a surface of this roughness: which cubes of an environment are needed.
    pub smoothest: fn(&Lighting, f32) -> f32,
    pub cases: &'static [Case],
    pub limits: &'static [Limit],
}

/// What a model's text reads that not every surface has.
#[derive(Clone, Copy, Debug)]
pub struct Needs {
    /// The unit tangent `own.t` and bitangent `own.b`.
    pub frame: bool,
    /// glTF's dielectric under a Fresnel lobe, whose f0 and f90 a material may change.
    pub dielectric: bool,
    /// What it makes of light from everywhere is what it makes of any light: lights with an area are seen by it.
    pub areas: bool,
    /// `shine_NAME(s: Surface, own: Name) -> vec3f`: it is seen without any light.
    pub shines: bool,
    /// Members of the struct that are the same for all lights: WGSL.
    pub prepared: &'static str,
}

impl Needs {
    pub const NOTHING: Needs = Needs { frame: false, dielectric: false, areas: false, shines: false, prepared: "" };
}

/// A parameter: a key of the material.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: ParamKind,
    pub doc: &'static str,
    /// Whether the model's text reads it.
    pub is_read: bool,
    /// The weight of the layer that alone reads it; empty for none.
    pub of: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    Number {
        default: f64,
        min: f64,
        max: f64,
    },
    /// Red, green and blue, each from 0 to `max`.
    Color {
        default: &'static [f64; 3],
        max: f64,
    },
    /// 1 or 0 in WGSL.
    Flag {
        default: bool,
    },
    /// An angle in degrees; its cosine and sine in WGSL.
    Turn {
        default: f64,
    },
}

/// What is laid over a model. Its text has a function by its hook and its name.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    pub name: &'static str,
    /// The parameters that are all not 0 with such a layer.
    pub weights: &'static [&'static str],
    /// Textures of which it needs one; empty: it needs none.
    pub slots: &'static [Slot],
    /// The layer that it takes the place of.
    pub instead_of: &'static str,
    /// A parameter that is 0 with such a layer; empty: none.
    pub unless: &'static str,
    pub hook: Hook,
    /// Its text reads `own.t` and `own.b`.
    pub frame: bool,
    /// As of [`Needs`].
    pub areas: bool,
    /// More members of the struct: WGSL.
    pub members: &'static str,
    pub text: &'static str,
    /// WGSL that is there only where what is behind can be seen.
    pub through: &'static str,
    /// That text measures lengths in the space of the mesh.
    pub is_measured: bool,
}

impl Layer {
    /// A layer of nothing, for rows to say what they have.
    pub const PLAIN: Layer = Layer {
        name: "",
        weights: &[],
        slots: &[],
        instead_of: "",
        unless: "",
        hook: Hook::Values,
        frame: false,
        areas: false,
        members: "",
        text: "",
        through: "",
        is_measured: false,
    };
}

/// Where a layer takes part. Every kind but `Values` also changes an [`Around`](LightingModel): `fn around_NAME(s:
/// Surface, own: Gltf, v: vec3f, around: Around) -> Around`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// No functions: textures change what others read.
    Values,
    /// `fn microfacets_NAME(s: Surface, own: Gltf, a: Angles) -> f32` in place of the specular lobe.
    Microfacets,
    /// `fn fresnel_NAME(own: Gltf, vh: f32, f0: vec3f, f: vec3f) -> vec3f` over a Fresnel term.
    Fresnel,
    /// `fn over_NAME(s: Surface, own: Gltf, a: Angles, below: vec3f) -> vec3f` over what is below.
    Over,
    /// The same with a normal of its own: what it adds is divided by `a.nl`, and `fn alone_NAME(own: Gltf, a: Angles)
    /// -> vec3f` is what leaves where light reaches it alone.
    OverBent,
    /// Light from straight behind: `fn under_transmission(own: Gltf, base: vec3f) -> vec3f`, what stays of the Lambert
    /// surface below, and `fn through_transmission(s: Surface, own: Gltf, v: vec3f, seen: Seen) -> vec4f`, what is
    /// behind. Layers of this kind share one name.
    Through,
    /// Light that leaves elsewhere than it enters: `fn under_NAME`, `fn share_NAME(s: Surface, own: Openpbr) -> vec3f`,
    /// how much of it leaves here, and `fn widths_NAME(own: Openpbr) -> vec3f`, how far it spreads.
    Subsurface,
    /// Light that is scattered to the other side: `fn under_NAME`, and `fn back_NAME(own: Gltf) -> vec3f`, Lambert's
    /// colour of that side.
    Back,
}

/// One way to set the parameters, and what then holds, for every surface.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Parameters that are not random.
    pub set: &'static [(&'static str, [f64; 3])],
    /// Largest base colour.
    pub base_max: f64,
    pub roughness_min: f64,
    /// f(l, v) = f(v, l).
    pub is_reciprocal: bool,
    /// The most of the light that arrives which may leave.
    pub albedo_max: Option<f64>,
    /// Light also reaches sides that look away from it.
    pub wraps: bool,
    /// How far a white room may be from the integral of the lobes, as a share.
    pub around_within: Option<f64>,
    /// How far WGSL may be from the same formula in f64, as a share.
    pub within: f64,
}

impl Case {
    pub const PLAIN: Case = Case {
        set: &[],
        base_max: 1.0,
        roughness_min: 0.0,
        is_reciprocal: false,
        albedo_max: None,
        wraps: false,
        around_within: None,
        within: 2e-4,
    };
}

/// Where a model is another one.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    pub set: &'static [(&'static str, [f64; 3])],
    pub of: &'static str,
    pub other_set: &'static [(&'static str, [f64; 3])],
    pub metallic: f64,
}

impl Param {
    /// The same, read by the layer of this weight alone.
    pub(super) const fn of(self, weight: &'static str) -> Param {
        Param { of: weight, ..self }
    }
}

impl LightingModel {
    /// A model of nothing, for rows to say what they have.
    pub const PLAIN: LightingModel = LightingModel {
        name: "",
        doc: "",
        formula: "",
        source: "",
        params: &[],
        text: "",
        needs: Needs::NOTHING,
        layers: &[],
        slots: &[],
        smoothest: |_, roughness| roughness,
        cases: &[],
        limits: &[],
    };

    /// Parameters that its text reads with these layers.
    pub fn read(&self, layers: u16) -> impl Iterator<Item = &'static Param> + use<> {
        let rows = self.layers;
        let has = move |weight: &str| {
            let laid = rows.iter().enumerate().filter(|(at, _)| layers >> at & 1 == 1);
            laid.into_iter().any(|(_, layer)| layer.weights.contains(&weight))
        };
        self.params.iter().filter(move |param| param.is_read && (param.of.is_empty() || has(param.of)))
    }

    /// Place of a parameter.
    pub fn param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|param| param.name == name)
    }

    /// Its struct in WGSL: `OrenNayar`.
    pub fn structure(&self) -> String {
        let word = |word: &str| word[..1].to_uppercase() + &word[1..];
        self.name.split('_').map(word).collect()
    }
}

impl ParamKind {
    pub fn default(self) -> [f32; 3] {
        match self {
            ParamKind::Number { default, .. } | ParamKind::Turn { default } => [default as f32, 0.0, 0.0],
            ParamKind::Color { default, .. } => default.map(|x| x as f32),
            ParamKind::Flag { default } => [f32::from(u8::from(default)), 0.0, 0.0],
        }
    }

    /// Its type in WGSL.
    pub fn wgsl(self) -> &'static str {
        match self {
            ParamKind::Number { .. } | ParamKind::Flag { .. } => "f32",
            ParamKind::Color { .. } => "vec3f",
            ParamKind::Turn { .. } => "vec2f",
        }
    }

    /// Adds it to a struct in WGSL's layout.
    pub fn store(self, value: [f32; 3], out: &mut Vec<f32>) {
        match self {
            ParamKind::Number { .. } | ParamKind::Flag { .. } => out.push(value[0]),
            ParamKind::Color { .. } => {
                out.resize(out.len().next_multiple_of(4), 0.0);
                out.extend(value);
            }
            ParamKind::Turn { .. } => {
                out.resize(out.len().next_multiple_of(2), 0.0);
                let (sin, cos) = stillframe_base::math::ops::sin_cos(value[0] * (std::f32::consts::PI / 180.0));
                out.extend([cos, sin]);
            }
        }
    }
}

/// Of a lobe of this power about the half vector; a little less, since shaders round.
pub(super) fn roughness_of_power(power: f32) -> f32 {
    0.99 * (2.0 / (power + 2.0)).sqrt().sqrt()
}

pub(super) const fn number(name: &'static str, default: f64, bounds: [f64; 2], doc: &'static str) -> Param {
    let [min, max] = bounds;
    Param { name, kind: ParamKind::Number { default, min, max }, doc, is_read: true, of: "" }
}

pub(super) const fn color(name: &'static str, default: &'static [f64; 3], doc: &'static str) -> Param {
    Param { name, kind: ParamKind::Color { default, max: 1.0 }, doc, is_read: true, of: "" }
}

pub(super) const fn flag(name: &'static str, doc: &'static str) -> Param {
    Param { name, kind: ParamKind::Flag { default: false }, doc, is_read: true, of: "" }
}

/// An angle in degrees.
pub(super) const fn turn(name: &'static str, doc: &'static str) -> Param {
    Param { name, kind: ParamKind::Turn { default: 0.0 }, doc, is_read: true, of: "" }
}

/// Index of refraction of a dielectric. It and the two below make the f0 and f90 of the material's `Reflection`.
pub(super) const IOR: Param = Param {
    name: "ior",
    kind: ParamKind::Number { default: 1.5, min: 0.0, max: 100.0 },
    doc: "Index of refraction of everything but metals; 0 makes every angle reflect all.",
    is_read: false,
    of: "",
};

pub(super) const SPECULAR: Param = Param {
    name: "specular",
    kind: ParamKind::Number { default: 1.0, min: 0.0, max: 1.0 },
    doc: "Strength of the reflection, except of metals.",
    is_read: false,
    of: "",
};

pub(super) const SPECULAR_COLOR: Param = Param {
    name: "specular_color",
    kind: ParamKind::Color { default: &[1.0; 3], max: 1e9 },
    doc: "Colour of that reflection at normal incidence; may be more than 1.",
    is_read: false,
    of: "",
};
