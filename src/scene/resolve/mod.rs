//! Resolution: a checked syntax tree becomes a [`Scene`]. Names are found, defaults filled in, units and colours turned into those of
//! the program.
//!
//! Runs also over trees with mistakes, so that all of a file's are told at once: where a value is missing or wrong, which the
//! check has said already, its default stands in. The scene counts only if nobody complained.

mod animator;
mod ask;
mod camera;
mod clip;
mod crowd;
mod environment;
mod graph;
mod light;
mod material;
mod matrix;
mod model;
mod node;
mod output;
mod own_names;
mod pattern;
mod plan;
mod test;
mod unread;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::check::Complaints;
use super::include::Source;
use super::keyed::take_tracks;
use super::overlay::lay_over;
use super::param::Params;
use super::schema::SHOT;
use super::syntax::{Kind, Place, Table};
use super::{Scene, SceneShot, Thing, Track, code};
use crate::source::{Vfs, did_you_mean};
use ask::text;

pub(super) use model::check_model_format;
pub(super) use unread::Space;

/// Most nodes and lights of a file; what each costs is small, but not nothing.
const NODES_MAX: usize = 65_536;
const LIGHTS_MAX: usize = 4096;
/// Each holds all of `[output]`.
const SHOTS_MAX: usize = 128;
/// Shapes (morph targets) of a node or an animator.
const MORPHS_MAX: usize = 4096;
/// Of all different shapes together: some 100 MB of vertices and indices.
const SHAPE_VERTICES_MAX: u64 = 1_000_000;

/// Positions by name.
type Names = BTreeMap<String, usize>;

/// What every part of the resolution needs.
struct Resolver<'a> {
    vfs: &'a Vfs,
    sources: &'a [Source],
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
        // A name in an included file is meant from where that file lies.
        match self.vfs.locate(&self.sources[place.source as usize].folder, name) {
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
        let none = || match what {
            "node" => "no node has a name".to_string(),
            "animator" => "there is none in the scene; add [[animator]]".to_string(),
            _ => format!("there is none in the scene; add [{what}.{}]", super::toml::key(name)),
        };
        self.find(name, place, &format!("{what} `{name}`"), code, names, &none)
    }

    /// The position of a part of an animator.
    fn part(&mut self, name: &str, place: Place, what: &str, names: &Names, animator: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        let none = || format!("animator `{animator}` has no {what}");
        self.find(name, place, &format!("{what} `{name}` here"), code::UNKNOWN_PART, names, &none)
    }

    /// `thing`: what is looked for, in words. `none` helps where there is none of its kind.
    fn find(
        &mut self,
        name: &str,
        place: Place,
        thing: &str,
        code: &'static str,
        names: &Names,
        none: &dyn Fn() -> String,
    ) -> Option<usize> {
        let at = names.get(name).copied();
        if at.is_none() && !self.found.is_full() {
            let near = did_you_mean(name, names.keys().take(1000).map(String::as_str));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => none(),
                None => format!("there is {}", some_of(names)),
            };
            self.complain_with(code, place, format!("there is no {thing}"), Some(help));
        }
        at
    }

    /// The first `max` of a list; more are told.
    fn few<'a>(
        &mut self,
        list: impl Iterator<Item = (Place, &'a Table)>,
        max: usize,
        what: &str,
    ) -> Vec<(Place, &'a Table)> {
        let mut list: Vec<(Place, &Table)> = list.collect();
        if let Some((place, _)) = list.get(max) {
            self.complain(code::TOO_MANY, *place, format!("more than {max} {what}"));
            list.truncate(max);
        }
        list
    }

    /// Complains about texts under `key` that stand twice in a list of tables.
    fn each_once(&mut self, list: &[(Place, &Table)], key: &str) {
        let mut seen = BTreeSet::new();
        for (_, table) in list {
            if let Some((text, place)) = ask::placed_text(table, key)
                && !seen.insert(text)
            {
                self.complain(code::NAME_TWICE, place, format!("a second `{text}` in one list"));
            }
        }
    }
}

