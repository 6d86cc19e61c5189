//! Bending: morph targets are added, then joints move the vertices.

use glam::{Affine3A, DMat4, Mat3, Vec3};
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    self, DualJoint, INFLUENCES_MAX, InfluenceList, VertexBlock, centres_of_rotation, dual_palette,
};
use stillframe_base::lanes::{Isa, ROW};

use super::Pose;
use crate::asset::{Bend, BendBlocks, Bent, Delta, Form, Geometry, Influence, Posture, Tail};
use crate::import::{Influences, Model, MorphChannel, MorphTarget, SkinMethod};

/// How joints that pull at one vertex are blended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Linear,
    DualQuaternion,
    /// Both, vertex by vertex in the shares of the file.
    Blend,
    /// Le and Hodgins 2016; see `stillframe_anim::skin::SkinCentres`.
    CentresOfRotation,
}

impl Method {
    fn of_file(method: SkinMethod) -> Method {
        match method {
            SkinMethod::Linear => Method::Linear,
            SkinMethod::DualQuaternion => Method::DualQuaternion,
            SkinMethod::Blend => Method::Blend,
        }
    }
}

/// What bends a geometry as `node` shows it, by the method of its skin, unless another is asked for; `None` where
/// nothing does.
pub fn bend_of(model: &Model, node: usize, geometry: usize, method: Option<Method>) -> Option<Bend> {
    let stored = &model.geometries[geometry];
    let is_skinned = model.nodes[node].skin.is_some();
    let bends = is_skinned || !stored.targets.is_empty();
    let influences = is_skinned.then_some(&stored.influences);
    let tail = tail_of(model, node, method);
    bends.then(|| {
        let centres = if tail == Tail::Centre { centres(&stored.surface, &stored.influences) } else { Vec::new() };
        by_vertex(stored.surface.positions.len(), (influences, tail), &centres, &stored.targets)
    })
}

/// How the skin of a node blends joints, unless another way is asked for.
pub fn method_of(model: &Model, node: usize, method: Option<Method>) -> Method {
    let of_file = || model.nodes[node].skin.map(|skin| model.skins[skin].method).unwrap_or_default();
    method.unwrap_or_else(|| Method::of_file(of_file()))
}

/// What each vertex of a node's parts has after its influences; nothing where no skin bends them.
pub fn tail_of(model: &Model, node: usize, method: Option<Method>) -> Tail {
    match method_of(model, node, method) {
        _ if model.nodes[node].skin.is_none() => Tail::Nothing,
        Method::Linear | Method::DualQuaternion => Tail::Nothing,
        Method::Blend => Tail::Share,
        Method::CentresOfRotation => Tail::Centre,
    }
}

/// What bends the parts of `node` in a pose; by the method of the file's skin, unless another is asked for. Joints that
/// do more than turn, move and scale evenly are no dual quaternions: with one of them all are blended as matrices.
pub fn posture(model: &Model, node: usize, geometry: usize, pose: &Pose, method: Option<Method>) -> Posture {
    let (at, node) = (node, &model.nodes[node]);
    let target_count = model.geometries[geometry].targets.len();
    let shares = shares(&node.morphs, &pose.morph_weights[at], target_count);
    let Some(skin) = node.skin else { return Posture { shares, ..Posture::default() } };
    let own = pose.model_from_local[at].as_dmat4() * node.local_from_parts.as_dmat4();
    let of_joints = model.skins[skin].joints.iter();
    let of_joints = of_joints.map(|j| pose.model_from_local[j.node].as_dmat4() * j.joint_from_mesh.as_dmat4());
    let joints = std::iter::once(own).chain(of_joints);
    let method = method_of(model, at, method);
    if method == Method::Linear {
        return Posture { joints: joints.map(rows).collect(), form: Form::Matrices, shares };
    }
    let palette: Vec<Affine> = joints.clone().map(|m| Affine::from(Affine3A::from_mat4(m.as_mat4()))).collect();
    let mut duals = vec![DualJoint::IDENTITY; palette.len()];
    let is_dual = dual_palette(&palette, &mut duals).is_ok();
    let of_dual = |dual: &DualJoint| {
        let [real, half, scale, _] = dual.0[0].0.as_chunks::<4>().0 else { unreachable!("sixteen numbers") };
        if is_dual { [*real, *half, *scale] } else { [[0.0; 4]; 3] }
    };
    let form = match method {
        Method::Blend => Form::Blended,
        Method::CentresOfRotation => Form::Centres,
        Method::DualQuaternion if is_dual => {
            return Posture { joints: duals.iter().map(of_dual).collect(), form: Form::DualQuaternions, shares };
        }
        Method::DualQuaternion | Method::Linear => {
            return Posture { joints: joints.map(rows).collect(), form: Form::Matrices, shares };
        }
    };
    let joints = joints.zip(&duals).flat_map(|(matrix, dual)| [rows(matrix), of_dual(dual)]).collect();
    Posture { joints, form, shares }
}

