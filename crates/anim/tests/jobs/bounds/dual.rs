//! Boxes of dual quaternion skinning, with the blending written out in f64 as the oracle.

use glam::{Affine3A, DQuat, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::bounds::{BoundsError, PaletteBounds, dual_quaternion_bounds};
use stillframe_anim::pose::Affine;
use stillframe_base::lanes::{Isa, ROW};
use stillframe_testkit::depth::cases;

use super::mesh::{Mesh, meshes, rigid_palettes, turns, vector};

/// Dual quaternion linear blending of each vertex.
fn blended(mesh: &Mesh, palette: &[Affine]) -> Vec<DVec3> {
    let parts: Vec<(DQuat, DVec3)> = palette
        .iter()
        .map(|matrix| {
            let (_, rotation, translation) = Affine3A::from(*matrix).to_scale_rotation_translation();
            (rotation.as_dquat().normalize(), translation.as_dvec3())
        })
        .collect();
    let at = |vertex: usize| {
        let (block, lane) = (&mesh.influences[vertex / ROW], vertex % ROW);
        let (mut real, mut dual) = (DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0), DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
        let first = parts[usize::from(block.joints[lane][0])].0;
        for k in 0..4 {
            let (rotation, t) = parts[usize::from(block.joints[lane][k])];
            let rotation = if first.dot(rotation) < 0.0 { -rotation } else { rotation };
            let weight = f64::from(block.weights[lane][k]);
            real += rotation * weight;
            dual += DQuat::from_xyzw(t.x, t.y, t.z, 0.0).mul_quat(rotation) * (0.5 * weight);
        }
        let length = real.length();
        let (real, dual) = (real * (1.0 / length), dual * (1.0 / length));
        let shift = dual.mul_quat(real.conjugate()) * 2.0;
        real * mesh.positions[vertex].as_dvec3() + DVec3::new(shift.x, shift.y, shift.z)
    };
    (0..mesh.positions.len()).map(at).collect()
}

/// Turned by up to a right angle from each other: by up to 45 degrees from one.
fn near_palettes(count: usize) -> impl Strategy<Value = Vec<Affine>> {
    let near = vector(0.2).prop_map(|v| Quat::from_xyzw(v.x, v.y, v.z, 1.0).normalize());
    (turns(), prop::collection::vec((near, vector(3.0)), count)).prop_map(|(all, joints)| {
        joints.into_iter().map(|(near, t)| Affine3A::from_rotation_translation(all * near, t).into()).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1000)))]

    #[test]
    fn two_joints_at_any_turn_are_inside(mesh in meshes(5, 2), palette in rigid_palettes(5)) {
        let bounds = dual_quaternion_bounds(&palette, &mesh.boxes()).expect("two joints");
        for at in blended(&mesh, &palette) {
            prop_assert!(bounds.contains(at.as_vec3()), "{at:?} in {bounds:?}");
        }
    }

    #[test]
    fn four_joints_that_are_near_are_inside(mesh in meshes(5, 4), palette in near_palettes(5)) {
        let bounds = dual_quaternion_bounds(&palette, &mesh.boxes()).expect("near turns");
        for at in blended(&mesh, &palette) {
            prop_assert!(bounds.contains(at.as_vec3()), "{at:?} in {bounds:?}");
        }
    }
}

/// A bent elbow: the box for linear blending lacks what dual quaternions keep of the arm's volume.
#[test]
fn linear_boxes_do_not_hold_them() {
    let mesh = Mesh::new(&[Vec3::new(0.0, 1.0, 0.0)], &[vec![(0, 0.5), (1, 0.5)]]);
    let turn = |sin: f32, cos: f32| Affine::from(Affine3A::from_quat(Quat::from_xyzw(0.0, 0.0, sin, cos)));
    let half = 0.5f32.sqrt();
    let palette = [turn(half, half), turn(-half, half)];
    let linear = PaletteBounds { isa: Isa::detect(), palette: &palette, boxes: &mesh.boxes() }.run();
    let at = blended(&mesh, &palette)[0].as_vec3();
    assert!((at - Vec3::Y).length() < 1e-6);
    assert!(!linear.contains(at));
    assert!(dual_quaternion_bounds(&palette, &mesh.boxes()).expect("two joints").contains(at));
}

/// Three joints turned by 120 degrees about one axis may cancel: there is no box, and that is said.
#[test]
fn quaternions_that_cancel_have_no_box() {
    let mesh = Mesh::new(&[Vec3::ONE], &[vec![(0, 1.0), (1, 1.0), (2, 1.0)]]);
    let about = |x: f32, w: f32| Affine::from(Affine3A::from_quat(Quat::from_xyzw(x, 0.0, 0.0, w).normalize()));
    let palette = [about(0.0, 1.0), about(0.866, 0.5), about(-0.866, 0.5)];
    let refused = dual_quaternion_bounds(&palette, &mesh.boxes());
    assert_eq!(refused, Err(BoundsError::TurnedApart { first: 0, second: 1 }));
}
