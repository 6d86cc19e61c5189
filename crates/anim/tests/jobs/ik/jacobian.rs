//! The Jacobian transpose.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::{IkError, JacobianTranspose, JointLimit, Limit, Reach};
use stillframe_anim::pose::JobError;
use stillframe_base::math::ops;

use super::ccd::{counts, excess, limit, passes};
use super::puppet::{Puppet, long_vec3, puppet, same_lengths};

fn solve(puppet: &mut Puppet, target: Vec3, limits: &[JointLimit], tolerance_m: f32, iterations_max: u32) -> Reach {
    let joints = puppet.chain.clone();
    let (rig, pole, weight) = (puppet.rig(), Vec3::ZERO, 1.0);
    let job = JacobianTranspose { rig, joints: &joints, limits, target, pole, tolerance_m, iterations_max, weight };
    assert_eq!(job.validate(), Ok(()));
    job.run()
}

proptest! {
    #[test]
    fn the_end_is_on_a_target_within_reach((mut puppet, target) in puppet(3..9)) {
        let lengths = puppet.bone_lengths();
        let start = puppet.positions()[0];
        // Nearly straight and nearly folded chains have hardly any slope.
        let share = start.distance(target) / lengths.iter().sum::<f32>();
        prop_assume!((0.05..0.9).contains(&share));
        let reach = solve(&mut puppet, target, &[], 1e-3, 10_000);
        prop_assert!(reach.reached, "{:?}", reach);
        prop_assert!(puppet.end().distance(target) < 1e-3 + 1e-5, "{} and {}", puppet.end(), target);
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()) && puppet.positions()[0] == start);
    }

    #[test]
    fn out_of_reach_is_straight((mut puppet, _) in puppet(2..9), away in long_vec3(0.3, 1.0), far in 1.0f32..20.0) {
        let (lengths, start) = (puppet.bone_lengths(), puppet.positions()[0]);
        let (whole, u) = (lengths.iter().sum::<f32>(), away.normalize());
        let reach = solve(&mut puppet, start + u * (whole * far * 1.001), &[], 1e-5, 50);
        prop_assert!(!reach.reached && !reach.blind && reach.iterations == 0, "{:?}", reach);
        prop_assert!(puppet.end().distance(start + u * whole) < 1e-5, "{:?}", reach);
    }

    /// The result of a pass more is never worse, with limits or without.
    #[test]
    fn the_error_never_grows((puppet, target) in puppet(3..7), limits in prop::collection::vec(limit(), 6), limited in any::<bool>()) {
        let limits = if limited { &limits[..puppet.chain.len() - 1] } else { &[] };
        let mut before = f32::INFINITY;
        for iterations_max in 0..12 {
            let mut puppet = puppet.clone();
            let reach = solve(&mut puppet, target, limits, 0.0, iterations_max);
            prop_assert!(reach.distance_m <= before && reach.iterations <= iterations_max, "{:?} after {}", reach, before);
            prop_assert!((reach.distance_m - puppet.end().distance(target)).abs() < 1e-5);
            before = reach.distance_m;
        }
    }

    /// Limits are kept for any target, reached or not, and whatever the pose before.
    #[test]
    fn limits_are_kept((mut puppet, target) in puppet(3..6), limits in prop::collection::vec(limit(), 5)) {
        let lengths = puppet.bone_lengths();
        let limits = &limits[..lengths.len()];
        let reach = solve(&mut puppet, target, limits, 1e-4, 60);
        for (limit, &joint) in limits.iter().zip(&puppet.chain) {
            let excess = excess(limit, puppet.local(joint).rotation);
            prop_assert!(excess < 2e-3, "{} past {:?}", excess, limit);
        }
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
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

/// A straight chain and a target on it, in each of its bones, on both sides of the start, and at the start itself: told, and bent.
#[test]
fn a_straight_chain_leaves_its_line() {
    for x in [0.0, 0.3, 1.0, 1.5, 2.2, 2.9, -0.4, -1.7] {
        let mut puppet = Puppet::straight(&[Vec3::X; 3]);
        let reach = solve(&mut puppet, Vec3::X * x, &[], 1e-3, 500);
        assert!(reach.reached && puppet.end().distance(Vec3::X * x) < 1.1e-3, "{x}: {reach:?}");
        assert!(reach.blind, "{x}: the blind spot is told");
    }
}

/// Where limits hold a straight chain on its line no bend helps: the blind spot is told and the job ends at once.
#[test]
fn a_blind_chain_that_cannot_bend_ends() {
    let limit = Limit::Hinge { axis: Vec3::X, min_rad: -1.0, max_rad: 1.0 };
    let mut puppet = Puppet::straight(&[Vec3::X; 3]);
    let reach = solve(&mut puppet, Vec3::X, &[JointLimit { rest: Quat::IDENTITY, limit }; 3], 1e-3, u32::MAX);
    assert_eq!(reach, Reach { reached: false, distance_m: 2.0, iterations: 0, blind: true, limited: false });
    assert_eq!(puppet.end(), Vec3::X * 3.0);
}

/// A finger of hinges stays in its plane and reaches most of what it can reach; the rest are corners of limits.
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
        let reach = solve(&mut puppet, target, &limits, 1e-4, 1000);
        assert!(puppet.positions().iter().all(|p| p.z.abs() < 1e-6), "{:?}", puppet.positions());
        if !reach.reached {
            misses_m.push(reach.distance_m);
        }
    }
    let worst_m = misses_m.iter().fold(0.0f32, |worst, &miss| worst.max(miss));
    println!("Jacobian transpose with hinges: {} of 300 missed, by at most {worst_m} m of 0.1", misses_m.len());
    assert!(misses_m.len() <= 3 && worst_m < 0.003, "{misses_m:?}");
}

