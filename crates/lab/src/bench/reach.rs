//! Reach: solvers on the same chains and targets.

use std::hint::black_box;

use glam::{Quat, Vec3};
use stillframe_anim::ik::{Ccd, Fabrik, JacobianTranspose, Reach, Rig};
use stillframe_anim::pose::{JointBlock, NO_PARENT, Trs};

use super::input::Numbers;
use super::{Ready, Setting};

/// Solved in one call.
const CHAINS: usize = 64;
const BONES: usize = 5;
const BLOCKS: usize = JointBlock::count_for(BONES + 1);
const TOLERANCE_M: f32 = 1e-3;
const ITERATIONS_MAX: u32 = 500;

#[derive(Clone, Copy)]
pub enum Solver {
    Ccd,
    Fabrik,
    Jacobian,
}

struct Reaching {
    solver: Solver,
    parents: [u16; BONES + 1],
    poses: Vec<JointBlock>,
    targets: Vec<Vec3>,
    out: Vec<JointBlock>,
}

/// Chains of five bones of 0.2 m, bent at random, and targets up to 0.8 m away, to 1 mm.
pub fn reach(_: Setting, solver: Solver) -> Ready {
    let mut numbers = Numbers::new("reach");
    let mut signed = || numbers.unit() * 2.0 - 1.0;
    let mut poses = Vec::new();
    let mut targets = Vec::new();
    for _ in 0..CHAINS {
        let mut joint = |at: usize| Trs {
            translation: if at == 0 { Vec3::ZERO } else { Vec3::X * 0.2 },
            rotation: Quat::from_xyzw(signed() * 0.3, signed() * 0.3, signed() * 0.3, 1.0).normalize(),
            scale: Vec3::ONE,
        };
        poses.extend(JointBlock::pack(&(0..=BONES).map(&mut joint).collect::<Vec<_>>()));
        let away = Vec3::new(signed(), signed(), signed());
        targets.push(away / away.length().max(1.0) * 0.8);
    }
    let parents = std::array::from_fn(|joint| if joint == 0 { NO_PARENT } else { joint as u16 - 1 });
    let out = poses.clone();
    let run = |s: &mut Reaching| {
        s.out.copy_from_slice(&s.poses);
        for (locals, target) in s.out.chunks_exact_mut(BLOCKS).zip(&s.targets) {
            black_box(solve(s.solver, &s.parents, locals, *target));
        }
    };
    Ready::new(CHAINS, Reaching { solver, parents, poses, targets, out }, run, |s| bytemuck::cast_slice(&s.out))
}

fn solve(solver: Solver, parents: &[u16], locals: &mut [JointBlock], target: Vec3) -> Reach {
    let (rig, joints, pole) = (Rig { parents, locals }, &[0, 1, 2, 3, 4, 5], Vec3::Z);
    let (tolerance_m, iterations_max, weight) = (TOLERANCE_M, ITERATIONS_MAX, 1.0);
    match solver {
        Solver::Ccd => Ccd { rig, joints, limits: &[], target, pole, tolerance_m, iterations_max, weight }.run(),
        Solver::Fabrik => {
            Fabrik { rig, joints, bends_max_rad: &[], target, pole, tolerance_m, iterations_max, weight }.run()
        }
        Solver::Jacobian => {
            JacobianTranspose { rig, joints, limits: &[], target, pole, tolerance_m, iterations_max, weight }.run()
        }
    }
}
