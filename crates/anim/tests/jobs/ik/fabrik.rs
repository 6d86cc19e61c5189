//! FABRIK.

use glam::Vec3;
use proptest::prelude::*;
use stillframe_anim::ik::{Fabrik, Reach};

use super::chain;
use super::puppet::{Puppet, long_vec3, puppet, same_lengths};

fn solve(puppet: &mut Puppet, target: Vec3, bends_max_rad: &[f32], tolerance_m: f32, iterations_max: u32) -> Reach {
    let joints = puppet.chain.clone();
    let (pole, weight) = (Vec3::ZERO, 1.0);
    let job =
        Fabrik { rig: puppet.rig(), joints: &joints, bends_max_rad, target, pole, tolerance_m, iterations_max, weight };
    assert_eq!(job.validate(), Ok(()));
    job.run()
}

fn solve_free(puppet: &mut Puppet, target: Vec3, tolerance_m: f32, iterations_max: u32) -> Reach {
    solve(puppet, target, &[], tolerance_m, iterations_max)
}

fn bends(positions: &[Vec3]) -> Vec<f32> {
    let direction = |i: usize| (positions[i + 1] - positions[i]).as_dvec3();
    (0..positions.len() - 2).map(|i| direction(i).angle_between(direction(i + 1)) as f32).collect()
}

proptest! {
    #[test]
    fn the_end_is_on_a_target_within_reach((mut puppet, target) in puppet(3..9)) {
        let lengths = puppet.bone_lengths();
        let whole: f32 = lengths.iter().sum();
        let start = puppet.positions()[0];
        // Nearly straight chains come ever slower.
        prop_assume!(start.distance(target) < 0.98 * whole);
        let reach = solve(&mut puppet, target, &[], 5e-6, 2000);
        prop_assert!(reach.reached, "{:?}", reach);
        prop_assert!(puppet.end().distance(target) < 1e-5, "{} and {}", puppet.end(), target);
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
        prop_assert!(puppet.positions()[0] == start);
    }

    /// No pass without limits makes it worse.
    #[test]
    fn the_error_never_grows((puppet, target) in puppet(3..7)) {
        let mut before = f32::INFINITY;
        for iterations_max in 1..12 {
            let mut puppet = puppet.clone();
            let reach = solve(&mut puppet, target, &[], 0.0, iterations_max);
            prop_assert!(reach.distance_m <= before + 1e-6, "{} after {}", reach.distance_m, before);
            prop_assert!((reach.distance_m - puppet.end().distance(target)).abs() < 1e-5);
            before = reach.distance_m;
        }
    }

    #[test]
    fn out_of_reach_is_straight((puppet, _) in puppet(2..9), away in long_vec3(0.3, 1.0), far in 1.0f32..20.0) {
        prop_assert_eq!(chain::out_of_reach_is_straight(puppet, away, far, solve_free)?.iterations, 0);
    }

    /// Bends are kept for any target, reached or not, and whatever the pose before.
    #[test]
    fn bends_are_kept((mut puppet, target) in puppet(3..8), max in 0.05f32..2.0) {
        let lengths = puppet.bone_lengths();
        let limits = vec![max; lengths.len() - 1];
        let reach = solve(&mut puppet, target, &limits, 1e-4, 60);
        for bend in bends(&puppet.positions()) {
            prop_assert!(bend < max + 1e-3, "{} of {}", bend, max);
        }
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
        prop_assert!((reach.distance_m - puppet.end().distance(target)).abs() < 1e-5);
        prop_assert_eq!(reach.reached, reach.distance_m <= 1e-4);
    }

    #[test]
    fn an_end_in_place_changes_no_bit((puppet, _) in puppet(2..8)) {
        chain::an_end_in_place_changes_no_bit(puppet, solve_free)?;
    }

    #[test]
    fn degenerate_input_has_a_result((bones, target) in chain::degenerate(), limited in any::<bool>()) {
        let limits = vec![0.4; if limited { bones.len() - 1 } else { 0 }];
        chain::has_a_result(&bones, |puppet| solve(puppet, target, &limits, 1e-5, 30))?;
    }
}

#[test]
fn a_straight_chain_leaves_its_line() {
    chain::a_straight_chain_leaves_its_line(1e-5, 400, solve_free);
}

/// Passes for 300 targets within reach of a chain of four bones, one metre long, to 1 mm: median, 95 of 100, most.
#[test]
fn passes_are_few() {
    let passes = chain::passes(|puppet, target| solve(puppet, target, &[], 1e-3, 200));
    assert!(passes.iter().all(|pass| pass.reached), "{passes:?}");
    let counts = chain::counts(&passes);
    assert!(counts[0] <= 4 && counts[1] <= 15 && counts[2] <= 60, "{counts:?}");
    println!("FABRIK: median {}, 95 of 100 {}, most {}", counts[0], counts[1], counts[2]);
}

/// Bends that stop a chain are told.
#[test]
fn bends_that_stop_a_chain_are_told() {
    let target = Vec3::new(0.2, 0.9, 0.0);
    let reach = |bends: &[f32]| solve(&mut Puppet::straight(&[Vec3::X; 3]), target, bends, 1e-3, 200);
    let (stopped, free) = (reach(&[0.3, 0.3]), reach(&[]));
    assert!(!stopped.reached && stopped.limited, "{stopped:?}");
    assert!(free.reached && !free.limited, "{free:?}");
}
