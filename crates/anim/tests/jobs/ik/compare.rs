//! CCD, FABRIK and the Jacobian transpose on the same chains and targets: a table, pinned.

use std::fmt::Write as _;

use glam::{Quat, Vec3};
use stillframe_anim::ik::{Ccd, Fabrik, JacobianTranspose, JointLimit, Limit, Reach};
use stillframe_base::math::ops;
use stillframe_base::rng::{Rng, Stream};

use super::puppet::Puppet;

const TOLERANCE_M: f32 = 1e-3;
const ITERATIONS_MAX: u32 = 500;
const TARGETS: usize = 100;

#[derive(Clone, Copy)]
enum Solver {
    Ccd,
    Fabrik,
    Jacobian,
}

/// A chain and where its end shall be.
struct Task {
    puppet: Puppet,
    target: Vec3,
    /// Largest angle between bones; of a hinge with one side about z, for the solvers that turn joints.
    bend_max_rad: Option<f32>,
}

impl Solver {
    const ALL: [Solver; 3] = [Solver::Ccd, Solver::Fabrik, Solver::Jacobian];

    fn name(self) -> &'static str {
        match self {
            Solver::Ccd => "CCD",
            Solver::Fabrik => "FABRIK",
            Solver::Jacobian => "Jacobian transpose",
        }
    }

    fn run(self, task: &mut Task) -> Reach {
        let joints = task.puppet.chain.clone();
        let (target, pole, weight) = (task.target, Vec3::ZERO, 1.0);
        let (tolerance_m, iterations_max) = (TOLERANCE_M, ITERATIONS_MAX);
        let limit = task.bend_max_rad.map(|swing_max_rad| Limit::Cone {
            axis: Vec3::X,
            swing_max_rad,
            twist_min_rad: -0.5,
            twist_max_rad: 0.5,
        });
        let bones = joints.len() - 1;
        let limits = limit.map_or(Vec::new(), |limit| {
            let first = std::iter::once(JointLimit::FREE);
            first.chain(vec![JointLimit { limit, ..JointLimit::FREE }; bones - 1]).collect()
        });
        let bends = task.bend_max_rad.map_or(Vec::new(), |bend| vec![bend; bones - 1]);
        let (rig, joints, limits) = (task.puppet.rig(), &joints, &limits);
        match self {
            Solver::Ccd => Ccd { rig, joints, limits, target, pole, tolerance_m, iterations_max, weight }.run(),
            Solver::Fabrik => {
                Fabrik { rig, joints, bends_max_rad: &bends, target, pole, tolerance_m, iterations_max, weight }.run()
            }
            Solver::Jacobian => {
                JacobianTranspose { rig, joints, limits, target, pole, tolerance_m, iterations_max, weight }.run()
            }
        }
    }

    /// Joints that one pass places: CCD those below each joint that it turns, FABRIK all there and back, the Jacobian
    /// transpose all once.
    fn places(self, bones: u32) -> u32 {
        match self {
            Solver::Ccd => (1..=bones).map(|below| below + 1).sum(),
            Solver::Fabrik => 2 * (bones + 1),
            Solver::Jacobian => bones + 1,
        }
    }
}

/// A chain of so many bones, one metre long in all, each turned from the one before by at most `bend_max_rad` about a
/// line across it.
fn bent(random: &mut Stream, bones: usize, bend_max_rad: f32) -> Puppet {
    let chain = Puppet::straight(&vec![Vec3::X / bones as f32; bones]);
    (0..bones as u16).fold(chain, |chain, joint| {
        let (y, z) = ops::sin_cos(random.range_f32(-3.0, 3.0));
        let (sin, cos) = ops::sin_cos(random.range_f32(0.0, bend_max_rad) * 0.5);
        chain.turned(joint, Quat::from_xyzw(0.0, y * sin, z * sin, cos))
    })
}

