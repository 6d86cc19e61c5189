//! `[material.NAME]`: materials written in scene files, and what models' materials have different.

mod from;
mod graph;
mod lighting;
mod texture;

use std::collections::BTreeMap;

use stillframe_graph::{Graph, Output};

use crate::asset::{AlphaMode, ModelId, Slot};
use crate::scene::fields::Fields;
use crate::scene::key::{Key, Moved, choice, flag, key, number, optional, rows};
use crate::scene::printer::Printer;
use crate::scene::resolver::{Names, Resolver};
use crate::scene::schema::{Constant, Kind, NUMBER_MAX, Row, Type, UNIT, kind, range};
use crate::scene::text::syntax::Table;
use crate::scene::track::Thing;
use crate::scene::word::Word;

pub use from::FromModel;
pub(crate) use from::lay_materials;
use from::{FROM, FROM_MODEL};
pub use graph::MaterialGraph;
use graph::{DISPLACEMENT_MAX_M, NODE};
pub(crate) use graph::{TABLE as NODE_TABLE, refused};
use lighting::MODEL;
pub use lighting::Parameters;
pub(crate) use texture::TABLE as TEXTURE_TABLE;
use texture::Texture;
pub use texture::{Coordinates, TextureChoice, TexturePath, TextureSource};

/// As `[material.NAME]`; values of an override belong to their model.
pub(crate) static TABLE: Kind = Kind {
    variants: Some(&lighting::VARIANTS),
    thing: Some(|at| match at {
        [material] => Thing::Material(*material),
        [model, at] => Thing::Override(*model, *at),
        _ => unreachable!("materials are in the scene or in a model"),
    }),
    ..kind(
        "[material.NAME]",
        "A surface. Without a `model` it is a metallic-roughness material, as in glTF. Factors multiply textures. In `[model.NAME.override.MATERIAL]`, keys that are not written stay as the model has them.",
        KEYS,
    )
};

const BASE_COLOR: Key<[f32; 4]> = key(
    "base_color",
    Type::OrLink(&Type::Color { alpha: true, max: 1.0 }),
    Constant::Numbers(&[0.5, 0.5, 0.5, 1.0]),
    "Colour of the surface. With `base_color_texture`, the default is white.",
)
.moves();
const BASE_COLOR_TEXTURE: Key<Texture> = texture::key_of(Slot::BaseColor);
const METALLIC: Key<f32> = key(
    "metallic",
    Type::OrLink(&Type::Number(UNIT)),
    Constant::Number(0.0),
    "0 for everything but metals, 1 for metals. With `metallic_roughness_texture`, the default is 1.",
)
.moves();
const ROUGHNESS: Key<f32> = key(
    "roughness",
    Type::OrLink(&Type::Number(UNIT)),
    Constant::Number(0.5),
    "0 is a mirror. With `metallic_roughness_texture`, the default is 1.",
)
.moves();
const ALPHA: Key<String> = optional("alpha", Type::Link, "that of `base_color`", "What `alpha_mode` is about.");
const NORMAL: Key<String> = optional(
    "normal",
    Type::Link,
    "that of the mesh",
    "The shading normal in the world; its length means nothing. The node `normal_map` makes one of a texel.",
);
const OCCLUSION: Key<String> = optional("occlusion", Type::Link, "1", "The share of environment light that arrives.");
const RADIANCE: Key<String> = optional(
    "radiance",
    Type::Link,
    "Lambert's",
    "What one light sends to the eye, in nits, with `model = \"custom\"`; the node `light` says what arrives.",
);
const DISPLACEMENT: Key<String> = optional(
    "displacement",
    Type::Link,
    "none",
    "How far the corners of triangles move along the mesh's normal, in metres of the mesh. Normals stay the mesh's: `normal` can name those of the node `bump`.",
);
const DISPLACEMENT_VECTOR: Key<String> =
    optional("displacement_vector", Type::Link, "none", "How far they move, as a vector in the space of the mesh.");
const METALLIC_ROUGHNESS_TEXTURE: Key<Texture> = texture::key_of(Slot::MetallicRoughness);
const NORMAL_TEXTURE: Key<Texture> = texture::key_of(Slot::Normal);
const NORMAL_SCALE: Key<f32> = number("normal_scale", 1.0, range(-100.0, 100.0), "Strength of the normal map.").moves();
const OCCLUSION_TEXTURE: Key<Texture> = texture::key_of(Slot::Occlusion);
const OCCLUSION_STRENGTH: Key<f32> = number("occlusion_strength", 1.0, UNIT, "Strength of the occlusion.").moves();
const EMISSIVE: Key<[f32; 3]> = key(
    "emissive",
    Type::OrLink(&Type::Color { alpha: false, max: NUMBER_MAX }),
    Constant::Numbers(&[0.0, 0.0, 0.0]),
    "Light that the surface emits, in nits.",
)
.moves();
const EMISSIVE_TEXTURE: Key<Texture> = texture::key_of(Slot::Emissive);
const ALPHA_MODE: Key<Alpha> = choice(
    "alpha_mode",
    "opaque",
    "Whether alpha is ignored, cuts out (`mask`), or blends. `hashed` cuts out by a threshold that differs from point to point. `to_coverage` covers as many of four samples as alpha says.",
);
const ALPHA_CUTOFF: Key<f32> =
    number("alpha_cutoff", 0.5, UNIT, "With `alpha_mode = \"mask\"`: whatever has less alpha is cut out.").moves();
