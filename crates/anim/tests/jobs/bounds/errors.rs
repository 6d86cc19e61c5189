//! What has no box.

use glam::Vec3;
use stillframe_anim::bounds::{BoundsError, JointBoxes, PaletteBounds, point_boxes};
use stillframe_anim::pose::{Affine, JobError};
use stillframe_anim::skin::SortedInfluences;
use stillframe_base::geom::Aabb;
use stillframe_base::lanes::{Isa, ROW};

use super::mesh::Mesh;

#[test]
fn each_fault_is_named() {
    let mesh = Mesh::rigid(&[Vec3::ZERO; 3]);
    let points = point_boxes(&mesh.vertices, 3);
    let with = |joint: u16, weight: f32| {
        let mut influences = mesh.influences.clone();
        influences[0].joints[2][1] = joint;
        influences[0].weights[2][1] = weight;
        JointBoxes::of_mesh(&influences, &points)
    };
    assert!(with(9, 0.0).is_ok());
    assert_eq!(with(9, -0.5), Err(BoundsError::Weight { vertex: 2, joint: 9, weight: -0.5 }));
    assert!(matches!(with(9, f32::NAN), Err(BoundsError::Weight { vertex: 2, .. })));
    assert_eq!(with(9, 0.5), Err(BoundsError::WeightSum { vertex: 2, sum: 1.5 }));
    let nan = Aabb::new(Vec3::NAN, Vec3::ONE);
    for bad in [nan, Aabb::EMPTY, Aabb::new(Vec3::ZERO, Vec3::INFINITY)] {
        let vertices = [points[0], bad, points[2]];
        assert_eq!(JointBoxes::of_mesh(&mesh.influences, &vertices), Err(BoundsError::Vertex { vertex: 1 }));
    }
    let length = |what, count, want| Err(BoundsError::from(JobError::Length { what, count, want }));
    assert_eq!(JointBoxes::of_mesh(&[], &points), length("blocks of influences", 0, 1));
    let (joints, weights) = ([0u16], [[255u8; ROW]]);
    let sorted =
        |ends: &[u32]| JointBoxes::of_sorted(SortedInfluences { ends, joints: &joints, weights: &weights }, &points);
    assert!(sorted(&[1]).is_ok());
    assert_eq!(sorted(&[]), length("ends of blocks", 0, 1));
    let end = JobError::BlockEnd { block: 0, start: 0, end: 2, count: 1 };
    assert_eq!(sorted(&[2]), Err(end.into()));

    let boxes = mesh.boxes();
    let validate = |palette: &[Affine]| PaletteBounds { isa: Isa::detect(), palette, boxes: &boxes }.validate();
    let index = JobError::JointIndex { what: "joints of the boxes", entry: 0, joint: 0, count: 0 };
    assert_eq!(validate(&[]), Err(index.into()));
    let mut nan = Affine::IDENTITY;
    nan.0.0[5] = f32::NAN;
    assert_eq!(validate(&[nan]), Err(JobError::NotFinite { what: "palette", row: 0, lane: 5 }.into()));
}
