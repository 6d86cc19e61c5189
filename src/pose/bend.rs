//! Bending: morph targets are added, then joints move the vertices.

use glam::{Mat3, Mat4, Vec3};

use super::Pose;
use crate::asset::Geometry;
use crate::import::{Influences, Model, MorphChannel, MorphTarget};

/// The geometry of one part of `node` in a pose: morphed, and where the node has a skin moved into model space by its
/// joints. `None` where nothing bends it.
///
/// Values may overflow where a file asks for it: who shows the result checks that it is finite.
pub fn bend(model: &Model, node: usize, geometry: usize, pose: &Pose) -> Option<Geometry> {
    let (node_at, node) = (node, &model.nodes[node]);
    let stored = &model.geometries[geometry];
    let morphed = !stored.targets.is_empty() && pose.morph_weights[node_at].iter().any(|weight| *weight != 0.0);
    if !morphed && node.skin.is_none() {
        return None;
    }
    let mut out = stored.surface.clone();
    if morphed {
        morph(&node.morphs, &pose.morph_weights[node_at], &stored.targets, &mut out);
    }
    if let Some(skin) = node.skin {
        let joints = &model.skins[skin].joints;
        let matrices: Vec<Mat4> = joints
            .iter()
            .map(|j| (pose.model_from_local[j.node].as_dmat4() * j.joint_from_mesh.as_dmat4()).as_mat4())
            .collect();
        let own = (pose.model_from_local[node_at].as_dmat4() * node.local_from_parts.as_dmat4()).as_mat4();
        skin_by(&stored.influences, &matrices, own, &mut out);
    }
    Some(out)
}

/// How much of each target is added: channels' weights, in-between shapes faded into each other.
///
/// Between two full weights the two shapes share by distance; below the first it grows from nothing, past the last it
/// goes on in proportion.
fn shares(channels: &[MorphChannel], weights: &[f64], target_count: usize) -> Vec<f32> {
    let mut out = vec![0.0; target_count];
    let mut add = |target: usize, share: f64| {
        if let Some(slot) = out.get_mut(target) {
            *slot += share as f32;
        }
    };
    for (channel, weight) in channels.iter().zip(weights) {
        let shapes = &channel.shapes;
        let above = shapes.partition_point(|(full, _)| full < weight);
        match (above.checked_sub(1).map(|i| shapes[i]), shapes.get(above)) {
            (None, Some((full, target))) => add(*target, weight / full),
            (Some((low, below)), Some((high, target))) => {
                let along = (weight - low) / (high - low);
                add(below, 1.0 - along);
                add(*target, along);
            }
            (Some((full, target)), None) => add(target, weight / full),
            (None, None) => {}
        }
    }
    out
}

fn morph(channels: &[MorphChannel], weights: &[f64], targets: &[MorphTarget], out: &mut Geometry) {
    for (target, share) in targets.iter().zip(shares(channels, weights, targets.len())) {
        if share == 0.0 {
            continue;
        }
        add(&mut out.positions, &target.vertices, &target.positions, share);
        add(&mut out.normals, &target.vertices, &target.normals, share);
        add(&mut out.tangents, &target.vertices, &target.tangents, share);
    }
}

/// `to[vertex] += from * share` in the first three components; shorter lists end it.
fn add<const N: usize>(to: &mut [[f32; N]], vertices: &[u32], from: &[[f32; 3]], share: f32) {
    for (vertex, from) in vertices.iter().zip(from) {
        let Some(to) = to.get_mut(*vertex as usize) else { break };
        for axis in 0..3 {
            to[axis] += from[axis] * share;
        }
    }
}

/// Moves positions, normals and tangents by their joints; a vertex that none pulls at moves with the node.
fn skin_by(influences: &Influences, joints: &[Mat4], own: Mat4, geometry: &mut Geometry) {
    for vertex in 0..geometry.positions.len() {
        let entries = match influences.starts.get(vertex..vertex + 2) {
            Some(ends) => ends[0] as usize..ends[1] as usize,
            None => 0..0,
        };
        let (mut blended, mut sum) = (Mat4::ZERO, 0.0_f32);
        for entry in entries {
            let weight = influences.weights[entry];
            if weight != 0.0 {
                blended += joints[influences.joints[entry] as usize] * weight;
                sum += weight;
            }
        }
        let matrix = if sum > 0.0 { blended * (1.0 / sum) } else { own };
        geometry.positions[vertex] = matrix.transform_point3(Vec3::from(geometry.positions[vertex])).to_array();
        let linear = Mat3::from_mat4(matrix);
        if let Some(normal) = geometry.normals.get_mut(vertex) {
            *normal = direction(cofactors(linear) * Vec3::from(*normal), *normal);
        }
        if let Some(tangent) = geometry.tangents.get_mut(vertex) {
            let [x, y, z, w] = *tangent;
            let [x, y, z] = direction(linear * Vec3::new(x, y, z), [x, y, z]);
            *tangent = [x, y, z, w];
        }
    }
}

/// Turns normals as the matrix turns surfaces: determinant times inverse transpose, without a division.
pub(super) fn cofactors(m: Mat3) -> Mat3 {
    Mat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}

/// Unit length; `otherwise` where there is no direction left.
pub(super) fn direction(vector: Vec3, otherwise: [f32; 3]) -> [f32; 3] {
    let length = vector.length();
    if length > 0.0 && length.is_finite() { (vector * (1.0 / length)).to_array() } else { otherwise }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_between_shapes_share() {
        let channel =
            |shapes: &[(f64, usize)]| MorphChannel { name: String::new(), weight: 0.0, shapes: shapes.to_vec() };
        let one = [channel(&[(1.0, 0)])];
        let two = [channel(&[(0.5, 0), (1.0, 1)])];
        for (channels, weight, want) in [
            (&one, 0.25, [0.25, 0.0]),
            (&one, 2.0, [2.0, 0.0]),
            (&one, -1.0, [-1.0, 0.0]),
            (&two, 0.25, [0.5, 0.0]),
            (&two, 0.5, [1.0, 0.0]),
            (&two, 0.75, [0.5, 0.5]),
            (&two, 1.0, [0.0, 1.0]),
            (&two, 1.5, [0.0, 1.5]),
        ] {
            assert_eq!(shares(channels, &[weight], 2), want, "{} shapes at {weight}", channels[0].shapes.len());
        }
    }

    #[test]
    fn vertices_move_with_their_joints() {
        let mut geometry =
            Geometry { positions: vec![[1.0, 0.0, 0.0]; 3], normals: vec![[1.0, 0.0, 0.0]; 3], ..Geometry::default() };
        let influences = Influences { starts: vec![0, 1, 3, 3], joints: vec![0, 0, 1], weights: vec![2.0, 1.0, 1.0] };
        let joints = [Mat4::from_translation(Vec3::Y), Mat4::from_translation(Vec3::Y * 3.0)];
        skin_by(&influences, &joints, Mat4::from_translation(Vec3::Z), &mut geometry);
        assert_eq!(geometry.positions, [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [1.0, 0.0, 1.0]]);
        assert_eq!(geometry.normals, [[1.0, 0.0, 0.0]; 3]);
    }
}
