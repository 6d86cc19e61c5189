//! The Jacobian transpose.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::{IkError, JacobianTranspose, JointLimit, Limit, Reach};
use stillframe_anim::pose::JobError;
use stillframe_base::math::ops;

use super::chain::{self, counts, limit, passes};
use super::puppet::{Puppet, long_vec3, puppet, same_lengths};

fn solve(puppet: &mut Puppet, target: Vec3, limits: &[JointLimit], tolerance_m: f32, iterations_max: u32) -> Reach {
    let joints = puppet.chain.clone();
    let (rig, pole, weight) = (puppet.rig(), Vec3::ZERO, 1.0);
    let job = JacobianTranspose { rig, joints: &joints, limits, target, pole, tolerance_m, iterations_max, weight };
    assert_eq!(job.validate(), Ok(()));
    job.run()
}

fn solve_free(puppet: &mut Puppet, target: Vec3, tolerance_m: f32, iterations_max: u32) -> Reach {
    solve(puppet, target, &[], tolerance_m, iterations_max)
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
    fn out_of_reach_is_straight((puppet, _) in puppet(2..9), away in long_vec3(0.3, 1.0), far in 1.0f32..20.0) {
        let reach = chain::out_of_reach_is_straight(puppet, away, far, solve_free)?;
        prop_assert!(!reach.blind && reach.iterations == 0, "{:?}", reach);
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

    #[test]
    fn limits_are_kept((mut puppet, target) in puppet(3..6), limits in prop::collection::vec(limit(), 5)) {
        chain::limits_are_kept(&mut puppet, target, &limits, solve)?;
    }

    #[test]
    fn an_end_in_place_changes_no_bit((puppet, _) in puppet(2..8)) {
        chain::an_end_in_place_changes_no_bit(puppet, solve_free)?;
    }

    #[test]
    fn degenerate_input_has_a_result((bones, target) in chain::degenerate(), limit in chain::degenerate_limit()) {
        let limits = vec![JointLimit { rest: Quat::IDENTITY, limit }; bones.len()];
        chain::has_a_result(&bones, |puppet| solve(puppet, target, &limits, 1e-5, 30))?;
    }
}

#[test]
fn a_straight_chain_leaves_its_line() {
    chain::a_straight_chain_leaves_its_line(1e-3, 500, solve_free);
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

/// The rest are corners of limits.
#[test]
fn hinges_reach_most_of_what_hinges_can() {
    let misses_m = chain::misses_of_a_finger_m(1000, solve);
    println!("Jacobian transpose with hinges: {} of 300 missed", misses_m.len());
    assert!(misses_m.len() <= 3, "{misses_m:?}");
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
