//! Twist.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::{IkError, Twist};
use stillframe_base::math::ops;

use super::puppet::{Puppet, rotation, vec3};

/// An arm of three bones and a hand, each joint the parent of the next.
fn arm() -> impl Strategy<Value = Puppet> {
    let bone = vec3(-0.4..0.4).prop_filter("too short", |bone| bone.length() > 0.1);
    (prop::collection::vec(bone, 3), prop::collection::vec(rotation(), 4)).prop_map(|(bones, rotations)| {
        let mut puppet = Puppet::straight(&bones);
        for (joint, rotation) in rotations.into_iter().enumerate() {
            puppet = puppet.turned(joint as u16, rotation);
        }
        puppet
    })
}

fn twist(puppet: &mut Puppet, shares: [f32; 3], rest: Quat, weight: f32) -> f32 {
    let joints = puppet.chain.clone();
    let job = Twist { rig: puppet.rig(), joints: &joints, shares: &shares, rest, weight };
    assert_eq!(job.validate(), Ok(()));
    job.run()
}

/// How far a rotation turns about an axis.
fn about(turn: Quat, axis: Vec3) -> f32 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    2.0 * ops::atan2(turn.xyz().dot(axis), turn.w)
}

proptest! {
    /// Every joint stays in its place and the hand as it is turned; each bone turns about itself by its share.
    #[test]
    fn places_and_the_hand_stay(puppet in arm(), shares in prop::array::uniform3(0.0f32..1.0), rest in rotation()) {
        let mut twisted = puppet.clone();
        let angle = twist(&mut twisted, shares, rest, 1.0);
        let (before, after) = (puppet.models(), twisted.models());
        for (joint, (before, after)) in before.iter().zip(&after).enumerate() {
            prop_assert!(before.translation.distance(after.translation) < 1e-5);
            let turned = Quat::from_mat3a(&after.matrix3) * Quat::from_mat3a(&before.matrix3).conjugate();
            let Some(share) = shares.get(joint) else {
                prop_assert!(turned.xyz().length() < 1e-4, "the hand turned: {turned}");
                continue;
            };
            let bone = Vec3::from(puppet.models()[joint + 1].translation - before.translation).normalize();
            prop_assert!(turned.xyz().cross(bone).length() < 1e-4, "{joint}: {turned} about {bone}");
            prop_assert!((about(turned, bone) - share * angle).abs() < 1e-3, "{joint}: {turned} {share} {angle}");
        }
        for (shares, weight) in [(shares, 0.0), ([0.0; 3], 1.0)] {
            let mut still = puppet.clone();
            twist(&mut still, shares, rest, weight);
            prop_assert_eq!(still.bits(), puppet.bits());
        }
    }
}

/// A hand turned by 120 degrees and nothing else: what is left at each joint is what the shares say.
#[test]
fn what_is_left_at_the_wrist_is_what_the_forearm_does_not_take() {
    let axis = Vec3::new(0.6, 0.8, 0.0);
    let hand = Quat::from_axis_angle(axis, 120.0_f32.to_radians());
    let puppet = Puppet::straight(&[axis * 0.1, axis * 0.3, axis * 0.25]).turned(3, hand);
    let mut twisted = puppet.clone();
    let angle = twist(&mut twisted, [0.0, 0.1, 0.6], Quat::IDENTITY, 1.0);
    assert!((angle.to_degrees() - 120.0).abs() < 1e-3);
    let left: Vec<f32> = (0..4).map(|joint| about(twisted.local(joint).rotation, axis).to_degrees()).collect();
    for (left, want) in left.iter().zip([0.0, 12.0, 60.0, 48.0]) {
        assert!((left - want).abs() < 1e-2, "{left:?}");
    }
    // A turn across the bone is no twist.
    let across = Quat::from_axis_angle(Vec3::Z, 1.0);
    let mut bent = puppet.turned(3, across);
    let before = bent.bits();
    assert!(twist(&mut bent, [1.0; 3], Quat::IDENTITY, 1.0).abs() < 1e-6);
    let moved = before.iter().zip(bent.bits()).filter(|(a, b)| (f32::from_bits(**a) - f32::from_bits(*b)).abs() > 1e-6);
    assert_eq!(moved.count(), 0);
    // From a rest that is turned, the rest counts as none.
    let mut rested = Puppet::straight(&[axis * 0.3, axis * 0.25]).turned(2, hand);
    let joints = rested.chain.clone();
    assert!(
        Twist { rig: rested.rig(), joints: &joints, shares: &[0.0, 1.0], rest: hand, weight: 1.0 }.run().abs() < 1e-5
    );
}

#[test]
fn what_cannot_be_twisted_is_told() {
    let mut puppet = Puppet::straight(&[Vec3::X, Vec3::X, Vec3::ZERO]);
    let mut refused = |joints: &[u16], shares: &[f32], rest| {
        let job = Twist { rig: puppet.rig(), joints, shares, rest, weight: 1.0 };
        job.validate().expect_err("refused")
    };
    assert_eq!(refused(&[0, 2], &[0.5], Quat::IDENTITY), IkError::NotBelow { joint: 2, above: 0 });
    assert!(matches!(refused(&[0], &[], Quat::IDENTITY), IkError::ChainLength { count: 1, .. }));
    assert!(matches!(refused(&[0, 1], &[], Quat::IDENTITY), IkError::Pose(_)));
    assert!(matches!(refused(&[0, 1], &[1.5], Quat::IDENTITY), IkError::Range { .. }));
    assert!(matches!(refused(&[0, 1], &[f32::NAN], Quat::IDENTITY), IkError::Range { .. }));
    assert!(matches!(refused(&[0, 1], &[0.5], Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), IkError::Range { .. }));
    // The last joint lies on its parent: nothing is done.
    let before = puppet.bits();
    let job = Twist { rig: puppet.rig(), joints: &[1, 2, 3], shares: &[0.5, 0.5], rest: Quat::IDENTITY, weight: 1.0 };
    assert_eq!(job.validate(), Ok(()));
    assert_eq!(job.run(), 0.0);
    assert_eq!(puppet.bits(), before);
}
