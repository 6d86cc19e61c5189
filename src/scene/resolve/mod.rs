//! Resolution: a checked syntax tree becomes a [`Scene`]. Names are found, defaults filled in, units and colours turned into those of
//! the program.
//!
//! Runs also over trees with mistakes, so that all of a file's are told at once: where a value is missing or wrong, which the
//! check has said already, its default stands in. The scene counts only if nobody complained.

mod ask;
mod camera;
mod environment;
mod light;
mod material;
mod node;
mod output;
mod own_names;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::check::Complaints;
use super::syntax::{Place, Table};
use super::{ClipChoice, Model, Scene, Test, Up, code};
use crate::asset::ModelFormat;
use crate::source::{Vfs, did_you_mean};
use ask::{choice, text};

/// Most nodes and lights of a file; what each costs is small, but not nothing.
const NODES_MAX: usize = 65_536;
const LIGHTS_MAX: usize = 4096;
/// Of all different shapes together: some 100 MB of vertices and indices.
const SHAPE_VERTICES_MAX: u64 = 1_000_000;

/// Positions by name.
type Names = BTreeMap<String, usize>;

/// What every part of the resolution needs.
struct Resolver<'a> {
    vfs: &'a Vfs,
    /// Of the scene file.
    folder: &'a Path,
    found: &'a mut Complaints,
}

impl Resolver<'_> {
    fn complain(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.found.add(code, place, message, None);
    }

    fn complain_with(&mut self, code: &'static str, place: Place, message: impl Into<String>, help: Option<String>) {
        self.found.add(code, place, message, help);
    }

    /// The absolute path of the file under `key`.
    fn file(&mut self, table: &Table, key: &str) -> PathBuf {
        let Some((name, place)) = ask::placed_text(table, key) else { return PathBuf::new() };
        self.file_named(name, place)
    }

    fn file_named(&mut self, name: &str, place: Place) -> PathBuf {
        match self.vfs.locate(self.folder, name) {
            Ok(path) => path,
            Err(error) => {
                self.complain_with(error.code, place, error.message, error.help);
                PathBuf::new()
            }
        }
    }

    /// The position of the thing whose name stands under `key`, if one is written.
    fn name(&mut self, table: &Table, key: &str, what: &str, code: &'static str, names: &Names) -> Option<usize> {
        let (name, place) = ask::placed_text(table, key).filter(|(name, _)| !name.is_empty())?;
        let at = names.get(name).copied();
        if at.is_none() && !self.found.is_full() {
            let near = did_you_mean(name, names.keys().take(1000).map(String::as_str));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => format!("there is no {what} in this file"),
                None => {
                    let all: Vec<String> = names.keys().take(20).map(|n| format!("`{n}`")).collect();
                    format!("there is {}", all.join(", "))
                }
            };
            self.complain_with(code, place, format!("there is no {what} `{name}`"), Some(help));
        }
        at
    }
}

/// Makes the scene of a checked tree.
pub(super) fn resolve(tree: &Table, folder: &Path, vfs: &Vfs, found: &mut Complaints) -> Scene {
    let mut resolver = Resolver { vfs, folder, found };
    let empty = Table::default();
    let written = tree.table("output").unwrap_or(&empty);
    let models = models(&mut resolver, tree);
    let materials = material::materials(&mut resolver, tree);
    let names = node::Refers {
        models: models.iter().enumerate().map(|(at, m)| (m.name.clone(), at)).collect(),
        materials: materials.iter().enumerate().map(|(at, m)| (m.name.clone(), at)).collect(),
    };
    let (nodes, node_names) = node::nodes(&mut resolver, tree, &names);
    let lights = light::lights(&mut resolver, tree, &node_names);
    let mut scene = Scene {
        title: text(tree, "title").unwrap_or_default().to_string(),
        bare_model: false,
        root: vfs.root().to_path_buf(),
        named_files: Vec::new(),
        given_files: Vec::new(),
        output: output::output(written),
        environment: environment::environment(&mut resolver, tree),
        cameras: camera::cameras(&mut resolver, tree),
        camera: super::CameraChoice::Auto,
        models,
        materials,
        nodes,
        lights,
        shadows: ask::flag(written, "shadows").unwrap_or(true),
        lighting: output::lighting(written),
        model_lights: ask::flag(written, "model_lights").unwrap_or(true),
        ground: output::ground(written),
        max_mip: ask::whole(written, "max_mip"),
        time_s: ask::number(written, "time_s").unwrap_or(0.0),
        test: test(tree),
    };
    scene.camera = camera::choice_of(&mut resolver, written, tree, &scene);
    if scene.nodes.is_empty() && resolver.found.list.is_empty() {
        let help = Some("add [[node]] with `shape` or `model`".to_string());
        let place = Place { source: 0, start: 0, end: 0 };
        resolver.complain_with(code::NOTHING_TO_SEE, place, "no node: only the background will be seen", help);
    }
    scene
}

fn models(resolver: &mut Resolver<'_>, tree: &Table) -> Vec<Model> {
    let mut out = Vec::new();
    for (name, _, table) in tree.named("model") {
        let file = resolver.file(table, "file");
        if let (false, Some((_, place))) = (file.as_os_str().is_empty(), ask::placed_text(table, "file"))
            && let Err((message, help)) = check_model_format(&file)
        {
            resolver.complain_with(code::FORMAT_NOT_YET, place, message, help);
        }
        let overrides = table.named("override");
        let overrides =
            overrides.map(|(name, _, t)| (name.to_string(), material::values(resolver, t))).collect::<Vec<_>>();
        out.push(Model {
            name: name.to_string(),
            file,
            overrides,
            node: text(table, "node").map(str::to_string),
            up: choice(table, "up", Up::WORDS).unwrap_or(Up::Auto),
            clip: ClipChoice::None,
        });
    }
    out
}

/// Whether models of this file's kind are read; else what to say and what to do.
pub(super) fn check_model_format(file: &Path) -> Result<(), (String, Option<String>)> {
    if ModelFormat::of(file).is_some() {
        return Ok(());
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Err((format!("`{name}` is no model that is known"), Some(format!("models end in {}", ModelFormat::endings()))))
}

fn test(tree: &Table) -> Option<Test> {
    let table = tree.table("test")?;
    let words = ask::words(table, "aov");
    let aov = words.iter().filter_map(|word| super::Aov::parse(word)).collect();
    Some(Test { why: text(table, "why").unwrap_or_default().to_string(), aov })
}
