//! Mistakes: answers that are right but for one thing, each a thing that blending or skinning code gets wrong. The
//! judge must find every one of them.

use super::exact::answer;
use super::limits::Mean;
use super::task::{Answer, Task};

/// What an answer gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoseMistake {
    SignsIgnored,
    SumNotDivided,
    MaskIgnored,
    LastLayerLost,
    DeltaBefore,
    ScaleAdded,
    GrandparentLost,
    ScaleOfParentLost,
    FirstFourOnly,
    NormalMoved,
}

/// Every mistake: its name, and what it does.
pub const POSE_MISTAKES: [(PoseMistake, &str, &str); 10] = [
    (PoseMistake::SignsIgnored, "signs-ignored", "quaternions are summed with the sign that they come with"),
    (PoseMistake::SumNotDivided, "sum-not-divided", "weights that do not sum to 1 are not normalised"),
    (PoseMistake::MaskIgnored, "mask-ignored", "layers affect joints outside their mask"),
    (PoseMistake::LastLayerLost, "last-layer-lost", "of more than four layers, the last is ignored"),
    (PoseMistake::DeltaBefore, "delta-before", "deltas rotate in the parent's frame"),
    (PoseMistake::ScaleAdded, "scale-added", "scales of deltas are added"),
    (PoseMistake::GrandparentLost, "grandparent-lost", "only the parent moves a joint, not what is above it"),
    (PoseMistake::ScaleOfParentLost, "scale-of-parent", "a parent's scale does not apply to its children"),
    (PoseMistake::FirstFourOnly, "first-four-only", "only four joints pull at a vertex"),
    (PoseMistake::NormalMoved, "normal-moved", "normals are moved as places are"),
];

/// The answer of a program with a mistake.
pub fn planted(task: &Task, mean: Mean, mistake: PoseMistake) -> Answer {
    use PoseMistake::*;
    let mut task = task.clone();
    match (&mut task, mistake) {
        (Task::Blend { layers }, MaskIgnored) => layers.iter_mut().for_each(|layer| layer.mask = None),
        (Task::Blend { layers }, LastLayerLost) if layers.len() > 4 => {
            layers.truncate(layers.len() - 1);
            if layers.iter().all(|layer| layer.weight == 0.0) {
                layers[0].weight = 1.0;
            }
        }
        (Task::Add { pose, delta, .. }, ScaleAdded) => {
            for (base, delta) in pose.iter().zip(delta) {
                for axis in 0..3 {
                    delta.scale[axis] = (base.scale[axis] + delta.scale[axis] - 1.0) / base.scale[axis];
                }
            }
        }
        (Task::Add { pose, delta, .. }, DeltaBefore) => {
            use glam::DQuat;
            for (base, delta) in pose.iter().zip(delta) {
                let [own, turn] = [base.rotation, delta.rotation].map(|four| DQuat::from_array(four).normalize());
                delta.rotation = (own.conjugate() * turn * own).to_array();
            }
        }
        (Task::Model { parents, .. }, GrandparentLost) => {
            let before = parents.clone();
            for parent in parents.iter_mut() {
                *parent = parent.filter(|parent| before[*parent].is_none());
            }
        }
        (Task::Model { parents, pose }, ScaleOfParentLost) => {
            let inner: Vec<usize> = parents.iter().flatten().copied().collect();
            inner.into_iter().for_each(|joint| pose[joint].scale = [1.0; 3]);
        }
        (Task::Skin { vertices, .. } | Task::SkinDual { vertices, .. }, FirstFourOnly) => {
            for vertex in vertices {
                vertex.joints.truncate(4);
                vertex.weights.truncate(4);
                let sum: f64 = vertex.weights.iter().sum();
                vertex.weights.iter_mut().for_each(|weight| *weight /= sum);
            }
        }
        _ => {}
    }
    let mut out = answer(&task, mean);
    match (&task, mistake) {
        (Task::Blend { layers }, SumNotDivided) => {
            for (joint, row) in out.iter_mut().enumerate() {
                let own = |layer: &super::Layer| layer.weight * layer.mask.as_ref().map_or(1.0, |mask| mask[joint]);
                let sum: f64 = layers.iter().map(own).sum();
                row[..3].iter_mut().for_each(|number| *number *= sum);
            }
        }
        (Task::Blend { layers }, SignsIgnored) => {
            for (joint, row) in out.iter_mut().enumerate() {
                let mut sum = [0.0; 4];
                for layer in layers {
                    let weight = layer.weight * layer.mask.as_ref().map_or(1.0, |mask| mask[joint]);
                    (0..4).for_each(|at| sum[at] += layer.pose[joint].rotation[at] * weight);
                }
                let length = sum.iter().map(|number| number * number).sum::<f64>().sqrt();
                (0..4).for_each(|at| row[3 + at] = sum[at] / length);
            }
        }
        (Task::Skin { matrices, vertices } | Task::SkinDual { matrices, vertices }, NormalMoved) => {
            for (vertex, row) in vertices.iter().zip(&mut out) {
                let of = |axis: usize| -> f64 {
                    let shares = vertex.joints.iter().zip(&vertex.weights);
                    shares.map(|(joint, weight)| matrices[*joint][axis * 4 + 3] * weight).sum()
                };
                let moved = [0, 1, 2].map(|axis| row[3 + axis] + of(axis));
                let length = moved.iter().map(|number| number * number).sum::<f64>().sqrt().max(1e-9);
                (0..3).for_each(|axis| row[3 + axis] = moved[axis] / length);
            }
        }
        _ => {}
    }
    out
}
