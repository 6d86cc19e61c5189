//! Materials: a model's own or the default, with what the scene says laid over.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stillframe_graph::Output;

use super::scene_at::file_number;
use super::{Part, Problems, SceneAt, Surfaces};
use crate::asset::{AlphaMode, Lighting, Material, MaterialId, ModelId, Reflection, Slot, SurfaceGraph, TextureSlot};
use crate::import;
use crate::scene::{
    Coordinates, MaterialOverride, Parameters, Scene, SceneMaterial, TextureChoice, TexturePath, TextureSource,
};
use crate::source::Diagnostic;

/// The materials of one world, in its store.
pub struct Materials {
    /// Those of the scene file.
    of_scene: Vec<MaterialId>,
    of_models: BTreeMap<ModelMaterial, MaterialId>,
    default: Option<MaterialId>,
}

/// A material of a model's file, as one model of the scene has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ModelMaterial {
    model: usize,
    material: usize,
}

impl Materials {
    /// Those of the scene, and the pictures that they name. `models`: by file.
    ///
    /// Errors: pictures that cannot be read.
    pub fn of_scene(
        scene: &Scene,
        models: &BTreeMap<PathBuf, import::Model>,
        surfaces: &mut Surfaces<'_>,
    ) -> Result<Materials, Vec<Diagnostic>> {
        let (mut made, mut errors) = (Vec::new(), Vec::new());
        for material in &scene.materials {
            match of_scene(material, scene, models, surfaces) {
                Ok(material) => made.push(material),
                Err(diagnostics) => errors.extend(diagnostics),
            }
        }
        let of_scene = made.into_iter().map(|material| surfaces.store.add_material(material)).collect();
        if errors.is_empty() {
            Ok(Materials { of_scene, of_models: BTreeMap::new(), default: None })
        } else {
            Err(errors)
        }
    }

    /// One of the scene by its position, else the default.
    pub fn of_shape(&mut self, material: Option<usize>, surfaces: &mut Surfaces<'_>) -> MaterialId {
        match material {
            Some(material) => self.of_scene[material],
            None => *self.default.get_or_insert_with(|| surfaces.store.add_material(Material::default())),
        }
    }

    /// One of the scene by its position, else the model's own with the scene's overrides: first those for every
    /// material, then those for this one.
    pub fn of_model(
        &mut self,
        at: SceneAt<'_>,
        part: Part,
        material: Option<usize>,
        surfaces: &mut Surfaces<'_>,
        problems: &mut Problems,
    ) -> MaterialId {
        if let Some(material) = material {
            return self.of_scene[material];
        }
        let model = at.model(part.model);
        let key = ModelMaterial { model: part.model, material: at.material(part) };
        if let Some(id) = self.of_models.get(&key) {
            return *id;
        }
        let mut material = of_file(model, at.file_number(part.model), key.material, surfaces);
        // Highlights of the studio's soft boxes are calm.
        material.specular_aa = at.scene.is_studio;
        let name = &model.materials[key.material].name;
        let overrides = &at.scene.models[part.model].overrides;
        let (every, this): (Vec<_>, Vec<_>) =
            overrides.iter().filter(|(own, _)| own == "*" || own == name).partition(|(own, _)| own == "*");
        for (_, values) in every.into_iter().chain(this) {
            let laid = lay_over(&mut material, values, at.scene, surfaces);
            problems.errors.extend(laid.err().into_iter().flatten());
        }
        let id = surfaces.store.add_material(material);
        self.of_models.insert(key, id);
        id
    }
}

/// A material as a model's file has it. `file`: the first model of the scene with the same file.
fn of_file(model: &import::Model, file: usize, material: usize, surfaces: &mut Surfaces<'_>) -> Material {
    let mut out = model.materials[material].clone();
    // Their pictures are the model's, and the renderer has no use for them yet.
    out.layers = None;
    for slot in out.textures.values_mut() {
        slot.image = surfaces.model_image(model, file, slot.image.index());
    }
    out
}

/// Errors of pictures that materials and overrides of a scene name.
pub fn unreadable_pictures(scene: &Scene, read: &import::Read<'_>) -> Vec<Diagnostic> {
    let of_materials = scene.materials.iter().map(|material| &material.values);
    let overrides = scene.models.iter().flat_map(|model| &model.overrides).map(|(_, values)| values);
    let paths: BTreeSet<&Path> = of_materials.chain(overrides).flat_map(pictures).collect();
    paths.into_iter().filter_map(|path| super::picture(path, read).err()).collect()
}

/// Files of textures.
fn pictures(values: &MaterialOverride) -> impl Iterator<Item = &Path> {
    let of_nodes = values.graph.iter().flat_map(|graph| &graph.textures);
    let of_keys = values.textures.values().filter_map(|texture| match texture {
        TextureChoice::File(path) => Some(path),
        TextureChoice::None => None,
    });
    of_keys.chain(of_nodes).filter_map(TexturePath::file)
}

