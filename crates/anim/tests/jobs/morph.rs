//! Morphs: f64 as the reference, the same bits at every instruction set, sparse as dense, and what is refused.

use glam::{Affine3A, DVec3, Quat, Vec3};
use proptest::prelude::*;
use stillframe_anim::morph::{Morph, MorphChannel, MorphDirections, MorphError, MorphSet, MorphTarget, target_weights};
use stillframe_anim::pose::{Affine, JobError};
use stillframe_anim::skin::{Directions, InfluenceBlock, MeshInfluences, SkinMesh, VertexBlock};
use stillframe_base::lanes::{Isa, ROW, Row};

/// A target that owns its lists.
#[derive(Clone, Debug, Default)]
struct Owned {
    vertices: Vec<u32>,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 3]>,
}

impl Owned {
    fn target(&self) -> MorphTarget<'_> {
        let Owned { vertices, positions, normals, tangents } = self;
        MorphTarget { vertices, positions, normals, tangents }
    }
    /// The same with every vertex listed.
    fn dense(&self, vertex_count: usize) -> Owned {
        let spread = |from: &[[f32; 3]]| {
            let mut all = vec![[0.0; 3]; if from.is_empty() { 0 } else { vertex_count }];
            for (vertex, from) in self.vertices.iter().zip(from) {
                all[*vertex as usize] = *from;
            }
            all
        };
        Owned {
            vertices: if self.vertices.is_empty() { Vec::new() } else { (0..vertex_count as u32).collect() },
            positions: spread(&self.positions),
            normals: spread(&self.normals),
            tangents: spread(&self.tangents),
        }
    }
}

fn set_of(vertex_count: usize, targets: &[Owned]) -> MorphSet {
    MorphSet::new(vertex_count, &targets.iter().map(Owned::target).collect::<Vec<_>>()).expect("targets in order")
}

fn vectors(count: usize) -> impl Strategy<Value = Vec<[f32; 3]>> {
    prop::collection::vec(
        prop::array::uniform3(prop_oneof![4 => -1.0f32..1.0, 1 => Just(0.0f32), 1 => Just(-0.0f32)]),
        count,
    )
}

fn targets(vertex_count: usize) -> impl Strategy<Value = Owned> {
    (prop::collection::btree_set(0..vertex_count as u32, 0..=vertex_count), any::<bool>(), any::<bool>())
        .prop_flat_map(|(vertices, normals, tangents)| {
            let count = vertices.len();
            let or_none = |has: bool| if has { count } else { 0 };
            (Just(vertices), vectors(count), vectors(or_none(normals)), vectors(or_none(tangents)))
        })
        .prop_map(|(vertices, positions, normals, tangents)| Owned {
            vertices: vertices.into_iter().collect(),
            positions,
            normals,
            tangents,
        })
}

#[derive(Clone, Debug)]
struct Face {
    vertex_count: usize,
    vertices: Vec<VertexBlock>,
    targets: Vec<Owned>,
    weights: Vec<f32>,
}

fn faces(weights: std::ops::RangeInclusive<f32>) -> impl Strategy<Value = Face> {
    (1usize..70).prop_flat_map(move |vertex_count| {
        let vertices = (vectors(vertex_count), vectors(vertex_count), vectors(vertex_count));
        let weight = prop_oneof![4 => weights.clone(), 1 => Just(0.0f32), 1 => Just(1.0f32)];
        let weighted = prop::collection::vec((targets(vertex_count), weight), 0..6);
        (Just(vertex_count), vertices, weighted).prop_map(|(vertex_count, (positions, normals, tangents), weighted)| {
            let (targets, weights) = weighted.into_iter().unzip();
            Face { vertex_count, vertices: pack(&positions, &normals, &tangents), targets, weights }
        })
    })
}

