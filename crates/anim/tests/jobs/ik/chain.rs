//! Chains: what CCD, FABRIK and the Jacobian transpose have in common, each handed in as a function; and limits by
//! their definition.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use proptest::sample::select;
use stillframe_anim::ik::{JointLimit, Limit, Reach};
use stillframe_base::math::{ops, ops64};

use super::puppet::{Puppet, long_vec3, rotation, same_lengths};

/// A solver without limits: puppet, target, tolerance in metres, passes at most.
pub type Solve = fn(&mut Puppet, Vec3, f32, u32) -> Reach;

/// A solver with limits, or without where there are none.
pub type SolveLimited = fn(&mut Puppet, Vec3, &[JointLimit], f32, u32) -> Reach;

/// 300 targets within reach of a chain of four bones, one metre long.
pub fn passes(solve: impl Fn(&mut Puppet, Vec3) -> Reach) -> Vec<Reach> {
    let mut random = stillframe_base::rng::Rng::new(7).stream("reach", 0);
    let mut turned = |mut puppet: Puppet| {
        for joint in 0..4 {
            let numbers = [(); 4].map(|()| random.range_f32(-1.0, 1.0));
            puppet = puppet.turned(joint, Quat::from_array(numbers).normalize());
        }
        puppet
    };
    (0..300)
        .map(|_| {
            let target = turned(Puppet::straight(&[Vec3::X * 0.25; 4])).end();
            solve(&mut turned(Puppet::straight(&[Vec3::X * 0.25; 4])), target)
        })
        .collect()
}

/// Median, 95 of 100, most.
pub fn counts(passes: &[Reach]) -> [u32; 3] {
    let mut counts: Vec<u32> = passes.iter().map(|pass| pass.iterations).collect();
    counts.sort_unstable();
    [counts[counts.len() / 2], counts[counts.len() * 95 / 100], counts[counts.len() - 1]]
}

pub fn limit() -> impl Strategy<Value = JointLimit> {
    let arc = (-3.0f32..3.0, 0.0f32..3.0).prop_map(|(min, by)| (min, min + by));
    let hinge = (long_vec3(0.1, 1.0), arc.clone()).prop_map(|(axis, (min_rad, max_rad))| Limit::Hinge {
        axis,
        min_rad,
        max_rad,
    });
    let cone = (long_vec3(0.1, 1.0), 0.05f32..3.0, arc).prop_map(|(axis, swing_max_rad, (min, max))| Limit::Cone {
        axis,
        swing_max_rad,
        twist_min_rad: min,
        twist_max_rad: max,
    });
    (rotation(), prop_oneof![Just(Limit::Free), hinge, cone]).prop_map(|(rest, limit)| JointLimit { rest, limit })
}

fn modulo_turn(angle: f64) -> f64 {
    angle - std::f64::consts::TAU * (angle / std::f64::consts::TAU).round()
}

/// How far a rotation is past a limit: from the definition, with matrices and cosines, in f64.
pub fn excess(limit: &JointLimit, local: Quat) -> f64 {
    let turned = limit.rest.as_dquat().inverse() * local.as_dquat();
    let past = |angle: f64, min: f32, max: f32| {
        let (middle, half) = (f64::from(min + max) / 2.0, f64::from(max - min) / 2.0);
        (modulo_turn(angle - middle).abs() - half).max(0.0)
    };
    let split = |axis: Vec3| {
        let axis = axis.as_dvec3().normalize();
        let moved = turned * axis;
        let swing = ops64::acos(axis.dot(moved).clamp(-1.0, 1.0));
        // The rest of it, once the axis is brought back by the shortest way, is a turn about the axis.
        let twist = glam::DQuat::from_rotation_arc(moved, axis) * turned;
        let side = axis.any_orthonormal_vector();
        let after = twist * side;
        (swing, ops64::atan2(axis.dot(side.cross(after)), side.dot(after)))
    };
    match limit.limit {
        Limit::Free => 0.0,
        Limit::Hinge { axis, min_rad, max_rad } => {
            let (swing, twist) = split(axis);
            swing.max(past(twist, min_rad, max_rad))
        }
        Limit::Cone { axis, swing_max_rad, twist_min_rad, twist_max_rad } => {
            let (swing, twist) = split(axis);
            // After half a turn of swing no twist is defined.
            let twist = if swing > 3.1 { 0.0 } else { past(twist, twist_min_rad, twist_max_rad) };
            (swing - f64::from(swing_max_rad)).max(twist)
        }
    }
}

pub fn out_of_reach_is_straight(
    mut puppet: Puppet,
    away: Vec3,
    far: f32,
    solve: Solve,
) -> Result<Reach, TestCaseError> {
    let (lengths, start) = (puppet.bone_lengths(), puppet.positions()[0]);
    let (whole, u) = (lengths.iter().sum::<f32>(), away.normalize());
    let reach = solve(&mut puppet, start + u * (whole * far * 1.001), 1e-5, 50);
    prop_assert!(!reach.reached && puppet.end().distance(start + u * whole) < 1e-5, "{:?}", reach);
    prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
    Ok(reach)
}

