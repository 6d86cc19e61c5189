//! Two bones.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::{Fabrik, Reach, TwoBone};

use super::puppet::{Puppet, long_vec3, puppet, same_lengths, vec3};

fn solve(puppet: &mut Puppet, target: Vec3, pole: Vec3, bend_axis: Vec3, soften: f32, weight: f32) -> Reach {
    let joints = [puppet.chain[0], puppet.chain[1], puppet.chain[2]];
    let job = TwoBone { rig: puppet.rig(), joints, target, pole, bend_axis, soften, weight };
    assert_eq!(job.validate(), Ok(()));
    job.run()
}

fn reach(puppet: &mut Puppet, target: Vec3, pole: Vec3) -> Reach {
    solve(puppet, target, pole, Vec3::ZERO, 1.0, 1.0)
}

#[test]
fn the_triangle_of_equal_sides() {
    let mut puppet = Puppet::straight(&[Vec3::X, Vec3::X]);
    let reach = reach(&mut puppet, Vec3::X, Vec3::Z);
    let positions = puppet.positions();
    assert!(reach.reached && reach.distance_m < 1e-6, "{reach:?}");
    assert!(positions[1].distance(Vec3::new(0.5, 0.0, 0.866_025)) < 1e-6, "{positions:?}");
    assert!(positions[2].distance(Vec3::X) < 1e-6, "{positions:?}");
}

