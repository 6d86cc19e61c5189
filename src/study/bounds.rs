//! Bounds: the box that a model never leaves while a clip plays.

use glam::{Affine3A, Vec3};
use serde::Serialize;
use stillframe_anim::bounds::{JointBoxes, SkinJoints, clip_bounds};
use stillframe_anim::pose::Affine;
use stillframe_anim::sample::{Baking, DTrs, bake};
use stillframe_anim::skin::Influence;
use stillframe_base::geom::Aabb;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, Tick};

use super::StudyError;
use super::motion::Motion;
use crate::animate::Rig;
use crate::asset::BendBlocks;
use crate::import::Model;
use crate::pose::{self, Method, Playing, Pose};

/// Frames per second at which boxes are followed; they also hold the way between them.
const FRAMES_PER_SECOND: u32 = 60;

/// A box in the model's space, metres.
#[derive(Debug, Serialize)]
pub struct Bounds {
    pub min: [f32; 3],
    pub max: [f32; 3],
    /// Its volume over that of the least box around all that the surface reaches; none for flat ones.
    pub over_exact: Option<f64>,
}

/// What a part shows: positions in the model's lists.
#[derive(Clone, Copy)]
struct Shown {
    node: usize,
    geometry: usize,
}

/// The box at any moment of a clip, between frames too.
///
/// Errors: the model has no surface, a skin is not blended as matrices, or the clip cannot be baked.
pub fn bounds(motion: &Motion<'_>) -> Result<Bounds, StudyError> {
    let model = motion.model;
    let rig = Rig::new(model).map_err(StudyError::Rig)?;
    let playing = |at: Tick| [Playing { clip: motion.number, time: at }];
    let baking = Baking { rate: FrameRate::whole(FRAMES_PER_SECOND), object_error_max_m: None };
    let mut locals = |at: Tick, out: &mut [DTrs]| out.copy_from_slice(&pose::locals(model, &playing(at)));
    let (clip, report) = bake(&rig.skeleton, motion.duration, &motion.key_times(), &baking, &mut locals)?;
    let moments: Vec<Pose> = (0..clip.frame_count() as i64)
        .map(|frame| pose::pose(model, &playing(Tick(frame * clip.frame_ticks()).min(motion.duration))))
        .collect();
    let (mut bounds, mut exact) = (Aabb::EMPTY, Aabb::EMPTY);
    for (at, node) in model.nodes.iter().enumerate().filter(|(_, node)| node.shown) {
        if pose::method_of(model, at, None) != Method::Linear {
            return Err(StudyError::DualQuaternions { node: node.name.clone() });
        }
        let affine = |matrix| Affine::from(Affine3A::from_mat4(matrix));
        let of_skin = node.skin.iter().flat_map(|skin| &model.skins[*skin].joints);
        let of_skin = of_skin.map(|joint| (joint.node as u16, affine(joint.joint_from_mesh)));
        let (joints, inverse_binds): (Vec<u16>, Vec<Affine>) =
            std::iter::once((at as u16, affine(node.local_from_parts))).chain(of_skin).unzip();
        for part in &node.parts {
            let shown = Shown { node: at, geometry: part.geometry };
            let boxes =
                boxes(model, shown, &moments).ok_or_else(|| StudyError::NoWeights { node: node.name.clone() })?;
            let skin = SkinJoints { joints: &joints, inverse_binds: &inverse_binds };
            bounds = bounds.union(clip_bounds(&clip, rig.skeleton.parents(), skin, &boxes)?);
            let surface = &model.geometries[part.geometry].surface;
            let bend = pose::bend_of(model, at, part.geometry, None).map(|bend| BendBlocks::new(surface, &bend));
            for pose in &moments {
                exact = exact.union(reached(model, shown, bend.as_ref(), pose));
            }
        }
    }
    // Frames are not the file: so far they may be from it.
    let off = Vec3::splat(report.object_m.value as f32);
    let bounds = Aabb::new(bounds.min - off, bounds.max + off);
    let volume = |of: Aabb| of.size().to_array().iter().map(|side| f64::from(*side)).product::<f64>();
    let over_exact = (volume(exact) > 0.0).then(|| volume(bounds) / volume(exact));
    match exact.is_empty() {
        true => Err(StudyError::NoSurface),
        false => Ok(Bounds { min: bounds.min.to_array(), max: bounds.max.to_array(), over_exact }),
    }
}

/// Boxes by joint, the node's own first: of vertices where they rest, and where shapes take them at those moments.
fn boxes(model: &Model, Shown { node, geometry }: Shown, moments: &[Pose]) -> Option<JointBoxes> {
    let stored = &model.geometries[geometry];
    let mut shares = vec![[0.0_f32; 2]; stored.targets.len()];
    for pose in moments {
        let now = pose::shares(&model.nodes[node].morphs, &pose.morph_weights[node], stored.targets.len());
        for ([least, most], share) in shares.iter_mut().zip(now) {
            (*least, *most) = (least.min(share), most.max(share));
        }
    }
    let bend = crate::world::bend_of(model, node, geometry, &vec![true; stored.targets.len()]);
    let influences: Vec<Vec<Influence>> = (0..stored.surface.positions.len())
        .map(|vertex| {
            let own = bend.pulls_of(vertex).iter();
            own.map(|own| Influence { joint: own.joint as u16, weight: own.weight }).collect()
        })
        .collect();
    let vertices = stored.surface.positions.iter().enumerate().map(|(vertex, position)| {
        let mut reach = Aabb::of_points([Vec3::from(*position)]);
        for delta in bend.deltas_of(vertex) {
            let ends = shares[delta.target as usize].map(|share| Vec3::from(delta.position) * share);
            reach = Aabb::new(reach.min + ends[0].min(ends[1]), reach.max + ends[0].max(ends[1]));
        }
        (reach, &influences[vertex][..])
    });
    JointBoxes::of_vertices(vertices).ok()
}

/// What the surface reaches in a pose.
fn reached(model: &Model, Shown { node, geometry }: Shown, bend: Option<&BendBlocks>, pose: &Pose) -> Aabb {
    let surface = &model.geometries[geometry].surface;
    let posture = || pose::posture(model, node, geometry, pose, None);
    let bent = bend.map(|blocks| blocks.bent(Isa::detect(), surface, posture()).positions);
    let positions = bent.as_ref().unwrap_or(&surface.positions);
    let place = |position: &[f32; 3]| pose.model_from_parts[node].transform_point3(Vec3::from(*position));
    Aabb::of_points(positions.iter().map(place))
}
