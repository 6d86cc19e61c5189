//! Own: the answers of `stillframe-anim`'s jobs.

use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};
use stillframe_anim::pose::{
    AddDeltas, Affine, Blend, BlendLayer, DeltaLayer, JointBlock, LocalToModel, NO_PARENT, Trs,
};
use stillframe_anim::skin::{
    Directions, DualJoint, Influence, InfluenceList, MeshInfluences, SkinDualQuaternion, SkinMesh, VertexBlock,
    dual_palette,
};
use stillframe_base::lanes::{Isa, ROW, Row};

use super::task::{Answer, Joint, Task, Vertex};

/// The answer of the jobs at an instruction set. None for what they do not do: a blend with masks.
///
/// Errors: why a job refuses it.
pub fn own(task: &Task, isa: Isa) -> Result<Option<Answer>, String> {
    Ok(match task {
        Task::Blend { layers } if layers.iter().any(|layer| layer.mask.is_some()) => None,
        Task::Blend { layers } => {
            let poses: Vec<Vec<JointBlock>> = layers.iter().map(|layer| pack(&layer.pose)).collect();
            let weights = layers.iter().map(|layer| layer.weight as f32);
            let layers: Vec<BlendLayer<'_>> =
                poses.iter().zip(weights).map(|(pose, weight)| BlendLayer { pose, weight }).collect();
            let mut out = poses[0].clone();
            let job = Blend { isa, layers: &layers, rest: &poses[0], threshold: 0.0, out: &mut out };
            job.validate().map_err(|error| error.to_string())?;
            job.run();
            Some(unpack(&out, task))
        }
        Task::Add { pose, delta, weight } => {
            let (base, delta) = (pack(pose), pack(delta));
            let mut out = base.clone();
            let deltas = [DeltaLayer { delta: &delta, weight: *weight as f32, mask: None }];
            let job = AddDeltas { isa, base: &base, deltas: &deltas, out: &mut out };
            job.validate().map_err(|error| error.to_string())?;
            job.run();
            Some(unpack(&out, task))
        }
        Task::Model { parents, pose } => {
            let locals = pack(pose);
            let parents: Vec<u16> = parents.iter().map(|parent| parent.map_or(NO_PARENT, |at| at as u16)).collect();
            let mut models = vec![Affine::IDENTITY; pose.len()];
            let root = &Affine::IDENTITY;
            LocalToModel { isa, parents: &parents, locals: &locals, root, models: &mut models }.run();
            let rows = |model: &Affine| -> Vec<f64> {
                let matrix = Mat4::from(Affine3A::from(*model));
                (0..3).flat_map(|row| matrix.row(row).to_array()).map(f64::from).collect()
            };
            Some(models.iter().map(rows).collect())
        }
        Task::Skin { matrices, vertices } | Task::SkinDual { matrices, vertices } => {
            let palette: Vec<Affine> = matrices.iter().map(affine).collect();
            let positions: Vec<[f32; 3]> = vertices.iter().map(|vertex| vertex.position.map(|n| n as f32)).collect();
            let normals: Vec<[f32; 3]> = vertices.iter().map(|vertex| vertex.normal.map(|n| n as f32)).collect();
            let rest = VertexBlock::of_vertices(&positions, &normals, &[]);
            let list = influences(matrices.len(), vertices)?;
            let blocks = list.blocks();
            let influences = MeshInfluences { count: list.influence_count(), blocks: &blocks };
            let mut out = rest.clone();
            let directions = Directions::Unit;
            if matches!(task, Task::Skin { .. }) {
                let vertices = &rest;
                SkinMesh { isa, palette: &palette, influences, directions, vertices, out: &mut out }.run();
            } else {
                let mut duals = vec![DualJoint::IDENTITY; palette.len()];
                dual_palette(&palette, &mut duals).map_err(|error| error.to_string())?;
                let vertices = &rest;
                SkinDualQuaternion { isa, palette: &duals, influences, directions, vertices, out: &mut out }.run();
            }
            let row = |at: usize| -> Vec<f64> {
                let block = &out[at / ROW];
                let of = |planes: &[Row; 3]| planes.each_ref().map(|plane| f64::from(plane.0[at % ROW]));
                of(&block.position).into_iter().chain(of(&block.normal)).collect()
            };
            Some((0..vertices.len()).map(row).collect())
        }
    })
}

fn pack(pose: &[Joint]) -> Vec<JointBlock> {
    let trs = |joint: &Joint| Trs {
        translation: Vec3::from_array(joint.translation.map(|number| number as f32)),
        rotation: Quat::from_array(joint.rotation.map(|number| number as f32)),
        scale: Vec3::from_array(joint.scale.map(|number| number as f32)),
    };
    JointBlock::pack(&pose.iter().map(trs).collect::<Vec<_>>())
}

fn unpack(out: &[JointBlock], task: &Task) -> Answer {
    let row = |joint: usize| -> Vec<f64> {
        let Trs { translation, rotation, scale } = JointBlock::joint(out, joint);
        let numbers = translation.to_array().into_iter().chain(rotation.to_array()).chain(scale.to_array());
        numbers.map(f64::from).collect()
    };
    (0..task.shape()[0]).map(row).collect()
}

fn affine(rows: &[f64; 12]) -> Affine {
    let row = |index: usize| Vec4::from_array([0, 1, 2, 3].map(|at| rows[index * 4 + at] as f32));
    Affine3A::from_mat4(Mat4::from_cols(row(0), row(1), row(2), Vec4::W).transpose()).into()
}

fn influences(joint_count: usize, vertices: &[Vertex]) -> Result<InfluenceList, String> {
    let mut list = InfluenceList::new(joint_count, stillframe_anim::skin::INFLUENCES_MAX);
    for vertex in vertices {
        let pairs = vertex.joints.iter().zip(&vertex.weights);
        let raw: Vec<Influence> =
            pairs.map(|(joint, weight)| Influence { joint: *joint as u16, weight: *weight as f32 }).collect();
        list.push(&raw).map_err(|error| error.to_string())?;
    }
    Ok(list)
}
