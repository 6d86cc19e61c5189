//! Loading: what the scene says of animators meets what its models have.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use stillframe_anim::graph::{ClipDef, Graph, GraphError, MarkerDef, NodeKind, Play};
use stillframe_anim::time::{Event, Repeat};
use stillframe_base::tick::Tick;

use super::leaves;
use crate::animate::{Fault, Player, Shapes, check_solver};
use crate::import;
use crate::scene::{Animator, ClipHome, FreeSpace, Moment, Owner, Scene, SceneClip};
use crate::source::{Diagnostic, near};
use crate::world::clips::{Finder, Rigged, Wanted};
use crate::world::code;
use crate::world::files::{Files, import_wishes};
use crate::world::names::missing_shape;

/// A space of an animator's graph that mixes clips which drift apart.
pub struct Drifting {
    pub animator: usize,
    /// Of its graph.
    pub node: usize,
    pub warning: Diagnostic,
}

/// A player for each animator of a scene, in its order; what is wrong is noted by `finder`.
pub fn players(finder: &mut Finder<'_>, drifting: &mut Vec<Drifting>) -> Vec<Player> {
    let numbers = 0..finder.scene.animators.len();
    numbers.filter_map(|number| player(finder, number, drifting)).collect()
}

/// Of these spaces of animators those that mix clips which drift apart: a warning each, where they are written. Reads
/// the models of their animators and the files of clips; what is wrong with those is not reported.
pub fn drifting_spaces(scene: &Scene, spaces: &[FreeSpace], read: &import::Read<'_>) -> Vec<Diagnostic> {
    let animators: BTreeSet<usize> = spaces.iter().map(|space| space.animator).collect();
    let Some(files) = files_of(scene, &animators, read) else { return Vec::new() };
    let (mut finder, mut drifting) = (Finder::new(scene, &files), Vec::new());
    for number in animators {
        player(&mut finder, number, &mut drifting);
    }
    let written = |Drifting { animator, node, warning }: Drifting| {
        let space = spaces.iter().find(|space| (space.animator, space.node) == (animator, node))?;
        Some(Diagnostic { file: space.file.clone(), span: Some(space.span.clone()), ..warning })
    };
    drifting.into_iter().filter_map(written).collect()
}

/// What some animators need; none where some of it cannot be read.
fn files_of(scene: &Scene, animators: &BTreeSet<usize>, read: &import::Read<'_>) -> Option<Files> {
    let file = |model: usize| &scene.models[model].file;
    let mut of_models: BTreeSet<&PathBuf> =
        animators.iter().map(|animator| file(scene.animators[*animator].model)).collect();
    let mut clips = BTreeMap::new();
    for clip in &scene.clips {
        match &clip.home {
            ClipHome::Model(model, _) => drop(of_models.insert(file(*model))),
            ClipHome::File(file) if clips.contains_key(file) => {}
            ClipHome::File(file) => {
                let clip = read(file).and_then(|bytes| import::clip(file, &bytes)).ok()?;
                clips.insert(file.clone(), Arc::new(clip));
            }
        }
    }
    let wishes = import_wishes(scene);
    let model = |file: &PathBuf| Some((file.clone(), import::model_within(file, read, wishes).ok()?));
    let models = of_models.into_iter().map(model).collect::<Option<_>>()?;
    Some(Files { models, clips, ..Files::default() })
}

