//! Proportions: bodies that are fatter, thinner or longer than their file has them.
//!
//! In: a model, what a scene says of its joints. Out: the model with other bind matrices, which the same clips move.
//! Never here: skeletons and clips, which stay as they are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use glam::{Affine3A, Mat4, Quat, Vec3};
use stillframe_anim::figure::{FigureError, body_binds, hung_binds};
use stillframe_anim::pose::{Affine, Trs};
use stillframe_anim::sample::Skeleton;

use super::code;
use super::files::Files;
use super::worn::Unfit;
use crate::animate::Rig;
use crate::import::Model;
use crate::scene::{Owner, Proportion, Scene};
use crate::source::{Diagnostic, near};

/// A body of other proportions.
#[derive(Clone, Debug)]
pub struct Shaped {
    /// That of the file with binds of its own. Surfaces are the file's; they are held twice, so that nobody else need
    /// know.
    pub model: Model,
    /// By node: the joint from what it moves.
    pub joint_from_body: Vec<Mat4>,
    skeleton: Skeleton,
    /// What the binds are made of.
    proportions: Vec<Proportion>,
}

impl Shaped {
    /// Source: "Game engine: principles and practice" volume 2, section 5.3, both ways: joints of a branch as of
    /// another skeleton, others as ones that hang beside theirs. Weights mix what is asked for of a joint with nothing,
    /// number by number: for one joint that is what `BlendBinds` makes of the two bodies, and joints that have weights
    /// of their own need not agree.
    ///
    /// Errors: a joint that the model lacks, or that has no size; nodes that are no skeleton.
    pub fn new(proportions: &[Proportion], model: &Model) -> Result<Shaped, Unfit> {
        let rig = Rig::new(model).map_err(|words| {
            let words = format!("its nodes do not form a skeleton: {words}");
            Unfit { code: code::RIG, words, help: "export it again".to_string() }
        })?;
        let (model_again, joint_from_body) = (model.clone(), Vec::new());
        let mut out =
            Shaped { model: model_again, joint_from_body, skeleton: rig.skeleton, proportions: proportions.to_vec() };
        out.bind(proportions, model)?;
        Ok(out)
    }

    /// Changes to other proportions. `model`: that of the file.
    ///
    /// Errors: as [`Shaped::new`].
    fn change(&mut self, proportions: &[Proportion], model: &Model) -> Result<(), Unfit> {
        self.bind(proportions, model)?;
        self.proportions = proportions.to_vec();
        Ok(())
    }

    fn bind(&mut self, proportions: &[Proportion], model: &Model) -> Result<(), Unfit> {
        self.joint_from_body = joints_from_bodies(proportions, &self.skeleton)?;
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

/// A body whose proportions may move.
#[derive(Debug)]
struct ShapedBody {
    at_start: Arc<Shaped>,
    /// With the proportions that were asked for last.
    last: Mutex<Arc<Shaped>>,
}

impl ShapedBody {
    fn new(shaped: Shaped) -> ShapedBody {
        let at_start = Arc::new(shaped);
        ShapedBody { last: Mutex::new(at_start.clone()), at_start }
    }

    /// The body with these proportions, whatever it had before. `model`: that of the file.
    ///
    /// Errors: as [`Shaped::new`].
    fn with(&self, proportions: &[Proportion], model: &Model) -> Result<Arc<Shaped>, Unfit> {
        // Nothing is left half done: proportions change last.
        let mut shaped = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if shaped.proportions != proportions {
            // A copy where another moment still shows the one before.
            Arc::make_mut(&mut shaped).change(proportions, model)?;
        }
        Ok(shaped.clone())
    }
}

/// The models of a scene that have other proportions than their files, by position in its models.
#[derive(Debug, Default)]
pub struct ShapedModels(BTreeMap<usize, ShapedBody>);

impl ShapedModels {
    /// Of models whose files could be read. Out: also what is wrong.
    pub fn load(scene: &Scene, files: &Files) -> (ShapedModels, Vec<Diagnostic>) {
        let (mut out, mut errors) = (ShapedModels::default(), Vec::new());
        for (number, model) in scene.models.iter().enumerate().filter(|(_, model)| !model.proportions.is_empty()) {
            let Some(found) = files.models.get(&model.file) else { continue };
            match Shaped::new(&model.proportions, found) {
                Ok(shaped) => drop(out.0.insert(number, ShapedBody::new(shaped))),
                Err(unfit) => errors.push(misshapen(scene, model, unfit)),
            }
        }
        (out, errors)
    }

    /// A model of the scene with the proportions that the scene's file gives it.
    pub fn at_start(&self, model: usize) -> Option<&Model> {
        self.0.get(&model).map(|body| &body.at_start.model)
    }

    /// By model: those of a scene at a moment; none where they are the file's.
    ///
    /// Errors: proportions that cannot be.
    pub fn at(&self, scene: &Scene, files: &Files) -> Result<Vec<Option<Arc<Shaped>>>, Vec<Diagnostic>> {
        let (mut out, mut errors) = (vec![None; scene.models.len()], Vec::new());
        for (number, body) in &self.0 {
            let model = &scene.models[*number];
            match body.with(&model.proportions, &files.models[&model.file]) {
                Ok(shaped) => out[*number] = Some(shaped),
                Err(unfit) => errors.push(misshapen(scene, model, unfit)),
            }
        }
        if errors.is_empty() { Ok(out) } else { Err(errors) }
    }
}

/// What is wrong with a model's proportions.
fn misshapen(scene: &Scene, model: &crate::scene::Model, Unfit { code, words, help }: Unfit) -> Diagnostic {
    let owner = Owner { kind: "model", name: &model.name };
    let error = Diagnostic::error(code, &model.file, format!("{owner}: {words}")).help(help);
    let named = model.proportions.iter().find(|changed| words.contains(&format!("{:?}", changed.joint)));
    scene.written.at(owner, &["proportion"], named.map_or("", |changed| &changed.joint), error)
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
            let words = format!("the file has no joint {joint:?}");
            return Err(Unfit { code: code::MODEL_NODE, words, help: near(joint, &names) });
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
        Unfit { code: code::RIG, words, help: "do not change it".to_string() }
    })?;
    Ok(binds.into_iter().map(|bind| Mat4::from(Affine3A::from(bind))).collect())
}