fn pack(positions: &[[f32; 3]], normals: &[[f32; 3]], tangents: &[[f32; 3]]) -> Vec<VertexBlock> {
    let mut blocks = vec![VertexBlock::ZERO; VertexBlock::count_for(positions.len())];
    for vertex in 0..positions.len() {
        let (block, lane) = (&mut blocks[vertex / ROW], vertex % ROW);
        let put = |rows: &mut [Row; 3], from: Vec3| (0..3).for_each(|axis| rows[axis].0[lane] = from[axis]);
        let unit = |from: [f32; 3]| Vec3::from_array(from).try_normalize().unwrap_or(Vec3::Z);
        put(&mut block.position, Vec3::from_array(positions[vertex]));
        put(&mut block.normal, unit(normals[vertex]));
        put(&mut block.tangent, unit(tangents[vertex]));
    }
    blocks
}

fn at(rows: &[Row; 3], lane: usize) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| f64::from(rows[axis].0[lane])))
}

fn bits(blocks: &[VertexBlock]) -> Vec<u32> {
    bytemuck::cast_slice::<VertexBlock, u32>(blocks).to_vec()
}

fn run(isa: Isa, set: &MorphSet, weights: &[f32], vertices: &[VertexBlock]) -> Vec<VertexBlock> {
    // What was there before must not show.
    let mut out = vec![VertexBlock { position: [Row([7.0; ROW]); 3], ..VertexBlock::ZERO }; vertices.len()];
    let job = Morph { isa, set, weights, directions: MorphDirections::Unit, vertices, out: &mut out };
    assert_eq!(job.validate(), Ok(()));
    job.run();
    out
}

/// The sum of a vertex's vectors in f64.
fn sum(base: DVec3, face: &Face, vertex: usize, list: fn(&Owned) -> &Vec<[f32; 3]>) -> DVec3 {
    let mut sum = base;
    for (target, weight) in face.targets.iter().zip(&face.weights) {
        let entry = target.vertices.iter().position(|own| *own as usize == vertex);
        if let Some(delta) = entry.and_then(|entry| list(target).get(entry)) {
            sum += Vec3::from_array(*delta).as_dvec3() * f64::from(*weight);
        }
    }
    sum
}