fn rows(matrix: DMat4) -> [[f32; 4]; 3] {
    let matrix = matrix.as_mat4();
    [0, 1, 2].map(|row| matrix.row(row).to_array())
}

/// The raw geometry of one part of `node` in a pose: morphed, and where the node has a skin moved into model space by
/// its joints. `None` where nothing bends it.
///
/// Values may overflow where a file asks for it: who shows the result checks that it is finite.
pub fn bend(model: &Model, node: usize, geometry: usize, pose: &Pose) -> Option<Geometry> {
    let bend = bend_of(model, node, geometry, None)?;
    let rest = &model.geometries[geometry].surface;
    let posture = posture(model, node, geometry, pose, None);
    Some(geometry_of(rest, BendBlocks::new(rest, &bend).bent(Isa::detect(), rest, posture)))
}

/// A geometry whose vertices have been bent.
pub fn geometry_of(rest: &Geometry, bent: Bent) -> Geometry {
    let Bent { positions, normals, tangents, .. } = bent;
    Geometry { positions, normals, tangents, ..rest.clone() }
}

/// Influences of vertices as the kernels that want few of them take them: at most eight, none of next to nothing, none
/// below 0. Joint 0 is the node itself.
pub fn influence_list(vertex_count: usize, influences: &Influences) -> InfluenceList {
    let joint_count = influences.joints.iter().max().map_or(1, |joint| *joint as usize + 2);
    let mut list = InfluenceList::new(joint_count, INFLUENCES_MAX);
    let mut own = Vec::new();
    for vertex in 0..vertex_count {
        own.clear();
        pull(influences, vertex, &mut own);
        let of = |own: &Influence| skin::Influence { joint: own.joint as u16, weight: own.weight.max(0.0) };
        let raw: Vec<skin::Influence> = own.iter().map(of).collect();
        if list.push(&raw).is_err() {
            let alone = [skin::Influence { joint: 0, weight: 1.0 }];
            list.push(&alone).unwrap_or_else(|error| unreachable!("{error}"));
        }
    }
    list
}

/// The centre of rotation of every vertex of a surface that rests.
fn centres(surface: &Geometry, influences: &Influences) -> Vec<[f32; 3]> {
    let list = influence_list(surface.positions.len(), influences);
    let vertices = VertexBlock::of_vertices(&surface.positions, &[], &[]);
    let centres = centres_of_rotation(surface.indices.as_chunks::<3>().0, &vertices, &list);
    let centres = centres.unwrap_or_else(|error| unreachable!("triangles are of the surface: {error}"));
    let of = |vertex: usize| centres[vertex / ROW].0.each_ref().map(|plane| plane.0[vertex % ROW]);
    (0..surface.positions.len()).map(of).collect()
}

/// Lists of the file, which go by joint and by target, turned to go by vertex. The first joint is the node itself.
/// `centres`: of vertices, where the tail asks for them.
fn by_vertex(
    vertex_count: usize,
    (influences, tail): (Option<&Influences>, Tail),
    centres: &[[f32; 3]],
    targets: &[MorphTarget],
) -> Bend {
    let mut deltas: Vec<(u32, Delta)> = Vec::new();
    for (number, target) in (0..).zip(targets) {
        let of = |list: &[[f32; 3]], at: usize| list.get(at).copied().unwrap_or_default();
        for (at, vertex) in target.vertices.iter().enumerate() {
            let [position, normal, tangent] =
                [&target.positions, &target.normals, &target.tangents].map(|list| of(list, at));
            deltas.push((*vertex, Delta { target: number, position, normal, tangent }));
        }
    }
    // Stable: of one vertex, they stay in the order of targets.
    deltas.sort_by_key(|(vertex, _)| *vertex);
    let mut deltas = deltas.into_iter().peekable();
    let mut out = Bend { starts: vec![[0; 2]], tail, ..Bend::default() };
    for vertex in 0..vertex_count {
        if let Some(influences) = influences {
            pull(influences, vertex, &mut out.influences);
            match tail {
                Tail::Nothing => {}
                Tail::Share => {
                    let weight = influences.dual_shares.get(vertex).copied().unwrap_or(0.0);
                    out.influences.push(Influence { joint: 0, weight });
                }
                Tail::Centre => out.push_centre(centres[vertex]),
            }
        }
        while let Some((_, delta)) = deltas.next_if(|(of, _)| *of as usize == vertex) {
            out.deltas.push(delta);
        }
        out.close();
    }
    out
}

