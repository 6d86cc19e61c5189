//! Budget: parts of a mesh together are the mesh, and none has too many joints.

use proptest::prelude::*;
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{Influence, InfluenceList, SkinError, split_by_joint_budget};

use super::oracle;

fn rigid(joints: &[u16]) -> InfluenceList {
    let mut list = InfluenceList::new(100, 4);
    joints.iter().for_each(|&joint| list.push(&[Influence { joint, weight: 1.0 }]).expect("a weight"));
    list
}

/// Each corner alone adds one joint to the two that are there, and fits into three; all of them add three.
#[test]
fn d2_the_joints_of_a_triangle_are_united() {
    let list = rigid(&[0, 0, 1, 2, 3, 4]);
    let parts = split_by_joint_budget(&[[0, 1, 2], [3, 4, 5]], &list, 3).expect("three joints a triangle");
    assert_eq!(parts.len(), 2);
    assert_eq!((&parts[0].joints, &parts[1].joints), (&vec![0, 1], &vec![2, 3, 4]));
    assert_eq!((&parts[1].vertices, &parts[1].triangles), (&vec![3, 4, 5], &vec![[0, 1, 2]]));
}

#[test]
fn meshes_that_cannot_be_cut() {
    let list = rigid(&[0, 1, 2]);
    let split = |triangles: &[[u32; 3]], max| split_by_joint_budget(triangles, &list, max);
    assert_eq!(split(&[[0, 0, 0], [0, 1, 2]], 2), Err(SkinError::TriangleJoints { triangle: 1, count: 3, max: 2 }));
    assert_eq!(split(&[[0, 1, 3]], 9), Err(SkinError::UnknownVertex { triangle: 0, vertex: 3, count: 3 }));
    assert_eq!(split(&[], 1), Ok(vec![]));
}

proptest! {
    #[test]
    fn parts_are_the_mesh(seed in any::<u64>(), vertex_count in 3usize..200, budget in 4usize..=70) {
        let mut random = oracle::stream(seed, "budget");
        let list = oracle::influences(&mut random, vertex_count, 80, 4);
        let near = |random: &mut stillframe_base::rng::Stream, first: u32| (first + random.below(3)) % vertex_count as u32;
        let triangles: Vec<[u32; 3]> = (0..vertex_count as u32)
            .map(|first| [first, near(&mut random, first), near(&mut random, first)])
            .collect();
        let parts = match split_by_joint_budget(&triangles, &list, budget) {
            Ok(parts) => parts,
            Err(SkinError::TriangleJoints { triangle, count, max }) => {
                let mut joints: Vec<u16> = triangles[triangle].iter()
                    .flat_map(|v| list.of(*v as usize)).map(|i| i.joint).collect();
                joints.sort_unstable();
                joints.dedup();
                prop_assert!(joints.len() == count && count > max);
                return Ok(());
            }
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        let palette = oracle::palette(&mut random, 80);
        let vertices = oracle::vertices(&mut random, vertex_count);
        let mut all = Vec::new();
        for part in &parts {
            prop_assert!(part.joints.len() <= budget);
            let own: Vec<Affine> = part.joints.iter().map(|joint| palette[usize::from(*joint)]).collect();
            for (vertex, &of_mesh) in part.vertices.iter().enumerate() {
                let at = oracle::position(&vertices, of_mesh as usize);
                let want = oracle::linear(&palette, list.of(of_mesh as usize)).transform_point3(at);
                let got = oracle::linear(&own, &part.influences_of(vertex, &list)).transform_point3(at);
                prop_assert_eq!(got, want);
            }
            all.extend(part.triangles.iter().map(|t| t.map(|v| part.vertices[v as usize])));
        }
        prop_assert_eq!(all, triangles);
    }
}
