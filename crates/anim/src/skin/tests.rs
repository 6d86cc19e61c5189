//! Skins: f64 as the reference, the same bits at every instruction set, and what `validate` refuses.

use glam::{Affine3A, DMat4, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_base::lanes::{Isa, ROW, Row};

use super::*;
use crate::pose::{Affine, JobError};

fn four(blocks: &[InfluenceBlock]) -> MeshInfluences<'_> {
    MeshInfluences { count: 4, blocks }
}

fn bits<T: bytemuck::Pod>(data: &[T]) -> Vec<u32> {
    bytemuck::cast_slice::<T, u32>(data).to_vec()
}

fn palette() -> impl Strategy<Value = Vec<Affine>> {
    let numbers = prop::array::uniform4(-1.0f32..1.0);
    prop::collection::vec((numbers, prop::array::uniform3(-3.0f32..3.0), 0.5f32..1.5), 1..20).prop_map(|joints| {
        let affine = |(q, t, s)| {
            let q = Quat::from_array(q);
            let q = if q.length_squared() > 1e-2 { q.normalize() } else { Quat::IDENTITY };
            Affine3A::from_scale_rotation_translation(Vec3::splat(s), q, Vec3::from_array(t)).into()
        };
        joints.into_iter().map(affine).collect()
    })
}

fn vertices() -> impl Strategy<Value = Vec<VertexBlock>> {
    let row = || prop::array::uniform16(-2.0f32..2.0).prop_map(Row);
    prop::collection::vec(
        (prop::array::uniform3(row()), prop::array::uniform3(row()), prop::array::uniform3(row()))
            .prop_map(|(position, normal, tangent)| VertexBlock { position, normal, tangent }),
        1..5,
    )
}

fn f64_matrix(affine: &Affine) -> DMat4 {
    DMat4::from_cols_array(&affine.0.0.map(f64::from)).transpose()
}