/// Who pulls at a vertex, in shares of 1; the node itself where nobody does.
fn pull(influences: &Influences, vertex: usize, out: &mut Vec<Influence>) {
    let entries = match influences.starts.get(vertex..vertex + 2) {
        Some(ends) => ends[0] as usize..ends[1] as usize,
        None => 0..0,
    };
    let entries = entries.filter(|entry| influences.weights[*entry] != 0.0);
    let sum: f64 = entries.clone().map(|entry| f64::from(influences.weights[entry])).sum();
    if sum > 0.0 {
        out.extend(entries.map(|entry| Influence {
            joint: influences.joints[entry] + 1,
            weight: (f64::from(influences.weights[entry]) / sum) as f32,
        }));
    } else {
        out.push(Influence { joint: 0, weight: 1.0 });
    }
}

/// How much of each of the first `target_count` targets of a node is added: channels' weights, in-between shapes faded
/// into each other.
///
/// Between two full weights the two shapes share by distance; below the first it grows from nothing, past the last it
/// goes on in proportion.
pub fn shares(channels: &[MorphChannel], weights: &[f64], target_count: usize) -> Vec<f32> {
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

/// Turns normals as the matrix turns surfaces: determinant times inverse transpose, without a division.
pub(super) fn cofactors(m: Mat3) -> Mat3 {
    Mat3::from_cols(m.y_axis.cross(m.z_axis), m.z_axis.cross(m.x_axis), m.x_axis.cross(m.y_axis))
}

/// Unit length; `otherwise` where there is no direction left.
pub(super) fn direction(vector: Vec3, otherwise: [f32; 3]) -> [f32; 3] {
    crate::asset::direction(vector.to_array(), otherwise)
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
        let rest =
            Geometry { positions: vec![[1.0, 0.0, 0.0]; 3], normals: vec![[1.0, 0.0, 0.0]; 3], ..Geometry::default() };
        let influences = Influences {
            starts: vec![0, 1, 3, 3],
            joints: vec![0, 0, 1],
            weights: vec![2.0, 1.0, 1.0],
            ..Influences::default()
        };
        let moved = |by: Vec3| rows(DMat4::from_translation(by.as_dvec3()));
        let posture =
            Posture { joints: vec![moved(Vec3::Z), moved(Vec3::Y), moved(Vec3::Y * 3.0)], ..Posture::default() };
        let bend = by_vertex(3, (Some(&influences), Tail::Nothing), &[], &[]);
        let bent = BendBlocks::new(&rest, &bend).bent(Isa::detect(), &rest, posture);
        assert_eq!(bent.positions, [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [1.0, 0.0, 1.0]]);
        assert_eq!(bent.normals, [[1.0, 0.0, 0.0]; 3]);
    }

    #[test]
    fn shapes_are_added_before_joints_pull() {
        let rest = Geometry { positions: vec![[0.0; 3]; 2], normals: vec![[0.0, 1.0, 0.0]; 2], ..Geometry::default() };
        let target = |vertices: &[u32], by: [f32; 3]| MorphTarget {
            vertices: vertices.to_vec(),
            positions: vec![by; vertices.len()],
            ..MorphTarget::default()
        };
        let targets = [target(&[1], [1.0, 0.0, 0.0]), target(&[0, 1], [0.0, 0.0, 4.0])];
        let influences =
            Influences { starts: vec![0, 1, 2], joints: vec![0, 0], weights: vec![1.0, 1.0], ..Influences::default() };
        let doubled = rows(DMat4::from_scale(glam::DVec3::splat(2.0)));
        let posture = Posture { joints: vec![doubled, doubled], shares: vec![1.0, 0.5], form: Form::Matrices };
        let bend = by_vertex(2, (Some(&influences), Tail::Nothing), &[], &targets);
        let bent = BendBlocks::new(&rest, &bend).bent(Isa::detect(), &rest, posture.clone());
        assert_eq!(bent.positions, [[0.0, 0.0, 4.0], [2.0, 0.0, 4.0]]);
        // Without a skin nothing but the shapes moves it.
        let bend = by_vertex(2, (None, Tail::Nothing), &[], &targets);
        let bent = BendBlocks::new(&rest, &bend).bent(Isa::detect(), &rest, posture);
        assert_eq!(bent.positions, [[0.0, 0.0, 2.0], [1.0, 0.0, 2.0]]);
    }
}