proptest! {
    #[test]
    fn morphs_are_those_of_f64_and_equal_everywhere(face in faces(-2.0..=2.0)) {
        let set = set_of(face.vertex_count, &face.targets);
        let out = run(Isa::Scalar, &set, &face.weights, &face.vertices);
        for isa in Isa::available() {
            prop_assert_eq!(bits(&run(isa, &set, &face.weights, &face.vertices)), bits(&out), "{}", isa);
        }
        for vertex in 0..face.vertex_count {
            let (from, to, lane) = (&face.vertices[vertex / ROW], &out[vertex / ROW], vertex % ROW);
            let want = sum(at(&from.position, lane), &face, vertex, |t| &t.positions);
            prop_assert!(at(&to.position, lane).distance(want) < 4e-6);
            for (base, got, want) in [
                (&from.normal, &to.normal, sum(at(&from.normal, lane), &face, vertex, |t| &t.normals)),
                (&from.tangent, &to.tangent, sum(at(&from.tangent, lane), &face, vertex, |t| &t.tangents)),
            ] {
                if want == at(base, lane) {
                    prop_assert_eq!(at(got, lane), want);
                } else if want.length() > 1e-2 {
                    prop_assert!(at(got, lane).distance(want.normalize()) < 4e-4, "{:?} and {want:?}", at(got, lane));
                }
            }
        }
    }

    #[test]
    fn sparse_and_dense_targets_give_the_same_bits(face in faces(-2.0..=2.0)) {
        let dense: Vec<Owned> = face.targets.iter().map(|target| target.dense(face.vertex_count)).collect();
        let (sparse, dense) = (set_of(face.vertex_count, &face.targets), set_of(face.vertex_count, &dense));
        prop_assert!(sparse.entry_count() <= dense.entry_count());
        for isa in Isa::available() {
            let [a, b] = [&sparse, &dense].map(|set| bits(&run(isa, set, &face.weights, &face.vertices)));
            prop_assert_eq!(a, b, "{}", isa);
        }
    }

    /// Without weight everything is the base's bits, whatever was there before: a sweep leaves nothing behind.
    #[test]
    fn no_weight_is_the_base_to_the_bit(mut face in faces(0.0..=1.0), minus in any::<bool>()) {
        let set = set_of(face.vertex_count, &face.targets);
        face.weights.fill(if minus { -0.0 } else { 0.0 });
        prop_assert_eq!(bits(&run(Isa::detect(), &set, &face.weights, &face.vertices)), bits(&face.vertices));
    }

    #[test]
    fn boxes_hold_every_weight_from_0_to_1(face in faces(0.0..=1.0)) {
        let set = set_of(face.vertex_count, &face.targets);
        let boxes = set.vertex_boxes(&face.vertices).expect("its own mesh");
        let out = run(Isa::detect(), &set, &face.weights, &face.vertices);
        for (vertex, bounds) in boxes.iter().enumerate() {
            let at = at(&out[vertex / ROW].position, vertex % ROW).as_vec3();
            prop_assert!(bounds.contains(at), "vertex {vertex}: {at:?} in {bounds:?}");
        }
        // And they are tight: each side is reached by some choice of 0 and 1.
        let vertex = 0;
        for axis in 0..3 {
            let delta = |target: &Owned| {
                let entry = target.vertices.iter().position(|own| *own as usize == vertex);
                entry.map_or(0.0, |entry| target.positions[entry][axis])
            };
            let weights: Vec<f32> = face.targets.iter().map(|t| if delta(t) > 0.0 { 1.0 } else { 0.0 }).collect();
            let out = run(Isa::detect(), &set, &weights, &face.vertices);
            prop_assert!((boxes[vertex].max[axis] - out[0].position[axis].0[vertex]).abs() < 1e-5);
        }
    }

    #[test]
    fn channels_are_continuous_and_exact_at_their_shapes(
        fulls in prop::collection::btree_set(1u32..100, 1..5), weight in -1.0f64..2.0, step in 0.0f64..1e-6,
    ) {
        let shapes: Vec<(f64, usize)> = fulls.iter().enumerate().map(|(i, full)| (f64::from(*full) / 64.0, i)).collect();
        let channels = [MorphChannel { shapes: &shapes }];
        let weights = |weight: f64| {
            let mut out = vec![9.0; shapes.len()];
            target_weights(&channels, &[weight], &mut out).expect("in order");
            out
        };
        for (i, (full, _)) in shapes.iter().enumerate() {
            let want: Vec<f32> = (0..shapes.len()).map(|k| if k == i { 1.0 } else { 0.0 }).collect();
            prop_assert_eq!(weights(*full), want);
        }
        prop_assert!(weights(0.0).iter().all(|weight| *weight == 0.0));
        let (a, b) = (weights(weight), weights(weight + step));
        prop_assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 65.0 * 1e-6 + 1e-6), "{a:?} and {b:?}");
        // Between the first and the last shape the weights are shares.
        if weight >= shapes[0].0 && weight <= shapes[shapes.len() - 1].0 {
            prop_assert!((a.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn in_between_shapes_share() {
    let (one, two) = ([(1.0, 0)], [(0.5, 0), (1.0, 1)]);
    for (shapes, weight, want) in [
        (&one[..], 0.25, [0.25, 0.0]),
        (&one[..], 2.0, [2.0, 0.0]),
        (&one[..], -1.0, [-1.0, 0.0]),
        (&two[..], 0.25, [0.5, 0.0]),
        (&two[..], 0.5, [1.0, 0.0]),
        (&two[..], 0.75, [0.5, 0.5]),
        (&two[..], 1.0, [0.0, 1.0]),
        (&two[..], 1.5, [0.0, 1.5]),
        (&two[..], -0.5, [-1.0, 0.0]),
        (&[][..], 0.5, [0.0, 0.0]),
    ] {
        let mut out = [9.0; 2];
        assert_eq!(target_weights(&[MorphChannel { shapes }], &[weight], &mut out), Ok(()));
        assert_eq!(out, want, "{} shapes at {weight}", shapes.len());
    }
    // An empty channel in the middle shifts nothing (D26): channels name their targets.
    let (first, last) = ([(1.0, 0)], [(1.0, 1)]);
    let channels = [&first[..], &[], &last[..]].map(|shapes| MorphChannel { shapes });
    let mut out = [9.0; 2];
    assert_eq!(target_weights(&channels, &[0.25, 0.5, 0.75], &mut out), Ok(()));
    assert_eq!(out, [0.25, 0.75]);
}

#[test]
fn channels_refuse_what_has_no_meaning() {
    let refused = |shapes: &[(f64, usize)], weight: f64| {
        target_weights(&[MorphChannel { shapes }], &[weight], &mut [0.0; 2]).expect_err("refused")
    };
    for weight in [f64::NAN, f64::INFINITY] {
        assert!(matches!(refused(&[(1.0, 0)], weight), MorphError::ChannelWeight { channel: 0, .. }));
    }
    let full = |shape, full, above| MorphError::Full { channel: 0, shape, full, above };
    assert_eq!(refused(&[(0.0, 0)], 0.5), full(0, 0.0, 0.0));
    assert_eq!(refused(&[(0.5, 0), (0.5, 1)], 0.5), full(1, 0.5, 0.5));
    assert!(matches!(refused(&[(f64::NAN, 0)], 0.5), MorphError::Full { .. }));
    assert_eq!(refused(&[(1.0, 2)], 0.5), MorphError::Target { channel: 0, shape: 0, target: 2, count: 2 });
    let lengths = JobError::Length { what: "weights of channels", count: 2, want: 0 };
    assert_eq!(target_weights(&[], &[0.0; 2], &mut []), Err(lengths.into()));
}

/// A target of no difference leaves normals to the bit, also where it lists them.
#[test]
fn no_difference_leaves_normals() {
    let target = Owned {
        vertices: vec![0, 1],
        positions: vec![[0.0; 3]; 2],
        normals: vec![[0.0; 3]; 2],
        tangents: vec![[0.0; 3]; 2],
    };
    // Not quite of unit length, as files have them.
    let mut vertices = pack(&[[1.0; 3]; 2], &[[1.0, 2.0, 3.0]; 2], &[[0.0; 3]; 2]);
    vertices[0].normal[0].0[0] *= 1.001;
    assert_eq!(bits(&run(Isa::detect(), &set_of(2, &[target]), &[1.0], &vertices)), bits(&vertices));
}

/// A normal that is taken away altogether is the base's, not NaN.
#[test]
fn normals_without_length_are_the_base_s() {
    let target = Owned {
        vertices: vec![0],
        positions: vec![[0.0; 3]],
        normals: vec![[0.0, 0.0, -1.0]],
        tangents: vec![[3.0, 0.0, -1.0]],
    };
    let vertices = pack(&[[0.0; 3]], &[[0.0, 0.0, 1.0]], &[[0.0, 0.0, 1.0]]);
    for isa in Isa::available() {
        let out = run(isa, &set_of(1, std::slice::from_ref(&target)), &[1.0], &vertices);
        assert_eq!(at(&out[0].normal, 0), DVec3::Z);
        assert_eq!(at(&out[0].tangent, 0), DVec3::X);
    }
}

#[test]
fn each_fault_is_named() {
    let good = Owned { vertices: vec![1, 5], positions: vec![[0.5; 3]; 2], ..Owned::default() };
    let refused = |target: Owned| MorphSet::new(6, &[MorphTarget::default(), target.target()]).expect_err("refused");
    let short = Owned { positions: vec![[0.0; 3]], ..good.clone() };
    assert_eq!(refused(short), MorphError::Length { target: 1, what: "positions", count: 1, want: 2 });
    let short = Owned { normals: vec![[0.0; 3]; 3], ..good.clone() };
    assert_eq!(refused(short), MorphError::Length { target: 1, what: "normals", count: 3, want: 2 });
    let outside = Owned { vertices: vec![1, 6], ..good.clone() };
    assert_eq!(refused(outside), MorphError::VertexIndex { target: 1, entry: 1, vertex: 6, count: 6 });
    for vertices in [vec![5, 1], vec![1, 1]] {
        let order = Owned { vertices, ..good.clone() };
        assert_eq!(refused(order), MorphError::VertexOrder { target: 1, entry: 1 });
    }
    let nan = Owned { positions: vec![[0.0; 3], [0.0, f32::NAN, 0.0]], ..good.clone() };
    assert_eq!(refused(nan), MorphError::NotFinite { target: 1, entry: 1 });
    let many = vec![MorphTarget::default(); (1 << 16) + 1];
    assert!(matches!(MorphSet::new(1, &many), Err(MorphError::TooMany { what: "targets", .. })));

    let (set, vertices) = (set_of(6, &[good]), [VertexBlock::ZERO]);
    let validate = |weights: &[f32], vertices: &[VertexBlock], out: &mut [VertexBlock]| {
        let directions = MorphDirections::Unit;
        Morph { isa: Isa::detect(), set: &set, weights, directions, vertices, out }.validate()
    };
    for weight in [f32::NAN, f32::INFINITY] {
        let got = validate(&[weight], &vertices, &mut [VertexBlock::ZERO]);
        assert!(matches!(got, Err(MorphError::Weight { target: 0, .. })), "{got:?}");
    }
    let length = |what, count, want| Err(JobError::Length { what, count, want }.into());
    assert_eq!(validate(&[], &vertices, &mut [VertexBlock::ZERO]), length("weights of targets", 0, 1));
    assert_eq!(validate(&[0.0], &[], &mut []), length("blocks of the mesh", 0, 1));
    assert_eq!(validate(&[0.0], &vertices, &mut []), length("blocks written", 0, 1));
    let mut nan = vertices;
    nan[0].normal[1].0[3] = f32::NAN;
    let want = JobError::NotFinite { what: "vertices", row: 4, lane: 3 };
    assert_eq!(validate(&[0.0], &nan, &mut [VertexBlock::ZERO]), Err(want.into()));
    assert!(set.vertex_boxes(&[]).is_err());
}

/// Morph first, then skin: the smile turns with the head. In the other order it would stay on the spot.
#[test]
fn morph_first_then_skin() {
    let smile = Owned { vertices: vec![0], positions: vec![[0.0, 0.0, 1.0]], ..Owned::default() };
    let set = set_of(1, &[smile]);
    let vertices = pack(&[[0.0; 3]], &[[0.0; 3]], &[[0.0; 3]]);
    let quarter = Quat::from_xyzw(0.0, 0.5f32.sqrt(), 0.0, 0.5f32.sqrt());
    let palette = [Affine::from(Affine3A::from_rotation_translation(quarter, Vec3::Y))];
    let influences = [InfluenceBlock { joints: [[0; 4]; ROW], weights: [[1.0, 0.0, 0.0, 0.0]; ROW] }];
    let skin = |vertices: &[VertexBlock]| {
        let mut out = [VertexBlock::ZERO];
        SkinMesh {
            isa: Isa::detect(),
            palette: &palette,
            influences: MeshInfluences { count: 4, blocks: &influences },
            directions: Directions::Carried,
            vertices,
            out: &mut out,
        }
        .run();
        out
    };
    let right = skin(&run(Isa::detect(), &set, &[1.0], &vertices));
    assert!(at(&right[0].position, 0).distance(DVec3::new(1.0, 1.0, 0.0)) < 1e-6);
    let wrong = run(Isa::detect(), &set, &[1.0], &skin(&vertices));
    assert!(at(&wrong[0].position, 0).distance(DVec3::new(0.0, 1.0, 1.0)) < 1e-6);
}
