//! Relative: nodes in their parents' spaces, however the file writes them, as translation, rotation and scale.
//!
//! What is translation, rotation and scale already stays what it is: a matrix between would lose the rotation below a
//! scale of 0, and which axes a scale mirrors.

use glam::{DAffine3, DMat4, DQuat, DVec3};
use stillframe_anim::sample::DTrs;

use super::decompose::{FLAT, parts};
use super::local::State;
use super::place::{Playing, placed, states};
use crate::import::{Inherit, Local, Model, Trs};

/// Every node relative to its parent, roots to the model, while some of the model's clips play. What a scale has
/// sheared is straight again; a node that leaves out the scale of a parent without size stands as it does by itself.
pub fn locals(model: &Model, playing: &[Playing]) -> Vec<DTrs> {
    let states = states(model, playing);
    let inherits = |node: usize| matches!(&states[node].local, Local::Stack(stack) if stack.inherit != Inherit::RSrs);
    let is_apart = |node: usize| model.nodes[node].parent.is_some() && inherits(node);
    let globals: Vec<DMat4> = match (0..states.len()).any(is_apart) {
        true => placed(model, &states).collect(),
        false => Vec::new(),
    };
    let local = |(node, state): (usize, &State)| match model.nodes[node].parent {
        Some(parent) if inherits(node) => apart(&globals[parent], &globals[node]).unwrap_or_else(|| own(&state.local)),
        Some(_) => own(&state.local),
        None => top(model.model_from_file, &state.local),
    };
    states.iter().enumerate().map(local).collect()
}

/// A node by itself.
fn own(local: &Local) -> DTrs {
    match local {
        Local::Trs(trs) => sound(trs),
        Local::Stack(stack) => sound(&stack.trs()),
        Local::Matrix(matrix) => sound(&parts(matrix)),
    }
}

/// A node that no other one is above.
fn top(model_from_file: DMat4, local: &Local) -> DTrs {
    if model_from_file == DMat4::IDENTITY {
        return own(local);
    }
    let above = parts(&model_from_file);
    let size = above.scale.max_element();
    let is_even = above.scale.cmpgt(DVec3::ZERO).all() && (above.scale - size).abs().max_element() <= FLAT * size;
    let DTrs { translation, rotation, scale } = own(local);
    match (is_even, local) {
        (true, Local::Trs(_) | Local::Stack(_)) => DTrs {
            translation: model_from_file.transform_point3(translation),
            rotation: (above.rotation * rotation).normalize(),
            scale: scale * size,
        },
        (_, Local::Matrix(matrix)) => sound(&parts(&(model_from_file * **matrix))),
        _ => sound(&parts(&(model_from_file * DMat4::from_scale_rotation_translation(scale, rotation, translation)))),
    }
}

/// A node from where it and its parent stand; none below a parent without size.
fn apart(parent: &DMat4, node: &DMat4) -> Option<DTrs> {
    let local = DAffine3::from_mat4(*parent).inverse() * DAffine3::from_mat4(*node);
    local.is_finite().then(|| sound(&parts(&DMat4::from(local))))
}

fn sound(local: &Trs) -> DTrs {
    let finite = |vector: DVec3| if vector.is_finite() { vector } else { DVec3::ZERO };
    let rotation = match local.rotation.length() {
        length if length > 0.0 && length.is_finite() => local.rotation.normalize(),
        _ => DQuat::IDENTITY,
    };
    DTrs { translation: finite(local.translation), rotation, scale: finite(local.scale) }
}
