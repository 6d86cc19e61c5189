//! Open: what a scene names is read, checked and made ready to be placed.
//!
//! In: a scene, a way to read files. Out: a [`Loaded`], or everything wrong with its files. Never here: moments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stillframe_base::tick::Tick;
use stillframe_effects::Table;

use super::World;
use super::family::{self, crowd};
use super::files::{Files, import_wishes};
use super::loaded::{Loaded, Placed};
use super::names;
use super::place::{SurfaceCache, picture, unreadable_pictures};
use super::proportion::ShapedModels;
use super::worn::{Unfit, Wear, Worn};
use crate::asset::{Image, LightFile};
use crate::bake::panel;
use crate::cache::{Access, Ready};
use crate::import;
use crate::scene::{ClipHome, Content, EnvironmentSource, LightKind, Owner, ProbeSource, Scene};
use crate::source::Diagnostic;

/// A scene with everything loaded, placed at its own moment.
#[derive(Clone, Debug)]
pub struct Built {
    /// Settled: nothing is left open.
    pub scene: Arc<Scene>,
    pub world: World,
    /// The environment's picture, where the scene names a file.
    pub environment: Option<Image>,
    /// What was tolerated.
    pub warnings: Vec<Diagnostic>,
}

/// [`open`] and [`Loaded::place`] at the scene's own time.
pub fn build(scene: &Scene, read: &import::Read<'_>) -> Result<Built, Vec<Diagnostic>> {
    let loaded = open(scene, None, read)?;
    let Placed { scene, world, warnings } = loaded.place(Tick::from_seconds(scene.time_s), read)?;
    let Loaded { environment, warnings: of_loading, .. } = loaded;
    Ok(Built { scene, world, environment, warnings: [of_loading, warnings].concat() })
}

/// Loads what a scene names and settles what it leaves open.
///
/// `read` reads a file by its path and refuses what is outside the scene's root. With a cache models are baked ahead of
/// time, or found as they were baked before; what is placed is the same with one and without. Errors: everything wrong
/// with models, pictures and names, in the order of the scene's lists.
pub fn open(scene: &Scene, cache: Option<&Access<'_>>, read: &import::Read<'_>) -> Result<Loaded, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let ReadModels { models, surfaces, mut warnings, found_count } = read_models(scene, cache, read, &mut errors);
    let mut files = Files { models, ..Files::default() };
    let mut settled = scene.clone();
    settled.settle(!scene.lights.is_empty() || files.models.values().any(|model| !model.lights.is_empty()));
    errors.extend(names::wear_variant(&mut settled, &files));
    let environment = read_environment(&settled, read, &mut errors);
    files.pictures = read_probes(&settled, read, &mut errors);
    read_clips(scene, read, &mut files, &mut errors);
    read_tables(&mut settled, read, &mut errors);
    let expanded = settled.expanded();
    read_lights(&expanded, read, &mut files, &mut errors);
    errors.extend(names::check(scene, &files));
    errors.extend(family::check(scene, &files));
    let worn = fit_parts(scene, &files, &mut errors);
    let (shaped, misshapen) = ShapedModels::load(scene, &files);
    errors.extend(misshapen);
    if !errors.is_empty() {
        // What would be found later is reported with it.
        errors.extend(family::complaints(&settled, &files, &shaped));
        errors.extend(unreadable_pictures(scene, read));
        let mut errors = scene.written.homes(errors);
        errors.dedup();
        return Err(errors);
    }
    let (families, of_families) = family::load(&settled, &expanded, &files, &shaped).map_err(|mut errors| {
        errors.extend(unreadable_pictures(scene, read));
        scene.written.homes(errors)
    })?;
    warnings.extend(of_families);
    Ok(Loaded {
        scene: Arc::new(expanded),
        settled,
        environment,
        warnings,
        found_count,
        files,
        worn,
        shaped,
        families,
        surfaces,
        stage: None,
        isa: None,
    })
}

/// The models of a scene, each file once.
struct ReadModels {
    models: BTreeMap<PathBuf, import::Model>,
    /// What was baked of them ahead of time.
    surfaces: SurfaceCache,
    warnings: Vec<Diagnostic>,
    /// How many were found ready in the cache.
    found_count: u32,
}

fn read_models(
    scene: &Scene,
    cache: Option<&Access<'_>>,
    read: &import::Read<'_>,
    errors: &mut Vec<Diagnostic>,
) -> ReadModels {
    let mut out = ReadModels {
        models: BTreeMap::new(),
        surfaces: SurfaceCache::within(import_wishes(scene)),
        warnings: Vec::new(),
        found_count: 0,
    };
    let mut asked: BTreeSet<&Path> = BTreeSet::new();
    for (number, model) in scene.models.iter().enumerate() {
        if !asked.insert(&model.file) {
            continue;
        }
        match read_model(scene, &model.file, cache, read) {
            Ok((ready, found)) => {
                out.found_count += u32::from(found);
                out.warnings.extend(ready.model.warnings.iter().cloned());
                out.models.insert(model.file.clone(), out.surfaces.take_in(number, ready));
            }
            Err(diagnostics) => errors.extend(diagnostics),
        }
    }
    out
}

