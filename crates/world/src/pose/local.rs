//! What moves: a node's own transform, morph weights and visibility while clips play.

use glam::{DQuat, DVec3};
use stillframe_anim::{Keyed, Property};
use stillframe_base::tick::Tick;

use super::decompose::parts;
use crate::import::{Local, ModelNode, Trs};

/// A node at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    pub local: Local,
    pub morph_weights: Vec<f64>,
    pub visible: bool,
}

impl State {
    /// As the file has it.
    pub fn stored(node: &ModelNode) -> State {
        State {
            local: node.local.clone(),
            morph_weights: node.morphs.iter().map(|channel| channel.weight).collect(),
            visible: true,
        }
    }
}

/// Puts keys of a track into the node that it moves.
pub(super) fn set(state: &mut State, property: &Property, keyed: &Keyed, at: Tick) {
    let vector = || {
        let mut out = [0.0; 3];
        keyed.sample(at, &mut out);
        DVec3::from_array(out)
    };
    match property {
        Property::Translation => moved(&mut state.local).translation = vector(),
        Property::Rotation => moved(&mut state.local).rotation = keyed.sample_rotation(at),
        Property::Scale => moved(&mut state.local).scale = vector(),
        Property::MorphWeights => {
            let mut weights = vec![0.0; keyed.width()];
            keyed.sample(at, &mut weights);
            state.morph_weights.iter_mut().zip(weights).for_each(|(to, from)| *to = from);
        }
        Property::MorphWeight(channel) => {
            let mut weight = [0.0];
            keyed.sample(at, &mut weight);
            if let Some(to) = state.morph_weights.get_mut(*channel) {
                *to = weight[0];
            }
        }
        Property::Visibility => {
            let mut value = [0.0];
            keyed.sample(at, &mut value);
            state.visible = value[0] > 0.0;
        }
        Property::Other(_) => {}
    }
}

/// The transform that tracks write to. A stored matrix gives way: glTF allows no tracks on such nodes.
pub(super) fn moved(local: &mut Local) -> &mut Trs {
    if !matches!(local, Local::Trs(_)) {
        let trs = match local {
            Local::Matrix(matrix) => parts(matrix),
            Local::Stack(stack) => parts(&stack.matrix()),
            Local::Trs(trs) => *trs,
        };
        let rotation = if trs.rotation.is_finite() { trs.rotation.normalize() } else { DQuat::IDENTITY };
        *local = Local::Trs(Trs { rotation, ..trs });
    }
    match local {
        Local::Trs(trs) => trs,
        _ => unreachable!("made above"),
    }
}