fn player(finder: &mut Finder<'_>, number: usize, drifting: &mut Vec<Drifting>) -> Option<Player> {
    let animator = &finder.scene.animators[number];
    let (file, model) = finder.model(animator.model)?;
    let rig = finder.rig(file, model)?;
    let owner = Owner { kind: "animator", name: &animator.name };
    let root = finder.root(owner, animator.root_motion.as_ref(), file, model, &rig)?;
    let mut def = animator.graph.clone();
    let (mut clips, mut events) = (Vec::new(), Vec::new());
    for name in clip_names(animator) {
        let wanted = Wanted { owner, model: animator.model, home: animator.model, name };
        let (clip, facts) = finder.clip(&wanted, file, &Rigged { model, rig: &rig, root })?;
        let (clip_def, names) = clip_def(name, clip.length, facts);
        clips.push(clip);
        def.clips.push(clip_def);
        events.push(names);
    }
    let graph = match Graph::compile(&def, &rig.skeleton) {
        Ok(graph) => match root {
            Some((joint, _)) => graph.with_root(joint),
            None => graph,
        },
        Err(error) => {
            let about = if let GraphError::UnknownJoint { joint, .. } = &error { joint } else { "" };
            complain(finder, animator, &error.to_string(), about);
            if let (GraphError::UnknownJoint { joint, .. }, Some(last)) = (&error, finder.errors.last_mut()) {
                let names: Vec<&str> = rig.skeleton.names().iter().map(String::as_str).collect();
                last.help = Some(near(joint, &names));
            }
            return None;
        }
    };
    for space in leaves::drifting(&def) {
        let message = format!("animator `{}`: {}", animator.name, space.words(&def));
        let warning = Diagnostic::warning(code::DRIFTING, &finder.scene.root, message);
        let help = "list the clips as `clips` instead of `inputs`, so that they share one phase";
        drifting.push(Drifting { animator: number, node: space.node, warning: warning.help(help) });
    }
    let masked = animator.mask_shapes.iter().flatten().map(|shape| &shape.name);
    for name in masked.chain(animator.morphs.iter().map(|morph| &morph.name)) {
        finder.errors.extend(missing_shape(finder.scene, owner, name, (file, model)));
    }
    for solver in &animator.solvers {
        if let Err(fault) = check_solver(&rig.skeleton, solver) {
            match fault {
                Fault::Unknown(joint) => {
                    let message = format!("animator {:?}: the file has no joint {joint:?}", animator.name);
                    let names: Vec<&str> = rig.skeleton.names().iter().map(String::as_str).collect();
                    let error = Diagnostic::error(code::MODEL_NODE, file, message).help(near(&joint, &names));
                    finder.errors.push(finder.scene.written.at(owner, &["solver"], &joint, error));
                }
                Fault::Chain(words) => complain(finder, animator, &words, ""),
            }
        }
    }
    // A slot that nothing reads plays nothing.
    let plays = animator.plays.iter().filter_map(|play| {
        let slot = graph.node(&play.slot)?;
        let clip = play.clip.as_ref().map(|name| Play {
            clip: graph.clip(name).expect("it is among the clips that are played"),
            speed: play.speed as f32,
            repeat: play.passes.map_or(Repeat::Forever, Repeat::Times),
        });
        Some((Tick::from_seconds(play.at_s), slot, clip))
    });
    let plays = plays.collect();
    let shapes = Shapes { masked: animator.mask_shapes.clone(), driven: animator.morphs.clone() };
    Some(Player::new(rig, (def, graph, shapes), clips, events, plays, animator.rate_hz))
}

/// `about`: what of the animator is wrong, as it is written; empty: all of it.
fn complain(finder: &mut Finder<'_>, animator: &Animator, words: &str, about: &str) {
    let owner = Owner { kind: "animator", name: &animator.name };
    let error = Diagnostic::error(code::ANIMATOR, &finder.scene.root, format!("{owner}: {words}"));
    let keys: &[&str] = if about.is_empty() { &["name"] } else { &[] };
    finder.errors.push(finder.scene.written.at(owner, keys, about, error));
}

/// Clips that a graph and its slots play, each once, in the order in which they are named.
fn clip_names(animator: &Animator) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for node in &animator.graph.nodes {
        match &node.kind {
            NodeKind::Clip(clip) => names.push(&clip.clip),
            NodeKind::Frame { clip, .. } | NodeKind::Follow { clip, .. } => names.push(clip),
            NodeKind::SyncSpace(space) => names.extend(space.clips.iter().map(String::as_str)),
            _ => {}
        }
    }
    names.extend(animator.plays.iter().filter_map(|play| play.clip.as_deref()));
    let mut out: Vec<&str> = Vec::new();
    for name in names {
        if !out.contains(&name) {
            out.push(name);
        }
    }
    out
}

/// What a graph must know of a clip, and the names of its events.
fn clip_def(name: &str, duration: Tick, facts: Option<&SceneClip>) -> (ClipDef, Vec<String>) {
    let tick = |moment: Moment| match moment {
        Moment::Seconds(seconds) => Tick::from_seconds(seconds).clamp(Tick::ZERO, duration),
        Moment::Share(share) => Tick((duration.0 as f64 * share).round() as i64),
    };
    let mut events: Vec<(Event, &str)> = Vec::new();
    let mut markers: Vec<MarkerDef> = Vec::new();
    if let Some(facts) = facts {
        events.extend(facts.events.iter().map(|event| {
            let begin = tick(event.at);
            (Event { begin, end: event.until.map_or(begin, |until| tick(until).max(begin)) }, event.name.as_str())
        }));
        markers.extend(facts.markers.iter().map(|marker| MarkerDef { at: tick(marker.at), name: marker.name.clone() }));
    }
    // Stable: of events that begin together the one written first comes first.
    events.sort_by_key(|(event, _)| event.begin);
    markers.sort_by_key(|marker| marker.at);
    let names = events.iter().map(|(_, name)| name.to_string()).collect();
    let events = events.into_iter().map(|(event, _)| event).collect();
    (ClipDef { name: name.to_string(), duration, events, markers }, names)
}
