//! Placing: every node's matrix and morph weights at a moment.

use glam::{DMat4, Mat4};
use stillframe_anim::{RawClip, TrackValues};
use stillframe_base::tick::Tick;

use super::layered;
use super::local::{State, set};
use crate::import::{Inherit, Inherited, Local, Model};

/// A clip that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playing {
    /// Position in `Model::clips`.
    pub clip: usize,
    /// Since the clip's start. Before the start and after the end the first and last moment hold.
    pub time: Tick,
}

/// Where a model's nodes stand. Every list is as long as `Model::nodes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    pub model_from_local: Vec<Mat4>,
    /// Where a node's parts stand: its own place, or the identity where a skin puts them into model space.
    pub model_from_parts: Vec<Mat4>,
    /// One weight a channel of `ModelNode::morphs`.
    pub morph_weights: Vec<Vec<f64>>,
    /// Whether the node is seen: part of what the file shows, and neither it nor a node above it is hidden.
    pub seen: Vec<bool>,
}

/// The pose of a model while some of its clips play; as it is stored where none does.
///
/// Where several clips move one property of one node, the last of them counts.
pub fn pose(model: &Model, playing: &[Playing]) -> Pose {
    let states = states(model, playing);
    let mut out = Pose::default();
    for ((node, state), global) in model.nodes.iter().zip(&states).zip(placed(model, &states)) {
        out.model_from_local.push(global.as_mat4());
        out.model_from_parts.push(match node.skin {
            Some(_) => Mat4::IDENTITY,
            None => (global * node.local_from_parts.as_dmat4()).as_mat4(),
        });
        out.seen.push(
            node.shown
                && state.visible
                && node.parent.is_none_or(|parent| out.seen[parent] || !model.nodes[parent].shown),
        );
    }
    out.morph_weights = states.into_iter().map(|state| state.morph_weights).collect();
    out
}

/// Where every node stands in the model while some of its clips play.
pub fn globals(model: &Model, playing: &[Playing]) -> Vec<DMat4> {
    placed(model, &states(model, playing)).collect()
}

/// Morph weights of every node while a clip plays.
pub fn morph_weights(model: &Model, playing: Playing) -> Vec<Vec<f64>> {
    states(model, &[playing]).into_iter().map(|state| state.morph_weights).collect()
}

pub(super) fn states(model: &Model, playing: &[Playing]) -> Vec<State> {
    let mut states: Vec<State> = model.nodes.iter().map(State::stored).collect();
    model.hidden.iter().for_each(|node| states[*node].visible = false);
    for playing in playing {
        play(&model.clips[playing.clip], playing.time, &mut states);
    }
    states
}

/// Puts a moment of a clip into the nodes that it moves.
fn play(clip: &RawClip, time: Tick, states: &mut [State]) {
    let at = Tick(clip.start.0.saturating_add(time.0)).clamp(clip.start, clip.end.max(clip.start));
    for track in clip.layers.iter().flat_map(|layer| &layer.tracks) {
        if let TrackValues::Keyed(keyed) = &track.values {
            set(&mut states[track.node], &track.property, keyed, at);
        }
    }
    layered::play(clip, at, states);
}

pub(super) fn placed(model: &Model, states: &[State]) -> impl Iterator<Item = DMat4> {
    let top = Inherited::top(model.model_from_file);
    let mut placed: Vec<Inherited> = Vec::with_capacity(model.nodes.len());
    for (node, state) in model.nodes.iter().zip(states) {
        let above = node.parent.map_or(top, |parent| placed[parent]);
        let here = match &state.local {
            Local::Trs(trs) => above.below(trs, Inherit::RSrs),
            Local::Matrix(matrix) => above.below_matrix(**matrix),
            Local::Stack(stack) => above.below(&stack.trs(), stack.inherit),
        };
        placed.push(here);
    }
    placed.into_iter().map(|here| here.global)
}