/// A material of the scene file: its values over a model's material, or over the default, which is white and 1 where a
/// texture is given.
fn of_scene(
    material: &SceneMaterial,
    scene: &Scene,
    models: &BTreeMap<PathBuf, import::Model>,
    surfaces: &mut Surfaces<'_>,
) -> Result<Material, Vec<Diagnostic>> {
    if let Some(from) = &material.from {
        let model = &models[&scene.models[from.model].file];
        let at = model.materials.iter().position(|own| own.name == from.material);
        let at = at.expect("names were checked when the file was read");
        let mut out = of_file(model, file_number(scene, from.model), at, surfaces);
        out.name.clone_from(&material.name);
        lay_over(&mut out, &material.values, scene, surfaces)?;
        return Ok(out);
    }
    // Where a texture is given, what is not written must not dim it.
    let plain = Material::default();
    let values = &material.values;
    let is_file = |slot: Slot| matches!(values.textures.get(&slot), Some(TextureChoice::File(_)));
    let mut out = Material {
        name: material.name.clone(),
        base_color: if is_file(Slot::BaseColor) { [1.0; 4] } else { plain.base_color },
        metallic: if is_file(Slot::MetallicRoughness) { 1.0 } else { plain.metallic },
        roughness: if is_file(Slot::MetallicRoughness) { 1.0 } else { plain.roughness },
        emissive: if is_file(Slot::Emissive) { [1.0; 3] } else { plain.emissive },
        ..plain
    };
    lay_over(&mut out, &material.values, scene, surfaces)?;
    Ok(out)
}

/// Replaces what `values` holds.
fn lay_over(
    out: &mut Material,
    values: &MaterialOverride,
    scene: &Scene,
    surfaces: &mut Surfaces<'_>,
) -> Result<(), Vec<Diagnostic>> {
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
        graph,
    } = values;
    light(out, *model, parameters);
    set(&mut out.base_color, base_color);
    set(&mut out.metallic, metallic);
    set(&mut out.roughness, roughness);
    set(&mut out.normal_scale, normal_scale);
    set(&mut out.occlusion_strength, occlusion_strength);
    set(&mut out.emissive, emissive);
    let numbers = [
        (Output::BaseColor, base_color.is_some()),
        (Output::Metallic, metallic.is_some()),
        (Output::Roughness, roughness.is_some()),
        (Output::Emissive, emissive.is_some()),
    ];
    let is_number = |output: Output| numbers.contains(&(output, true));
    set(&mut out.alpha_mode, alpha_mode);
    set(&mut out.mip_coverage, mip_coverage);
    set(&mut out.double_sided, double_sided);
    set(&mut out.unlit, unlit);
    set(&mut out.specular_aa, specular_aa);
    let mut diagnostics = Vec::new();
    for (slot, choice) in textures {
        match choice {
            TextureChoice::None => {
                out.textures.remove(slot);
            }
            TextureChoice::File(path) => match texture(path, scene, surfaces) {
                Ok(texture) => {
                    out.textures.insert(*slot, texture);
                }
                Err(diagnostic) => diagnostics.push(diagnostic),
            },
        }
    }
    let cut_out = out.alpha_mode != AlphaMode::Opaque;
    if let Some(own) = graph {
        let mut textures = Vec::with_capacity(own.textures.len());
        for path in &own.textures {
            match texture(path, scene, surfaces) {
                Ok(texture) => textures.push(texture),
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        if diagnostics.is_empty() {
            out.graph = Some(Arc::new(SurfaceGraph::new(own.graph.clone(), textures, cut_out)));
        }
    } else if let Some(below) = &out.graph {
        // A number over a link.
        let mut graph = below.graph.clone();
        graph.outputs.retain(|(output, _)| !is_number(*output));
        let is_empty = graph.outputs.is_empty();
        let laid = SurfaceGraph::new(graph, below.textures.clone(), cut_out);
        out.graph = (!is_empty).then(|| Arc::new(laid));
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) }
}

/// Replaces the lighting model by another one, and the parameters that are written.
fn light(out: &mut Material, model: Option<ModelId>, parameters: &Parameters) {
    // Keys without a `model` are glTF's.
    let wanted = model.or((!parameters.is_empty()).then_some(ModelId::GLTF));
    if let Some(model) = wanted.filter(|model| *model != out.lighting.model) {
        out.lighting = Lighting::new(model);
    }
    for (at, value) in parameters {
        out.lighting.values[*at] = *value;
    }
    let row = out.lighting.model.row();
    let reflects = |at: &usize| ["ior", "specular", "specular_color"].contains(&row.params[*at].name);
    if row.needs.dielectric && parameters.keys().any(reflects) {
        let [ior, strength] = ["ior", "specular"].map(|name| out.lighting.value(name)[0]);
        out.reflection = Reflection::new(ior, strength, out.lighting.value("specular_color"));
    }
}

fn set<T: Copy>(slot: &mut T, value: &Option<T>) {
    if let Some(value) = value {
        *slot = *value;
    }
}

fn texture(path: &TexturePath, scene: &Scene, surfaces: &mut Surfaces<'_>) -> Result<TextureSlot, Diagnostic> {
    let view = path.view().map(|view| &scene.views[view]);
    let coordinates = path.coordinates.unwrap_or(match view {
        Some(view) if view.kind.is_mirror() => Coordinates::Screen,
        _ => Coordinates::Uv,
    });
    Ok(TextureSlot {
        image: match &path.source {
            TextureSource::File(file) => surfaces.picture(file)?,
            TextureSource::View(at) => surfaces.view(*at, &scene.views[*at].name),
        },
        on_screen: coordinates == Coordinates::Screen,
        uv_set: path.uv_set,
        transform: path.transform,
        wrap: path.wrap,
        mag_filter: path.mag_filter,
        min_filter: path.min_filter,
        mip_filter: path.mip_filter,
        anisotropy: path.anisotropy,
    })
}
