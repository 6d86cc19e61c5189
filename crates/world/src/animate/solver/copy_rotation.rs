//! Copied rotation: a joint turns from its rest pose as its targets are turned, those above it by shares.

use glam::Quat;
use stillframe_anim::ik::{CopyRotation, IkError, weighted_turn};

use super::chain::{Names, turning};
use super::{Fault, Job, Row, Solving, no_check};
use crate::scene::SolverKind;

pub(super) const ROW: Row = Row { chain, check: no_check, run };

fn chain(kind: &SolverKind, names: Names<'_>) -> Result<Vec<u16>, Fault> {
    let SolverKind::CopyRotation { joint, shares, .. } = kind else { unreachable!("its own kind") };
    names.sharing(shares, joint)
}

fn run(kind: &SolverKind, mut job: Job<'_>) -> Result<Vec<Solving>, IkError> {
    let SolverKind::CopyRotation { joint: _, targets, shares } = kind else { unreachable!("its own kind") };
    let joints = turning(job.chain, shares);
    let rest = job.rig.rest().model_from_local[usize::from(job.tip())].to_scale_rotation_translation().1;
    let rest = if rest.is_finite() { rest } else { Quat::IDENTITY };
    let rotation = weighted_turn(targets.iter().map(|of| (job.ground.turn(of.node), of.weight))) * rest;
    let weight = job.weight;
    let ik = CopyRotation { rig: job.ik(), joints: &joints, rotation: rotation.normalize(), weight };
    ik.validate()?;
    let reach = ik.run();
    Ok(job.solving(reach, job.at(job.tip())))
}
