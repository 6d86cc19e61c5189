//! Figure: what an animator moves at a moment, behind its graph and its solvers, for who wants numbers instead of
//! pictures.

use std::fmt::Write;

use glam::{Mat4, Vec3};
use stillframe_anim::ik::Reach;

use crate::pose::Pose;
use crate::world::place::{SceneAt, SolverResult, Standing};
use crate::world::tree::paths;

/// A node of the scene that wears an animator.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The node's, below those of what it hangs on.
    pub name: String,
    pub animator: usize,
    /// With the way of its root.
    pub world_from_model: Mat4,
    /// In the model's space, without that way.
    pub pose: Pose,
    /// By solver, in the order of the file; feet have one each, and solvers that reach for nothing have none.
    pub solved: Vec<Solved>,
}

/// What a solver came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// Which of the animator's solvers it is, from 0.
    pub number: usize,
    pub kind: &'static str,
    /// The joint that reaches, looks, or stands.
    pub joint: String,
    /// What is reached for, in the world.
    pub target: Vec3,
    pub reach: Reach,
}

impl Figure {
    /// What its solvers have come to, a line each.
    pub fn describe(&self) -> String {
        let mut out = String::new();
        for Solved { number, kind, joint, reach, .. } in &self.solved {
            let _ = write!(out, "    #{number} {kind} {joint}: ");
            out.push_str(if reach.reached { "reached" } else { "not reached" });
            let _ = write!(out, ", {:.3} mm left", reach.distance_m * 1e3);
            let words = [(reach.limited, ", at limits"), (reach.blind, ", was straight")];
            if reach.iterations > 0 {
                let passes = if reach.iterations == 1 { "pass" } else { "passes" };
                let _ = write!(out, ", {} {passes}", reach.iterations);
            }
            words.into_iter().filter(|(is, _)| *is).for_each(|(_, word)| out.push_str(word));
            out.push('\n');
        }
        out
    }
}

/// What animators move: one for each node of the scene that wears one, in the file's order.
pub fn figures(at: SceneAt<'_>, standing: &Standing) -> Vec<Figure> {
    let (scene, paths) = (at.scene, paths(&at.scene.nodes));
    let mut out = Vec::new();
    for (number, node) in scene.nodes.iter().enumerate() {
        let (Some(animator), Some((pose, model))) = (node.animator, standing.shown(at, number)) else { continue };
        let world_from_model = standing.globals[number] * at.node_from_model(model);
        let solvers = &scene.animators[animator].solvers;
        let solved = |SolverResult { solver, solving }: &SolverResult| Solved {
            number: *solver,
            kind: solvers[*solver].kind.word(),
            joint: at.model(model).nodes[usize::from(solving.joint)].name.clone(),
            target: world_from_model.transform_point3(solving.target),
            reach: solving.reach,
        };
        let (name, pose) = (paths[number].clone(), standing.poses[pose].clone());
        let solved = standing.solved(number).iter().map(solved).collect();
        out.push(Figure { name, animator, world_from_model, pose, solved });
    }
    out
}
