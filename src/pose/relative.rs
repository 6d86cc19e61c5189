//! Relative: nodes in their parents' spaces, however the file writes them, as translation, rotation and scale.

use glam::{DAffine3, DQuat, DVec3};
use stillframe_anim::sample::DTrs;

use super::place::{Playing, globals};
use crate::import::Model;

/// Every node relative to its parent, roots to the model, while some of the model's clips play. What a scale has sheared is straight
/// again; below a node of no size there is no place, and nodes there have no size either.
pub fn locals(model: &Model, playing: &[Playing]) -> Vec<DTrs> {
    let globals: Vec<DAffine3> = globals(model, playing).into_iter().map(DAffine3::from_mat4).collect();
    let local = |node: usize| match model.nodes[node].parent {
        Some(parent) => globals[parent].inverse() * globals[node],
        None => globals[node],
    };
    (0..model.nodes.len()).map(|node| parts(local(node))).collect()
}

fn parts(local: DAffine3) -> DTrs {
    let (scale, rotation, translation) = local.to_scale_rotation_translation();
    let is_sound = scale.is_finite() && rotation.is_finite() && translation.is_finite();
    match is_sound && rotation.length_squared() > 0.0 {
        true => DTrs { translation, rotation: rotation.normalize(), scale },
        false => DTrs { translation: DVec3::ZERO, rotation: DQuat::IDENTITY, scale: DVec3::ZERO },
    }
}
