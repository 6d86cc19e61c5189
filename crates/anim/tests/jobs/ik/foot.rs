//! Feet on the ground.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::ik::{Foot, FootPlant, GroundHit, Reach};
use stillframe_anim::pose::{NO_PARENT, Trs};
use stillframe_base::math::{ops, ops64};

use super::puppet::{Puppet, long_vec3, vec3};

const UNREAD: Reach = Reach { reached: false, distance_m: -1.0, iterations: 9, blind: true, limited: true };
const ANKLE_M: f32 = 0.1;

/// Root, pelvis, two legs: hips 3 and 6, knees a little forward (+z), ankles 0.1 m over the ground at y = 0.
fn body(scale: f32) -> Puppet {
    let (sin, cos) = ops::sin_cos(0.15);
    let (forward, back) = (Quat::from_xyzw(-sin, 0.0, 0.0, cos), Quat::from_xyzw(2.0 * sin * cos, 0.0, 0.0, 1.0));
    let joint = |translation, rotation: Quat| Trs { translation, rotation: rotation.normalize(), scale: Vec3::ONE };
    // Straight down, the leg is 0.8 m; bent it is shorter: the root is where the ankle is at 0.1 m.
    let bent = Puppet::straight(&[-Vec3::Y * 0.4, -Vec3::Y * 0.4]).turned(0, forward).turned(1, back.normalize());
    let hip_m = (ANKLE_M - bent.end().y) / scale;
    let mut joints = vec![
        Trs { scale: Vec3::splat(scale), ..joint(Vec3::ZERO, Quat::from_xyzw(0.0, 0.6, 0.0, 0.8)) },
        joint(Vec3::Y * hip_m, Quat::IDENTITY),
    ];
    let mut parents = vec![NO_PARENT, 0];
    for side in [-1.0, 1.0] {
        let hip = joints.len() as u16;
        parents.extend([1, hip, hip + 1]);
        joints.push(joint(Vec3::X * side * 0.1 / scale, forward));
        joints.push(joint(-Vec3::Y * 0.4 / scale, back));
        joints.push(joint(-Vec3::Y * 0.4 / scale, forward));
    }
    Puppet::new(parents, joints, vec![0])
}

fn foot(first: u16, height_m: f32, normal: Vec3) -> Foot {
    let hit = Some(GroundHit { height_m, normal });
    Foot { joints: [first, first + 1, first + 2], bend_axis: Vec3::X, ankle_height_m: ANKLE_M, hit }
}

/// Gives the pelvis's offset and what the legs did.
fn plant(
    puppet: &mut Puppet,
    feet: &[Foot],
    weight: f32,
    pelvis_before_m: f32,
    time_constant_s: f32,
) -> (f32, Vec<Reach>) {
    let mut reaches = vec![UNREAD; feet.len()];
    let job = FootPlant {
        rig: puppet.rig(),
        pelvis: 1,
        feet,
        ground_m: 0.0,
        plant_m: 0.02,
        lift_m: 0.1,
        tilt_max_rad: 0.5,
        pelvis_before_m,
        step_s: 0.1,
        time_constant_s,
        weight,
        reaches: &mut reaches,
    };
    assert_eq!(job.validate(), Ok(()));
    let pelvis_m = job.run();
    (pelvis_m, reaches)
}

fn position(puppet: &Puppet, joint: u16) -> Vec3 {
    puppet.models()[usize::from(joint)].translation.into()
}

/// Of a foot, as the model has it.
fn up(puppet: &Puppet, before: &Puppet, joint: u16) -> Vec3 {
    let (now, then) = (puppet.models()[usize::from(joint)], before.models()[usize::from(joint)]);
    now.transform_vector3(then.inverse().transform_vector3(Vec3::Y))
}

#[test]
fn flat_ground_changes_no_bit() {
    let mut puppet = body(1.2);
    let bits = puppet.bits();
    let (pelvis_m, reaches) = plant(&mut puppet, &[foot(2, 0.0, Vec3::Y), foot(5, 0.0, Vec3::Y * 7.0)], 1.0, 0.0, 0.2);
    assert_eq!((pelvis_m, puppet.bits()), (0.0, bits.clone()));
    assert!(reaches.iter().all(|reach| reach.reached));
    // No ground, or none of it: nothing either.
    let nowhere = Foot { hit: None, ..foot(2, 0.0, Vec3::Y) };
    plant(&mut puppet, &[nowhere], 1.0, 0.0, 0.2);
    plant(&mut puppet, &[foot(2, -0.3, Vec3::X)], 0.0, 0.0, 0.0);
    assert_eq!(puppet.bits(), bits);
}

