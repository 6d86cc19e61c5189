//! Stand: where the nodes of a scene are, what hangs on joints and what is worn.
//!
//! In: a scene at a moment, the poses of its models and animators. Out: every node's transform, and the poses of nodes
//! that have one of their own. Never here: solvers, which move a [`Standing`] from outside; geometry.

use std::collections::BTreeMap;

use glam::Mat4;

use super::{PoseId, Poser, Poses, SceneAt};
use crate::animate::Solving;
use crate::pose::Pose;
use crate::scene::{Content, Node, NodeMorph};
use crate::world::tree::{inherited, local_transform};
use crate::world::worn::{BodyPose, Wear};

/// Where everything is at a moment.
#[derive(Clone, Debug)]
pub struct Standing {
    pub poses: Poses,
    /// By node of the scene.
    pub globals: Vec<Mat4>,
    /// By animator: how far its root has gone.
    travels: Vec<Mat4>,
    /// By node of the scene: what the solvers of its animator came to.
    pub solved: BTreeMap<usize, Vec<SolverResult>>,
}

/// What one of an animator's solvers came to.
#[derive(Clone, Debug)]
pub struct SolverResult {
    /// Which of the animator's solvers it is, from 0.
    pub solver: usize,
    pub solving: Solving,
}

impl Standing {
    /// Everything where these poses put it. `travels`: by animator.
    pub fn new(at: SceneAt<'_>, poses: Poses, travels: Vec<Mat4>) -> Standing {
        let mut out = Standing { poses, globals: Vec::new(), travels, solved: BTreeMap::new() };
        out.settle(at);
        out
    }

    /// Puts everything where the poses are by now.
    pub fn settle(&mut self, at: SceneAt<'_>) {
        let own = |node: &Node| node.worn || !node.morphs.is_empty();
        for (node, _) in at.scene.nodes.iter().enumerate().filter(|(_, node)| own(node)) {
            self.dress(at, node);
        }
        let mut globals: Vec<Mat4> = Vec::with_capacity(at.scene.nodes.len());
        for (number, node) in at.scene.nodes.iter().enumerate() {
            globals.push(self.below(at, number, node.parent.map_or(Mat4::IDENTITY, |parent| globals[parent])));
        }
        self.globals = globals;
    }

    /// The pose that a node has for itself: joints of what is worn move to where those of the body are, then shapes get
    /// the weights that the node says. A part may be the body of another.
    pub fn dress(&mut self, at: SceneAt<'_>, number: usize) {
        let node = &at.scene.nodes[number];
        let Content::Model(model) = node.content else { return };
        let pose = match node.parent.filter(|_| node.worn) {
            Some(parent) => self.worn_pose(at, model, parent),
            None => self.poses.common(at, number).map(|id| self.poses[id].clone()),
        };
        let Some(mut pose) = pose else { return };
        for NodeMorph { name, weight } in &node.morphs {
            for (of, weights) in at.model(model).nodes.iter().zip(&mut pose.morph_weights) {
                let channels = of.morphs.iter().zip(weights).filter(|(channel, _)| channel.name == *name);
                channels.for_each(|(_, own)| *own = *weight);
            }
        }
        self.poses.put(Poser::Node(number), pose);
    }

    /// The pose of a part that the body which node `parent` shows wears.
    fn worn_pose(&self, at: SceneAt<'_>, part: usize, parent: usize) -> Option<Pose> {
        let (body_pose, body) = self.shown(at, parent)?;
        let of_body = BodyPose {
            pose: &self.poses[body_pose],
            joints: at.bodies[body].joints,
            part_from_body: at.node_from_model(part).inverse() * at.node_from_model(body),
        };
        let own = &self.poses[self.poses.of_model(part)];
        Some(at.worn[&Wear { body, part }].pose(at.model(part), own, &of_body))
    }

    /// The transform of a node whose parent has the transform `parent`.
    pub fn below(&self, at: SceneAt<'_>, node: usize, parent: Mat4) -> Mat4 {
        let node = &at.scene.nodes[node];
        let hangs = match (node.parent, &node.joint) {
            (Some(above), Some(joint)) => parent * self.joint(at, above, joint, node.inherits),
            _ => parent,
        };
        hangs * local_transform(&node.placement) * self.travel(at, node)
    }

    /// From where a node's animator has taken it, in the node's space.
    fn travel(&self, at: SceneAt<'_>, node: &Node) -> Mat4 {
        let (Some(animator), Content::Model(model)) = (node.animator, &node.content) else { return Mat4::IDENTITY };
        let travel = self.travels[animator];
        if travel == Mat4::IDENTITY {
            return travel;
        }
        let node_from_model = at.node_from_model(*model);
        node_from_model * travel * node_from_model.inverse()
    }

    /// A joint of the model that a scene node shows, in that node's space; what is not inherited is the model's own.
    fn joint(&self, at: SceneAt<'_>, scene_node: usize, joint: &str, inherits: [bool; 3]) -> Mat4 {
        let Some((pose, model)) = self.shown(at, scene_node) else { return Mat4::IDENTITY };
        let Some(node) = at.model(model).nodes.iter().position(|node| node.name == joint) else {
            return Mat4::IDENTITY;
        };
        let model_from_joint = self.poses[pose].model_from_local[node];
        let joints = at.bodies[model].joints;
        let model_from_body = joints.get(node).map_or(model_from_joint, |joint| model_from_joint * *joint);
        inherited(at.node_from_model(model) * model_from_body, inherits)
    }

    /// The pose and the model that a scene node shows.
    pub fn shown(&self, at: SceneAt<'_>, scene_node: usize) -> Option<(PoseId, usize)> {
        let Content::Model(model) = at.scene.nodes[scene_node].content else { return None };
        Some((self.poses.shown(at, scene_node)?, model))
    }

    /// What solvers came to for a node.
    pub fn solved(&self, node: usize) -> &[SolverResult] {
        self.solved.get(&node).map_or(&[], Vec::as_slice)
    }
}
