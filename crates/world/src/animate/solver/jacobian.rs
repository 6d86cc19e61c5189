//! Jacobian transpose: all joints of a chain turn at once, a little.

use stillframe_anim::ik::{IkError, JacobianTranspose};

use super::chain::Names;
use super::limit::limits;
use super::{Fault, Job, Row, STRAIGHT_POLE, Solving};
use crate::scene::{ChainDef, SolverKind};

pub(super) const ROW: Row = Row { chain, check, run };

fn chain(kind: &SolverKind, names: Names<'_>) -> Result<Vec<u16>, Fault> {
    let SolverKind::Jacobian { chain, .. } = kind else { unreachable!("its own kind") };
    names.between(chain)
}

fn check(kind: &SolverKind, names: Names<'_>, chain: &[u16]) -> Result<(), Fault> {
    let SolverKind::Jacobian { limits: defs, .. } = kind else { unreachable!("its own kind") };
    limits(names, chain, defs).map(|_| ())
}

fn run(kind: &SolverKind, mut job: Job<'_>) -> Result<Vec<Solving>, IkError> {
    let SolverKind::Jacobian { chain, limits: defs } = kind else { unreachable!("its own kind") };
    let ChainDef { root: _, tip: _, targets, tolerance_m, iterations_max } = chain;
    let (target, weight, joints) = (job.target(targets), job.weight, job.chain);
    let ik = JacobianTranspose {
        limits: &limits(job.names(), joints, defs).expect("checked when it was loaded"),
        rig: job.ik(),
        joints,
        target,
        pole: STRAIGHT_POLE,
        tolerance_m: *tolerance_m,
        iterations_max: *iterations_max,
        weight,
    };
    ik.validate()?;
    let reach = ik.run();
    Ok(job.solving(reach, target))
}