const MIP_COVERAGE: Key<bool> = flag(
    "mip_coverage",
    false,
    "With `alpha_mode = \"mask\"`: whether mip levels of `base_color_texture` keep the share of its area that is not cut out, so that leaves do not vanish far away.",
);
const DOUBLE_SIDED: Key<bool> = flag("double_sided", false, "Whether back faces are drawn.");
const UNLIT: Key<bool> = flag("unlit", false, "Whether the base colour is shown as it is, without lighting.");
const SPECULAR_AA: Key<bool> = flag(
    "specular_aa",
    false,
    "Whether normals that turn within a pixel widen its highlight, so that it does not sparkle.",
);
static KEYS: &[Row] = rows! {
    FROM, FROM_MODEL, MODEL, BASE_COLOR, BASE_COLOR_TEXTURE, METALLIC, ROUGHNESS, METALLIC_ROUGHNESS_TEXTURE, NORMAL_TEXTURE, NORMAL_SCALE,
    OCCLUSION_TEXTURE, OCCLUSION_STRENGTH, EMISSIVE, EMISSIVE_TEXTURE, ALPHA_MODE, ALPHA_CUTOFF, MIP_COVERAGE, DOUBLE_SIDED, UNLIT, SPECULAR_AA,
    ALPHA, NORMAL, OCCLUSION, RADIANCE, DISPLACEMENT, DISPLACEMENT_VECTOR, DISPLACEMENT_MAX_M, NODE
};

/// `[material.NAME]`, every default filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneMaterial {
    pub name: String,
    /// What it begins as; its values then are only what is written.
    pub from: Option<FromModel>,
    pub values: MaterialOverride,
}

/// What is written of a material; `None` keeps the model's (or the default) value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaterialOverride {
    pub model: Option<ModelId>,
    pub parameters: Parameters,
    pub base_color: Option<[f32; 4]>,
    pub metallic: Option<f32>,
    pub roughness: Option<f32>,
    pub normal_scale: Option<f32>,
    pub occlusion_strength: Option<f32>,
    pub emissive: Option<[f32; 3]>,
    pub textures: BTreeMap<Slot, TextureChoice>,
    pub alpha_mode: Option<AlphaMode>,
    pub mip_coverage: Option<bool>,
    pub double_sided: Option<bool>,
    pub unlit: Option<bool>,
    pub specular_aa: Option<bool>,
    /// What keys that name nodes are made of.
    pub graph: Option<MaterialGraph>,
}

/// The words of an alpha mode.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Alpha {
    Opaque,
    Mask,
    Blend,
    Hashed,
    Coverage,
}

impl Word for Alpha {
    const WORDS: &'static [(&'static str, Alpha)] = &[
        ("opaque", Alpha::Opaque),
        ("mask", Alpha::Mask),
        ("blend", Alpha::Blend),
        ("hashed", Alpha::Hashed),
        ("to_coverage", Alpha::Coverage),
    ];
}

pub(crate) fn materials(resolver: &mut Resolver<'_>, tree: &Table, models: &Names) -> Vec<SceneMaterial> {
    let mut out = Vec::new();
    for (name, _, table) in tree.named("material") {
        let from = from::from_model(resolver, table, models);
        let values = values(resolver, table);
        let values = if from.is_some() { values } else { filled(values) };
        out.push(SceneMaterial { name: name.to_string(), from, values });
    }
    out
}

/// What a model's material has different.
pub(crate) fn override_of(resolver: &mut Resolver<'_>, table: &Table) -> MaterialOverride {
    for key in [FROM, FROM_MODEL] {
        let help = "add a `[material.NAME]`, and name it as the `material` of the node";
        resolver.without_effect(table, key, "in an override", Some(help));
    }
    values(resolver, table)
}

