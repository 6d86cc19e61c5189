//! CCD and the limits of joints.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::{Ccd, JointLimit, Limit, Reach};
use stillframe_base::math::{ops, ops64};

use super::puppet::{Puppet, long_vec3, puppet, rotation, same_lengths};

fn solve(puppet: &mut Puppet, target: Vec3, limits: &[JointLimit], tolerance_m: f32, iterations_max: u32) -> Reach {
    let joints = puppet.chain.clone();
    let (pole, weight) = (Vec3::ZERO, 1.0);
    let job = Ccd { rig: puppet.rig(), joints: &joints, limits, target, pole, tolerance_m, iterations_max, weight };
    assert_eq!(job.validate(), Ok(()));
    job.run()
}

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

proptest! {
    #[test]
    fn the_end_is_on_a_target_within_reach((mut puppet, target) in puppet(3..9)) {
        let lengths = puppet.bone_lengths();
        let start = puppet.positions()[0];
        // Nearly straight chains come ever slower.
        prop_assume!(start.distance(target) < 0.95 * lengths.iter().sum::<f32>());
        let reach = solve(&mut puppet, target, &[], 8e-6, 5000);
        prop_assert!(reach.reached, "{:?}", reach);
        prop_assert!(puppet.end().distance(target) < 1e-5, "{} and {}", puppet.end(), target);
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()) && puppet.positions()[0] == start);
    }

    #[test]
    fn out_of_reach_is_straight((mut puppet, _) in puppet(2..9), away in long_vec3(0.3, 1.0), far in 1.0f32..20.0) {
        let (lengths, start) = (puppet.bone_lengths(), puppet.positions()[0]);
        let (whole, u) = (lengths.iter().sum::<f32>(), away.normalize());
        let reach = solve(&mut puppet, start + u * (whole * far * 1.001), &[], 1e-5, 50);
        prop_assert!(!reach.reached && puppet.end().distance(start + u * whole) < 1e-5, "{:?}", reach);
    }

    /// Limits are kept for any target, reached or not, and whatever the pose before; the result is never worse than the pose
    /// inside its limits.
    #[test]
    fn limits_are_kept((mut puppet, target) in puppet(3..6), limits in prop::collection::vec(limit(), 5)) {
        let lengths = puppet.bone_lengths();
        let limits = &limits[..lengths.len()];
        let mut inside = puppet.clone();
        let before = solve(&mut inside, target, limits, 1e-4, 0);
        let reach = solve(&mut puppet, target, limits, 1e-4, 60);
        prop_assert!(reach.distance_m <= before.distance_m && reach.iterations <= 60, "{:?} after {:?}", reach, before);
        for puppet in [&inside, &puppet] {
            for (limit, &joint) in limits.iter().zip(&puppet.chain) {
                let excess = excess(limit, puppet.local(joint).rotation);
                prop_assert!(excess < 2e-3, "{} past {:?}", excess, limit);
            }
        }
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
        prop_assert!((reach.distance_m - puppet.end().distance(target)).abs() < 1e-5);
        prop_assert_eq!(reach.reached, reach.distance_m <= 1e-4);
    }

    #[test]
    fn an_end_in_place_changes_no_bit((mut puppet, _) in puppet(2..8)) {
        let (bits, end) = (puppet.bits(), puppet.end());
        let reach = solve(&mut puppet, end, &[], 1e-5, 50);
        prop_assert!(reach.reached && reach.iterations == 0);
        prop_assert_eq!(puppet.bits(), bits);
    }

    #[test]
    fn degenerate_input_has_a_result(
        bones in prop::collection::vec(prop::sample::select(vec![Vec3::ZERO, Vec3::X, -Vec3::X, Vec3::Y, Vec3::X * 1e-20]), 1..5),
        target in prop::sample::select(vec![Vec3::ZERO, Vec3::X, -Vec3::X * 0.5, Vec3::Y * 1e-25, Vec3::splat(1e6), Vec3::Y]),
        limit in prop::sample::select(vec![
            Limit::Free,
            Limit::Hinge { axis: Vec3::X, min_rad: 0.0, max_rad: 0.0 },
            Limit::Hinge { axis: Vec3::Z * 1e-10, min_rad: -6.0, max_rad: 0.2 },
            Limit::Cone { axis: Vec3::X * 1e30, swing_max_rad: 0.0, twist_min_rad: 0.0, twist_max_rad: 0.0 },
            Limit::Cone { axis: Vec3::X, swing_max_rad: std::f32::consts::PI, twist_min_rad: -6.0, twist_max_rad: 0.0 },
        ]),
    ) {
        let mut puppet = Puppet::straight(&bones);
        let limits = vec![JointLimit { rest: Quat::IDENTITY, limit }; bones.len()];
        let reach = solve(&mut puppet, target, &limits, 1e-5, 30);
        prop_assert!(puppet.is_finite_and_unit() && reach.distance_m.is_finite(), "{:?}", reach);
        let lengths: Vec<f32> = bones.iter().map(|bone| bone.length()).collect();
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
    }
}

