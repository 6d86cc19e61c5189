//! Moving: what animators show at a moment, before their solvers.

use std::collections::BTreeMap;

use glam::{Affine3A, Mat4, Vec3};
use stillframe_anim::graph::ParameterDef;
use stillframe_anim::pose::JointBlock;
use stillframe_anim::root::Motion;
use stillframe_base::tick::Tick;

use super::order::Order;
use crate::animate::{Played, Player};
use crate::import;
use crate::pose::{self, Pose};
use crate::scene::{Content, Scene, Show, SolverDef, Thing};
use crate::world::place::{Poser, SceneAt, clip_pose};

/// Steps of a trail, and how far apart they are: a second in all.
const TRAIL_STEPS: i64 = 30;
const TRAIL_STEP_S: f64 = 1.0 / 30.0;

/// All animators at a moment.
pub struct Moving<'a> {
    /// By animator.
    pub played: Vec<Animated<'a>>,
    pub order: &'a Order,
    pub trails: Trails,
}

/// Ways of roots and tips of limbs in models' spaces, by the pose that shows them.
pub type Trails = BTreeMap<Poser, Vec<Vec<Vec3>>>;

/// What an animator shows.
pub struct Animated<'a> {
    pub model: &'a import::Model,
    pub player: &'a Player,
    pub shown: Played,
    pub solvers: &'a [SolverDef],
}

impl Animated<'_> {
    pub fn pose(&self) -> Pose {
        self.pose_of(&self.shown.locals)
    }

    pub fn pose_of(&self, locals: &[JointBlock]) -> Pose {
        let rig = &self.player.rig;
        rig.pose(self.model, rig.matrices(locals), self.shown.morph_weights.clone(), self.shown.seen.clone())
    }

    /// How far its root has gone.
    pub fn travel(&self) -> Mat4 {
        matrix(self.shown.travel)
    }
}

/// A motion of an actor.
fn matrix(motion: Motion) -> Mat4 {
    Mat4::from(Affine3A::from(motion.to_affine()))
}

/// Ways up to now, for poses of which nodes show them.
pub fn trails(settled: &Scene, at: SceneAt<'_>, played: &[Animated<'_>]) -> Trails {
    let mut out = BTreeMap::new();
    for node in at.scene.nodes.iter().filter(|node| node.show.contains(&Show::Trails)) {
        let Content::Model(number) = node.content else { continue };
        let poser = trailing(number, node.animator);
        if out.contains_key(&poser) {
            continue;
        }
        let model = at.model(number);
        let ends = pose::ends(model);
        let mut ways: Vec<Vec<Vec3>> = vec![Vec::new(); ends.len()];
        // A player goes forward only: the one that shows the scene is not moved.
        let player = node.animator.map(|animator| (animator, played[animator].player.clone()));
        for step in (0..=TRAIL_STEPS).rev() {
            let then = at.time - Tick::from_seconds(step as f64 * TRAIL_STEP_S);
            let mut now_from_then = Mat4::IDENTITY;
            let pose = match &player {
                Some((animator, player)) => {
                    let shown = player.at(model, then, &|tick| parameters(settled, *animator, tick));
                    let Ok(shown) = shown else { continue };
                    now_from_then = matrix(played[*animator].shown.travel.until(shown.travel));
                    player.rig.pose(model, player.rig.matrices(&shown.locals), Vec::new(), shown.seen)
                }
                None => clip_pose(&at.scene.models[number], model, then),
            };
            for (way, end) in ways.iter_mut().zip(&ends) {
                way.push(now_from_then.transform_point3(pose.model_from_local[*end].w_axis.truncate()));
            }
        }
        out.insert(poser, ways);
    }
    out
}

/// Whose trails a node shows. Solvers leave none.
pub fn trailing(model: usize, animator: Option<usize>) -> Poser {
    animator.map_or(Poser::Model(model), Poser::Animator)
}

/// Numbers of an animator's parameters at a moment.
pub fn parameters(scene: &Scene, animator: usize, tick: Tick) -> Vec<f32> {
    let parameters = scene.animators[animator].graph.parameters.iter().enumerate();
    let value = |(at, parameter): (usize, &ParameterDef)| match scene.track(Thing::Parameter(animator, at), "value") {
        Some(track) => track.curve.at(tick)[0] as f32,
        None => parameter.initial,
    };
    parameters.map(value).collect()
}