/// What is written, and nothing else.
fn values(resolver: &mut Resolver<'_>, table: &Table) -> MaterialOverride {
    let mut out = MaterialOverride::default();
    fields(&mut Fields::Read(table), &mut out, &mut |_, slot, textures| {
        textures.extend(texture::texture(resolver, table, texture::key_of(slot)).map(|texture| (slot, texture)));
    });
    if !matches!(out.alpha_mode, Some(AlphaMode::Mask { .. })) {
        let help = Some("add `alpha_mode = \"mask\"`, or remove it");
        resolver.without_effect(table, ALPHA_CUTOFF, "without `alpha_mode = \"mask\"`", help);
        resolver.without_effect(table, MIP_COVERAGE, "without `alpha_mode = \"mask\"`", help);
    }
    if out.model.is_none_or(|model| model.row().name != "custom") {
        let help = Some("add `model = \"custom\"`, or remove it");
        resolver.without_effect(table, RADIANCE, "without `model = \"custom\"`", help);
    }
    let cut_out = out.alpha_mode.is_some_and(|mode| mode != AlphaMode::Opaque);
    out.graph = graph::read(resolver, table, cut_out);
    if let Some(own) = &out.graph {
        without_textures(resolver, table, &own.graph);
    }
    out
}

/// A key that names a node stands for its texture, too.
fn without_textures(resolver: &mut Resolver<'_>, table: &Table, graph: &Graph) {
    let is_linked = |output: Output| graph.outputs.iter().any(|(own, _)| *own == output);
    let both = is_linked(Output::Metallic) && is_linked(Output::Roughness);
    for (is_without, key, why) in [
        (is_linked(Output::BaseColor), BASE_COLOR_TEXTURE.name(), "with `base_color` of a node"),
        (both, METALLIC_ROUGHNESS_TEXTURE.name(), "with `metallic` and `roughness` of nodes"),
        (is_linked(Output::Normal), NORMAL_TEXTURE.name(), "with `normal` of a node"),
        (is_linked(Output::Normal), NORMAL_SCALE.name(), "with `normal` of a node"),
        (is_linked(Output::Occlusion), OCCLUSION_TEXTURE.name(), "with `occlusion` of a node"),
        (is_linked(Output::Occlusion), OCCLUSION_STRENGTH.name(), "with `occlusion` of a node"),
        (is_linked(Output::Emissive), EMISSIVE_TEXTURE.name(), "with `emissive` of a node"),
    ] {
        if is_without {
            let help = Some("read the picture with a node `texture`, or remove one of them");
            resolver.without_effect_of(table, key, why, help);
        }
    }
}

/// The same with every default. A factor that is not written is 1 beside its texture, so that the texture is seen as it
/// is.
fn filled(written: MaterialOverride) -> MaterialOverride {
    let is_file = |slot: Slot| matches!(written.textures.get(&slot), Some(TextureChoice::File(_)));
    let [has_color, has_factors, has_emission] =
        [Slot::BaseColor, Slot::MetallicRoughness, Slot::Emissive].map(is_file);
    let base_color = if has_color { [1.0; 4] } else { BASE_COLOR.default() };
    let [metallic, roughness] = if has_factors { [1.0; 2] } else { [METALLIC.default(), ROUGHNESS.default()] };
    let emissive = if has_emission { [1.0; 3] } else { EMISSIVE.default() };
    let parameters = lighting::filled(written.model, written.parameters.clone(), &is_file);
    MaterialOverride {
        base_color: written.base_color.or(Some(base_color)),
        metallic: written.metallic.or(Some(metallic)),
        roughness: written.roughness.or(Some(roughness)),
        normal_scale: written.normal_scale.or(Some(NORMAL_SCALE.default())),
        occlusion_strength: written.occlusion_strength.or(Some(OCCLUSION_STRENGTH.default())),
        emissive: written.emissive.or(Some(emissive)),
        alpha_mode: written.alpha_mode.or(Some(AlphaMode::Opaque)),
        double_sided: written.double_sided.or(Some(DOUBLE_SIDED.default())),
        unlit: written.unlit.or(Some(UNLIT.default())),
        parameters,
        ..written
    }
}

/// What is done with the texture of a slot.
type OnTexture<'t> = &'t mut dyn FnMut(&mut Fields<'_, '_>, Slot, &mut BTreeMap<Slot, TextureChoice>);

