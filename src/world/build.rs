//! Building: a scene becomes a world.

use std::collections::BTreeMap;
use std::path::Path;

use super::load::Pictures;
use super::place::Placing;
use super::{World, code, load, material};
use crate::asset::{Image, Material, Store};
use crate::import;
use crate::scene::{CameraChoice, EnvironmentSource, Scene};
use crate::source::{Diagnostic, Severity};

/// A scene with everything loaded.
#[derive(Clone, Debug)]
pub struct Built {
    /// Settled: nothing is left open.
    pub scene: Scene,
    pub world: World,
    pub store: Store,
    /// The environment's picture, where the scene names a file.
    pub environment: Option<Image>,
    /// Things that were tolerated.
    pub warnings: Vec<Diagnostic>,
}

/// Loads what a scene names, settles what it leaves open, places and bakes everything.
///
/// `read` reads a file by its path and refuses what lies outside the scene's root. Object ids count nodes that show
/// something, from 1, in tree order: scene nodes in file order, a model's nodes depth first within its scene node.
/// Errors: everything wrong with models, pictures and names, in the order of the scene's lists.
pub fn build(scene: &Scene, read: &import::Read<'_>) -> Result<Built, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    let mut loaded: BTreeMap<&Path, Option<import::Model>> = BTreeMap::new();
    for model in &scene.models {
        if loaded.contains_key(model.file.as_path()) {
            continue;
        }
        let read_model = match load::model(&model.file, read) {
            Ok(read_model) => {
                warnings.extend(read_model.warnings.iter().cloned());
                Some(read_model)
            }
            Err(diagnostics) => {
                errors.extend(diagnostics);
                None
            }
        };
        loaded.insert(&model.file, read_model);
    }
    let models: Vec<Option<&import::Model>> = scene.models.iter().map(|m| loaded[m.file.as_path()].as_ref()).collect();

    let mut settled = scene.clone();
    let file_has_lights = !scene.lights.is_empty() || models.iter().flatten().any(|m| !m.lights.is_empty());
    settled.settle(file_has_lights);

    let mut store = Store::default();
    let mut pictures = Pictures::default();
    let mut materials: Vec<Material> = Vec::new();
    for scene_material in &scene.materials {
        match material::of_scene(scene_material, &mut pictures, &mut store, read) {
            Ok(material) => materials.push(material),
            Err(diagnostics) => errors.extend(diagnostics),
        }
    }
    let environment = match &settled.environment.source {
        EnvironmentSource::File(file) => match load::picture(file, read) {
            Ok(image) => Some(image),
            Err(diagnostic) => {
                errors.push(diagnostic);
                None
            }
        },
        _ => None,
    };
    for (model, found) in scene.models.iter().zip(&models) {
        if let Some(found) = found {
            errors.extend(check_names(model, found));
        }
    }
    if errors.is_empty() {
        let mut placing = Placing::new(&settled, &models, materials, store, pictures, read);
        placing.run();
        errors.extend(placing.errors);
        warnings.extend(placing.warnings);
        let (world, store) = (placing.world, placing.store);
        errors.extend(check_camera(&settled, &world));
        if errors.is_empty() {
            return Ok(Built { scene: settled, world, store, environment, warnings });
        }
    }
    Err(errors)
}

/// Names of nodes and materials that the scene expects in a model.
fn check_names(model: &crate::scene::Model, found: &import::Model) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let mut miss = |code, kind: &str, name: &str, names: Vec<&str>| {
        out.push(Diagnostic {
            code,
            severity: Severity::Error,
            file: model.file.clone(),
            span: None,
            message: format!("model {:?}: the file has no {kind} {name:?}", model.name),
            help: Some(near(name, &names)),
        });
    };
    if let Some(name) = &model.node {
        let names: Vec<&str> = found.nodes.iter().map(|n| n.name.as_str()).collect();
        if !names.contains(&name.as_str()) {
            miss(code::MODEL_NODE, "node", name, names);
        }
    }
    for (name, _) in &model.overrides {
        let names: Vec<&str> = found.materials.iter().map(|m| m.name.as_str()).collect();
        if name != "*" && !names.contains(&name.as_str()) {
            miss(code::MODEL_MATERIAL, "material", name, names);
        }
    }
    out
}

/// The camera that the scene looks through must be there.
fn check_camera(scene: &Scene, world: &World) -> Option<Diagnostic> {
    let names: Vec<&str> = world.cameras.iter().filter(|c| c.from_model).map(|c| c.name.as_str()).collect();
    let (wanted, help) = match &scene.camera {
        CameraChoice::ModelNamed(name) if !names.contains(&name.as_str()) => (format!("{name:?}"), near(name, &names)),
        CameraChoice::ModelNumber(number) if *number >= names.len() => {
            (format!("#{number}"), format!("there are {} cameras in its models", names.len()))
        }
        _ => return None,
    };
    Some(Diagnostic {
        code: code::CAMERA,
        severity: Severity::Error,
        file: scene.models.first().map_or_else(|| scene.root.clone(), |m| m.file.clone()),
        span: None,
        message: format!("there is no camera {wanted}"),
        help: Some(help),
    })
}

/// "did you mean", or what there is.
fn near(name: &str, names: &[&str]) -> String {
    let mut ranked: Vec<(usize, &str)> = names.iter().map(|n| (strsim::damerau_levenshtein(name, n), *n)).collect();
    ranked.sort();
    match ranked.first() {
        None => "there is none at all".to_string(),
        Some((distance, nearest)) if *distance <= 1 + name.len() / 3 => format!("did you mean {nearest:?}?"),
        _ => {
            let mut list: Vec<&str> = names.to_vec();
            list.sort_unstable();
            list.dedup();
            let shown = list.iter().take(8).map(|n| format!("{n:?}")).collect::<Vec<_>>().join(", ");
            format!("there are {shown}{}", if list.len() > 8 { ", ..." } else { "" })
        }
    }
}