/// Whether lane `lane` of `got` is `from` moved by `matrix`.
fn check(got: &VertexBlock, from: &VertexBlock, lane: usize, matrix: DMat4) -> Result<(), TestCaseError> {
    let at = |rows: &[Row; 3]| DVec3::from_array([0, 1, 2].map(|i| f64::from(rows[i].0[lane])));
    for (got, want) in [
        (&got.position, matrix.transform_point3(at(&from.position))),
        (&got.normal, matrix.transform_vector3(at(&from.normal))),
        (&got.tangent, matrix.transform_vector3(at(&from.tangent))),
    ] {
        prop_assert!((at(got) - want).abs().max_element() < 1e-5, "{:?} and {:?}", at(got), want);
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_mesh_is_that_of_f64_and_equal_everywhere(palette in palette(), vertices in vertices(), seed in any::<u64>()) {
        let random = |b: usize, lane: usize, k: usize| {
            stillframe_base::rng::Rng::new(seed).stream("influence", b as u64).at((lane * 4 + k) as u64)
        };
        let influences: Vec<InfluenceBlock> = (0..vertices.len()).map(|b| {
            let mut block = InfluenceBlock::ZERO;
            for lane in 0..ROW {
                let mut weights = [0, 1, 2, 3].map(|k| (random(b, lane, k) >> 8) as f32);
                let sum: f32 = weights.iter().sum();
                weights.iter_mut().for_each(|w| *w /= sum.max(1.0));
                block.weights[lane] = weights;
                block.joints[lane] = [0, 1, 2, 3].map(|k| (random(b, lane, k) as usize % palette.len()) as u16);
            }
            block
        }).collect();
        let run = |isa| {
            let mut out = vec![VertexBlock::ZERO; vertices.len()];
            let job = SkinMesh { isa, palette: &palette, influences: four(&influences), directions: Directions::Carried, vertices: &vertices, out: &mut out };
            assert_eq!(job.validate(), Ok(()));
            job.run();
            out
        };
        let out = run(Isa::Scalar);
        for (b, block) in out.iter().enumerate() {
            for lane in 0..ROW {
                let mut matrix = DMat4::ZERO;
                for k in 0..4 {
                    let joint = usize::from(influences[b].joints[lane][k]);
                    matrix += f64_matrix(&palette[joint]) * f64::from(influences[b].weights[lane][k]);
                }
                // The last row is 0 0 0 1 also where weights do not quite sum to 1.
                matrix.w_axis.w = 1.0;
                check(block, &vertices[b], lane, matrix)?;
            }
        }
        for isa in Isa::available() {
            prop_assert_eq!(bits(&run(isa)), bits(&out), "{}", isa);
        }
    }

    #[test]
    fn sorted_blocks_are_those_of_f64_and_equal_everywhere(
        palette in palette(), vertices in vertices(), counts in prop::array::uniform5(1usize..9), seed in any::<u64>(),
    ) {
        let mut random = stillframe_base::rng::Rng::new(seed).stream("influence", 0);
        let (mut ends, mut joints, mut weights) = (Vec::new(), Vec::<u16>::new(), Vec::new());
        for b in 0..vertices.len() {
            // What is left of 255 goes to the last joint.
            let mut left = [255u8; ROW];
            for k in 0..counts[b] {
                let mut row = left;
                if k + 1 < counts[b] {
                    row.iter_mut().for_each(|w| *w = random.below(u32::from(*w) + 1) as u8);
                }
                left.iter_mut().zip(row).for_each(|(left, w)| *left -= w);
                joints.push(random.below(palette.len() as u32) as u16);
                weights.push(row);
            }
            ends.push(joints.len() as u32);
        }
        let influences = SortedInfluences { ends: &ends, joints: &joints, weights: &weights };
        let run = |isa| {
            let mut out = vec![VertexBlock::ZERO; vertices.len()];
            let job = SkinSorted { isa, palette: &palette, influences, directions: Directions::Carried, vertices: &vertices, out: &mut out };
            assert_eq!(job.validate(), Ok(()));
            job.run();
            out
        };
        let out = run(Isa::Scalar);
        for (b, block) in out.iter().enumerate() {
            for lane in 0..ROW {
                let mut matrix = DMat4::ZERO;
                for e in ends[b] as usize - counts[b]..ends[b] as usize {
                    matrix += f64_matrix(&palette[usize::from(joints[e])]) * (f64::from(weights[e][lane]) / 255.0);
                }
                check(block, &vertices[b], lane, matrix)?;
            }
        }
        for isa in Isa::available() {
            prop_assert_eq!(bits(&run(isa)), bits(&out), "{}", isa);
        }
    }
}

/// A vertex with one joint moves as that joint does, to the bit: the weight of 255 of 255 is exactly 1.
#[test]
fn one_joint_is_rigid() {
    let palette: Vec<Affine> = vec![Affine3A::from_translation(Vec3::new(0.1, 0.2, 0.3)).into()];
    let vertices = [VertexBlock { position: [Row([0.7; ROW]); 3], ..VertexBlock::ZERO }];
    let influences = SortedInfluences { ends: &[1], joints: &[0], weights: &[[255; ROW]] };
    let of_mesh = [InfluenceBlock { joints: [[0; 4]; ROW], weights: [[1.0, 0.0, 0.0, 0.0]; ROW] }];
    for isa in Isa::available() {
        let mut out = [VertexBlock::ZERO];
        SkinSorted {
            isa,
            palette: &palette,
            influences,
            directions: Directions::Carried,
            vertices: &vertices,
            out: &mut out,
        }
        .run();
        assert_eq!(out[0].position, [Row([0.7 + 0.1; ROW]), Row([0.7 + 0.2; ROW]), Row([0.7 + 0.3; ROW])], "{isa}");
        let sorted = out;
        SkinMesh {
            isa,
            palette: &palette,
            influences: four(&of_mesh),
            directions: Directions::Carried,
            vertices: &vertices,
            out: &mut out,
        }
        .run();
        assert_eq!(out, sorted, "{isa}");
    }
}

/// Results too large for the caches take another way to memory; the bits are the same.
#[test]
fn large_meshes_are_streamed_with_the_same_bits() {
    let count = vertex::STREAM_BYTES / size_of::<VertexBlock>() + 1;
    let palette: Vec<Affine> = vec![Affine3A::from_rotation_z(0.7).into(), Affine3A::from_translation(Vec3::Y).into()];
    let vertices: Vec<VertexBlock> = (0..count)
        .map(|b| {
            let row = |i: usize| Row(std::array::from_fn(|lane| ((b * 7 + lane * 3 + i) % 101) as f32 * 0.1));
            VertexBlock {
                position: [row(0), row(1), row(2)],
                normal: [row(3), row(4), row(5)],
                tangent: [row(6), row(7), row(8)],
            }
        })
        .collect();
    let ends: Vec<u32> = (1..=count).map(|b| b as u32 * 2).collect();
    let joints: Vec<u16> = (0..count).flat_map(|_| [0, 1]).collect();
    let weights: Vec<[u8; ROW]> = (0..count).flat_map(|_| [[100; ROW], [155; ROW]]).collect();
    let part = |from: usize, to: usize, isa| {
        let mut out = vec![VertexBlock::ZERO; to - from];
        let (ends, entries): (Vec<u32>, _) = (ends[..to - from].to_vec(), from * 2..to * 2);
        let influences = SortedInfluences { ends: &ends, joints: &joints[entries.clone()], weights: &weights[entries] };
        SkinSorted {
            isa,
            palette: &palette,
            influences,
            directions: Directions::Carried,
            vertices: &vertices[from..to],
            out: &mut out,
        }
        .run();
        out
    };
    let of_mesh = vec![InfluenceBlock { joints: [[0, 1, 0, 0]; ROW], weights: [[0.25, 0.75, 0.0, 0.0]; ROW] }; count];
    let mesh = |from: usize, to: usize, isa| {
        let mut out = vec![VertexBlock::ZERO; to - from];
        let (influences, vertices) = (&of_mesh[from..to], &vertices[from..to]);
        SkinMesh {
            isa,
            palette: &palette,
            influences: four(influences),
            directions: Directions::Carried,
            vertices,
            out: &mut out,
        }
        .run();
        out
    };
    for isa in Isa::available() {
        let half = count / 2;
        assert!(part(0, count, isa) == [part(0, half, isa), part(half, count, isa)].concat(), "{isa}");
        assert!(mesh(0, count, isa) == [mesh(0, half, isa), mesh(half, count, isa)].concat(), "{isa}");
    }
}

#[test]
fn skins_refuse_what_they_cannot_run() {
    let isa = Isa::detect();
    let (palette, vertices) = ([Affine::IDENTITY; 2], [VertexBlock::ZERO; 2]);
    let mut bad_palette = palette;
    bad_palette[1].0.0[5] = f32::NAN;
    let mut bad_vertices = vertices;
    bad_vertices[1].normal[0].0[2] = f32::INFINITY;
    let good = [InfluenceBlock::ZERO; 2];
    let mut far = good;
    far[1].joints[0][1] = 2;
    let mut weightless = good;
    weightless[0].weights[3][3] = f32::NAN;
    let length = |what, count, want| Err(JobError::Length { what, count, want });
    let not_finite = |what, row, lane| Err(JobError::NotFinite { what, row, lane });
    let index = Err(JobError::JointIndex { what: "joints of the mesh", entry: 65, joint: 2, count: 2 });
    let rows: &[(&[Affine], &[InfluenceBlock], &[VertexBlock], usize, Result<(), JobError>)] = &[
        (&palette, &good, &vertices, 2, Ok(())),
        (&palette, &good[..1], &vertices, 2, length("blocks of influences", 1, 2)),
        (&palette, &good, &vertices, 1, length("blocks written", 1, 2)),
        (&palette, &far, &vertices, 2, index),
        (&palette, &weightless, &vertices, 2, not_finite("weights", 0, 15)),
        (&bad_palette, &good, &vertices, 2, not_finite("palette", 1, 5)),
        (&palette, &good, &bad_vertices, 2, not_finite("vertices", 12, 2)),
    ];
    for (palette, influences, vertices, count, want) in rows {
        let mut out = vec![VertexBlock::ZERO; *count];
        assert_eq!(
            &SkinMesh {
                isa,
                palette,
                influences: four(influences),
                directions: Directions::Carried,
                vertices,
                out: &mut out
            }
            .validate(),
            want
        );
    }

    let index = Err(JobError::JointIndex { what: "joints of the mesh", entry: 1, joint: 2, count: 2 });
    let end = |block, start, end, count| Err(JobError::BlockEnd { block, start, end, count });
    let rows: &[(&[Affine], &[u32], &[u16], usize, &[VertexBlock], usize, Result<(), JobError>)] = &[
        (&palette, &[1, 2], &[0, 1], 2, &vertices, 2, Ok(())),
        (&palette, &[1], &[0, 1], 2, &vertices, 2, length("ends of blocks", 1, 2)),
        (&palette, &[1, 2], &[0, 1], 3, &vertices, 2, length("rows of weights", 3, 2)),
        (&palette, &[1, 2], &[0, 1], 2, &vertices, 3, length("blocks written", 3, 2)),
        (&palette, &[2, 1], &[0, 1], 2, &vertices, 2, end(1, 2, 1, 2)),
        (&palette, &[1, 3], &[0, 1], 2, &vertices, 2, end(1, 1, 3, 2)),
        (&palette, &[1, 2], &[0, 2], 2, &vertices, 2, index),
        (&bad_palette, &[1, 2], &[0, 1], 2, &vertices, 2, not_finite("palette", 1, 5)),
        (&palette, &[1, 2], &[0, 1], 2, &bad_vertices, 2, not_finite("vertices", 12, 2)),
    ];
    for (palette, ends, joints, weight_count, vertices, count, want) in rows {
        let mut out = vec![VertexBlock::ZERO; *count];
        let weights = vec![[255; ROW]; *weight_count];
        let influences = SortedInfluences { ends, joints, weights: &weights };
        assert_eq!(
            &SkinSorted { isa, palette, influences, directions: Directions::Carried, vertices, out: &mut out }
                .validate(),
            want
        );
    }
}

/// The bits themselves: whoever changes an order of operations sees it here, on every machine.
#[test]
fn kernels_keep_their_bits() {
    let mut random = stillframe_base::rng::Rng::new(1).stream("skins", 0);
    let palette: Vec<Affine> = (0..20)
        .map(|_| {
            let mut rows = Row::IDENTITY;
            rows.0[..12].iter_mut().for_each(|x| *x = random.range_f32(-1.0, 1.0));
            Affine(rows)
        })
        .collect();
    let mut row = || Row([(); ROW].map(|()| random.range_f32(-1.0, 1.0)));
    let vertices: Vec<VertexBlock> = (0..5)
        .map(|_| VertexBlock {
            position: [row(), row(), row()],
            normal: [row(), row(), row()],
            tangent: [row(), row(), row()],
        })
        .collect();
    let joints: Vec<u16> = (0..15).map(|_| random.below(20) as u16).collect();
    let weights: Vec<[u8; ROW]> = (0..15).map(|e| [[100, 90, 65][e % 3]; ROW]).collect();
    let influences = SortedInfluences { ends: &[3, 6, 9, 12, 15], joints: &joints, weights: &weights };
    let of_mesh: Vec<InfluenceBlock> = (0..5)
        .map(|_| InfluenceBlock {
            joints: [(); ROW].map(|()| [(); 4].map(|()| random.below(20) as u16)),
            weights: [[0.4, 0.3, 0.2, 0.1]; ROW],
        })
        .collect();
    for isa in Isa::available() {
        let (mut sorted, mut mesh) = ([VertexBlock::ZERO; 5], [VertexBlock::ZERO; 5]);
        SkinSorted {
            isa,
            palette: &palette,
            influences,
            directions: Directions::Carried,
            vertices: &vertices,
            out: &mut sorted,
        }
        .run();
        SkinMesh {
            isa,
            palette: &palette,
            influences: four(&of_mesh),
            directions: Directions::Carried,
            vertices: &vertices,
            out: &mut mesh,
        }
        .run();
        let digest = |bytes: &[u8]| stillframe_base::hash::Digest::of_bytes(bytes).to_string()[..16].to_owned();
        let got = [digest(bytemuck::cast_slice(&sorted)), digest(bytemuck::cast_slice(&mesh))];
        assert_eq!(got, ["b3:b518152898be2", "b3:8e78f3dcca80e"], "{isa}");
    }
}
