//! Resolution: a checked syntax tree becomes a [`Scene`]. Names are found, defaults filled in, units and colours turned
//! into those of the program.
//!
//! Runs also over trees with mistakes, so that all of a file's are reported at once: where a value is missing or wrong,
//! which the check has reported already, its default stands in. The scene counts only if nobody complained. Here is the
//! order of the nouns; what each does is in its file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::noun::animator::unread::{self, Space};
use super::noun::node::{Placed, Refers};
use super::noun::output::SHOT_TABLE;
use super::noun::{
    ACCUMULATE, PLAN, RENDER, SCENE, TITLE, accumulate, animator, camera, clip, crowd, effect, environment, light,
    light_probe, material, model, node, output, plan, render, test, view,
};
use super::resolver::{Names, Resolver, SHOTS_MAX};
use super::text::complain::Complaints;
use super::text::include::Source;
use super::text::keyed::take_tracks;
use super::text::overlay::lay_over;
use super::text::param::Params;
use super::text::syntax::{Kind, Place, Table};
use super::track::{Thing, Track};
use super::written::{NamedFile, Written};
use super::{CameraChoice, Scene, SceneShot, code};
use crate::source::Vfs;

/// Makes the scene of a checked tree, what is to be looked at of it when its files are read, and the files it names.
pub(crate) fn resolve(
    tree: &mut Table,
    sources: &[Source],
    vfs: &Vfs,
    params: &mut Params,
    found: &mut Complaints,
) -> (Scene, Vec<Space>, BTreeMap<PathBuf, NamedFile>) {
    let empty = Table::default();
    if found.list.is_empty() {
        lay_shots(tree, found);
        material::lay_materials(tree, found);
    }
    let time_s = output::time_s(tree.table("output").unwrap_or(&empty));
    let tracks = take_tracks(tree, &SCENE, time_s, found);
    let tree: &Table = tree;
    let mut resolver = Resolver { vfs, sources, found, files: BTreeMap::new(), views: view::names(tree) };
    let written = tree.table("output").unwrap_or(&empty);
    let models = model::models(&mut resolver, tree);
    let model_names = models.iter().enumerate().map(|(at, m)| (m.name.clone(), at)).collect();
    let materials = material::materials(&mut resolver, tree, &model_names);
    let heads = animator::heads(&mut resolver, tree, &model_names);
    let refers = Refers {
        models: model_names,
        materials: materials.iter().enumerate().map(|(at, m)| (m.name.clone(), at)).collect(),
        animators: &heads,
    };
    let Placed { nodes, place_of } = node::nodes(&mut resolver, tree, &refers);
    let node_names: Names = nodes.iter().enumerate().map(|(at, n)| (n.name.clone(), at)).collect();
    let lights = light::lights(&mut resolver, tree, &node_names, (&refers.materials, &materials));
    let own = output::output(written);
    let render = tree.inner(RENDER).map(render::render).unwrap_or_default();
    tree.inner(RENDER).into_iter().for_each(|table| render::check(&mut resolver, table));
    tree.inner(ACCUMULATE).into_iter().for_each(|table| accumulate::check(&mut resolver, table));
    output::check(&mut resolver, written, &own.output, &render);
    let mut scene = Scene {
        title: tree.ask(TITLE),
        bare_model: false,
        root: vfs.root().to_path_buf(),
        named_files: Vec::new(),
        given_files: Vec::new(),
        memory_max_bytes: None,
        variant: None,
        output: own.output,
        environment: environment::environment(&mut resolver, tree),
        cameras: camera::cameras(&mut resolver, tree),
        camera: CameraChoice::Auto,
        turn: None,
        models,
        materials,
        clips: clip::clips(&mut resolver, tree, &refers.models),
        animators: animator::animators(&mut resolver, &heads, &node_names),
        crowds: crowd::crowds(&mut resolver, tree, &refers),
        nodes,
        lights,
        light_probes: light_probe::light_probes(&mut resolver, tree),
        effects: effect::effects(&mut resolver, tree),
        views: Vec::new(),
        style: own.style,
        display: own.display,
        is_studio: false,
        shadows: own.shadows,
        lighting: own.lighting,
        model_lights: own.model_lights,
        ground: own.ground,
        max_mip: own.max_mip,
        time_s,
        tracks: tracks.into_iter().filter_map(|track| in_place(track, &place_of)).collect(),
        shots: Vec::new(),
        params: Vec::new(),
        accumulate: tree.inner(ACCUMULATE).map(accumulate::accumulate).unwrap_or_default(),
        render,
        plan: tree.inner(PLAN).map(plan::plan).unwrap_or_default(),
        test: None,
        written: Written::default(),
    };
    scene.sort_tracks();
    scene.tell_time();
    camera::check_controls(&mut resolver, tree, &scene);
    scene.steer();
    let views = view::views(&mut resolver, tree, &scene);
    let has_camera: Vec<bool> = views.iter().map(|(_, has_camera)| *has_camera).collect();
    scene.views = views.into_iter().map(|(view, _)| view).collect();
    scene.camera = camera::choice_of(&mut resolver, written, tree, &scene);
    scene.settle_views(&has_camera);
    for (name, _, table) in tree.named("shot") {
        let camera = camera::choice_of(&mut resolver, table, tree, &scene);
        let shot = output::output(table);
        output::check(&mut resolver, table, &shot.output, &scene.render);
        scene.shots.push(SceneShot { name: name.to_string(), camera, ..shot });
    }
    node::check_counts(&mut resolver, tree, &scene);
    crowd::check_bodies(&mut resolver, tree, &scene);
    scene.test = test::test(&mut resolver, tree, params, &mut scene.params);
    if scene.nodes.is_empty() && scene.crowds.is_empty() && resolver.found.list.is_empty() {
        let help = Some("add [[node]] with `shape` or `model`".to_string());
        let place = Place { source: 0, start: 0, end: 0 };
        resolver.complain_with(
            code::NOTHING_TO_SEE,
            place,
            "the scene has no nodes and shows only the background",
            help,
        );
    }
    let is_sound = resolver.found.list.iter().all(|complaint| complaint.code.starts_with('W'));
    let spaces = if is_sound { unread::tell(&mut resolver, tree, &scene) } else { Vec::new() };
    (scene, spaces, resolver.files)
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
            lay_over(&mut whole, std::mem::take(own), &SHOT_TABLE);
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
