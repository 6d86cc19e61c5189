//! Names: what a scene says must be in its files is looked for there.
//!
//! In: a scene and its files as far as they could be read. Out: an error with a hint for each name that is not there.

use std::path::Path;

use super::World;
use super::code;
use super::files::Files;
use super::place::chosen_clips;
use crate::import;
use crate::scene::{CameraChoice, ClipChoice, Content, FromModel, Owner, Scene};
use crate::source::{Diagnostic, near};

/// Names that models of the scene expect in their files, then materials that materials begin as, joints that nodes hang
/// on, and shapes that nodes weigh.
pub fn check(scene: &Scene, files: &Files) -> Vec<Diagnostic> {
    let models = scene.models.iter().filter_map(|model| Some(of_model(scene, model, files.models.get(&model.file)?)));
    let models = models.flatten().chain(materials(scene, files));
    models.chain(joints(scene, files)).chain(shapes(scene, files)).collect()
}

/// Materials of models that materials of the scene begin as.
fn materials(scene: &Scene, files: &Files) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for material in &scene.materials {
        let Some(FromModel { model, material: name }) = &material.from else { continue };
        let file = &scene.models[*model].file;
        let Some(found) = files.models.get(file) else { continue };
        let names: Vec<&str> = found.materials.iter().map(|material| material.name.as_str()).collect();
        if !names.contains(&name.as_str()) {
            let owner = Owner { kind: "material", name: &material.name };
            let message = format!("{owner}: the file has no material {name:?}");
            let error = Diagnostic::error(code::MODEL_MATERIAL, file, message).help(near(name, &names));
            out.push(scene.written.at(owner, &["from"], name, error));
        }
    }
    out
}

/// Joints that nodes hang on.
fn joints(scene: &Scene, files: &Files) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for node in &scene.nodes {
        let shown = node.parent.map(|parent| &scene.nodes[parent].content);
        let (Some(joint), Some(Content::Model(model))) = (&node.joint, shown) else { continue };
        let file = &scene.models[*model].file;
        let Some(found) = files.models.get(file) else { continue };
        let names: Vec<&str> = found.nodes.iter().map(|n| n.name.as_str()).collect();
        if !names.contains(&joint.as_str()) {
            let message = format!("node {:?}: the file has no joint {joint:?}", node.name);
            let error = Diagnostic::error(code::MODEL_NODE, file, message).help(near(joint, &names));
            let owner = Owner { kind: "node", name: &node.name };
            out.push(scene.written.at(owner, &["joint"], joint, error));
        }
    }
    out
}

/// Shapes that nodes weigh.
fn shapes(scene: &Scene, files: &Files) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for node in &scene.nodes {
        let Content::Model(model) = &node.content else { continue };
        let file = &scene.models[*model].file;
        let Some(found) = files.models.get(file) else { continue };
        let owner = Owner { kind: "node", name: &node.name };
        out.extend(node.morphs.iter().filter_map(|morph| missing_shape(scene, owner, &morph.name, (file, found))));
    }
    out
}

/// What to say of a shape that `owner` names and a model does not have.
pub fn missing_shape(
    scene: &Scene,
    owner: Owner<'_>,
    name: &str,
    (file, model): (&Path, &import::Model),
) -> Option<Diagnostic> {
    let names: Vec<&str> = model.nodes.iter().flat_map(|node| &node.morphs).map(|of| of.name.as_str()).collect();
    let message = format!("{owner}: the file has no morph target {name:?}");
    let found = names.contains(&name);
    let error = || Diagnostic::error(code::MODEL_NODE, file, message).help(near(name, &names));
    (!found).then(|| scene.written.at(owner, &["morph", "shape", "mask"], name, error()))
}

/// Positions of the clips that a scene's model plays.
///
/// Errors: names and numbers that the file does not have.
pub fn playing_clips(
    scene: &Scene,
    model: &crate::scene::Model,
    found: &import::Model,
) -> Result<Vec<usize>, Vec<Diagnostic>> {
    let wrong = of_model(scene, model, found);
    if wrong.is_empty() { Ok(chosen_clips(&model.clip, found)) } else { Err(wrong) }
}

