//! Partial: the book's two ways to a mean of several rotations, kept beside the weighted sum of quaternions to be
//! compared with it.
//!
//! Source: "Game engine: principles and practice" volume 2, section 3.9. Translation and scale are weighted sums.
//! Rotations: the product of their powers in the inputs' order, or the weighted sum of matrices with scale, taken apart
//! by columns. Both are exact where one input has all the weight, and approximations otherwise. One joint at a time;
//! not for crowds.

use glam::{DMat3, DQuat, DVec3};
use stillframe_base::lanes::ROW;
use stillframe_base::math::ops64;

use super::PartialMode;
use crate::pose::{JointBlock, MaskedLayer, Trs};
use crate::sample::DTrs;

pub(super) struct PartJob<'a> {
    pub mode: PartialMode,
    pub layers: &'a [MaskedLayer<'a>],
    /// The pose of joints without weight.
    pub rest: &'a [JointBlock],
    pub joint_count: usize,
}

pub(super) fn blend_parts(job: &PartJob<'_>, out: &mut [JointBlock]) {
    out.copy_from_slice(job.rest);
    for joint in 0..job.joint_count {
        let (block, lane) = (joint / ROW, joint % ROW);
        let weight = |layer: &MaskedLayer<'_>| {
            f64::from(layer.weight.max(0.0)) * layer.mask.map_or(1.0, |mask| f64::from(mask[block].0[lane]))
        };
        let sum: f64 = job.layers.iter().map(weight).sum();
        if !(sum > 0.0) {
            continue;
        }
        let parts = job.layers.iter().map(|layer| (weight(layer) / sum, layer.pose[block].lane(lane)));
        let mut parts = parts.filter(|(share, _)| *share > 0.0);
        let only = parts.clone().find(|(share, _)| *share >= 1.0);
        let joint = match only {
            Some((_, joint)) => joint,
            None => mean(job.mode, &mut parts),
        };
        out[block].set_lane(lane, joint);
    }
}

fn mean(mode: PartialMode, parts: &mut dyn Iterator<Item = (f64, Trs)>) -> Trs {
    let (mut translation, mut scale) = (DVec3::ZERO, DVec3::ZERO);
    let (mut product, mut sum) = (DQuat::IDENTITY, DMat3::ZERO);
    for (share, joint) in parts {
        let joint = DTrs::from(joint);
        translation += joint.translation * share;
        scale += joint.scale * share;
        product *= power(joint.rotation, share);
        sum += DMat3::from_quat(joint.rotation) * DMat3::from_diagonal(joint.scale) * share;
    }
    let rotation = if mode == PartialMode::PowerProduct { product } else { turn_of(sum) };
    let rotation = rotation.normalize().as_quat();
    Trs { translation: translation.as_vec3(), rotation, scale: scale.as_vec3() }
}

/// A share of a turn, the short way.
fn power(q: DQuat, share: f64) -> DQuat {
    let q = if q.w < 0.0 { -q } else { q };
    let length = q.xyz().length();
    if length < 1e-12 {
        return DQuat::IDENTITY;
    }
    let (sine, cosine) = ops64::sin_cos(ops64::atan2(length, q.w) * share);
    let axis = q.xyz() * (sine / length);
    DQuat::from_xyzw(axis.x, axis.y, axis.z, cosine)
}

/// The rotation of a matrix whose columns are not quite square to each other: first x, then y, then z. None is the
/// identity.
fn turn_of(matrix: DMat3) -> DQuat {
    let x = matrix.x_axis.normalize_or_zero();
    let y = (matrix.y_axis - x * x.dot(matrix.y_axis)).normalize_or_zero();
    if x == DVec3::ZERO || y == DVec3::ZERO {
        return DQuat::IDENTITY;
    }
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y)))
}
