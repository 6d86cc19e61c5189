//! What a scene says and nothing reads: it does no harm, but mostly a name elsewhere is not the one that was meant.
//!
//! About the scene file itself alone; an included file may offer more than is wanted.

use std::collections::BTreeSet;

use stillframe_anim::graph::{Condition, NodeDef, NodeKind, PartialWeights, ReferenceDef, SpaceDef, Value};

use super::{Animator, MASK, NAME, NODE, PARAMETER};
use crate::scene::Scene;
use crate::scene::code;
use crate::scene::resolver::Resolver;
use crate::scene::text::syntax::{Place, Table};

/// A space of clips that keep no step with each other, if they are of different lengths, which the files know.
pub(crate) struct Space {
    /// Positions in `Scene::animators` and in the nodes of its graph.
    pub animator: usize,
    pub node: usize,
    pub place: Place,
}

/// A name that a part of an animator reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Read<'a> {
    Node(&'a str),
    Parameter(&'a str),
    Mask(&'a str),
    Clip(&'a str),
}

/// Warns of what nothing reads. `tree` is that of `scene` and has no mistakes. Out: spaces that are to be looked at
/// when files are read.
pub(crate) fn tell(resolver: &mut Resolver<'_>, tree: &Table, scene: &Scene) -> Vec<Space> {
    let worn: BTreeSet<usize> = scene.nodes.iter().filter_map(|node| node.animator).collect();
    let mut played: BTreeSet<&str> = BTreeSet::new();
    let mut spaces = Vec::new();
    for (at, ((place, table), animator)) in tree.list("animator").zip(&scene.animators).enumerate() {
        if !worn.contains(&at) {
            let model = &scene.models[animator.model].name;
            let help = format!("write `animator = \"{}\"` in a node with `model = \"{model}\"`", animator.name);
            warn(
                resolver,
                code::NOT_WORN,
                (place, table),
                format!("no node uses the animator `{}`", animator.name),
                help,
            );
        }
        let reads = reads(animator);
        played.extend(reads.iter().filter_map(|read| match read {
            Read::Clip(clip) => Some(*clip),
            _ => None,
        }));
        tell_parts(resolver, table, animator, &reads);
        let nodes = &animator.graph.nodes;
        for (node, (place, table)) in table.rows(NODE).enumerate().take(nodes.len()) {
            if mixes_clips(&nodes[node].kind, nodes) {
                let place = table.value("inputs").map_or(place, |inputs| inputs.place);
                spaces.push(Space { animator: at, node, place });
            }
        }
    }
    for crowd in &scene.crowds {
        played.extend(crowd.clips.iter().map(String::as_str));
    }
    for ((place, table), clip) in tree.list("clip").zip(&scene.clips) {
        if !played.contains(clip.name.as_str()) {
            let message = format!("no animator and no crowd plays the clip `{}`", clip.name);
            let help = "name it there as a `clip`, or remove it; a `[model.NAME]` names clips of its file";
            warn(resolver, code::NOT_READ, (place, table), message, help.to_string());
        }
    }
    spaces
}

fn tell_parts(resolver: &mut Resolver<'_>, table: &Table, animator: &Animator, reads: &BTreeSet<Read<'_>>) {
    let name = &animator.name;
    for ((place, part), parameter) in table.rows(PARAMETER).zip(&animator.graph.parameters) {
        if !reads.contains(&Read::Parameter(&parameter.name)) {
            let message = format!("nothing in animator `{name}` reads the parameter `{}`", parameter.name);
            let help = "use it for a number or in a condition, or remove it";
            warn(resolver, code::NOT_READ, (place, part), message, help.to_string());
        }
    }
    for ((place, part), mask) in table.rows(MASK).zip(&animator.graph.masks) {
        if !reads.contains(&Read::Mask(&mask.name)) {
            let message = format!("nothing in animator `{name}` has the mask `{}`", mask.name);
            let help = "use it as the `mask` of a layer, an addition, an input or a slot, or remove it";
            warn(resolver, code::NOT_READ, (place, part), message, help.to_string());
        }
    }
    for ((place, part), node) in table.rows(NODE).zip(&animator.graph.nodes) {
        if node.name != animator.graph.output && !reads.contains(&Read::Node(&node.name)) {
            let message = format!("nothing in animator `{name}` reads the node `{}`, and it is not shown", node.name);
            let help =
                format!("name it in another node, or as `output` instead of `{}`; or remove it", animator.graph.output);
            warn(resolver, code::NOT_READ, (place, part), message, help);
        }
    }
}

fn warn(
    resolver: &mut Resolver<'_>,
    code: &'static str,
    (place, table): (Place, &Table),
    message: String,
    help: String,
) {
    let place = table.placed(NAME).map_or(place, |(_, place)| place);
    if place.source == 0 {
        resolver.complain_with(code, place, message, Some(help));
    }
}

/// Whether a space has two or more clips with clocks of their own.
fn mixes_clips(kind: &NodeKind, nodes: &[NodeDef]) -> bool {
    let NodeKind::Space(space) = kind else { return false };
    let is_clip = |name: &str| nodes.iter().any(|node| node.name == name && matches!(node.kind, NodeKind::Clip(_)));
    let clips: BTreeSet<&str> = space.inputs.iter().map(String::as_str).filter(|input| is_clip(input)).collect();
    clips.len() > 1
}

/// All that the parts of an animator name.
fn reads(animator: &Animator) -> BTreeSet<Read<'_>> {
    let mut out = BTreeSet::new();
    for node in &animator.graph.nodes {
        of_node(&node.kind, &mut |read| {
            out.insert(read);
        });
    }
    let weights = animator.solvers.iter().map(|solver| &solver.weight);
    for weight in weights.chain(animator.morphs.iter().map(|morph| &morph.weight)) {
        of_value(weight, &mut |read| {
            out.insert(read);
        });
    }
    out.extend(animator.plays.iter().filter_map(|play| play.clip.as_deref()).map(Read::Clip));
    out
}

fn of_node<'a>(kind: &'a NodeKind, see: &mut dyn FnMut(Read<'a>)) {
    let mask = |mask: &'a Option<String>| mask.as_deref().map(Read::Mask);
    match kind {
        NodeKind::Clip(clip) => {
            see(Read::Clip(&clip.clip));
            of_value(&clip.speed, see);
        }
        NodeKind::Frame { clip, .. } => see(Read::Clip(clip)),
        NodeKind::Follow { clip, leader } => [Read::Clip(clip), Read::Node(leader)].into_iter().for_each(see),
        NodeKind::Space(space) => {
            of_space(&space.space, see);
            space.inputs.iter().for_each(|input| see(Read::Node(input)));
        }
        NodeKind::SyncSpace(space) => {
            of_space(&space.space, see);
            of_value(&space.speed, see);
            space.clips.iter().for_each(|clip| see(Read::Clip(clip)));
        }
        NodeKind::Switch(switch) => {
            of_value(&switch.index, see);
            switch.inputs.iter().for_each(|input| see(Read::Node(input)));
        }
        NodeKind::Delta { source, reference, .. } => {
            see(Read::Node(source));
            if let ReferenceDef::Node(reference) = reference {
                see(Read::Node(reference));
            }
        }
        NodeKind::Additive { base, deltas } => {
            see(Read::Node(base));
            for delta in deltas {
                see(Read::Node(&delta.delta));
                of_value(&delta.alpha, see);
                mask(&delta.mask).into_iter().for_each(&mut *see);
            }
        }
        NodeKind::Partial(partial) => {
            partial.inputs.iter().for_each(|input| see(Read::Node(input)));
            if let PartialWeights::Masks(weights) = &partial.weights {
                for (weight, of) in weights {
                    of_value(weight, see);
                    mask(of).into_iter().for_each(&mut *see);
                }
            }
        }
        NodeKind::Layers { base, layers } => {
            see(Read::Node(base));
            for layer in layers {
                see(Read::Node(&layer.node));
                of_value(&layer.weight, see);
                mask(&layer.mask).into_iter().for_each(&mut *see);
            }
        }
        NodeKind::Machine(machine) => {
            machine.states.iter().for_each(|state| see(Read::Node(&state.node)));
            machine.transitions.iter().for_each(|rule| of_condition(&rule.condition, see));
        }
        NodeKind::Slot(slot) => {
            see(Read::Node(&slot.input));
            mask(&slot.mask).into_iter().for_each(see);
        }
    }
}

fn of_space<'a>(space: &'a SpaceDef, see: &mut dyn FnMut(Read<'a>)) {
    match space {
        SpaceDef::Line { parameter, .. } => of_value(parameter, see),
        SpaceDef::Grid { parameters, .. } | SpaceDef::Scatter { parameters, .. } => {
            parameters.iter().for_each(|parameter| of_value(parameter, see));
        }
    }
}

fn of_value<'a>(value: &'a Value, see: &mut dyn FnMut(Read<'a>)) {
    if let Value::Parameter(name) = value {
        see(Read::Parameter(name));
    }
}

fn of_condition<'a>(condition: &'a Condition, see: &mut dyn FnMut(Read<'a>)) {
    match condition {
        Condition::Always | Condition::TimeLeft { .. } => {}
        Condition::Compare { parameter, .. } => see(Read::Parameter(parameter)),
        Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| of_condition(part, see)),
        Condition::Not(part) => of_condition(part, see),
    }
}
