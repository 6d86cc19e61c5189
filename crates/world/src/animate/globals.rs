//! Globals: where nodes are and how they are turned, from where each is in its parent. Parents come first.

use glam::{DAffine3, DQuat};
use stillframe_anim::sample::DTrs;

/// A node in its parent.
pub(super) fn affine(local: &DTrs) -> DAffine3 {
    DAffine3::from_scale_rotation_translation(local.scale, local.rotation, local.translation)
}

/// Where nodes stand.
pub(super) fn places(locals: &[DTrs], parents: &[Option<usize>]) -> Vec<DAffine3> {
    let mut out: Vec<DAffine3> = Vec::with_capacity(locals.len());
    for (local, parent) in locals.iter().zip(parents) {
        let above = parent.map_or(DAffine3::IDENTITY, |parent| out[parent]);
        out.push(above * affine(local));
    }
    out
}

/// How nodes are turned, whatever their sizes.
pub(super) fn turns(locals: &[DTrs], parents: &[Option<usize>]) -> Vec<DQuat> {
    let mut out: Vec<DQuat> = Vec::with_capacity(locals.len());
    for (local, parent) in locals.iter().zip(parents) {
        let above = parent.map_or(DQuat::IDENTITY, |parent| out[parent]);
        out.push(above * local.rotation);
    }
    out
}
