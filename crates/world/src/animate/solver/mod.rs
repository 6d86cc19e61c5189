//! Solver: inverse kinematics on top of a pose.
//!
//! In: a solver as the scene says it, a local pose, what is reached for. Out: the pose, and what the solver came to. A
//! kind of solver is a file here and a row in [`row`]. Never here: how joints are turned, which is
//! `stillframe_anim::ik`'s.

mod aim;
mod ccd;
mod chain;
mod copy_rotation;
mod fabrik;
mod feet;
mod jacobian;
mod limit;
mod twist;
mod two_bone;

use glam::{Mat4, Quat, Vec3};
use stillframe_anim::graph::{Graph, Value};
use stillframe_anim::ik::{self, IkError, Reach, weighted_target};
use stillframe_anim::pose::{JointBlock, NO_PARENT};
use stillframe_anim::sample::Skeleton;

use super::Rig;
use crate::scene::{SolverDef, SolverKind, TargetDef};
use chain::Names;

/// Where a straight chain bends to that must bend: forward.
const STRAIGHT_POLE: Vec3 = Vec3::Z;

/// What solvers reach for, in the model's space.
pub trait Ground {
    /// Where a scene node stands.
    fn place(&self, node: usize) -> Vec3;
    /// How a scene node is turned; not at all where its scale leaves no turn.
    fn turn(&self, node: usize) -> Quat;
    /// Where a ray straight down meets what a scene node and those below it show (`None`: all of them), from this
    /// height on, at most so far below.
    fn below(&self, node: Option<usize>, from: Vec3, length_m: f32) -> Option<(Vec3, Vec3)>;
}

/// What a solver came to, of each joint that it has a place for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solving {
    /// The joint that reaches, or looks.
    pub joint: u16,
    pub reach: Reach,
    /// What it reached for, in the model's space.
    pub target: Vec3,
    /// What it bent towards, if the solver has a pole.
    pub pole: Option<Vec3>,
}

/// Why a solver cannot be.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// The name that the skeleton does not have.
    Unknown(String),
    /// What is wrong with the chain, in words.
    Chain(String),
}

/// A kind of solver. Each function is given that kind alone.
struct Row {
    /// Its joints: the root first. For feet three joints a foot, after the hip.
    chain: fn(&SolverKind, Names<'_>) -> Result<Vec<u16>, Fault>,
    /// What else is said of joints.
    check: fn(&SolverKind, Names<'_>, &[u16]) -> Result<(), Fault>,
    run: fn(&SolverKind, Job<'_>) -> Result<Vec<Solving>, IkError>,
}

fn row(kind: &SolverKind) -> Row {
    match kind {
        SolverKind::TwoBone { .. } => two_bone::ROW,
        SolverKind::Aim { .. } => aim::ROW,
        SolverKind::CopyRotation { .. } => copy_rotation::ROW,
        SolverKind::Ccd { .. } => ccd::ROW,
        SolverKind::Jacobian { .. } => jacobian::ROW,
        SolverKind::Fabrik { .. } => fabrik::ROW,
        SolverKind::Feet { .. } => feet::ROW,
        SolverKind::Twist { .. } => twist::ROW,
    }
}

/// The check of kinds that say nothing else of joints.
fn no_check(_: &SolverKind, _: Names<'_>, _: &[u16]) -> Result<(), Fault> {
    Ok(())
}

/// What is solved, and on what.
struct Job<'a> {
    rig: &'a Rig,
    chain: &'a [u16],
    weight: f32,
    ground: &'a dyn Ground,
    /// Where joints are before.
    matrices: &'a [Mat4],
    locals: &'a mut [JointBlock],
}

impl Job<'_> {
    fn names(&self) -> Names<'_> {
        Names(&self.rig.skeleton)
    }

    /// The last joint of the chain.
    fn tip(&self) -> u16 {
        self.chain[self.chain.len() - 1]
    }

    fn at(&self, joint: u16) -> Vec3 {
        self.matrices[usize::from(joint)].w_axis.truncate()
    }

    /// The point that several targets come to.
    fn target(&self, targets: &[TargetDef]) -> Vec3 {
        weighted_target(targets.iter().map(|of| (self.ground.place(of.node), of.weight)))
    }

    /// The pose, to be solved.
    fn ik(&mut self) -> ik::Rig<'_> {
        ik::Rig { parents: self.rig.skeleton.parents(), locals: self.locals }
    }

    /// What one joint came to that bends towards nothing.
    fn solving(&self, reach: Reach, target: Vec3) -> Vec<Solving> {
        vec![Solving { joint: self.tip(), reach, target, pole: None }]
    }
}

/// Looks for the joints of a solver by name.
///
/// Errors: the name that the skeleton does not have, or what is wrong with the chain.
pub fn check(skeleton: &Skeleton, solver: &SolverDef) -> Result<(), Fault> {
    let (names, row) = (Names(skeleton), row(&solver.kind));
    let chain = (row.chain)(&solver.kind, names)?;
    (row.check)(&solver.kind, names, &chain)
}

/// Whether a solver moves a joint, which may be nothing but to turn it.
pub fn moves(skeleton: &Skeleton, solver: &SolverDef, joint: u16) -> bool {
    let chain = checked_chain(skeleton, &solver.kind);
    let mut at = joint;
    while at != NO_PARENT && at != chain[0] {
        at = skeleton.parents()[usize::from(at)];
    }
    at == chain[0]
}

fn checked_chain(skeleton: &Skeleton, kind: &SolverKind) -> Vec<u16> {
    (row(kind).chain)(kind, Names(skeleton)).expect("checked when it was loaded")
}

/// Solves on top of `locals`.
///
/// Errors: what the solver says of a pose or target that it cannot take; the pose is as it was.
pub fn solve(
    rig: &Rig,
    graph: &Graph,
    parameters: &[f32],
    solver: &SolverDef,
    ground: &dyn Ground,
    locals: &mut [JointBlock],
) -> Result<Vec<Solving>, IkError> {
    let chain = &checked_chain(&rig.skeleton, &solver.kind);
    let weight = match &solver.weight {
        Value::Number(number) => *number,
        Value::Parameter(name) => parameters[graph.parameter(name).expect("checked when it was loaded")],
    }
    .clamp(0.0, 1.0);
    let matrices = &rig.matrices(locals);
    (row(&solver.kind).run)(&solver.kind, Job { rig, chain, weight, ground, matrices, locals })
}