/// A model, and whether it was found ready in the cache.
fn read_model(
    scene: &Scene,
    file: &Path,
    cache: Option<&Access<'_>>,
    read: &import::Read<'_>,
) -> Result<(Ready, bool), Vec<Diagnostic>> {
    // Figures are made of raw surfaces, which the cache does not keep of what nothing bends.
    let in_crowd = crowd::wears(scene, file);
    if let Some(cache) = cache.filter(|_| !in_crowd) {
        return cache.model(file, read, import_wishes(scene));
    }
    let mut model = import::model_within(file, read, import_wishes(scene))?;
    if in_crowd {
        crowd::with_normals(&mut model);
    }
    Ok((Ready::raw(model), false))
}

fn read_environment(settled: &Scene, read: &import::Read<'_>, errors: &mut Vec<Diagnostic>) -> Option<Image> {
    let EnvironmentSource::File(file) = &settled.environment.source else { return None };
    picture(file, read).map_err(|diagnostic| errors.push(diagnostic)).ok()
}

/// Pictures of light probes, each once.
fn read_probes(scene: &Scene, read: &import::Read<'_>, errors: &mut Vec<Diagnostic>) -> BTreeMap<PathBuf, Image> {
    let files: BTreeSet<&PathBuf> = scene
        .light_probes
        .iter()
        .filter_map(|probe| if let ProbeSource::File(file) = &probe.source { Some(file) } else { None })
        .collect();
    let held = |file: &PathBuf| {
        let image = picture(file, read).map_err(|diagnostic| errors.push(diagnostic)).ok()?;
        Some((file.clone(), image))
    };
    files.into_iter().filter_map(held).collect()
}

/// Files of clips.
fn read_clips(scene: &Scene, read: &import::Read<'_>, files: &mut Files, errors: &mut Vec<Diagnostic>) {
    for clip in &scene.clips {
        let ClipHome::File(file) = &clip.home else { continue };
        if files.clips.contains_key(file) {
            continue;
        }
        match read(file).and_then(|bytes| import::clip(file, &bytes)) {
            Ok(clip) => drop(files.clips.insert(file.clone(), Arc::new(clip))),
            Err(diagnostic) => errors.push(diagnostic),
        }
    }
}

/// Profiles and pictures of lights, copies and all.
fn read_lights(expanded: &Scene, read: &import::Read<'_>, files: &mut Files, errors: &mut Vec<Diagnostic>) {
    // Many lamps have the same file.
    let mut known: BTreeMap<(&Path, [u32; 2]), Option<Arc<LightFile>>> = BTreeMap::new();
    for light in &expanded.lights {
        let Some(file) = light.kind.file() else { continue };
        // A picture is filtered for the size that the file states.
        let size_m = if let LightKind::Rect { size_m, .. } = light.kind { size_m } else { [0.0; 2] };
        let found = known.entry((file, size_m.map(f32::to_bits))).or_insert_with(|| {
            let held = match light.kind {
                LightKind::Rect { .. } => picture(file, read).map(|image| LightFile::Panel(panel(&image, size_m))),
                _ => read(file).and_then(|bytes| import::profile(file, &bytes)).map(LightFile::Profile),
            };
            held.map(Arc::new).map_err(|diagnostic| errors.push(diagnostic)).ok()
        });
        files.lights.extend(found.clone().map(|found| (light.name.clone(), found)));
    }
}

/// Tables of effects.
fn read_tables(settled: &mut Scene, read: &import::Read<'_>, errors: &mut Vec<Diagnostic>) {
    // Several effects may look up the same file.
    let mut known: BTreeMap<PathBuf, Option<Arc<Table>>> = BTreeMap::new();
    for effect in &mut settled.effects {
        let Some(file) = &effect.file else { continue };
        let found = known.entry(file.clone()).or_insert_with(|| {
            let table = read(file).and_then(|bytes| import::table(file, &bytes));
            table.map(Arc::new).map_err(|diagnostic| errors.push(diagnostic)).ok()
        });
        effect.values.table.clone_from(found);
    }
}

/// How parts are worn on the bodies that nodes show.
fn fit_parts(scene: &Scene, files: &Files, errors: &mut Vec<Diagnostic>) -> BTreeMap<Wear, Worn> {
    let mut out = BTreeMap::new();
    for node in scene.nodes.iter().filter(|node| node.worn) {
        let shown = node.parent.map(|parent| &scene.nodes[parent].content);
        let (Content::Model(part), Some(Content::Model(body))) = (&node.content, shown) else { continue };
        let [part_file, body_file] = [part, body].map(|model| &scene.models[*model].file);
        // What cannot be read has been reported.
        let (Some(part_model), Some(body_model)) = (files.models.get(part_file), files.models.get(body_file)) else {
            continue;
        };
        match Worn::new(body_model, part_model) {
            Ok(worn) => drop(out.insert(Wear { body: *body, part: *part }, worn)),
            Err(Unfit { code, words, help }) => {
                let owner = Owner { kind: "node", name: &node.name };
                let error = Diagnostic::error(code, part_file, format!("{owner}: {words}")).help(help);
                errors.push(scene.written.at(owner, &["worn"], "", error));
            }
        }
    }
    out
}
