//! Proportions: bodies that are fatter, thinner or longer than their file has them.
//!
//! In: a model, what a scene says of its joints. Out: the model with other bind matrices, which the same clips move. Never here: skeletons
//! and clips, which stay as they are.

use glam::{Affine3A, Mat4, Quat, Vec3};
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
    skeleton: Skeleton,
    /// What the binds are made of.
    proportions: Vec<Proportion>,
}

impl Shaped {
    /// Source: "Game engine: principles and practice" volume 2, section 5.3, both ways: joints of a branch as of another skeleton, others as
    /// ones that hang beside theirs. Weights mix what is asked for of a joint with nothing, number by number: for one joint that is what
    /// `BlendBinds` makes of the two bodies, and joints that have weights of their own need not agree.
    ///
    /// Errors: a joint that the model lacks, or that has no size; nodes that are no skeleton.
    pub fn new(proportions: &[Proportion], model: &Model) -> Result<Shaped, Unfit> {
        let rig = Rig::new(model).map_err(|words| {
            (code::RIG, format!("its nodes do not form a skeleton: {words}"), "export it again".to_string())
        })?;
        let (model_again, joint_from_body) = (model.clone(), Vec::new());
        let mut out =
            Shaped { model: model_again, joint_from_body, skeleton: rig.skeleton, proportions: proportions.to_vec() };
        out.bind(model)?;
        Ok(out)
    }

    /// Changes to other proportions, where they differ from those before. `model`: that of the file.
    ///
    /// Errors: as [`Shaped::new`].
    pub fn change(&mut self, proportions: &[Proportion], model: &Model) -> Result<(), Unfit> {
        if self.proportions == proportions {
            return Ok(());
        }
        self.proportions = proportions.to_vec();
        self.bind(model)
    }

    fn bind(&mut self, model: &Model) -> Result<(), Unfit> {
        self.joint_from_body = joints_from_bodies(&self.proportions, &self.skeleton)?;
        for (own, skin) in self.model.skins.iter_mut().zip(&model.skins) {
            for (own, joint) in own.joints.iter_mut().zip(&skin.joints) {
                own.joint_from_mesh = self.joint_from_body[joint.node] * joint.joint_from_mesh;
            }
        }
        let nodes = self.model.nodes.iter_mut().zip(&model.nodes).zip(&self.joint_from_body);
        for ((own, node), joint_from_body) in nodes.filter(|((_, node), _)| node.skin.is_none()) {
            own.local_from_parts = *joint_from_body * node.local_from_parts;
        }
        Ok(())
    }
}

fn joints_from_bodies(proportions: &[Proportion], skeleton: &Skeleton) -> Result<Vec<Mat4>, Unfit> {
    let base = skeleton.rest();
    let (mut changed, mut hung) = (base.to_vec(), vec![Trs::IDENTITY; base.len()]);
    for Proportion { joint, position, scale, branch, weight } in proportions {
        // The ends are exact.
        let position = Vec3::ZERO * (1.0 - weight) + *position * *weight;
        let scale = Vec3::ONE * (1.0 - weight) + *scale * *weight;
        let Some(at) = skeleton.joint_named(joint) else {
            let names: Vec<&str> = skeleton.names().iter().map(String::as_str).collect();
            return Err((code::MODEL_NODE, format!("the file has no joint {joint:?}"), near(joint, &names)));
        };
        let at = usize::from(at);
        if *branch {
            let Trs { translation, rotation, scale: size } = base[at];
            changed[at].translation = translation + rotation * (size * position);
            changed[at].scale = size * scale;
        } else {
            hung[at] = Trs { translation: position, rotation: Quat::IDENTITY, scale };
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
        (code::RIG, words, "do not change it".to_string())
    })?;
    Ok(binds.into_iter().map(|bind| Mat4::from(Affine3A::from(bind))).collect())
}
