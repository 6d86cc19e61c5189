//! Normals: what becomes of them under scales (law B8).

use glam::{Affine3A, DMat3, DMat4, DVec3, Vec3};
use proptest::prelude::*;
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    Directions, Influence, InfluenceList, MeshInfluences, SkinMesh, SkinSorted, SortedInfluences, VertexBlock,
};
use stillframe_base::lanes::{Isa, ROW};
use stillframe_base::math::ops64;

use super::oracle;

fn skin(
    isa: Isa,
    palette: &[Affine],
    list: &InfluenceList,
    directions: Directions,
    vertices: &[VertexBlock],
) -> Vec<VertexBlock> {
    let mut out = vec![VertexBlock::ZERO; vertices.len()];
    let (count, blocks) = (list.influence_count(), list.blocks());
    let influences = MeshInfluences { count, blocks: &blocks };
    let job = SkinMesh { isa, palette, influences, directions, vertices, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

/// A slope of 45 degrees, twice as wide: its normal leans less, not more. By the matrix alone it is 37 degrees off.
#[test]
fn b8_a_slope_that_is_widened_keeps_its_normal_upright() {
    let palette: [Affine; 1] = [Affine3A::from_scale(Vec3::new(2.0, 1.0, 1.0)).into()];
    let mut list = InfluenceList::new(1, 1);
    list.push(&[Influence { joint: 0, weight: 1.0 }]).expect("a weight");
    let mut vertices = [VertexBlock::ZERO];
    (vertices[0].normal[0].0[0], vertices[0].normal[1].0[0]) = (0.5f32.sqrt(), 0.5f32.sqrt());
    (vertices[0].tangent[0].0[0], vertices[0].tangent[1].0[0]) = (0.5f32.sqrt(), -(0.5f32.sqrt()));
    let normal = |directions| oracle::normal(&skin(Isa::detect(), &palette, &list, directions, &vertices), 0);
    let right = DVec3::new(1.0, 2.0, 0.0).normalize();
    assert!(normal(Directions::InverseTranspose).distance(right) < 1e-6);
    let off_deg = |n: DVec3| ops64::acos(n.normalize().dot(right).min(1.0)).to_degrees();
    assert!((off_deg(normal(Directions::Unit)) - 36.87).abs() < 0.01, "{}", off_deg(normal(Directions::Unit)));
    let out = skin(Isa::detect(), &palette, &list, Directions::InverseTranspose, &vertices);
    assert!(oracle::normal(&out, 0).dot(oracle::tangent(&out, 0)).abs() < 1e-6, "still across the surface");
}

/// Mirrored, the triangles of a surface run the other way round: its normal goes with them, so that both say the same
/// side. What is made flat has no side: it keeps its directions.
#[test]
fn normals_of_surfaces_stay_on_the_side_of_their_triangles() {
    let mut list = InfluenceList::new(1, 1);
    list.push(&[Influence { joint: 0, weight: 1.0 }]).expect("a weight");
    let mut vertices = [VertexBlock::ZERO];
    (vertices[0].normal[2].0[0], vertices[0].tangent[0].0[0]) = (2.0, 3.0);
    for isa in Isa::available() {
        for (scale, normal, tangent) in [
            (Vec3::new(-3.0, 1.0, 1.0), -DVec3::Z, -DVec3::X),
            (Vec3::new(2.0, 3.0, 4.0), DVec3::Z, DVec3::X),
            (Vec3::new(0.0, 1.0, 1.0), DVec3::Z * 2.0, DVec3::X * 3.0),
            (Vec3::splat(1e30), DVec3::Z * 2.0, DVec3::X * 3.0),
        ] {
            let palette: [Affine; 1] = [Affine3A::from_scale(scale).into()];
            let out = skin(isa, &palette, &list, Directions::Surface, &vertices);
            assert_eq!((oracle::normal(&out, 0), oracle::tangent(&out, 0)), (normal, tangent), "{scale} {isa}");
        }
    }
}

/// Scales of zero, mirrors and 0.01 under 100: finite, unit or zero.
#[test]
fn b8_extreme_scales_stay_finite() {
    for scale in [
        Vec3::ZERO,
        Vec3::new(0.0, 1.0, 1.0),
        Vec3::new(0.0, 0.0, 1.0),
        Vec3::splat(-1.0),
        Vec3::new(-1.0, 1.0, 1.0),
        Vec3::splat(0.01),
        Vec3::new(100.0, 0.01, 1.0),
        Vec3::splat(1e-9),
        Vec3::splat(1e9),
    ] {
        let palette: [Affine; 1] = [Affine3A::from_scale(scale).into()];
        let mut random = oracle::stream(1, "extreme");
        let mut list = InfluenceList::new(1, 1);
        for _ in 0..ROW {
            list.push(&[Influence { joint: 0, weight: 1.0 }]).expect("a weight");
        }
        let vertices = oracle::vertices(&mut random, ROW);
        for isa in Isa::available() {
            for directions in [Directions::Carried, Directions::Unit, Directions::InverseTranspose] {
                let out = skin(isa, &palette, &list, directions, &vertices);
                let numbers: &[f32] = bytemuck::cast_slice(&out);
                assert!(numbers.iter().all(|x| x.is_finite()), "{scale} {directions:?}");
            }
            let out = skin(isa, &palette, &list, Directions::InverseTranspose, &vertices);
            for lane in 0..ROW {
                let length = oracle::normal(&out, lane).length();
                assert!(length < 1e-6 || (length - 1.0).abs() < 1e-5, "{scale}: {length}");
            }
        }
    }
    // Flattened onto the plane of y and z, the normal is x, on the side on which it was.
    let palette: [Affine; 1] = [Affine3A::from_scale(Vec3::new(0.0, 1.0, 1.0)).into()];
    let mut list = InfluenceList::new(1, 1);
    list.push(&[Influence { joint: 0, weight: 1.0 }]).expect("a weight");
    let mut vertices = [VertexBlock::ZERO];
    (vertices[0].normal[0].0[0], vertices[0].normal[1].0[0]) = (-0.6, 0.8);
    let out = skin(Isa::detect(), &palette, &list, Directions::InverseTranspose, &vertices);
    assert_eq!(oracle::normal(&out, 0), DVec3::NEG_X);
}

proptest! {
    #[test]
    fn directions_are_those_of_f64(seed in any::<u64>(), count in 1usize..=8, mirror in any::<bool>()) {
        let mut random = oracle::stream(seed, "directions");
        let palette: Vec<Affine> = (0..12).map(|_| {
            let mut scale = Vec3::from_array([(); 3].map(|()| random.range_f32(0.2, 3.0)));
            scale.x *= if mirror { -1.0 } else { 1.0 };
            let q = oracle::quat(&mut random);
            Affine3A::from_scale_rotation_translation(scale, q, oracle::vec3(&mut random)).into()
        }).collect();
        let list = oracle::influences(&mut random, 40, 12, count);
        let vertices = oracle::vertices(&mut random, 40);
        for directions in [Directions::Carried, Directions::Unit, Directions::InverseTranspose, Directions::Surface] {
            let out = skin(Isa::Scalar, &palette, &list, directions, &vertices);
            for vertex in 0..40 {
                let m: DMat4 = oracle::linear(&palette, list.of(vertex));
                let linear = DMat3::from_mat4(m);
                let (n, t) = (oracle::normal(&vertices, vertex), oracle::tangent(&vertices, vertex));
                let want = match directions {
                    Directions::Carried => [linear * n, linear * t],
                    Directions::Unit => [(linear * n).normalize(), (linear * t).normalize()],
                    Directions::InverseTranspose => [(linear.inverse().transpose() * n).normalize(), (linear * t).normalize()],
                    Directions::Surface => {
                        let cofactors = linear.inverse().transpose() * linear.determinant();
                        [(cofactors * n).normalize(), (linear * t).normalize()]
                    }
                };
                // Blends of turned joints may be near flat, where directions hang on the last bits.
                let size = linear.determinant().abs();
                let slack = 1e-5 * (1.0 + 1.0 / size) * (1.0 + 1.0 / size);
                prop_assert!(oracle::normal(&out, vertex).distance(want[0]) < slack || size < 0.02, "{} {}", oracle::normal(&out, vertex), want[0]);
                prop_assert!(oracle::tangent(&out, vertex).distance(want[1]) < slack || size < 0.02);
                let at = m.transform_point3(oracle::position(&vertices, vertex));
                prop_assert!(oracle::position(&out, vertex).distance(at) < 1e-5 * 6.0);
            }
            for isa in Isa::available() {
                let same: Vec<u32> = bytemuck::cast_slice(&skin(isa, &palette, &list, directions, &vertices)).to_vec();
                prop_assert_eq!(&same[..], bytemuck::cast_slice::<_, u32>(&out), "{} {:?}", isa, directions);
            }
        }
    }
}

/// Blocks that share joints turn normals by the same rule.
#[test]
fn sorted_blocks_turn_normals_too() {
    let palette: [Affine; 1] = [Affine3A::from_scale(Vec3::new(1.0, 3.0, 0.5)).into()];
    let vertices = oracle::vertices(&mut oracle::stream(5, "sorted"), ROW);
    let mut list = InfluenceList::new(1, 1);
    (0..ROW).for_each(|_| list.push(&[Influence { joint: 0, weight: 1.0 }]).expect("a weight"));
    let influences = SortedInfluences { ends: &[1], joints: &[0], weights: &[[255; ROW]] };
    for directions in [Directions::Carried, Directions::Unit, Directions::InverseTranspose] {
        let want = skin(Isa::Scalar, &palette, &list, directions, &vertices);
        for isa in Isa::available() {
            let mut got = [VertexBlock::ZERO];
            SkinSorted { isa, palette: &palette, influences, directions, vertices: &vertices, out: &mut got }.run();
            assert_eq!(&got[..], &want[..], "{isa} {directions:?}");
        }
    }
}