/// Names of nodes, materials and clips that the scene expects in a model.
fn of_model(scene: &Scene, model: &crate::scene::Model, found: &import::Model) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut miss = |code, kind: &str, name: &str, names: Vec<&str>| {
        let message = format!("model {:?}: the file has no {kind} {name:?}", model.name);
        let error = Diagnostic::error(code, &model.file, message).help(near(name, &names));
        let key = if code == code::MODEL_MATERIAL { "override" } else { kind };
        out.push(scene.written.at(Owner { kind: "model", name: &model.name }, &[key], name, error));
    };
    for name in &model.nodes {
        let names: Vec<&str> = found.nodes.iter().map(|n| n.name.as_str()).collect();
        if !names.contains(&name.as_str()) {
            miss(code::MODEL_NODE, "node", name, names);
        }
    }
    for name in &model.meshes {
        let names: Vec<&str> = found.nodes.iter().filter_map(|n| n.mesh.as_deref()).collect();
        if !names.contains(&name.as_str()) {
            miss(code::MODEL_MESH, "mesh", name, names);
        }
    }
    for (name, _) in &model.overrides {
        let names: Vec<&str> = found.materials.iter().map(|m| m.name.as_str()).collect();
        if name != "*" && !names.contains(&name.as_str()) {
            miss(code::MODEL_MATERIAL, "material", name, names);
        }
    }
    if let Some(text) = model.variant.as_deref().filter(|text| found.variant(text).is_none()) {
        miss(code::MODEL_VARIANT, "variant", text, variant_names(found));
    }
    let names: Vec<&str> = found.clips.iter().map(|clip| clip.name.as_str()).collect();
    match &model.clip {
        ClipChoice::Named(name) if !names.contains(&name.as_str()) => miss(code::MODEL_CLIP, "clip", name, names),
        ClipChoice::Number(number) if *number >= names.len() => {
            miss(code::MODEL_CLIP, "clip", &format!("#{number}"), names);
        }
        _ => {}
    }
    out
}

fn variant_names(found: &import::Model) -> Vec<&str> {
    found.variants.iter().map(|variant| variant.name.as_str()).collect()
}

/// Dresses every model that has the variant of the scene in it.
///
/// Errors: none has it.
pub fn wear_variant(scene: &mut Scene, files: &Files) -> Option<Diagnostic> {
    let text = scene.variant.clone()?;
    let mut names = Vec::new();
    let mut is_worn = false;
    for model in &mut scene.models {
        // What cannot be read has been reported.
        let found = files.models.get(&model.file)?;
        names.extend(variant_names(found));
        if found.variant(&text).is_some() {
            (model.variant, is_worn) = (Some(text.clone()), true);
        }
    }
    let file = scene.models.first().map_or(&scene.root, |model| &model.file);
    let message = format!("no model has the variant {text:?}");
    (!is_worn).then(|| Diagnostic::error(code::MODEL_VARIANT, file, message).help(near(&text, &names)))
}

/// The cameras that the scene and its views look through must be there.
pub fn camera(scene: &Scene, world: &World) -> Option<Diagnostic> {
    let of_views = scene.views.iter().map(|view| &view.camera);
    std::iter::once(&scene.camera).chain(of_views).find_map(|choice| missing_camera(scene, world, choice))
}

fn missing_camera(scene: &Scene, world: &World, choice: &CameraChoice) -> Option<Diagnostic> {
    let names: Vec<&str> = world.cameras.iter().filter(|c| c.from_model).map(|c| c.name.as_str()).collect();
    let (wanted, help) = match choice {
        CameraChoice::ModelNamed(name) if !names.contains(&name.as_str()) => (format!("{name:?}"), near(name, &names)),
        CameraChoice::ModelNumber(number) if *number >= names.len() => {
            (format!("#{number}"), format!("its models have {} cameras", names.len()))
        }
        _ => return None,
    };
    let file = scene.models.first().map_or(&scene.root, |m| &m.file);
    let error = Diagnostic::error(code::CAMERA, file, format!("no camera {wanted}")).help(help);
    let text = wanted.trim_matches('"');
    let error = scene.written.at(Owner { kind: "output", name: "" }, &["camera"], text, error);
    let error = scene.written.at(Owner { kind: "view", name: "" }, &["camera"], text, error);
    Some(scene.written.at(Owner { kind: "shot", name: "" }, &["camera"], text, error))
}
