//! Aim.

use glam::{Affine3A, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::{Aim, AimJoint, Reach};

use super::puppet::{Puppet, long_vec3, puppet, same_lengths, vec3};

/// An eye on the last joint.
#[derive(Clone, Copy, Debug)]
struct Eye {
    offset: Vec3,
    forward: Vec3,
    up: Vec3,
}

impl Eye {
    const PLAIN: Eye = Eye { offset: Vec3::ZERO, forward: Vec3::Z, up: Vec3::Y };

    /// Where it is, where it looks, what is up.
    fn of(&self, puppet: &Puppet) -> (Vec3, Vec3, Vec3) {
        let last: Affine3A = puppet.models()[usize::from(*puppet.chain.last().expect("a chain"))];
        let direction = |v| last.transform_vector3(v).normalize();
        (last.transform_point3(self.offset), direction(self.forward), direction(self.up))
    }
}

fn solve(puppet: &mut Puppet, weights: &[f32], target: Vec3, eye: Eye, pole: Vec3, weight: f32) -> Reach {
    let joints: Vec<AimJoint> =
        puppet.chain.iter().zip(weights).map(|(&joint, &weight)| AimJoint { joint, weight }).collect();
    assert_eq!(joints.len(), puppet.chain.len());
    let Eye { offset, forward, up } = eye;
    let job = Aim { rig: puppet.rig(), joints: &joints, target, offset, forward, up, pole, weight };
    assert_eq!(job.validate(), Ok(()));
    job.run()
}

fn eye() -> impl Strategy<Value = Eye> {
    (vec3(-0.1..0.1), long_vec3(0.3, 1.0), long_vec3(0.3, 1.0))
        .prop_filter("up along forward", |(_, forward, up)| forward.normalize().cross(up.normalize()).length() > 0.1)
        .prop_map(|(offset, forward, up)| Eye { offset, forward, up })
}

proptest! {
    /// With the last weight 1 the ray goes through the target, and up is in the half-plane of the pole.
    #[test]
    fn the_ray_goes_through_the_target(
        (mut puppet, _) in puppet(3..4),
        weights in prop::array::uniform3(0.0f32..1.0),
        eye in eye(),
        away in long_vec3(1.0, 5.0),
        pole in long_vec3(0.1, 1.0),
    ) {
        let lengths = puppet.bone_lengths();
        let target = puppet.positions()[0] + away * 2.0;
        let weights = [weights[0], weights[1], weights[2], 1.0];
        let reach = solve(&mut puppet, &weights, target, eye, pole, 1.0);
        let (from, forward, up) = eye.of(&puppet);
        let to_target = target - from;
        let along = to_target.dot(forward);
        prop_assert!(reach.reached && along > 0.0, "{:?}", reach);
        prop_assert!((to_target - forward * along).length() < 1e-5 * to_target.length(), "{:?}", reach);
        prop_assert!(same_lengths(&lengths, &puppet.bone_lengths()));

        let end = puppet.end();
        let g = (target - end).normalize();
        let (pole, up) = (pole.normalize() - g * g.dot(pole.normalize()), up - g * g.dot(up));
        prop_assume!(pole.length() > 0.05 && up.length() > 0.05);
        prop_assert!(up.normalize().dot(pole.normalize()) > 1.0 - 1e-5, "{} and {}", up, pole);
    }

    /// Every share brings the eye nearer to the target, and none of it changes no bit.
    #[test]
    fn shares_come_nearer(
        (mut puppet, _) in puppet(1..2),
        share in 0.0f32..1.0,
        forward in long_vec3(0.3, 1.0),
        away in long_vec3(0.5, 3.0),
    ) {
        let eye = Eye { offset: Vec3::ZERO, forward, up: Vec3::new(forward.y, forward.z, -forward.x) };
        let target = puppet.end() + away;
        let angle = |puppet: &Puppet| eye.of(puppet).1.dot(away.normalize());
        let (before, bits) = (angle(&puppet), puppet.bits());
        solve(&mut puppet, &[0.0, 0.0], target, eye, Vec3::ZERO, 1.0);
        solve(&mut puppet, &[0.0, 1.0], target, eye, Vec3::ZERO, 0.0);
        prop_assert_eq!(puppet.bits(), bits);
        let weight_bits = {
            let mut other = puppet.clone();
            solve(&mut other, &[0.0, 1.0], target, eye, Vec3::ZERO, share);
            angle(&other)
        };
        solve(&mut puppet, &[0.0, share], target, eye, Vec3::ZERO, 1.0);
        prop_assert!(angle(&puppet) >= before - 1e-5, "{} after {}", angle(&puppet), before);
        // A share of the joint and a share of the job are the same share here.
        prop_assert!((weight_bits - angle(&puppet)).abs() < 1e-4);
    }

    /// Targets at the joint, nearer than the ray passes, behind, and poles along the line of sight: a result, never
    /// NaN.
    #[test]
    fn degenerate_input_has_a_result(
        bones in prop::array::uniform2(prop::sample::select(vec![Vec3::ZERO, Vec3::Y, Vec3::Y * 1e-20])),
        offset in prop::sample::select(vec![Vec3::ZERO, Vec3::X, Vec3::Z, -Vec3::Z * 2.0, Vec3::Y * 1e-20]),
        target in prop::sample::select(vec![Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0, Vec3::Z, -Vec3::Z, Vec3::splat(1e6), Vec3::X * 1e-25]),
        pole in prop::sample::select(vec![Vec3::ZERO, Vec3::Y, Vec3::Z, -Vec3::Z, Vec3::X * f32::MAX]),
    ) {
        let mut puppet = Puppet::straight(&bones);
        let reach = solve(&mut puppet, &[0.3, 0.5, 1.0], target, Eye { offset, ..Eye::PLAIN }, pole, 1.0);
        prop_assert!(puppet.is_finite_and_unit() && reach.distance_m.is_finite(), "{:?}", reach);
    }
}

/// Straight behind: half a turn about up.
#[test]
fn a_target_behind_is_turned_to() {
    let mut puppet = Puppet::straight(&[Vec3::Y]);
    let reach = solve(&mut puppet, &[0.0, 1.0], Vec3::new(0.0, 1.0, -4.0), Eye::PLAIN, Vec3::ZERO, 1.0);
    let (_, forward, up) = Eye::PLAIN.of(&puppet);
    assert!(reach.reached && forward.distance(-Vec3::Z) < 1e-6 && up.distance(Vec3::Y) < 1e-6, "{forward} {up}");
}

/// Nearer than the ray passes: its nearest point is turned towards the target, and the result says so.
#[test]
fn a_target_inside_the_circle_of_the_eye_is_not_reached() {
    let mut puppet = Puppet::straight(&[Vec3::Y]);
    let eye = Eye { offset: Vec3::X * 2.0, ..Eye::PLAIN };
    let reach = solve(&mut puppet, &[0.0, 1.0], Vec3::new(0.0, 1.0, 1.0), eye, Vec3::ZERO, 1.0);
    let (from, forward, _) = eye.of(&puppet);
    assert!(!reach.reached && (reach.distance_m - 1.0).abs() < 1e-6, "{reach:?}");
    assert!(from.distance(Vec3::new(0.0, 1.0, 2.0)) < 1e-6 && forward.z.abs() < 1e-6, "{from} {forward}");
}
