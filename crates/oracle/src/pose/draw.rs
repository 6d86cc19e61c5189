//! Draw: tasks with a bias to where blending goes wrong. Weights of 0 and of all, both signs of a quaternion, turns
//! near 90 degrees, mirrored order of joints, vertices of one joint and of many.
//!
//! Rotations of one joint lie within 80 degrees of the first, so that it is clear which way is the short one.

use glam::{DAffine3, DQuat, DVec3};
use stillframe_base::math::ops64;

use super::limits::{Limits, Mean, Scales, TaskKind};
use super::task::{Joint, Layer, Task, Vertex};
use crate::Choices;

/// Turns of one joint from that of the first layer, in degrees.
const TURN_MAX_DEG: i64 = 80;

/// A task within limits. Limits that are not [valid](Limits::validate) are a bug and assert.
pub fn task(choices: &mut Choices<'_>, limits: &Limits) -> Task {
    let count = choices.between(1, limits.joints_max as i64) as usize;
    match choices.pick(&limits.kinds) {
        TaskKind::Blend => blend(choices, limits, count),
        TaskKind::Add => {
            let delta = |choices: &mut Choices<'_>| {
                let turned = turn(choices, TURN_MAX_DEG);
                Joint { rotation: signed(choices, turned, limits), ..joint(choices, limits) }
            };
            Task::Add {
                pose: (0..count).map(|_| joint(choices, limits)).collect(),
                delta: (0..count).map(|_| delta(choices)).collect(),
                weight: choices.between(0, 64) as f64 / 64.0,
            }
        }
        TaskKind::Model => {
            let parent = |choices: &mut Choices<'_>, joint: usize| match choices.one_in(4) || joint == 0 {
                true => None,
                false => Some(choices.below(joint as u64) as usize),
            };
            Task::Model {
                parents: (0..count).map(|joint| parent(choices, joint)).collect(),
                pose: (0..count).map(|_| joint(choices, limits)).collect(),
            }
        }
        TaskKind::Skin => {
            let (matrices, vertices) = skin(choices, limits, count, limits.scales.min(Scales::Even));
            Task::Skin { matrices, vertices }
        }
        TaskKind::SkinDual => {
            let (matrices, vertices) = skin(choices, limits, count, Scales::None);
            Task::SkinDual { matrices, vertices }
        }
    }
}

fn blend(choices: &mut Choices<'_>, limits: &Limits, count: usize) -> Task {
    let most = if limits.mean == Mean::Slerp { 2 } else { limits.layers_max as i64 };
    let layers = choices.between(1, most) as usize;
    let first: Vec<Joint> = (0..count).map(|_| joint(choices, limits)).collect();
    let mut weights: Vec<i64> = (0..layers).map(|_| *choices.pick(&[0, 1, 1, 2, 3, 5, 8])).collect();
    // A joint outside of every mask has the first layer.
    if weights[0] == 0 && (limits.masks || weights.iter().sum::<i64>() == 0) {
        weights[0] = 1;
    }
    if !limits.any_weights {
        // Shares of 64 that sum to exactly 1.
        let sum: i64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight = *weight * 64 / sum);
        let rest = 64 - weights.iter().sum::<i64>();
        let most = (0..layers).max_by_key(|at| weights[*at]).unwrap_or(0);
        weights[most] += rest;
    }
    let scale = if limits.any_weights { *choices.pick(&[1.0, 0.125, 4.0]) } else { 1.0 / 64.0 };
    let layer = |choices: &mut Choices<'_>, at: usize, weight: i64| {
        let near = |choices: &mut Choices<'_>, joint_number: usize| {
            let base = DQuat::from_array(first[joint_number].rotation);
            let turned = (base * turn(choices, TURN_MAX_DEG)).normalize();
            Joint { rotation: signed(choices, turned, limits), ..joint(choices, limits) }
        };
        let pose = match at {
            0 => first.clone(),
            _ => (0..count).map(|number| near(choices, number)).collect(),
        };
        // The first layer counts at every joint, so that no joint is without any.
        let has_mask = limits.masks && at > 0 && choices.one_in(3);
        let mask = has_mask.then(|| (0..count).map(|_| choices.between(0, 4) as f64 / 4.0).collect());
        Layer { weight: weight as f64 * scale, mask, pose }
    };
    Task::Blend { layers: weights.iter().enumerate().map(|(at, weight)| layer(choices, at, *weight)).collect() }
}

