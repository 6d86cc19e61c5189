//! Several targets of one tip.

use glam::Vec3;
use proptest::prelude::*;
use stillframe_anim::ik::{Fabrik, weighted_target};

use super::puppet::{Puppet, vec3};

proptest! {
    /// Between the targets, nearer to the one that pulls more, wherever they are and in whatever order.
    #[test]
    fn who_pulls_more_is_nearer(a in vec3(-5.0..5.0), b in vec3(-5.0..5.0), weights in prop::array::uniform2(0.01f32..10.0)) {
        let [more, less] = weights;
        let point = weighted_target([(a, more), (b, less)]);
        prop_assert_eq!(point, weighted_target([(b, less), (a, more)]));
        let share = less / (more + less);
        prop_assert!(point.distance(a.lerp(b, share)) < 1e-5);
        prop_assert_eq!(weighted_target([(a, more)]), a);
        prop_assert!((point.distance(a) <= point.distance(b) + 1e-5) == (more >= less) || (more - less).abs() < 1e-3);
    }
}

#[test]
fn a_tip_stops_between_its_targets() {
    let mut puppet = Puppet::straight(&[Vec3::Y, Vec3::Y, Vec3::Y]);
    let (left, right) = (Vec3::new(-1.0, 1.5, 0.0), Vec3::new(1.0, 1.5, 0.0));
    let target = weighted_target([(left, 1.0), (right, 3.0)]);
    assert_eq!(target, Vec3::new(0.5, 1.5, 0.0));
    let (joints, bends_max_rad) = (puppet.chain.clone(), [std::f32::consts::PI; 2]);
    let job = Fabrik {
        rig: puppet.rig(),
        joints: &joints,
        bends_max_rad: &bends_max_rad,
        target,
        pole: Vec3::Z,
        tolerance_m: 1e-4,
        iterations_max: 60,
        weight: 1.0,
    };
    assert_eq!(job.validate(), Ok(()));
    assert!(job.run().reached);
    assert!((puppet.end().distance(left) - 3.0 * puppet.end().distance(right)).abs() < 1e-3);
    assert_eq!(weighted_target([]), Vec3::ZERO);
    assert_eq!(weighted_target([(Vec3::ONE, 0.0)]), Vec3::ZERO);
}