pub fn an_end_in_place_changes_no_bit(mut puppet: Puppet, solve: Solve) -> Result<(), TestCaseError> {
    let (bits, end) = (puppet.bits(), puppet.end());
    let reach = solve(&mut puppet, end, 1e-5, 50);
    prop_assert!(reach.reached && reach.iterations == 0);
    prop_assert_eq!(puppet.bits(), bits);
    Ok(())
}

/// Bones of no length, on one line, tiny; and a target where directions have no length either.
pub fn degenerate() -> impl Strategy<Value = (Vec<Vec3>, Vec3)> {
    let bone = select(vec![Vec3::ZERO, Vec3::X, -Vec3::X, Vec3::Y, Vec3::X * 1e-20]);
    let target = select(vec![Vec3::ZERO, Vec3::X, -Vec3::X * 0.5, Vec3::Y * 1e-25, Vec3::splat(1e6), Vec3::Y]);
    (prop::collection::vec(bone, 1..5), target)
}

/// Limits of no width, with tiny and huge axes, and of nearly everything.
pub fn degenerate_limit() -> impl Strategy<Value = Limit> {
    select(vec![
        Limit::Free,
        Limit::Hinge { axis: Vec3::X, min_rad: 0.0, max_rad: 0.0 },
        Limit::Hinge { axis: Vec3::Z * 1e-10, min_rad: -6.0, max_rad: 0.2 },
        Limit::Cone { axis: Vec3::X * 1e30, swing_max_rad: 0.0, twist_min_rad: 0.0, twist_max_rad: 0.0 },
        Limit::Cone { axis: Vec3::X, swing_max_rad: std::f32::consts::PI, twist_min_rad: -6.0, twist_max_rad: 0.0 },
    ])
}

/// Whatever bones and target are, the result is one.
pub fn has_a_result(bones: &[Vec3], solve: impl Fn(&mut Puppet) -> Reach) -> Result<(), TestCaseError> {
    let mut puppet = Puppet::straight(bones);
    let reach = solve(&mut puppet);
    prop_assert!(puppet.is_finite_and_unit() && reach.distance_m.is_finite(), "{:?}", reach);
    let lengths: Vec<f32> = bones.iter().map(|bone| bone.length()).collect();
    prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
    Ok(())
}

/// Limits are kept for any target, reached or not, and whatever the pose before.
pub fn limits_are_kept(
    puppet: &mut Puppet,
    target: Vec3,
    limits: &[JointLimit],
    solve: SolveLimited,
) -> Result<Reach, TestCaseError> {
    let lengths = puppet.bone_lengths();
    let limits = &limits[..lengths.len()];
    let reach = solve(puppet, target, limits, 1e-4, 60);
    for (limit, &joint) in limits.iter().zip(&puppet.chain) {
        let excess = excess(limit, puppet.local(joint).rotation);
        prop_assert!(excess < 2e-3, "{} past {:?}", excess, limit);
    }
    prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
    prop_assert!((reach.distance_m - puppet.end().distance(target)).abs() < 1e-5);
    prop_assert_eq!(reach.reached, reach.distance_m <= 1e-4);
    Ok(reach)
}

/// A straight chain and a target on it, in each of its bones, on both sides of the start, and at the start itself:
/// told, and bent.
pub fn a_straight_chain_leaves_its_line(tolerance_m: f32, iterations_max: u32, solve: Solve) {
    for x in [0.0, 0.3, 1.0, 1.5, 2.2, 2.9, -0.4, -1.7] {
        let mut puppet = Puppet::straight(&[Vec3::X; 3]);
        let reach = solve(&mut puppet, Vec3::X * x, tolerance_m, iterations_max);
        let slack_m = 1e-5 + 0.1 * tolerance_m;
        assert!(reach.reached && puppet.end().distance(Vec3::X * x) < tolerance_m + slack_m, "{x}: {reach:?}");
        assert!(reach.blind, "{x}: the blind spot is told");
    }
}

/// A finger of hinges stays in its plane and reaches most of what it can reach; by how much it misses the other targets
/// of 300, which are at corners of limits.
pub fn misses_of_a_finger_m(iterations_max: u32, solve: SolveLimited) -> Vec<f32> {
    let limit = Limit::Hinge { axis: Vec3::Z * 3.0, min_rad: 0.0, max_rad: 1.3 };
    let limits = [JointLimit { rest: Quat::IDENTITY, limit }; 3];
    let mut random = stillframe_base::rng::Rng::new(7).stream("finger", 0);
    let mut finger = || {
        (0..3).fold(Puppet::straight(&[Vec3::X * 0.05, Vec3::X * 0.03, Vec3::X * 0.02]), |finger, joint| {
            let (sin, cos) = ops::sin_cos(random.range_f32(0.05, 0.65));
            finger.turned(joint, Quat::from_xyzw(0.0, 0.0, sin, cos))
        })
    };
    let mut misses_m = Vec::new();
    for _ in 0..300 {
        let (target, mut puppet) = (finger().end(), finger());
        let reach = solve(&mut puppet, target, &limits, 1e-4, iterations_max);
        assert!(puppet.positions().iter().all(|p| p.z.abs() < 1e-6), "{:?}", puppet.positions());
        if !reach.reached {
            misses_m.push(reach.distance_m);
        }
    }
    assert!(misses_m.iter().all(|miss_m| *miss_m < 0.003), "{misses_m:?}");
    misses_m
}