/// Metres in eighths, any turn.
fn joint(choices: &mut Choices<'_>, limits: &Limits) -> Joint {
    let rotation = turn(choices, 180);
    let rotation = signed(choices, rotation, limits);
    let translation = [(); 3].map(|()| choices.between(-16, 16) as f64 / 8.0);
    Joint { translation, rotation, scale: scale(choices, limits.scales) }
}

fn scale(choices: &mut Choices<'_>, scales: Scales) -> [f64; 3] {
    let mut one = || choices.between(4, 16) as f64 / 8.0;
    match scales {
        Scales::None => [1.0; 3],
        Scales::Even => [one(); 3],
        Scales::Uneven => [one(), one(), one()],
    }
}

/// A turn of up to `most_deg` about some axis.
fn turn(choices: &mut Choices<'_>, most_deg: i64) -> DQuat {
    let axis = DVec3::from_array([(); 3].map(|()| choices.between(-4, 4) as f64));
    let axis = if axis == DVec3::ZERO { DVec3::Y } else { axis.normalize() };
    let half = (choices.between(0, most_deg) as f64).to_radians() / 2.0;
    let [sine, cosine] = [ops64::sin(half), ops64::cos(half)];
    DQuat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// One of a rotation's two quaternions, as `f32` holds it.
fn signed(choices: &mut Choices<'_>, rotation: DQuat, limits: &Limits) -> [f64; 4] {
    let rotation = if limits.signs && choices.one_in(3) { -rotation } else { rotation };
    rotation.to_array().map(|number| f64::from(number as f32))
}

fn skin(choices: &mut Choices<'_>, limits: &Limits, count: usize, scales: Scales) -> (Vec<[f64; 12]>, Vec<Vertex>) {
    // All joints turn less than 80 degrees from rest, so that no sum of two is nothing.
    let matrix = |choices: &mut Choices<'_>| {
        let translation = DVec3::from_array([(); 3].map(|()| choices.between(-16, 16) as f64 / 8.0));
        let scale = DVec3::from_array(scale(choices, scales));
        let matrix = DAffine3::from_scale_rotation_translation(scale, turn(choices, TURN_MAX_DEG), translation);
        let rows = [0, 1, 2].map(|row| matrix.matrix3.row(row).extend(matrix.translation[row]).to_array());
        let mut out = [0.0; 12];
        out.copy_from_slice(rows.as_flattened());
        out.map(|number| f64::from(number as f32))
    };
    let matrices: Vec<[f64; 12]> = (0..count).map(|_| matrix(choices)).collect();
    let vertices = (0..choices.between(1, 8)).map(|_| vertex(choices, limits, count)).collect();
    (matrices, vertices)
}

fn vertex(choices: &mut Choices<'_>, limits: &Limits, joint_count: usize) -> Vertex {
    let influences = choices.between(1, limits.influences_max as i64) as usize;
    let joints = (0..influences).map(|_| choices.below(joint_count as u64) as usize).collect();
    // Shares of 256; the first has what is left.
    let mut weights: Vec<i64> = (1..influences).map(|_| choices.between(0, 256 / influences as i64)).collect();
    weights.insert(0, 256 - weights.iter().sum::<i64>());
    let axis = *choices.pick(&[0, 1, 2]);
    let mut normal = [0.0; 3];
    normal[axis] = if choices.one_in(2) { 1.0 } else { -1.0 };
    Vertex {
        position: [(); 3].map(|()| choices.between(-16, 16) as f64 / 8.0),
        normal,
        joints,
        weights: weights.into_iter().map(|weight| weight as f64 / 256.0).collect(),
    }
}