/// A straight chain and a target on it, in each of its bones, on both sides of the start, and at the start itself.
#[test]
fn a_straight_chain_leaves_its_line() {
    for x in [0.0, 0.3, 1.0, 1.5, 2.2, 2.9, -0.4, -1.7] {
        let mut puppet = Puppet::straight(&[Vec3::X; 3]);
        let reach = solve(&mut puppet, Vec3::X * x, &[], 1e-5, 1000);
        assert!(reach.reached && puppet.end().distance(Vec3::X * x) < 2e-5, "{x}: {reach:?}");
        assert!(reach.blind, "{x}: the blind spot is told");
    }
}

/// The small arc of -45 to 45 degrees and the large one of 45 to 315, as the book asks for.
#[test]
fn small_and_large_arcs() {
    let degrees = |angle: f32| angle.to_radians();
    let angle_for = |min: f32, max: f32, wanted: f32| {
        let limit = Limit::Hinge { axis: Vec3::Z, min_rad: degrees(min), max_rad: degrees(max) };
        let mut puppet = Puppet::straight(&[Vec3::X]);
        let (sin, cos) = ops::sin_cos(degrees(wanted));
        solve(&mut puppet, Vec3::new(cos, sin, 0.0), &[JointLimit { rest: Quat::IDENTITY, limit }], 1e-5, 9);
        ops::atan2(puppet.end().y, puppet.end().x).to_degrees()
    };
    for (min, max, wanted, want) in [
        (-45.0, 45.0, 30.0, 30.0),
        (-45.0, 45.0, 100.0, 45.0),
        (-45.0, 45.0, -100.0, -45.0),
        (45.0, 315.0, 180.0, 180.0),
        (45.0, 315.0, 20.0, 45.0),
        (45.0, 315.0, -20.0, -45.0),
        (-315.0, -45.0, -20.0, -45.0),
        (-180.0, 180.0, 170.0, 170.0),
    ] {
        let got = angle_for(min, max, wanted);
        assert!(((got - want + 540.0) % 360.0 - 180.0).abs() < 1e-3, "{min} to {max}, {wanted}: {got}");
    }
}

/// A finger of hinges stays in its plane and reaches most of what it can reach; the rest are corners of limits, where CCD ends.
#[test]
fn hinges_reach_most_of_what_hinges_can() {
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
        let reach = solve(&mut puppet, target, &limits, 1e-4, 300);
        assert!(puppet.positions().iter().all(|p| p.z.abs() < 1e-6), "{:?}", puppet.positions());
        if !reach.reached {
            misses_m.push(reach.distance_m);
        }
    }
    let worst_m = misses_m.iter().fold(0.0f32, |worst, &miss| worst.max(miss));
    println!("CCD with hinges: {} of 300 missed, by at most {worst_m} m of 0.1", misses_m.len());
    assert!(misses_m.len() <= 6 && worst_m < 0.003, "{misses_m:?}");
}

/// Passes for 300 targets within reach of a chain of four bones, one metre long, to 1 mm: median, 95 of 100, most.
#[test]
fn passes_are_few() {
    let passes = passes(|puppet, target| solve(puppet, target, &[], 1e-3, 500));
    assert!(passes.iter().all(|pass| pass.reached), "{passes:?}");
    let counts = counts(&passes);
    assert!(counts[0] <= 8 && counts[1] <= 40 && counts[2] <= 200, "{counts:?}");
    println!("CCD: median {}, 95 of 100 {}, most {}", counts[0], counts[1], counts[2]);
}

/// Who cannot get there for its limits says so, at an end of them and not before.
#[test]
fn limits_that_stop_a_chain_are_told() {
    let limit = |max_rad| {
        let limit = Limit::Hinge { axis: Vec3::Z, min_rad: 0.0, max_rad };
        [JointLimit { rest: Quat::IDENTITY, limit }; 2]
    };
    let target = Vec3::new(0.2, 0.9, 0.0);
    let reach = |limits: &[JointLimit]| solve(&mut Puppet::straight(&[Vec3::X; 2]), target, limits, 1e-3, 200);
    let (stopped, free) = (reach(&limit(0.3)), reach(&[]));
    assert!(!stopped.reached && stopped.limited, "{stopped:?}");
    assert!(free.reached && !free.limited, "{free:?}");
    let wide = reach(&limit(3.0));
    assert!(wide.reached && !wide.limited, "{wide:?}");
}
