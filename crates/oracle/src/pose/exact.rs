//! Exact: answers in f64, by definition.

use glam::{DMat3, DMat4, DQuat, DVec3, DVec4};

use super::limits::Mean;
use super::task::{Answer, Joint, Layer, Task, Vertex};

/// What must come of a task. `mean` is how rotations are blended.
pub fn answer(task: &Task, mean: Mean) -> Answer {
    match task {
        Task::Blend { layers } => {
            let count = layers.first().map_or(0, |layer| layer.pose.len());
            (0..count).map(|joint| blended(layers, joint, mean).row()).collect()
        }
        Task::Add { pose, delta, weight } => {
            pose.iter().zip(delta).map(|(base, delta)| added(base, delta, *weight).row()).collect()
        }
        Task::Model { parents, pose } => models(parents, pose).iter().map(rows).collect(),
        Task::Skin { matrices, vertices } => {
            let matrices: Vec<DMat4> = matrices.iter().map(matrix).collect();
            vertices.iter().map(|vertex| skinned(vertex, linear(&matrices, vertex))).collect()
        }
        Task::SkinDual { matrices, vertices } => {
            let matrices: Vec<DMat4> = matrices.iter().map(matrix).collect();
            vertices.iter().map(|vertex| skinned(vertex, dual(&matrices, vertex))).collect()
        }
    }
}

/// The weighted mean of one joint. Rotations are summed with the sign that is nearer to the first that counts.
fn blended(layers: &[Layer], joint: usize, mean: Mean) -> Joint {
    let weight_of = |layer: &Layer| layer.weight * layer.mask.as_ref().map_or(1.0, |mask| mask[joint]);
    let counting: Vec<(f64, &Joint)> =
        layers.iter().map(|layer| (weight_of(layer), &layer.pose[joint])).filter(|(weight, _)| *weight > 0.0).collect();
    let sum: f64 = counting.iter().map(|(weight, _)| weight).sum();
    let (mut translation, mut scale, mut rotation) = (DVec3::ZERO, DVec3::ZERO, DVec4::ZERO);
    let first = DVec4::from_array(counting[0].1.rotation);
    for (weight, joint) in &counting {
        let share = weight / sum;
        translation += DVec3::from_array(joint.translation) * share;
        scale += DVec3::from_array(joint.scale) * share;
        let own = DVec4::from_array(joint.rotation);
        rotation += own * if own.dot(first) < 0.0 { -share } else { share };
    }
    if let (Mean::Slerp, [(_, a), (weight, b)]) = (mean, &counting[..]) {
        let [a, b] = [a, b].map(|joint| DQuat::from_array(joint.rotation).normalize());
        rotation = slerp(a, b, weight / sum).into();
    }
    let rotation = rotation.normalize().to_array();
    Joint { translation: translation.to_array(), rotation, scale: scale.to_array() }
}

/// The short way at even speed.
fn slerp(a: DQuat, b: DQuat, share: f64) -> DQuat {
    use stillframe_base::math::ops64;
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let angle = ops64::acos(a.dot(b).clamp(-1.0, 1.0));
    let sine = ops64::sin(angle);
    if sine < 1e-9 {
        return (a * (1.0 - share) + b * share).normalize();
    }
    (a * (ops64::sin((1.0 - share) * angle) / sine) + b * (ops64::sin(share * angle) / sine)).normalize()
}

/// Translations and rotations are added after the joint's own, scales multiply; each by its share of the way from
/// nothing.
fn added(base: &Joint, delta: &Joint, weight: f64) -> Joint {
    let own = DQuat::from_array(base.rotation).normalize();
    let turn = DQuat::from_array(delta.rotation).normalize();
    let turn = if turn.w < 0.0 { -turn } else { turn };
    let turn = (DQuat::IDENTITY * (1.0 - weight) + turn * weight).normalize();
    let translation = DVec3::from_array(base.translation) + DVec3::from_array(delta.translation) * weight;
    let scale = DVec3::from_array(base.scale) * (DVec3::ONE + (DVec3::from_array(delta.scale) - DVec3::ONE) * weight);
    Joint { translation: translation.to_array(), rotation: (own * turn).to_array(), scale: scale.to_array() }
}

fn models(parents: &[Option<usize>], pose: &[Joint]) -> Vec<DMat4> {
    let mut out: Vec<DMat4> = Vec::with_capacity(pose.len());
    for (joint, parent) in pose.iter().zip(parents) {
        let rotation = DQuat::from_array(joint.rotation).normalize();
        let [scale, translation] = [joint.scale, joint.translation].map(DVec3::from_array);
        let local = DMat4::from_scale_rotation_translation(scale, rotation, translation);
        out.push(parent.map_or(local, |parent| out[parent] * local));
    }
    out
}

fn matrix(rows: &[f64; 12]) -> DMat4 {
    let row = |index: usize| DVec4::from_slice(&rows[index * 4..]);
    DMat4::from_cols(row(0), row(1), row(2), DVec4::W).transpose()
}

fn rows(matrix: &DMat4) -> Vec<f64> {
    (0..3).flat_map(|row| matrix.row(row).to_array()).collect()
}

fn linear(matrices: &[DMat4], vertex: &Vertex) -> DMat4 {
    let shares = vertex.joints.iter().zip(&vertex.weights);
    shares.fold(DMat4::ZERO, |sum, (joint, weight)| sum + matrices[*joint] * *weight)
}

/// Kavan et al. 2008, with the sign that is nearer to the first.
fn dual(matrices: &[DMat4], vertex: &Vertex) -> DMat4 {
    let of = |matrix: &DMat4| {
        let real = DQuat::from_mat3(&DMat3::from_mat4(*matrix)).normalize();
        let t = matrix.w_axis.truncate();
        let half = DQuat::from_xyzw(t.x, t.y, t.z, 0.0) * real * 0.5;
        [DVec4::from(real), DVec4::from(half)]
    };
    let first = of(&matrices[vertex.joints[0]])[0];
    let mut sum = [DVec4::ZERO; 2];
    for (joint, weight) in vertex.joints.iter().zip(&vertex.weights) {
        let [real, half] = of(&matrices[*joint]);
        let share = if real.dot(first) < 0.0 { -weight } else { *weight };
        sum[0] += real * share;
        sum[1] += half * share;
    }
    let length = sum[0].length();
    let [real, half] = sum.map(|part| DQuat::from_vec4(part / length));
    let moved = half * real.conjugate() * 2.0;
    DMat4::from_rotation_translation(real, DVec3::new(moved.x, moved.y, moved.z))
}

fn skinned(vertex: &Vertex, matrix: DMat4) -> Vec<f64> {
    let position = matrix.transform_point3(DVec3::from_array(vertex.position));
    let normal = matrix.transform_vector3(DVec3::from_array(vertex.normal)).normalize();
    position.to_array().into_iter().chain(normal.to_array()).collect()
}