proptest! {
    #[test]
    fn the_end_is_on_a_target_within_reach((mut puppet, target) in puppet(2..3), pole in long_vec3(0.1, 1.0)) {
        let lengths = puppet.bone_lengths();
        let reach = reach(&mut puppet, target, pole);
        let [start, mid, end] = puppet.positions()[..] else { panic!("three joints") };
        prop_assert!(reach.reached, "{:?}", reach);
        prop_assert!(end.distance(target) < 1e-5, "{} and {}", end, target);
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
        // The middle joint is in the half-plane of the pole.
        let u = (target - start).normalize();
        let v = pole - u * u.dot(pole);
        prop_assume!(v.length() > 0.01 * pole.length() && start.distance(target) > 0.02);
        let (v, offset) = (v.normalize(), mid - start);
        prop_assert!(offset.dot(v) > -1e-4 && offset.dot(u.cross(v)).abs() < 1e-4, "{} {}", offset.dot(v), offset.dot(u.cross(v)));
    }

    /// Without a pole the bend stays on the side where it is: a small move of the target moves the middle by little.
    #[test]
    fn without_a_pole_the_bend_stays((mut puppet, _) in puppet(2..3), by in vec3(-1e-3..1e-3)) {
        let [start, mid, end] = puppet.positions()[..] else { panic!("three joints") };
        let (upper, lower) = ((mid - start).normalize(), (end - mid).normalize());
        // Neither straight nor folded: there the middle moves as the root of the end does.
        prop_assume!(upper.cross(lower).length() > 0.3 && start.distance(end) > 0.1);
        reach(&mut puppet, end + by, Vec3::ZERO);
        prop_assert!(puppet.positions()[1].distance(mid) < 0.03, "{} and {}", puppet.positions()[1], mid);
    }

    #[test]
    fn an_end_in_place_stays((mut puppet, _) in puppet(2..3)) {
        let (before, end) = (puppet.positions(), puppet.end());
        let joints = puppet.chain.clone();
        let rotations: Vec<Quat> = joints.iter().map(|&j| puppet.local(j).rotation).collect();
        reach(&mut puppet, end, Vec3::ZERO);
        let bend = (before[1] - before[0]).cross(before[2] - before[1]).length();
        prop_assume!(bend > 0.01 && before[0].distance(before[2]) > 0.02);
        for (joint, before) in joints.iter().zip(rotations) {
            let now = puppet.local(*joint).rotation;
            prop_assert!(now.dot(before).abs() > 1.0 - 1e-6, "{} and {}", now, before);
        }
    }

    #[test]
    fn a_target_out_of_reach_is_pointed_at((mut puppet, _) in puppet(2..3), away in long_vec3(0.3, 1.0), far in 1.01f32..50.0) {
        let (lengths, start) = (puppet.bone_lengths(), puppet.positions()[0]);
        let direction = away.normalize();
        let whole = lengths[0] + lengths[1];
        let reach = reach(&mut puppet, start + direction * (whole * far), Vec3::Y);
        prop_assert!(!reach.reached && (reach.distance_m - whole * (far - 1.0)).abs() < 1e-4 * far, "{:?}", reach);
        prop_assert!(puppet.end().distance(start + direction * whole) < 1e-5);

        // Too near: as near as the longer bone lets it.
        let gap = (lengths[0] - lengths[1]).abs();
        prop_assume!(gap > 0.01);
        let near = self::reach(&mut puppet, start + direction * (gap * 0.5), Vec3::Y);
        prop_assert!(!near.reached, "{:?}", near);
        prop_assert!(puppet.end().distance(start + direction * gap) < 1e-5);
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
    }

    /// With an axis the middle joint is a hinge: all that it did is a turn about that axis, and straight chains bend
    /// the right way.
    #[test]
    fn the_middle_is_a_hinge(
        bend in 0.0f32..2.0,
        share in 0.1f32..0.99,
        direction in long_vec3(0.2, 1.0),
        pole in long_vec3(0.1, 1.0),
    ) {
        let about_z = |angle: f32| {
            let (sin, cos) = stillframe_base::math::ops::sin_cos(angle * 0.5);
            Quat::from_xyzw(0.0, 0.0, sin, cos)
        };
        let mut puppet = Puppet::straight(&[Vec3::X * 0.5, Vec3::X * 0.4]).turned(1, about_z(bend));
        let reach = solve(&mut puppet, direction.normalize() * (0.1 + 0.8 * share), pole, Vec3::Z, 1.0, 1.0);
        prop_assert!(reach.reached && reach.distance_m < 1e-5, "{:?}", reach);
        let knee = puppet.local(1).rotation;
        prop_assert!(knee.x.abs() < 1e-3 && knee.y.abs() < 1e-3, "{}", knee);
        prop_assert!(knee.z * knee.w.signum() > 0.0, "{}", knee);
    }

    /// The soft limit follows exactly up to its share, then never goes back and never is straight.
    #[test]
    fn soft_limits_come_ever_nearer(soften in 0.5f32..0.98) {
        let end = |distance: f32| {
            let mut puppet = Puppet::straight(&[Vec3::X, Vec3::X]);
            let reach = solve(&mut puppet, Vec3::Y * distance, Vec3::Z, Vec3::ZERO, soften, 1.0);
            (puppet.end().length(), reach)
        };
        let mut before = 0.0;
        for step in 1..=60 {
            let distance = step as f32 * 0.05;
            let (now, reach) = end(distance);
            prop_assert!(now > before - 1e-6 && now <= 2.0 + 1e-6 && now <= distance + 1e-6, "{} after {}", now, before);
            prop_assert!(distance > 2.0 * soften || (reach.reached && (now - distance).abs() < 1e-5), "{:?}", reach);
            prop_assert!((distance - 2.0 * soften).abs() < 0.1 || reach.reached == (distance < 2.0 * soften), "{:?}", reach);
            before = now;
        }
    }

    #[test]
    fn a_weight_of_0_changes_no_bit((mut puppet, target) in puppet(2..3), weight in 0.01f32..1.0) {
        let before = puppet.bits();
        solve(&mut puppet, target, Vec3::Y, Vec3::ZERO, 1.0, 0.0);
        prop_assert_eq!(puppet.bits(), before);
        solve(&mut puppet, target, Vec3::Y, Vec3::ZERO, 1.0, weight);
        prop_assert!(puppet.is_finite_and_unit());
    }

    /// The closed form and FABRIK agree on where the end is.
    #[test]
    fn fabrik_comes_to_the_same_end((mut puppet, target) in puppet(2..3)) {
        // Near straight and near folded FABRIK comes ever slower.
        let (lengths, start) = (puppet.bone_lengths(), puppet.positions()[0]);
        let distance = start.distance(target).max((lengths[0] - lengths[1]).abs() + 0.03).min(0.97 * (lengths[0] + lengths[1]));
        let target = start + (target - start).normalize_or(Vec3::X) * distance;
        let mut other = puppet.clone();
        reach(&mut puppet, target, Vec3::Y);
        let joints = other.chain.clone();
        let (pole, tolerance_m, iterations_max) = (Vec3::Y, 1e-4, 2000);
        let done = Fabrik { rig: other.rig(), joints: &joints, bends_max_rad: &[], target, pole, tolerance_m, iterations_max, weight: 1.0 }.run();
        prop_assert!(done.reached && other.end().distance(puppet.end()) < 1.1e-4, "{:?}", done);
    }

    /// Whatever is zero, parallel or on top of each other: nothing is NaN and bones keep their lengths.
    #[test]
    fn degenerate_input_has_a_result(
        bones in prop::array::uniform2(prop::sample::select(vec![Vec3::ZERO, Vec3::X, -Vec3::X, Vec3::Y * 0.5, Vec3::X * 1e-6, Vec3::Z * 1e-20])),
        target in prop::sample::select(vec![
            Vec3::ZERO, Vec3::X, -Vec3::X, Vec3::X * 2.0, Vec3::Y * 1e-7, Vec3::Z * 1e-30, Vec3::splat(1e6), Vec3::X * 1.5,
        ]),
        pole in prop::sample::select(vec![Vec3::ZERO, Vec3::X, -Vec3::X, Vec3::Y, Vec3::Z * f32::MAX, Vec3::X * 1e-30]),
        bend_axis in prop::sample::select(vec![Vec3::ZERO, Vec3::X, Vec3::Z]),
        soften in prop::sample::select(vec![1.0f32, 0.9, 1e-3]),
    ) {
        let mut puppet = Puppet::straight(&bones);
        let reach = solve(&mut puppet, target, pole, bend_axis, soften, 1.0);
        prop_assert!(puppet.is_finite_and_unit() && reach.distance_m.is_finite(), "{:?}", reach);
        prop_assert!((puppet.end().distance(target) - reach.distance_m).abs() <= 1e-5 * reach.distance_m.max(1.0));
        let lengths: Vec<f32> = bones.iter().map(|bone| bone.length()).collect();
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
        let possible = target.length() <= lengths[0] + lengths[1] && target.length() >= (lengths[0] - lengths[1]).abs();
        prop_assert!(soften < 1.0 || !possible || reach.distance_m < 1e-5, "{:?}", reach);
    }
}

/// What the documentation says of input that leaves a choice.
#[test]
fn degenerate_results_are_those_documented() {
    // A target at the start, equal bones: the upper at a right angle to the line as it was, here towards the pole.
    let mut puppet = Puppet::straight(&[Vec3::X, Vec3::X]);
    assert!(reach(&mut puppet, Vec3::ZERO, Vec3::Y).reached);
    assert!(puppet.positions()[1].distance(Vec3::Y) < 1e-6 && puppet.end().length() < 1e-6);
    // A pole along the line of a straight chain: a fixed direction across it.
    let mut puppet = Puppet::straight(&[Vec3::X, Vec3::X]);
    assert!(reach(&mut puppet, Vec3::X, Vec3::X).reached);
    assert!((puppet.positions()[1] - Vec3::new(0.5, 0.866_025, 0.0)).length() < 1e-6, "{:?}", puppet.positions());
    // No upper bone: the lower one points.
    let mut puppet = Puppet::straight(&[Vec3::ZERO, Vec3::X]);
    assert!(!reach(&mut puppet, Vec3::Y * 3.0, Vec3::ZERO).reached);
    assert!(puppet.end().distance(Vec3::Y) < 1e-6);
}