proptest! {
    /// Soles lie on the ground under them: the ankle is its height from the plane, and the foot's up is the plane's
    /// normal.
    #[test]
    fn soles_lie_on_the_ground(
        heights in prop::array::uniform2(-0.15f32..0.1),
        slopes in prop::array::uniform2(vec3(-0.4..0.4)),
        scale in 0.7f32..1.4,
    ) {
        let before = body(scale);
        let mut puppet = before.clone();
        let normals = slopes.map(|slope| Vec3::new(slope.x, 1.0, slope.z * 0.5).normalize());
        let feet = [foot(2, heights[0], normals[0]), foot(5, heights[1], normals[1])];
        let (pelvis_m, reaches) = plant(&mut puppet, &feet, 1.0, 0.0, 0.0);
        prop_assert!((pelvis_m - heights[0].min(heights[1]).min(0.0)).abs() < 1e-6);
        let pelvis = position(&puppet, 1) - position(&before, 1);
        prop_assert!(pelvis.distance(Vec3::Y * pelvis_m) < 1e-6, "{}", pelvis);
        for i in 0..2 {
            let ankle_joint = feet[i].joints[2];
            prop_assert!(reaches[i].reached, "{:?}", reaches[i]);
            let (ankle, was) = (position(&puppet, ankle_joint), position(&before, ankle_joint));
            let ground = Vec3::new(was.x, heights[i], was.z);
            let (height_m, tilt) = ((ankle - ground).dot(normals[i]), ops::acos(normals[i].dot(Vec3::Y)));
            prop_assert!((ankle.x - was.x).abs() < 1e-5 && (ankle.z - was.z).abs() < 1e-5);
            if tilt < 0.5 {
                prop_assert!((height_m - ANKLE_M).abs() < 1e-5, "{}", height_m);
                prop_assert!(up(&puppet, &before, ankle_joint).distance(normals[i]) < 1e-5);
            } else {
                prop_assert!((ops::acos(up(&puppet, &before, ankle_joint).dot(Vec3::Y)) - 0.5).abs() < 1e-3);
            }
            // Knees stay in front: the bend is that of the pose.
            let knee = puppet.local(feet[i].joints[1]).rotation;
            prop_assert!(knee.x * knee.w >= 0.0 && knee.y.abs() < 1e-3 && knee.z.abs() < 1e-3, "{}", knee);
        }
    }

    /// The pelvis filter is exact for any step: two halves are one whole.
    #[test]
    fn the_pelvis_goes_to_its_place_in_time(before in -0.2f32..0.2, rise in -0.2f32..0.2, constant_s in 0.05f32..1.0) {
        let feet = [foot(2, rise, Vec3::Y)];
        let step = |from: f32, constant_s: f32| plant(&mut body(1.0), &feet, 1.0, from, constant_s).0;
        let goal = f64::from(rise.min(0.0));
        let want = goal + (f64::from(before) - goal) * ops64::exp(-0.1 / f64::from(constant_s));
        prop_assert!((f64::from(step(before, constant_s)) - want).abs() < 1e-6);
        let halves = step(step(before, constant_s * 2.0), constant_s * 2.0);
        prop_assert!((f64::from(halves) - want).abs() < 1e-6);
    }

    /// A lifted foot goes with the pelvis; between, a share; and none jumps.
    #[test]
    fn a_lifted_foot_is_free(lift in 0.0f32..0.2) {
        let mut before = body(1.0);
        let raised = Trs { translation: before.local(1).translation + Vec3::Y * lift, ..before.local(1) };
        before.locals[0].set_lane(1, raised);
        let mut puppet = before.clone();
        let (pelvis_m, _) = plant(&mut puppet, &[foot(2, -0.05, Vec3::Y)], 1.0, 0.0, 0.1);
        let sole_m = position(&before, 4).y - ANKLE_M;
        let share = ((0.1 - sole_m) / 0.08).clamp(0.0, 1.0);
        let moved = position(&puppet, 4) - position(&before, 4);
        let want = -0.05 * share + pelvis_m * (1.0 - share);
        prop_assert!(moved.distance(Vec3::Y * want) < 1e-5, "{} and {}", moved, want);
    }

    #[test]
    fn degenerate_input_has_a_result(
        height in prop::sample::select(vec![0.0f32, 1e6, -1e6, 0.78, -0.3]),
        normal in prop_oneof![long_vec3(0.1, 1.0), prop::sample::select(vec![Vec3::Y, -Vec3::Y, Vec3::X * 1e30, Vec3::Z * 1e-10])],
        time_constant_s in prop::sample::select(vec![0.0f32, 1e-40, 0.1, f32::MAX]),
        weight in 0.0f32..=1.0,
    ) {
        let mut puppet = body(1.0);
        let (pelvis_m, reaches) = plant(&mut puppet, &[foot(2, height, normal), foot(5, 0.0, Vec3::Y)], weight, 0.0, time_constant_s);
        prop_assert!(pelvis_m.is_finite() && puppet.is_finite_and_unit(), "{}", pelvis_m);
        prop_assert!(reaches.iter().all(|reach| reach.distance_m.is_finite()));
    }
}

/// Too high a step: the leg folds as far as it goes, and says so.
#[test]
fn ground_out_of_reach_is_told() {
    let mut puppet = body(1.0);
    let (_, reaches) = plant(&mut puppet, &[foot(2, 5.0, Vec3::Y), foot(5, 0.0, Vec3::Y)], 1.0, 0.0, 0.0);
    assert!(!reaches[0].reached && reaches[0].distance_m > 3.0 && reaches[1].reached, "{reaches:?}");
}
