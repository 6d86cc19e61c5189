//! Poses: where the joints of models are at a moment, before anything reaches or wears.
//!
//! In: a scene at a moment. Out: a pose for each model; families add those of animators, later links those of single
//! nodes. Never here: where nodes of the scene stand.

use std::collections::BTreeMap;
use std::ops::Index;

use stillframe_base::id::{Arena, Id};
use stillframe_base::tick::Tick;

use super::SceneAt;
use crate::import;
use crate::pose::{Playing, Pose, pose};
use crate::scene::{ClipChoice, Content};

pub type PoseId = Id<Pose>;

/// Whose pose it is, by position in the scene's lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Poser {
    /// A model, as its clips play.
    Model(usize),
    /// An animator, before its solvers.
    Animator(usize),
    /// A node with an animator that has solvers, behind them.
    Reaching(usize),
    /// A node that is worn, or that weighs shapes itself.
    Node(usize),
}

/// Poses, each once.
#[derive(Clone, Debug, Default)]
pub struct Poses {
    all: Arena<Pose>,
    of: BTreeMap<Poser, PoseId>,
}

impl Poses {
    /// Those of models, as their clips play.
    pub fn of_clips(at: SceneAt<'_>) -> Poses {
        let mut out = Poses::default();
        for (model, body) in at.bodies.iter().enumerate() {
            out.put(Poser::Model(model), clip_pose(&at.scene.models[model], body.model, at.time));
        }
        out
    }

    /// Adds a pose, or puts it in the place of the one before.
    pub fn put(&mut self, of: Poser, pose: Pose) {
        match self.of.get(&of) {
            Some(id) => self.all[*id] = pose,
            None => drop(self.of.insert(of, self.all.push(pose))),
        }
    }

    pub fn get(&self, of: Poser) -> Option<PoseId> {
        self.of.get(&of).copied()
    }

    /// The same, to change.
    pub fn pose_mut(&mut self, of: Poser) -> Option<&mut Pose> {
        self.of.get(&of).map(|id| &mut self.all[*id])
    }

    /// The pose of a model as its clips play.
    pub fn of_model(&self, model: usize) -> PoseId {
        self.of[&Poser::Model(model)]
    }

    /// The pose that a node of the scene shows; none where it shows no model.
    pub fn shown(&self, at: SceneAt<'_>, node: usize) -> Option<PoseId> {
        self.get(Poser::Node(node)).or_else(|| self.common(at, node))
    }

    /// The pose that a node would show without one of its own: its solvers', its animator's, its model's.
    pub fn common(&self, at: SceneAt<'_>, node: usize) -> Option<PoseId> {
        let Content::Model(model) = at.scene.nodes[node].content else { return None };
        let animated = || Some(self.of[&Poser::Animator(at.scene.nodes[node].animator?)]);
        self.get(Poser::Reaching(node)).or_else(animated).or_else(|| Some(self.of_model(model)))
    }
}

impl Index<PoseId> for Poses {
    type Output = Pose;
    fn index(&self, id: PoseId) -> &Pose {
        &self.all[id]
    }
}

/// The pose of a model as its clips play at a moment of the scene.
pub fn clip_pose(scene_model: &crate::scene::Model, model: &import::Model, time: Tick) -> Pose {
    let time = scene_model.clip_tick(time);
    let playing = chosen_clips(&scene_model.clip, model).into_iter().map(|clip| Playing { clip, time });
    pose(model, &playing.collect::<Vec<_>>())
}

/// Positions of the clips that play; names and numbers are known to be there.
pub fn chosen_clips(choice: &ClipChoice, model: &import::Model) -> Vec<usize> {
    match choice {
        ClipChoice::None => Vec::new(),
        ClipChoice::All => (0..model.clips.len()).collect(),
        ClipChoice::Number(number) => vec![*number],
        ClipChoice::Named(name) => model.clips.iter().position(|clip| clip.name == *name).into_iter().collect(),
    }
}
