//! Animation: animators play their graphs on models, solvers reach, nodes show skeletons and trails.
//!
//! In: animators and clips of a scene, their models. Out: poses, then poses behind solvers, drawings; text. Never here:
//! how a graph or a solver works, which is `stillframe_anim`'s; other families.

mod drawings;
mod figure;
mod leaves;
mod load;
mod moments;
mod moving;
mod order;
mod show;
mod solving;

use std::fmt::Write;
use std::sync::Arc;

use stillframe_anim::graph::GraphDef;
use stillframe_anim::sample::Skeleton;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

pub use drawings::draw;
pub use figure::{Figure, Solved, figures};
pub use load::drifting_spaces;
pub use moments::check;
pub use moving::Moving;
pub use solving::{Surroundings, stand};

use super::super::clips::Finder;
use super::super::code;
use super::super::files::Files;
use super::super::place::{Poser, Poses, SceneAt};
use crate::animate::{Glance, Player};
use crate::import::Model;
use crate::scene::{Owner, Scene};
use crate::source::{Diagnostic, near};
use moving::{Animated, parameters, trails};
use order::Order;

/// Animators, ready to play.
#[derive(Debug)]
pub struct Animation {
    /// By animator.
    players: Vec<Player>,
    /// Which solver works after which.
    order: Order,
}

impl Animation {
    /// Out: with the animators, warnings of graphs. What is wrong is noted by `finder`. Solvers have no order yet.
    pub fn load(finder: &mut Finder<'_>) -> (Animation, Vec<Diagnostic>) {
        let mut drifting = Vec::new();
        let players = load::players(finder, &mut drifting);
        let warnings = drifting.into_iter().map(|drifting| drifting.warning).collect();
        (Animation { players, order: Order::default() }, warnings)
    }

    /// Gives solvers their order. `scene`: without patterns.
    ///
    /// Errors: solvers that wait for each other.
    pub fn sort(&mut self, scene: &Scene) -> Result<(), Diagnostic> {
        let skeletons: Vec<&Skeleton> = self.players.iter().map(|player| &player.rig.skeleton).collect();
        self.order = order::order(scene, &skeletons)?;
        Ok(())
    }

    /// What moves is computed by an instruction set: the bits are the same by any.
    pub fn use_isa(&mut self, isa: Isa) {
        for player in &mut self.players {
            Arc::make_mut(&mut player.rig).isa = isa;
        }
    }

    /// Plays to a moment. `settled`: the scene as it was loaded.
    ///
    /// Errors: a moment too far away.
    pub fn step<'a>(&'a self, settled: &Scene, at: SceneAt<'a>) -> Result<Moving<'a>, Vec<Diagnostic>> {
        let mut played = Vec::with_capacity(self.players.len());
        for (number, (animator, player)) in at.scene.animators.iter().zip(&self.players).enumerate() {
            let model = at.model(animator.model);
            let shown = player.at(model, at.time, &|tick| parameters(settled, number, tick));
            let shown = shown.map_err(|words| vec![complaint(settled, number, &words)])?;
            played.push(Animated { model, player, shown, solvers: &animator.solvers });
        }
        let trails = trails(settled, at, &played);
        Ok(Moving { played, order: &self.order, trails })
    }

    /// Every animator at a moment as text: its graph with weights and clocks, what has happened so far, and what its
    /// solvers have come to on each node that wears it.
    ///
    /// Errors: a moment too far away.
    pub fn dump(
        &self,
        settled: &Scene,
        files: &Files,
        time: Tick,
        figures: &[Figure],
    ) -> Result<String, Vec<Diagnostic>> {
        let mut out = String::new();
        for (number, (animator, player)) in settled.animators.iter().zip(&self.players).enumerate() {
            let model = &settled.models[animator.model];
            let text = player.describe(&files.models[&model.file], time, &|tick| parameters(settled, number, tick));
            let text = text.map_err(|words| vec![complaint(settled, number, &words)])?;
            let _ = writeln!(out, "animator {:?} on {:?}", animator.name, model.name);
            text.lines().for_each(|line| out.push_str(&format!("  {line}\n")));
            for figure in figures.iter().filter(|figure| figure.animator == number && !figure.solved.is_empty()) {
                let _ = write!(out, "  solvers on {:?}\n{}", figure.name, figure.describe());
            }
        }
        Ok(out)
    }

    /// Whether anything reaches.
    pub fn has_solvers(&self) -> bool {
        !self.order.steps.is_empty()
    }

    /// What the pose of an animator is made of at some moments, for a joint by its name; without one, for a joint that
    /// all masks have.
    ///
    /// Errors: moments too far away; a joint that the model lacks.
    pub fn glances(
        &self,
        settled: &Scene,
        animator: usize,
        model: &Model,
        times: &[Tick],
        joint: Option<&str>,
    ) -> Result<Vec<Glance>, Vec<Diagnostic>> {
        let player = &self.players[animator];
        let joint = match joint.map(|name| player.rig.skeleton.joint_named(name).ok_or(name)) {
            None => None,
            Some(Ok(joint)) => Some(joint),
            Some(Err(name)) => {
                let names: Vec<&str> = player.rig.skeleton.names().iter().map(String::as_str).collect();
                let complaint = complaint(settled, animator, &format!("no joint {name:?}"));
                return Err(vec![complaint.help(near(name, &names))]);
            }
        };
        let glance = |at: &Tick| player.glance(model, *at, &|tick| parameters(settled, animator, tick), joint);
        let glances = times.iter().map(glance).collect::<Result<_, _>>();
        glances.map_err(|words: String| vec![complaint(settled, animator, &words)])
    }

    /// An animator's graph, as the scene says it.
    pub fn graph(&self, animator: usize) -> &GraphDef {
        self.players[animator].def()
    }
}

impl Moving<'_> {
    /// Poses of animators.
    pub fn pose(&self, poses: &mut Poses) {
        for (number, animated) in self.played.iter().enumerate() {
            poses.put(Poser::Animator(number), animated.pose());
        }
    }
}

/// What is wrong with an animator.
fn complaint(scene: &Scene, animator: usize, words: &str) -> Diagnostic {
    let owner = Owner { kind: "animator", name: &scene.animators[animator].name };
    let error = Diagnostic::error(code::ANIMATOR, &scene.root, format!("{owner}: {words}"));
    scene.written.at(owner, &["name"], "", error)
}