fn fields(on: &mut Fields<'_, '_>, values: &mut MaterialOverride, texture: OnTexture<'_>) {
    let MaterialOverride {
        model,
        parameters,
        base_color,
        metallic,
        roughness,
        normal_scale,
        occlusion_strength,
        emissive,
        textures,
        alpha_mode,
        mip_coverage,
        double_sided,
        unlit,
        specular_aa,
        graph: _,
    } = values;
    lighting::fields(on, model, parameters);
    for slot in model.unwrap_or_default().row().slots {
        texture(on, *slot, textures);
    }
    on.written(BASE_COLOR, base_color);
    texture(on, Slot::BaseColor, textures);
    on.written(METALLIC, metallic);
    on.written(ROUGHNESS, roughness);
    texture(on, Slot::MetallicRoughness, textures);
    texture(on, Slot::Normal, textures);
    on.written(NORMAL_SCALE, normal_scale);
    texture(on, Slot::Occlusion, textures);
    on.written(OCCLUSION_STRENGTH, occlusion_strength);
    on.written(EMISSIVE, emissive);
    texture(on, Slot::Emissive, textures);
    alpha(on, alpha_mode);
    on.written(MIP_COVERAGE, mip_coverage);
    on.written(DOUBLE_SIDED, double_sided);
    on.written(UNLIT, unlit);
    on.written(SPECULAR_AA, specular_aa);
}

/// A mode, and the cutoff of a mask.
fn alpha(on: &mut Fields<'_, '_>, mode: &mut Option<AlphaMode>) {
    let mut word = mode.map(|mode| match mode {
        AlphaMode::Opaque => Alpha::Opaque,
        AlphaMode::Mask { .. } => Alpha::Mask,
        AlphaMode::Blend => Alpha::Blend,
        AlphaMode::Hashed => Alpha::Hashed,
        AlphaMode::Coverage => Alpha::Coverage,
    });
    let mut cutoff = match mode {
        Some(AlphaMode::Mask { cutoff }) => *cutoff,
        _ => ALPHA_CUTOFF.default(),
    };
    on.written(ALPHA_MODE, &mut word);
    if word == Some(Alpha::Mask) {
        on.field(ALPHA_CUTOFF, &mut cutoff);
    }
    *mode = word.map(|word| match word {
        Alpha::Opaque => AlphaMode::Opaque,
        Alpha::Mask => AlphaMode::Mask { cutoff },
        Alpha::Blend => AlphaMode::Blend,
        Alpha::Hashed => AlphaMode::Hashed,
        Alpha::Coverage => AlphaMode::Coverage,
    });
}

/// `models`: names of the scene's models.
pub(crate) fn print_of_scene(out: &mut Printer<'_>, material: &SceneMaterial, models: &[&str]) {
    if let Some(FromModel { model, material }) = &material.from {
        out.name(FROM, Some(material.as_str()));
        out.name(FROM_MODEL, Some(models[*model]));
    }
    print(out, &material.values);
}

pub(crate) fn print(out: &mut Printer<'_>, values: &MaterialOverride) {
    let mut own = values.clone();
    for (output, _) in own.graph.iter().flat_map(|graph| &graph.graph.outputs) {
        match output {
            Output::BaseColor => own.base_color = None,
            Output::Metallic => own.metallic = None,
            Output::Roughness => own.roughness = None,
            Output::Emissive => own.emissive = None,
            // What is beside it has no effect, and so must not be written.
            Output::Normal => own.normal_scale = None,
            Output::Occlusion => own.occlusion_strength = None,
            Output::Alpha | Output::Radiance | Output::Displacement | Output::DisplacementVector => {}
        }
    }
    fields(&mut Fields::Print(out), &mut own, &mut |on, slot, textures| {
        if let (Fields::Print(out), Some(choice)) = (on, textures.get(&slot)) {
            texture::print(out, texture::key_of(slot), choice);
        }
    });
    if let Some(graph) = &values.graph {
        graph::print_links(out, graph);
        graph::print_nodes(out, graph);
    }
}

pub(crate) fn moved(values: &mut MaterialOverride, moved: Moved<'_>) {
    fields(&mut Fields::Move(moved), values, &mut |_, _, _| ());
}

/// Turns a node of its graph to another moment.
pub(crate) fn node_moved(values: &mut MaterialOverride, node: usize, moved: Moved<'_>) {
    if let Some(graph) = &mut values.graph {
        graph::moved(graph, node, moved);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::Material;

    /// What nothing is said of looks alike, whether a `[material.NAME]` or no material says so.
    #[test]
    fn an_empty_material_is_the_grey_one() {
        let grey = Material::default();
        let filled = filled(MaterialOverride::default());
        assert_eq!(filled.base_color, Some(grey.base_color));
        assert_eq!((filled.metallic, filled.roughness), (Some(grey.metallic), Some(grey.roughness)));
        assert_eq!(filled.normal_scale, Some(grey.normal_scale));
        assert_eq!(filled.occlusion_strength, Some(grey.occlusion_strength));
        assert_eq!((filled.emissive, filled.alpha_mode), (Some(grey.emissive), Some(grey.alpha_mode)));
        assert_eq!((filled.double_sided, filled.unlit), (Some(grey.double_sided), Some(grey.unlit)));
    }
}
