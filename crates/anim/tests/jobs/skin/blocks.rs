//! Blocks: vertices sorted by joints move as they did before, and few joints share a block.

use proptest::prelude::*;
use stillframe_anim::skin::{
    Directions, Influence, InfluenceBlock, InfluenceList, MeshInfluences, NO_VERTEX, SkinError, SkinMesh, SkinSorted,
    VertexBlock, sort_blocks,
};
use stillframe_base::lanes::{Isa, ROW};

use super::oracle;

/// Vertices on tubes along the bones of a body: two joints near each other, four where limbs meet.
fn humanoid(rings: usize) -> InfluenceList {
    let mut list = InfluenceList::new(67, 4);
    for joint in 0u16..67 {
        for ring in 0..rings {
            for side in 0..24 {
                let along = ring as f32 / rings as f32;
                let (before, after) = (joint.saturating_sub(1), (joint + 1).min(66));
                let mut raw = vec![
                    Influence { joint, weight: 1.0 },
                    Influence { joint: before, weight: (0.5 - along).max(0.0) },
                    Influence { joint: after, weight: (along - 0.5).max(0.0) },
                ];
                // Every fifth joint carries another limb, which one side of it feels.
                if joint % 5 == 1 && side < 10 {
                    raw.push(Influence { joint: joint / 3, weight: (0.4 - along).max(0.0) });
                }
                list.push(&raw).expect("good weights");
            }
        }
    }
    list
}

#[test]
fn a_body_has_about_three_joints_a_block() {
    for rings in [3, 10, 40] {
        let list = humanoid(rings);
        for joints_max in [4, 6, 8] {
            let report = sort_blocks(&list, joints_max).expect("at most four joints a vertex").report;
            assert!(report.joints_mean < 3.1, "{report:?}");
            assert!(report.joints_mean <= report.joints_mean_unsorted, "{report:?}");
            assert!(report.joints_max <= joints_max, "{report:?}");
            let least = if joints_max == 4 { 0.93 } else { 0.97 };
            assert!(report.fill >= least, "{joints_max}: {report:?}");
            assert_eq!(report.vertex_count, 67 * 24 * rings);
        }
    }
}

#[test]
fn blocks_that_cannot_be() {
    let mut list = InfluenceList::new(5, 5);
    let raw: Vec<Influence> = (0..5).map(|joint| Influence { joint, weight: 1.0 }).collect();
    list.push(&raw).expect("good weights");
    assert_eq!(sort_blocks(&list, 4), Err(SkinError::VertexJoints { vertex: 0, count: 5, max: 4 }));
    assert!(sort_blocks(&list, 5).is_ok());
    let none = sort_blocks(&InfluenceList::new(5, 4), 4).expect("a mesh without vertices");
    assert_eq!((none.vertices.len(), none.report.fill), (0, 1.0));
}

proptest! {
    #[test]
    fn sorted_vertices_move_as_they_did(seed in any::<u64>(), count in 1usize..400, joints in 1usize..30, most in 1usize..=8) {
        let mut random = oracle::stream(seed, "blocks");
        let list = oracle::influences(&mut random, count, joints, most);
        let (palette, vertices) = (oracle::palette(&mut random, joints), oracle::vertices(&mut random, count));
        let sorted = sort_blocks(&list, 8).expect("eight joints are the most a vertex has");
        let arranged = sorted.arrange(&vertices);

        // Every vertex has one slot, every slot its vertex.
        prop_assert_eq!(sorted.slots.len(), count);
        for (vertex, &slot) in sorted.slots.iter().enumerate() {
            prop_assert_eq!(sorted.vertices[slot as usize], vertex as u32);
        }
        prop_assert_eq!(sorted.vertices.iter().filter(|v| **v != NO_VERTEX).count(), count);

        // The same weights, in 255ths and by rising joint, for the job that takes any order: the same sums, but for the
        // sign of 0.
        let influences = sorted.influences();
        let mut blocks = vec![InfluenceBlock::ZERO; vertices.len() * 2];
        for (vertex, &slot) in sorted.slots.iter().enumerate() {
            let (b, lane) = (slot as usize / ROW, slot as usize % ROW);
            let start = if b == 0 { 0 } else { influences.ends[b - 1] as usize };
            let moving = (start..influences.ends[b] as usize).filter(|e| influences.weights[*e][lane] > 0);
            for (k, e) in moving.enumerate() {
                let block = &mut blocks[vertex / ROW * 2 + k / 4];
                block.joints[vertex % ROW][k % 4] = influences.joints[e];
                block.weights[vertex % ROW][k % 4] = f32::from(influences.weights[e][lane]) * (1.0 / 255.0);
            }
        }
        for isa in Isa::available() {
            let (mut want, mut got) = (vertices.clone(), vec![VertexBlock::ZERO; arranged.len()]);
            let influences = MeshInfluences { count: 8, blocks: &blocks };
            let directions = Directions::InverseTranspose;
            SkinMesh { isa, palette: &palette, influences, directions, vertices: &vertices, out: &mut want }.run();
            let influences = sorted.influences();
            let job = SkinSorted { isa, palette: &palette, influences, directions, vertices: &arranged, out: &mut got };
            prop_assert_eq!(job.validate(), Ok(()));
            job.run();
            for (vertex, &slot) in sorted.slots.iter().enumerate() {
                let slot = slot as usize;
                prop_assert_eq!(oracle::position(&got, slot), oracle::position(&want, vertex));
                prop_assert_eq!(oracle::normal(&got, slot), oracle::normal(&want, vertex));
                prop_assert_eq!(oracle::tangent(&got, slot), oracle::tangent(&want, vertex));
            }
        }
        // And they are those of the weights before they were rounded to 255ths, within what that costs.
        let mut got = vec![VertexBlock::ZERO; arranged.len()];
        let directions = Directions::Carried;
        SkinSorted {
            isa: Isa::Scalar, palette: &palette, influences: sorted.influences(), directions, vertices: &arranged, out: &mut got,
        }.run();
        for (vertex, &slot) in sorted.slots.iter().enumerate() {
            let want = oracle::linear(&palette, list.of(vertex)).transform_point3(oracle::position(&vertices, vertex));
            // Eight weights, each less than 1/255 off, of places at most 8 m apart.
            prop_assert!(oracle::position(&got, slot as usize).distance(want) < 8.0 * 8.0 / 255.0);
        }
    }
}
