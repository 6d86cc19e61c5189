//! CCD and the limits of joints.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::{Ccd, JointLimit, Limit, Reach};
use stillframe_base::math::ops;

use super::chain::{self, counts, limit, passes};
use super::puppet::{Puppet, long_vec3, puppet, same_lengths};

fn solve(puppet: &mut Puppet, target: Vec3, limits: &[JointLimit], tolerance_m: f32, iterations_max: u32) -> Reach {
    let joints = puppet.chain.clone();
    let (pole, weight) = (Vec3::ZERO, 1.0);
    let job = Ccd { rig: puppet.rig(), joints: &joints, limits, target, pole, tolerance_m, iterations_max, weight };
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
        // Nearly straight chains come ever slower.
        prop_assume!(start.distance(target) < 0.95 * lengths.iter().sum::<f32>());
        let reach = solve(&mut puppet, target, &[], 8e-6, 5000);
        prop_assert!(reach.reached, "{:?}", reach);
        prop_assert!(puppet.end().distance(target) < 1e-5, "{} and {}", puppet.end(), target);
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()) && puppet.positions()[0] == start);
    }

    #[test]
    fn out_of_reach_is_straight((puppet, _) in puppet(2..9), away in long_vec3(0.3, 1.0), far in 1.0f32..20.0) {
        chain::out_of_reach_is_straight(puppet, away, far, solve_free)?;
    }

    /// The result inside of limits is never worse than the pose that was brought inside.
    #[test]
    fn limits_are_kept((mut puppet, target) in puppet(3..6), limits in prop::collection::vec(limit(), 5)) {
        let mut inside = puppet.clone();
        let before = solve(&mut inside, target, &limits[..puppet.chain.len() - 1], 1e-4, 0);
        chain::limits_are_kept(&mut inside, target, &limits, |puppet, target, limits, tolerance_m, _| {
            solve(puppet, target, limits, tolerance_m, 0)
        })?;
        let reach = chain::limits_are_kept(&mut puppet, target, &limits, solve)?;
        prop_assert!(reach.distance_m <= before.distance_m && reach.iterations <= 60, "{:?} after {:?}", reach, before);
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
    chain::a_straight_chain_leaves_its_line(1e-5, 1000, solve_free);
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

/// The rest are corners of limits, where CCD ends.
#[test]
fn hinges_reach_most_of_what_hinges_can() {
    let misses_m = chain::misses_of_a_finger_m(300, solve);
    println!("CCD with hinges: {} of 300 missed", misses_m.len());
    assert!(misses_m.len() <= 6, "{misses_m:?}");
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