/// The rows of the table.
fn tasks(name: &str) -> Vec<Task> {
    let mut random = Rng::new(11).stream(name, 0);
    let mut within = |bones: usize, bend_max_rad: f32, limit: Option<f32>| {
        let mut task = || Task {
            target: bent(&mut random, bones, bend_max_rad).end(),
            puppet: bent(&mut random, bones, bend_max_rad),
            bend_max_rad: limit,
        };
        (0..TARGETS).map(|_| task()).collect::<Vec<Task>>()
    };
    match name {
        "3 bones" => within(3, 2.5, None),
        "8 bones" => within(8, 2.0, None),
        "24 bones" => within(24, 1.0, None),
        "5 bones, cones of 60 degrees" => within(5, 60f32.to_radians(), Some(60f32.to_radians())),
        "4 bones, out of reach" => {
            let mut tasks = within(4, 2.0, None);
            tasks.iter_mut().for_each(|task| task.target *= 1.2 / task.target.length());
            tasks
        }
        "4 bones, nearly straight" => {
            let mut tasks = within(4, 2.0, None);
            tasks.iter_mut().for_each(|task| task.target *= 0.995 / task.target.length());
            tasks
        }
        "straight, target on it" => {
            let at = |share: usize| Vec3::X * (share as f32 / TARGETS as f32);
            let chain = Puppet::straight(&[Vec3::X * 0.25; 4]);
            (0..TARGETS).map(|n| Task { puppet: chain.clone(), target: at(n), bend_max_rad: None }).collect()
        }
        _ => unreachable!("a row of the table, not {name}"),
    }
}

/// Median, 95 of 100, most.
fn spread<T: Copy + PartialOrd>(mut all: Vec<T>) -> [T; 3] {
    all.sort_by(|a, b| a.partial_cmp(b).expect("no NaN"));
    [all[all.len() / 2], all[all.len() * 95 / 100], all[all.len() - 1]]
}

/// 100 targets a row, to 1 mm, at most 500 passes; chains are a metre long. `passes` and `left_mm` are median, 95 of
/// 100, most; `work` is how many joints were placed for a target, in the mean; `blind` counts targets that were in the
/// blind spot.
#[test]
fn three_ways_to_a_target() {
    let mut table = format!(
        "{:30} {:18} {:>7} {:>13} {:>20} {:>8} {:>5}\n",
        "chain", "solver", "reached", "passes", "left_mm", "work", "blind"
    );
    for name in [
        "3 bones",
        "8 bones",
        "24 bones",
        "5 bones, cones of 60 degrees",
        "4 bones, out of reach",
        "4 bones, nearly straight",
        "straight, target on it",
    ] {
        for solver in Solver::ALL {
            let mut tasks = tasks(name);
            let bones = tasks[0].puppet.chain.len() as u32 - 1;
            let reaches: Vec<Reach> = tasks.iter_mut().map(|task| solver.run(task)).collect();
            for (task, reach) in tasks.iter().zip(&reaches) {
                let left_m = task.puppet.end().distance(task.target);
                assert!((left_m - reach.distance_m).abs() < 1e-5, "{name}, {}: {reach:?}, {left_m}", solver.name());
            }
            let passes = spread(reaches.iter().map(|reach| reach.iterations).collect());
            let left_mm = spread(reaches.iter().map(|reach| reach.distance_m * 1e3).collect());
            let placed: u32 = reaches.iter().map(|reach| reach.iterations * solver.places(bones)).sum();
            let count = |is: fn(&Reach) -> bool| reaches.iter().filter(|reach| is(reach)).count();
            let _ = writeln!(
                table,
                "{name:30} {:18} {:>7} {:>13} {:>20} {:>8} {:>5}",
                solver.name(),
                count(|reach| reach.reached),
                passes.map(|count| count.to_string()).join(" "),
                left_mm.map(|left| format!("{left:.2}")).join(" "),
                placed / TARGETS as u32,
                count(|reach| reach.blind),
            );
        }
    }
    insta::assert_snapshot!("compare", table);
}
