//! Aim: a joint looks at its targets, those above it turn along by shares.

use glam::Vec3;
use stillframe_anim::ik::{Aim, IkError};

use super::chain::{Names, turning};
use super::{Fault, Job, Row, Solving, no_check};
use crate::scene::{EyeDef, SolverKind};

pub(super) const ROW: Row = Row { chain, check: no_check, run };

fn chain(kind: &SolverKind, names: Names<'_>) -> Result<Vec<u16>, Fault> {
    let SolverKind::Aim { joint, shares, .. } = kind else { unreachable!("its own kind") };
    names.sharing(shares, joint)
}

fn run(kind: &SolverKind, mut job: Job<'_>) -> Result<Vec<Solving>, IkError> {
    let SolverKind::Aim { joint: _, axis, eye: EyeDef { offset_m, up, pole }, targets, shares } = kind else {
        unreachable!("its own kind")
    };
    let (target, joint) = (job.target(targets), job.tip());
    let joints = turning(job.chain, shares);
    let forward = Vec3::from(*axis);
    let usual = if forward.normalize_or_zero().y.abs() < 0.9 { Vec3::Y } else { Vec3::Z };
    let up = up.map_or(usual, Vec3::from);
    let pole_at = pole.map(|pole| job.ground.place(pole));
    let model_from_joint = job.matrices[usize::from(joint)];
    let pole = pole_at.map_or_else(|| model_from_joint.transform_vector3(up), |pole| pole - job.at(joint));
    let (offset, weight) = (Vec3::from(*offset_m), job.weight);
    let ik = Aim { rig: job.ik(), joints: &joints, target, offset, forward, up, pole, weight };
    ik.validate()?;
    Ok(vec![Solving { joint, reach: ik.run(), target, pole: pole_at }])
}