/// The first names, for helps.
fn some_of(names: &Names) -> String {
    names.keys().take(20).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

/// Makes the scene of a checked tree, and what is to be looked at of it when its files are read.
pub(super) fn resolve(
    tree: &mut Table,
    sources: &[Source],
    vfs: &Vfs,
    params: &mut Params,
    found: &mut Complaints,
) -> (Scene, Vec<Space>) {
    if found.list.is_empty() {
        lay_shots(tree, found);
    }
    let time_s = tree.table("output").and_then(|output| ask::number(output, "time_s")).unwrap_or(0.0);
    let tracks = take_tracks(tree, time_s, found);
    let tree: &Table = tree;
    let mut resolver = Resolver { vfs, sources, found };
    let empty = Table::default();
    let written = tree.table("output").unwrap_or(&empty);
    let models = model::models(&mut resolver, tree);
    let materials = material::materials(&mut resolver, tree);
    let model_names = models.iter().enumerate().map(|(at, m)| (m.name.clone(), at)).collect();
    let heads = animator::heads(&mut resolver, tree, &model_names);
    let refers = node::Refers {
        models: model_names,
        materials: materials.iter().enumerate().map(|(at, m)| (m.name.clone(), at)).collect(),
        animators: &heads,
    };
    let node::Placed { nodes, place_of } = node::nodes(&mut resolver, tree, &refers);
    let node_names: Names = nodes.iter().enumerate().map(|(at, n)| (n.name.clone(), at)).collect();
    let lights = light::lights(&mut resolver, tree, &node_names);
    let own = output::output(written);
    let mut scene = Scene {
        title: text(tree, "title").unwrap_or_default().to_string(),
        bare_model: false,
        root: vfs.root().to_path_buf(),
        named_files: Vec::new(),
        given_files: Vec::new(),
        output: own.output,
        environment: environment::environment(&mut resolver, tree),
        cameras: camera::cameras(&mut resolver, tree),
        camera: super::CameraChoice::Auto,
        models,
        materials,
        clips: clip::clips(&mut resolver, tree, &refers.models),
        animators: animator::animators(&mut resolver, &heads, &node_names),
        crowds: crowd::crowds(&mut resolver, tree, &refers),
        nodes,
        lights,
        shadows: own.shadows,
        lighting: own.lighting,
        model_lights: own.model_lights,
        ground: own.ground,
        max_mip: own.max_mip,
        time_s,
        tracks: tracks.into_iter().filter_map(|track| in_place(track, &place_of)).collect(),
        shots: Vec::new(),
        params: Vec::new(),
        plan: plan::plan(tree),
        test: None,
    };
    scene.sort_tracks();
    camera::check_controls(&mut resolver, tree, &scene);
    scene.steer();
    scene.camera = camera::choice_of(&mut resolver, written, tree, &scene);
    for (name, _, table) in tree.named("shot") {
        let camera = camera::choice_of(&mut resolver, table, tree, &scene);
        scene.shots.push(SceneShot { name: name.to_string(), camera, ..output::output(table) });
    }
    pattern::check_counts(&mut resolver, tree, &scene);
    crowd::check_bodies(&mut resolver, tree, &scene);
    scene.test = test::test(&mut resolver, tree, params, &mut scene.params);
    if scene.nodes.is_empty() && scene.crowds.is_empty() && resolver.found.list.is_empty() {
        let help = Some("add [[node]] with `shape` or `model`".to_string());
        let place = Place { source: 0, start: 0, end: 0 };
        resolver.complain_with(code::NOTHING_TO_SEE, place, "no node: only the background will be seen", help);
    }
    let is_sound = resolver.found.list.iter().all(|complaint| complaint.code.starts_with('W'));
    let spaces = if is_sound { unread::tell(&mut resolver, tree, &scene) } else { Vec::new() };
    (scene, spaces)
}

/// Each `[shot.NAME]` becomes a whole `[output]`.
fn lay_shots(tree: &mut Table, found: &mut Complaints) {
    let output = tree.table("output").cloned().unwrap_or_default();
    let Some(shots) = tree.entries.iter_mut().find(|e| e.key == "shot") else { return };
    let Kind::Table(shots) = &mut shots.value.kind else { return };
    if let Some(entry) = shots.entries.get(SHOTS_MAX) {
        found.add(code::TOO_MANY, entry.key_place, format!("more than {SHOTS_MAX} shots"), None);
        shots.entries.truncate(SHOTS_MAX);
    }
    for entry in &mut shots.entries {
        if let Kind::Table(own) = &mut entry.value.kind {
            let mut whole = output.clone();
            lay_over(&mut whole, std::mem::take(own), &SHOT);
            *own = whole;
        }
    }
}

/// Nodes are numbered as they are written in the tree, but parents come first in the scene.
fn in_place(track: Track, place_of: &[Option<usize>]) -> Option<Track> {
    match track.thing {
        Thing::Node(written) => Some(Track { thing: Thing::Node((*place_of.get(written)?)?), ..track }),
        Thing::Morph(written, at) => Some(Track { thing: Thing::Morph((*place_of.get(written)?)?, at), ..track }),
        _ => Some(track),
    }
}
