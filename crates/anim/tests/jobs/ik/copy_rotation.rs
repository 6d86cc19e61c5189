//! Copy rotation.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::{AimJoint, CopyRotation, IkError, Reach, weighted_turn};
use stillframe_base::math::ops;

use super::puppet::{Puppet, puppet, rotation, same_lengths};

fn solve(puppet: &mut Puppet, weights: &[f32], rotation: Quat, weight: f32) -> Reach {
    let joints: Vec<AimJoint> =
        puppet.chain.iter().zip(weights).map(|(&joint, &weight)| AimJoint { joint, weight }).collect();
    let job = CopyRotation { rig: puppet.rig(), joints: &joints, rotation, weight };
    assert_eq!(job.validate(), Ok(()));
    job.run()
}

fn turned(puppet: &Puppet, joint: usize) -> Quat {
    Quat::from_mat3a(&puppet.models()[joint].matrix3)
}

fn angle_rad(a: Quat, b: Quat) -> f32 {
    let left = a * b.conjugate();
    2.0 * ops::atan2(left.xyz().length(), left.w.abs())
}

proptest! {
    /// The last joint has the rotation, whatever those before took, and no bone is longer.
    #[test]
    fn the_last_joint_is_turned_so(
        (mut puppet, _) in puppet(3..4),
        weights in prop::array::uniform3(0.0f32..1.0),
        rotation in rotation(),
    ) {
        let lengths = puppet.bone_lengths();
        let scaled = puppet.clone();
        let reach = solve(&mut puppet, &[weights[0], weights[1], weights[2], 1.0], rotation, 1.0);
        let last = usize::from(*puppet.chain.last().expect("a chain"));
        // A matrix with scale has the rotation only beside it.
        let matrix = puppet.models()[last].matrix3;
        let axes = Quat::from_mat3a(&glam::Mat3A::from_cols(
            matrix.x_axis.normalize(), matrix.y_axis.normalize(), matrix.z_axis.normalize(),
        ));
        prop_assert!(reach.reached && angle_rad(axes, rotation) < 2e-3, "{:?}: {} and {}", reach, axes, rotation);
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));
        let mut still = scaled.clone();
        solve(&mut still, &[weights[0], weights[1], weights[2], 1.0], rotation, 0.0);
        prop_assert_eq!(still.bits(), scaled.bits());
    }
}

/// Shares are those of what is left: a straight back of three joints takes a quarter, half of the rest, and the rest.
#[test]
fn shares_are_of_what_is_left() {
    let turn = |rad: f32| Quat::from_xyzw(0.0, ops::sin(rad * 0.5), 0.0, ops::cos(rad * 0.5));
    let mut puppet = Puppet::straight(&[Vec3::Y; 2]);
    let reach = solve(&mut puppet, &[0.25, 0.5, 1.0], turn(0.8), 1.0);
    assert!(reach.reached && reach.distance_m == 0.0, "{reach:?}");
    for (joint, rad) in [(0, 0.2), (1, 0.5), (2, 0.8)] {
        // A share is nlerp, which is a little off the angle.
        assert!(angle_rad(turned(&puppet, joint), turn(rad)) < 0.01, "{joint}: {}", turned(&puppet, joint));
    }
    let mut partly = Puppet::straight(&[Vec3::Y; 2]);
    let reach = solve(&mut partly, &[0.0, 0.0, 0.5], turn(0.8), 1.0);
    assert!(!reach.reached, "{reach:?}");
}

#[test]
fn several_turns_have_a_mean() {
    let turn = |rad: f32| Quat::from_xyzw(ops::sin(rad * 0.5), 0.0, 0.0, ops::cos(rad * 0.5));
    assert!(angle_rad(weighted_turn([(turn(0.2), 1.0), (-turn(0.6), 1.0)]), turn(0.4)) < 1e-6);
    assert!(angle_rad(weighted_turn([(turn(0.2), 3.0), (turn(0.6), 1.0)]), turn(0.3)) < 1e-3);
    assert_eq!(weighted_turn([]), Quat::IDENTITY);
    let mut puppet = Puppet::straight(&[Vec3::Y]);
    let joints = [AimJoint { joint: 1, weight: 1.0 }];
    let job =
        CopyRotation { rig: puppet.rig(), joints: &joints, rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), weight: 1.0 };
    assert!(matches!(job.validate(), Err(IkError::Range { .. })));
}
