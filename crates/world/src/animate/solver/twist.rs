//! Twist: joints above take shares of how far a joint is twisted from its rest pose.

use stillframe_anim::ik::{CHAIN_MAX, IkError, Twist};

use super::chain::Names;
use super::{Fault, Job, Row, Solving};
use crate::scene::{JointShare, SolverKind};

pub(super) const ROW: Row = Row { chain, check, run };

/// Up to the highest of those that take a share.
fn chain(kind: &SolverKind, names: Names<'_>) -> Result<Vec<u16>, Fault> {
    let SolverKind::Twist { joint, shares } = kind else { unreachable!("its own kind") };
    let wanted: Vec<u16> = shares.iter().map(|share| names.named(&share.joint)).collect::<Result<_, Fault>>()?;
    let mut chain = vec![names.named(joint)?];
    let mut found = 0;
    while found < wanted.len() || chain.len() < 2 {
        let Ok(up) = names.parent(chain[chain.len() - 1]) else { break };
        found += usize::from(wanted.contains(&up));
        chain.push(up);
    }
    if !(2..=CHAIN_MAX).contains(&chain.len()) {
        let message =
            format!("above \"{joint}\" {} joints can take shares; 1 to {CHAIN_MAX} are allowed", chain.len() - 1);
        return Err(Fault::Chain(message));
    }
    chain.reverse();
    Ok(chain)
}

fn check(kind: &SolverKind, names: Names<'_>, chain: &[u16]) -> Result<(), Fault> {
    let SolverKind::Twist { joint, shares: defs } = kind else { unreachable!("its own kind") };
    shares(names, chain, joint, defs).map(|_| ())
}

fn run(kind: &SolverKind, mut job: Job<'_>) -> Result<Vec<Solving>, IkError> {
    let SolverKind::Twist { joint, shares: defs } = kind else { unreachable!("its own kind") };
    let shares = &shares(job.names(), job.chain, joint, defs).expect("checked when it was loaded");
    let rest = job.rig.skeleton.rest()[usize::from(job.tip())].rotation.normalize();
    let (joints, weight) = (job.chain, job.weight);
    let ik = Twist { rig: job.ik(), joints, shares, rest, weight };
    ik.validate()?;
    ik.run();
    Ok(Vec::new())
}

/// One for each joint of the chain but the last.
fn shares(names: Names<'_>, chain: &[u16], joint: &str, defs: &[JointShare]) -> Result<Vec<f32>, Fault> {
    let mut out = vec![0.0; chain.len() - 1];
    for def in defs {
        let own = names.named(&def.joint)?;
        let at = chain[..chain.len() - 1].iter().position(|joint| *joint == own);
        out[at.ok_or_else(|| Fault::Chain(format!("\"{joint}\" is not below \"{}\"", def.joint)))?] = def.weight;
    }
    Ok(out)
}
