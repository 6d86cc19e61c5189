//! Boxes of meshes in a pose.

use glam::{Affine3A, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::bounds::{JointBoxes, PaletteBounds, point_boxes};
use stillframe_anim::morph::{Morph, MorphDirections, MorphSet, MorphTarget};
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{Directions, SkinSorted, SortedInfluences, VertexBlock};
use stillframe_base::geom::Aabb;
use stillframe_base::lanes::{Isa, ROW};

use super::mesh::{Mesh, meshes, palettes};

fn run(palette: &[Affine], boxes: &JointBoxes) -> Aabb {
    let job = PaletteBounds { isa: Isa::detect(), palette, boxes };
    assert_eq!(job.validate(), Ok(()));
    job.run()
}

fn bits(bounds: Aabb) -> [u32; 6] {
    let ([a, b, c], [d, e, f]) = (bounds.min.to_array(), bounds.max.to_array());
    [a, b, c, d, e, f].map(f32::to_bits)
}

proptest! {
    #[test]
    fn every_vertex_is_inside(mesh in meshes(20, 4), palette in palettes(20)) {
        let bounds = run(&palette, &mesh.boxes());
        for (vertex, at) in mesh.skinned(&palette).into_iter().enumerate() {
            prop_assert!(bounds.contains(at), "vertex {vertex}: {at:?} in {bounds:?}");
        }
    }

    #[test]
    fn boxes_are_equal_everywhere_and_in_any_order(mesh in meshes(40, 4), palette in palettes(40)) {
        let boxes = mesh.boxes();
        let want = bits(PaletteBounds { isa: Isa::Scalar, palette: &palette, boxes: &boxes }.run());
        for isa in Isa::available() {
            prop_assert_eq!(bits(PaletteBounds { isa, palette: &palette, boxes: &boxes }.run()), want, "{}", isa);
        }
        // Vertices backward.
        let count = mesh.positions.len();
        let bound = |vertex: usize| -> Vec<(u16, f32)> {
            let (block, lane) = (&mesh.influences[vertex / ROW], vertex % ROW);
            block.joints[lane].into_iter().zip(block.weights[lane]).filter(|(_, weight)| *weight > 0.0).collect()
        };
        let positions: Vec<Vec3> = mesh.positions.iter().rev().copied().collect();
        let backward = Mesh::new(&positions, &(0..count).rev().map(bound).collect::<Vec<_>>());
        let backward = backward.boxes();
        prop_assert_eq!((backward.joints(), backward.boxes()), (boxes.joints(), boxes.boxes()));
    }

    /// No larger than the union of the joints' own boxes, each moved by f64, but for rounding.
    #[test]
    fn boxes_are_no_larger_than_their_proof_needs(mesh in meshes(20, 4), palette in palettes(20)) {
        let boxes = mesh.boxes();
        let mut want = Aabb::EMPTY;
        for (joint, bounds) in boxes.joints().iter().zip(boxes.boxes()) {
            let matrix = Affine3A::from(palette[usize::from(*joint)]);
            want = Aabb::of_points(bounds.corners().map(|corner| matrix.transform_point3(corner))).union(want);
        }
        let got = run(&palette, &boxes);
        let size = want.min.abs().max(want.max.abs()).max_element() + 10.0;
        prop_assert!((got.min - want.min).abs().max_element() < 1e-4 * size, "{got:?} and {want:?}");
        prop_assert!((got.max - want.max).abs().max_element() < 1e-4 * size, "{got:?} and {want:?}");
    }

    #[test]
    fn sorted_vertices_are_inside(
        mesh in meshes(8, 1), palette in palettes(8), joints in prop::collection::vec(0u16..8, 6), cut in 0u8..=255,
    ) {
        let (vertices, count) = (&mesh.vertices, mesh.positions.len());
        let ends: Vec<u32> = (1..=vertices.len() as u32).map(|block| 2 * block).collect();
        let joints = &joints[..2 * vertices.len()];
        let weights: Vec<[u8; ROW]> = (0..joints.len()).map(|e| [if e % 2 == 0 { cut } else { 255 - cut }; ROW]).collect();
        let influences = SortedInfluences { ends: &ends, joints, weights: &weights };
        let boxes = JointBoxes::of_sorted(influences, &point_boxes(vertices, count)).expect("two joints a block");
        let mut out = vertices.clone();
        let directions = Directions::Carried;
        SkinSorted { isa: Isa::detect(), palette: &palette, influences, directions, vertices, out: &mut out }.run();
        let bounds = run(&palette, &boxes);
        for point in point_boxes(&out, count) {
            prop_assert!(bounds.contains(point.min), "{:?} in {bounds:?}", point.min);
        }
    }

    /// Morph first, then skin: boxes of what targets make of vertices hold what joints make of that.
    #[test]
    fn morphed_and_skinned_vertices_are_inside(
        mesh in meshes(6, 4), palette in palettes(6), deltas in prop::collection::vec(prop::array::uniform3(-1.0f32..1.0), 80),
        weights in prop::array::uniform2(0.0f32..=1.0),
    ) {
        let all: Vec<u32> = (0..mesh.positions.len() as u32).collect();
        let target = |from: usize| MorphTarget {
            vertices: &all,
            positions: &deltas[from..from + all.len()],
            ..MorphTarget::default()
        };
        let set = MorphSet::new(all.len(), &[target(0), target(40)]).expect("in order");
        let of_vertices = set.vertex_boxes(&mesh.vertices).expect("its mesh");
        let boxes = JointBoxes::of_mesh(&mesh.influences, &of_vertices).expect("a mesh");
        let mut morphed = vec![VertexBlock::ZERO; mesh.vertices.len()];
        let (vertices, directions) = (&mesh.vertices, MorphDirections::Unit);
        Morph { isa: Isa::detect(), set: &set, weights: &weights, directions, vertices, out: &mut morphed }.run();
        let bounds = run(&palette, &boxes);
        for at in mesh.skinned_from(&palette, &morphed) {
            prop_assert!(bounds.contains(at), "{at:?} in {bounds:?}");
        }
    }
}

/// The book's box ("Game engine: principles and practice" volume 2, section 1.10, stage 3): that of the joints'
/// origins, enlarged on every side by half of the size of the box of the mesh as it was bound.
fn book_box(models: &[Affine], mesh: Aabb) -> Aabb {
    let origins = Aabb::of_points(models.iter().map(|model| Vec3::from(Affine3A::from(*model).translation)));
    Aabb::new(origins.min - mesh.half_size(), origins.max + mesh.half_size())
}

/// D7: the book's box does not hold a flag, wide and flat, that its pole turns by a quarter; boxes of joints do.
#[test]
fn d7_a_turned_flag_sticks_out_of_the_book_s_box() {
    let flag = Mesh::rigid(&[Vec3::ZERO, Vec3::new(3.0, 0.0, 0.0), Vec3::new(3.0, 2.0, 0.0), Vec3::new(0.0, 2.0, 0.0)]);
    let quarter = Quat::from_xyzw(0.0, 0.5f32.sqrt(), 0.0, 0.5f32.sqrt());
    let pole = [Affine::from(Affine3A::from_quat(quarter))];
    let at_bind = flag.positions.iter().copied().fold(Aabb::EMPTY, Aabb::with);
    let (rough, held) = (book_box(&pole, at_bind), run(&pole, &flag.boxes()));
    let corners = flag.skinned(&pole);
    assert!(corners.iter().all(|corner| held.contains(*corner)));
    assert!(corners.iter().any(|corner| !rough.contains(*corner)), "{corners:?} in {rough:?}");
    // As it was bound, it holds this one no better: half of the width, on the pole.
    assert_eq!(rough, Aabb::new(Vec3::new(-1.5, -1.0, 0.0), Vec3::new(1.5, 1.0, 0.0)));
}

/// D6: all vertices below zero; a box that begins with the smallest positive number would reach up to it.
#[test]
fn d6_boxes_begin_with_nothing() {
    let mesh = Mesh::rigid(&[Vec3::splat(-2.0), Vec3::splat(-1.0)]);
    let bounds = run(&[Affine::IDENTITY], &mesh.boxes());
    assert!(bounds.max.max_element() < -0.999, "{bounds:?}");
}

/// Joints without weight have no box, whatever their number; a mesh without vertices has none.
#[test]
fn joints_that_move_nothing_do_not_count() {
    let mesh = Mesh::rigid(&[Vec3::ONE]);
    let boxes = mesh.boxes();
    assert_eq!((boxes.joints(), boxes.boxes()), (&[0][..], &[Aabb::new(Vec3::ONE, Vec3::ONE)][..]));
    let far = Affine::from(Affine3A::from_translation(Vec3::splat(1e6)));
    assert!(run(&[Affine::IDENTITY, far], &boxes).max.max_element() < 1.001);
    let none = JointBoxes::of_mesh(&[], &[]).expect("nothing");
    assert!(run(&[], &none).is_empty());
}
