//! Two bones: a limb reaches, its middle joint bent towards a pole.

use glam::Vec3;
use stillframe_anim::ik::{IkError, TwoBone};

use super::chain::Names;
use super::{Fault, Job, Row, Solving, no_check};
use crate::scene::SolverKind;

pub(super) const ROW: Row = Row { chain, check: no_check, run };

fn chain(kind: &SolverKind, names: Names<'_>) -> Result<Vec<u16>, Fault> {
    let SolverKind::TwoBone { joint, .. } = kind else { unreachable!("its own kind") };
    Ok(names.leg(joint)?.to_vec())
}

fn run(kind: &SolverKind, mut job: Job<'_>) -> Result<Vec<Solving>, IkError> {
    let SolverKind::TwoBone { joint: _, targets, pole, bend_axis, soften } = kind else { unreachable!("its own kind") };
    let joints = [job.chain[0], job.chain[1], job.chain[2]];
    let target = job.target(targets);
    let pole_at = pole.map(|pole| job.ground.place(pole));
    // Without a pole the middle joint bends the way it does.
    let pole = pole_at.map_or(Vec3::ZERO, |pole| pole - job.at(joints[0]));
    let bend_axis = bend_axis.map_or(Vec3::ZERO, Vec3::from);
    let (joint, weight) = (job.tip(), job.weight);
    let ik = TwoBone { rig: job.ik(), joints, target, pole, bend_axis, soften: *soften, weight };
    ik.validate()?;
    Ok(vec![Solving { joint, reach: ik.run(), target, pole: pole_at }])
}