/// An arc of more than half a turn is gone round its own way, and its ends hold.
#[test]
fn a_large_arc_is_kept() {
    let limit = Limit::Hinge { axis: Vec3::Z, min_rad: 0.8, max_rad: 5.5 };
    for (wanted, want) in [(180.0f32, 180.0f32), (30.0, 0.8f32.to_degrees()), (-30.0, 5.5f32.to_degrees())] {
        let (sin, cos) = ops::sin_cos(wanted.to_radians());
        let mut puppet = Puppet::straight(&[Vec3::X]);
        let start = if wanted < 0.0 { -Quat::from_rotation_z(5.0) } else { Quat::from_rotation_z(2.0) };
        puppet = puppet.turned(0, start);
        solve(&mut puppet, Vec3::new(cos, sin, 0.0), &[JointLimit { rest: Quat::IDENTITY, limit }], 1e-5, 500);
        let got = ops::atan2(puppet.end().y, puppet.end().x).to_degrees();
        assert!(((got - want + 540.0) % 360.0 - 180.0).abs() < 0.01, "{wanted}: {got}, not {want}");
    }
}

/// Half of a solution is half of each turn.
#[test]
fn a_weight_is_a_share() {
    let target = Vec3::new(1.0, 1.2, 0.3);
    let reach = |weight: f32| {
        let mut puppet = Puppet::straight(&[Vec3::X, Vec3::X]).turned(1, Quat::from_rotation_z(0.3));
        let (rig, limits, pole) = (puppet.rig(), &[], Vec3::ZERO);
        let joints = &[0, 1, 2];
        let job =
            JacobianTranspose { rig, joints, limits, target, pole, tolerance_m: 1e-4, iterations_max: 500, weight };
        (job.run(), puppet)
    };
    let ((none, unmoved), (half, halfway), (whole, solved)) = (reach(0.0), reach(0.5), reach(1.0));
    assert!(whole.reached && none == whole && half == whole, "the solution is spoken of: {whole:?}");
    assert_eq!(unmoved.bits(), Puppet::straight(&[Vec3::X, Vec3::X]).turned(1, Quat::from_rotation_z(0.3)).bits());
    for joint in 0..2 {
        let [from, at, to] = [&unmoved, &halfway, &solved].map(|puppet| puppet.local(joint).rotation);
        let (first, second) = (from.angle_between(at), at.angle_between(to));
        assert!((first - second).abs() < 1e-3 && first > 0.05, "joint {joint}: {first} and {second}");
    }
}

#[test]
fn faults_are_refused() {
    let mut puppet = Puppet::straight(&[Vec3::X; 3]);
    let mut fault = |joints: &[u16], limits: &[JointLimit], tolerance_m| {
        let (rig, target, pole) = (puppet.rig(), Vec3::Y, Vec3::ZERO);
        JacobianTranspose { rig, joints, limits, target, pole, tolerance_m, iterations_max: 5, weight: 1.0 }.validate()
    };
    assert_eq!(fault(&[0, 1, 2], &[JointLimit::FREE; 2], 0.0), Ok(()));
    assert_eq!(fault(&[0], &[], 0.0), Err(IkError::ChainLength { count: 1, min: 2, max: 64 }));
    assert_eq!(fault(&[0, 2, 1], &[], 0.0), Err(IkError::NotBelow { joint: 1, above: 2 }));
    let length = JobError::Length { what: "limits", count: 1, want: 2 };
    assert_eq!(fault(&[0, 1, 2], &[JointLimit::FREE], 0.0), Err(length.into()));
    let long = JointLimit { rest: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), limit: Limit::Free };
    assert!(matches!(
        fault(&[0, 1, 2], &[long; 2], 0.0),
        Err(IkError::Range { what: "length of a rest rotation", .. })
    ));
    assert!(matches!(fault(&[0, 1], &[], -1.0), Err(IkError::Range { what: "tolerance", .. })));
}

/// Passes for 300 targets within reach of a chain of four bones, one metre long, to 1 mm: median, 95 of 100, most.
#[test]
fn passes_are_few() {
    let passes = passes(|puppet, target| solve(puppet, target, &[], 1e-3, 500));
    assert!(passes.iter().all(|pass| pass.reached), "{passes:?}");
    let counts = counts(&passes);
    println!("Jacobian transpose: median {}, 95 of 100 {}, most {}", counts[0], counts[1], counts[2]);
    assert!(counts[0] <= 25 && counts[1] <= 100 && counts[2] <= 250, "{counts:?}");
}
