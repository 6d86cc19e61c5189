//! Proportions: bodies that are fatter, thinner or longer than their file has them.
//!
//! In: a model, what a scene says of its joints. Out: the model with other bind matrices, which the same clips move. Never here: skeletons
//! and clips, which stay as they are.

use glam::{Affine3A, Mat4, Quat};
use stillframe_anim::figure::{FigureError, body_binds, hung_binds};
use stillframe_anim::pose::{Affine, Trs};
use stillframe_anim::sample::Skeleton;

use super::build::near;
use super::code;
use super::worn::Unfit;
use crate::animate::Rig;
use crate::import::Model;
use crate::scene::Proportion;

/// A body of other proportions.
#[derive(Clone, Debug)]
pub struct Shaped {
    /// That of the file with binds of its own. Surfaces are the file's; they are held twice, so that nobody else need know.
    pub model: Model,
    /// By node: the joint from what it moves.
    pub joint_from_body: Vec<Mat4>,
}

impl Shaped {
    /// Source: "Game engine: principles and practice" volume 2, section 5.3, both ways: joints of a branch as of another skeleton, others as
    /// ones that hang beside theirs.
    ///
    /// Errors: a joint that the model lacks, or that has no size; nodes that are no skeleton.
    pub fn new(proportions: &[Proportion], model: &Model) -> Result<Shaped, Unfit> {
        let rig = Rig::new(model).map_err(|words| {
            (code::RIG, format!("its nodes are no skeleton: {words}"), "export it again".to_string())
        })?;
        let joint_from_body = joints_from_bodies(proportions, &rig.skeleton)?;
        let mut model = model.clone();
        for joint in model.skins.iter_mut().flat_map(|skin| &mut skin.joints) {
            joint.joint_from_mesh = joint_from_body[joint.node] * joint.joint_from_mesh;
        }
        for (node, joint_from_body) in model.nodes.iter_mut().zip(&joint_from_body) {
            if node.skin.is_none() {
                node.local_from_parts = *joint_from_body * node.local_from_parts;
            }
        }
        Ok(Shaped { model, joint_from_body })
    }
}

fn joints_from_bodies(proportions: &[Proportion], skeleton: &Skeleton) -> Result<Vec<Mat4>, Unfit> {
    let base = skeleton.rest();
    let (mut changed, mut hung) = (base.to_vec(), vec![Trs::IDENTITY; base.len()]);
    for Proportion { joint, position, scale, branch } in proportions {
        let Some(at) = skeleton.joint_named(joint) else {
            let names: Vec<&str> = skeleton.names().iter().map(String::as_str).collect();
            return Err((code::MODEL_NODE, format!("the file has no joint {joint:?}"), near(joint, &names)));
        };
        let at = usize::from(at);
        if *branch {
            let Trs { translation, rotation, scale: size } = base[at];
            changed[at].translation = translation + rotation * (size * *position);
            changed[at].scale = size * *scale;
        } else {
            hung[at] = Trs { translation: *position, rotation: Quat::IDENTITY, scale: *scale };
        }
    }
    let own = vec![Affine::IDENTITY; base.len()];
    let joints: Vec<u16> = (0..).take(base.len()).collect();
    let binds = hung_binds(&hung, &own).and_then(|hung| body_binds(skeleton.parents(), base, &changed, &joints, &hung));
    let binds = binds.map_err(|error| {
        let words = match error {
            FigureError::Singular { joint } => format!("joint {:?} has no size", skeleton.names()[joint]),
            other => other.to_string(),
        };
        (code::RIG, words, "leave it as the file has it".to_string())
    })?;
    Ok(binds.into_iter().map(|bind| Mat4::from(Affine3A::from(bind))).collect())
}
