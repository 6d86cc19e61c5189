//! Rigs: drawn skeletons and meshes, and where forward kinematics in f64 puts a vertex.

use glam::{DAffine3, DMat4, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::pose::{Affine, JointBlock, LocalToModel, NO_PARENT, Trs};
use stillframe_anim::sample::{RawJoint, Skeleton};
use stillframe_base::lanes::Isa;

pub const JOINTS: usize = 5;
/// A trunk with two arms.
pub const PARENTS: [u16; JOINTS] = [NO_PARENT, 0, 1, 1, 3];

pub fn skeleton(names: &[&str]) -> Skeleton {
    let joint = |(node, name): (usize, &&str)| RawJoint {
        node,
        name: (*name).to_owned(),
        parent: node.checked_sub(1),
        rest: Trs::IDENTITY,
    };
    Skeleton::new(&names.iter().enumerate().map(joint).collect::<Vec<_>>()).expect("a chain")
}

pub fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-reach..reach).prop_map(Vec3::from)
}

pub fn turn() -> impl Strategy<Value = Quat> {
    prop::array::uniform4(-1.0f32..1.0).prop_map(|q| {
        let q = Quat::from_array(q);
        if q.length_squared() > 1e-2 { q.normalize() } else { Quat::IDENTITY }
    })
}

/// Sizes are not so uneven that inverses lose their digits.
pub fn poses() -> impl Strategy<Value = [Trs; JOINTS]> {
    let joint = (vector(1.0), turn(), vector(0.3)).prop_map(|(translation, rotation, s)| Trs {
        translation,
        rotation,
        scale: Vec3::ONE + s,
    });
    prop::array::uniform5(joint)
}

pub fn f64s(affine: &Affine) -> DMat4 {
    DMat4::from_cols_array(&affine.0.0.map(f64::from)).transpose()
}

/// Model matrices by forward kinematics.
pub fn kinematics(pose: &[Trs; JOINTS]) -> Vec<DMat4> {
    let mut out: Vec<DMat4> = Vec::new();
    for (parent, joint) in PARENTS.iter().zip(pose) {
        let own = DMat4::from(DAffine3::from_scale_rotation_translation(
            joint.scale.as_dvec3(),
            joint.rotation.as_dquat(),
            joint.translation.as_dvec3(),
        ));
        out.push(if *parent == NO_PARENT { own } else { out[usize::from(*parent)] * own });
    }
    out
}

/// Where a mesh's vertices are with two joints each, from matrices.
pub fn skinned(models: &[DMat4], binds: &[Affine], vertices: &[(DVec3, [usize; 2], f64)]) -> Vec<DVec3> {
    let place = |joint: usize, at: DVec3| (models[joint] * f64s(&binds[joint])).transform_point3(at);
    let vertex =
        |(at, [a, b], weight): &(DVec3, [usize; 2], f64)| place(*a, *at) * (1.0 - weight) + place(*b, *at) * *weight;
    vertices.iter().map(vertex).collect()
}

pub fn vertices() -> impl Strategy<Value = Vec<(DVec3, [usize; 2], f64)>> {
    let vertex = (vector(1.0), prop::array::uniform2(0..JOINTS), 0.0f64..=1.0);
    prop::collection::vec(vertex.prop_map(|(at, joints, weight)| (at.as_dvec3(), joints, weight)), 1..8)
}

/// Model matrices by the crate's own job.
pub fn models(pose: &[Trs; JOINTS]) -> Vec<Affine> {
    let mut models = vec![Affine::IDENTITY; JOINTS];
    let (locals, root) = (JointBlock::pack(pose), &Affine::IDENTITY);
    LocalToModel { isa: Isa::detect(), parents: &PARENTS, locals: &locals, root, models: &mut models }.run();
    models
}
