//! Twins: the renderer's bending of one vertex after the other beside the kernels of `stillframe_anim`, sixteen at a time.
//!
//! Both say their sums in the same order, so what joints make of positions, normals and tangents is equal number by number, on every instruction set. Equal numbers, not
//! bits: the renderer's sums begin with a 0, which turns -0 into 0. Where bits differ by more, a test says why:
//! - Kernels make normals and tangents unit between shapes and joints, the renderer at the end only.
//! - A joint that mirrors: the kernel's normals stay on the outside, the renderer's on the side from which triangles run counter-clockwise.

use glam::{Affine3A, Mat3, Quat, Vec3};
use proptest::prelude::{any, prop_assert, prop_assert_eq};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use stillframe::asset::{Bend, Bent, Delta, Form, Geometry, Influence, Posture};
use stillframe_anim::morph::{Morph, MorphSet, MorphTarget};
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    Directions, DualJoint, InfluenceBlock, MeshInfluences, SkinDualQuaternion, SkinMesh, VertexBlock, dual_palette,
};
use stillframe_base::lanes::{Isa, ROW};
use stillframe_base::rng::{Rng, Stream};

const CASES: u32 = 200;

/// A mesh at random, with its joints and shapes.
struct Case {
    rest: Geometry,
    bend: Bend,
    palette: Vec<Affine>,
    shares: Vec<f32>,
    influence_count: usize,
}

/// What joints may do.
#[derive(Clone, Copy, PartialEq)]
enum Joints {
    None,
    Turn,
    ScaleEvenly,
    ScaleAndMirror,
}

fn vector(stream: &mut Stream, size: f32) -> Vec3 {
    Vec3::from_array([(); 3].map(|()| stream.range_f32(-size, size)))
}

/// Of a length that a quotient can be taken by.
fn unit(stream: &mut Stream) -> Vec3 {
    loop {
        let vector = vector(stream, 1.0);
        if vector.length() > 0.1 {
            return vector.normalize();
        }
    }
}

fn joint(stream: &mut Stream, joints: Joints) -> Affine {
    let [x, y, z, w] = [(); 4].map(|()| stream.range_f32(-1.0, 1.0));
    let turn =
        if x * x + y * y + z * z + w * w > 0.01 { Quat::from_xyzw(x, y, z, w).normalize() } else { Quat::IDENTITY };
    let even = stream.range_f32(0.25, 4.0);
    let scale = match joints {
        Joints::None | Joints::Turn => Vec3::ONE,
        Joints::ScaleEvenly => Vec3::splat(even),
        Joints::ScaleAndMirror => Vec3::from_array([(); 3].map(|()| {
            let size = stream.range_f32(0.25, 4.0);
            if stream.one_in(4) { -size } else { size }
        })),
    };
    Affine3A::from_scale_rotation_translation(scale, turn, vector(stream, 3.0)).into()
}

impl Case {
    fn new(seed: u64, joints: Joints, has_shapes: bool) -> Case {
        let mut stream = Rng::new(seed).stream("bend", 0);
        let vertex_count = 1 + stream.below(50) as usize;
        let influence_count = 1 + stream.below(8) as usize;
        let palette: Vec<Affine> = (0..1 + stream.below(20)).map(|_| joint(&mut stream, joints)).collect();
        let mut rest = Geometry::default();
        let mut bend = Bend { starts: vec![[0; 2]], ..Bend::default() };
        let target_count = if has_shapes { 1 + stream.below(6) } else { 0 };
        for _ in 0..vertex_count {
            rest.positions.push(vector(&mut stream, 2.0).to_array());
            rest.normals.push(unit(&mut stream).to_array());
            rest.tangents.push(unit(&mut stream).extend(if stream.one_in(2) { 1.0 } else { -1.0 }).to_array());
            if joints != Joints::None {
                let own = 1 + stream.below(influence_count as u32);
                let weights: Vec<f32> = (0..own).map(|_| stream.range_f32(0.01, 1.0)).collect();
                let sum: f32 = weights.iter().sum();
                let influences = weights.iter().map(|weight| weight / sum);
                let influences =
                    influences.map(|weight| Influence { joint: stream.below(palette.len() as u32), weight });
                bend.influences.extend(influences);
            }
            for target in 0..target_count {
                if stream.one_in(2) {
                    let [position, normal, tangent] = [0.2, 0.1, 0.1].map(|size| vector(&mut stream, size).to_array());
                    bend.deltas.push(Delta { target, position, normal, tangent });
                }
            }
            bend.close();
        }
        let share = |stream: &mut Stream| if stream.one_in(4) { 0.0 } else { stream.range_f32(-0.5, 1.5) };
        let shares = (0..target_count).map(|_| share(&mut stream)).collect();
        Case { rest, bend, palette, shares, influence_count }
    }

    fn rows(&self) -> Vec<[[f32; 4]; 3]> {
        let rows = |affine: &Affine| [0, 4, 8].map(|first| [0, 1, 2, 3].map(|column| affine.0.0[first + column]));
        self.palette.iter().map(rows).collect()
    }

    fn renderer(&self, joints: Vec<[[f32; 4]; 3]>, form: Form) -> Bent {
        self.bend.bent(&self.rest, Posture { joints, form, shares: self.shares.clone() })
    }

    fn blocks(&self) -> Vec<VertexBlock> {
        let mut blocks = vec![VertexBlock::ZERO; VertexBlock::count_for(self.rest.positions.len())];
        for vertex in 0..self.rest.positions.len() {
            let (block, lane) = (&mut blocks[vertex / ROW], vertex % ROW);
            for axis in 0..3 {
                block.position[axis].0[lane] = self.rest.positions[vertex][axis];
                block.normal[axis].0[lane] = self.rest.normals[vertex][axis];
                block.tangent[axis].0[lane] = self.rest.tangents[vertex][axis];
            }
        }
        blocks
    }

    /// In the order in which the renderer sums them.
    fn influences(&self) -> Vec<InfluenceBlock> {
        let sets = InfluenceBlock::sets_for(self.influence_count);
        let mut blocks = vec![InfluenceBlock::ZERO; VertexBlock::count_for(self.rest.positions.len()) * sets];
        for vertex in 0..self.rest.positions.len() {
            for (k, influence) in self.bend.influences_of(vertex).iter().enumerate() {
                let (block, lane) = (&mut blocks[vertex / ROW * sets + k / 4], vertex % ROW);
                (block.joints[lane][k % 4], block.weights[lane][k % 4]) = (influence.joint as u16, influence.weight);
            }
        }
        blocks
    }

    fn skinned(&self, isa: Isa, vertices: &[VertexBlock], directions: Directions) -> Vec<VertexBlock> {
        let mut out = vec![VertexBlock::ZERO; vertices.len()];
        let blocks = self.influences();
        let influences = MeshInfluences { count: self.influence_count, blocks: &blocks };
        let job = SkinMesh { isa, palette: &self.palette, influences, directions, vertices, out: &mut out };
        job.validate().unwrap();
        job.run();
        out
    }

    /// By shape: which vertices, and their deltas.
    fn shaped(&self, isa: Isa) -> Vec<VertexBlock> {
        type Lists = (Vec<u32>, [Vec<[f32; 3]>; 3]);
        let mut lists: Vec<Lists> = vec![Lists::default(); self.shares.len()];
        for vertex in 0..self.bend.vertex_count() {
            let [from, to] = [vertex, vertex + 1].map(|at| self.bend.starts[at][1] as usize);
            for delta in &self.bend.deltas[from..to] {
                let (vertices, [positions, normals, tangents]) = &mut lists[delta.target as usize];
                vertices.push(vertex as u32);
                positions.push(delta.position);
                normals.push(delta.normal);
                tangents.push(delta.tangent);
            }
        }
        let targets = lists.iter().map(|(vertices, [positions, normals, tangents])| MorphTarget {
            vertices,
            positions,
            normals,
            tangents,
        });
        let targets: Vec<MorphTarget<'_>> = targets.collect();
        let set = MorphSet::new(self.bend.vertex_count(), &targets).unwrap();
        let vertices = self.blocks();
        let mut out = vec![VertexBlock::ZERO; vertices.len()];
        let job = Morph { isa, set: &set, weights: &self.shares, vertices: &vertices, out: &mut out };
        job.validate().unwrap();
        job.run();
        out
    }
}

/// Position, normal and tangent of a vertex.
fn of_block(blocks: &[VertexBlock], vertex: usize) -> [Vec3; 3] {
    let block = &blocks[vertex / ROW];
    [block.position, block.normal, block.tangent].map(|planes| Vec3::from_array(planes.map(|row| row.0[vertex % ROW])))
}

fn of_bent(bent: &Bent, vertex: usize) -> [Vec3; 3] {
    let [x, y, z, _] = bent.tangents[vertex];
    [bent.positions[vertex].into(), bent.normals[vertex].into(), Vec3::new(x, y, z)]
}

fn for_cases(check: impl Fn(u64, Isa) -> Result<(), TestCaseError>) {
    let config = Config { failure_persistence: None, ..Config::default() };
    let cases = config.cases.max(CASES);
    let mut runner = TestRunner::new(Config { cases, ..config });
    let isas = Isa::available();
    let result = runner.run(&any::<u64>(), |seed| isas.iter().try_for_each(|isa| check(seed, *isa)));
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn matrices_bend_as_the_kernels_do() {
    for joints in [Joints::Turn, Joints::ScaleEvenly] {
        for_cases(|seed, isa| {
            let case = Case::new(seed, joints, false);
            let (ours, twin) = (
                case.renderer(case.rows(), Form::Matrices),
                case.skinned(isa, &case.blocks(), Directions::InverseTranspose),
            );
            for vertex in 0..case.rest.positions.len() {
                // What the blend has flattened or turned inside out is the next test's.
                if determinant(&case, vertex) > 1e-3 {
                    prop_assert_eq!(of_bent(&ours, vertex), of_block(&twin, vertex), "vertex {}, {:?}", vertex, isa);
                }
            }
            Ok(())
        });
    }
}

/// Of the blended matrix of a vertex.
fn determinant(case: &Case, vertex: usize) -> f32 {
    let mut sum = Mat3::ZERO;
    for influence in case.bend.influences_of(vertex) {
        sum += Mat3::from(Affine3A::from(case.palette[influence.joint as usize]).matrix3) * influence.weight;
    }
    sum.determinant()
}

/// Mirrored, a surface's triangles run the other way round: the renderer's normals go with them, the kernel's stay outside.
#[test]
fn mirrors_turn_the_renderers_normals_only() {
    for_cases(|seed, isa| {
        let case = Case::new(seed, Joints::ScaleAndMirror, false);
        let (ours, twin) = (
            case.renderer(case.rows(), Form::Matrices),
            case.skinned(isa, &case.blocks(), Directions::InverseTranspose),
        );
        for vertex in 0..case.rest.positions.len() {
            let ([position, normal, tangent], mut wanted) = (of_bent(&ours, vertex), of_block(&twin, vertex));
            // Near 0 the sign is the rounding's.
            let determinant = determinant(&case, vertex);
            if determinant.abs() > 1e-3 {
                wanted[1] *= determinant.signum();
                prop_assert_eq!(normal, wanted[1], "vertex {}, {:?}", vertex, isa);
            }
            prop_assert_eq!([position, tangent], [wanted[0], wanted[2]], "vertex {}, {:?}", vertex, isa);
        }
        Ok(())
    });
}

#[test]
fn dual_quaternions_bend_as_the_kernels_do() {
    for joints in [Joints::Turn, Joints::ScaleEvenly] {
        for_cases(|seed, isa| {
            let case = Case::new(seed, joints, false);
            let mut duals = vec![DualJoint::IDENTITY; case.palette.len()];
            dual_palette(&case.palette, &mut duals).unwrap();
            let rows = |dual: &DualJoint| [0, 4, 8].map(|first| [0, 1, 2, 3].map(|n| dual.0[0].0[first + n]));
            let ours = case.renderer(duals.iter().map(rows).collect(), Form::DualQuaternions);
            let (vertices, blocks) = (case.blocks(), case.influences());
            let mut twin = vec![VertexBlock::ZERO; vertices.len()];
            let influences = MeshInfluences { count: case.influence_count, blocks: &blocks };
            let directions = Directions::InverseTranspose;
            SkinDualQuaternion { isa, palette: &duals, influences, directions, vertices: &vertices, out: &mut twin }
                .run();
            for vertex in 0..case.rest.positions.len() {
                prop_assert_eq!(of_bent(&ours, vertex), of_block(&twin, vertex), "vertex {}, {:?}", vertex, isa);
            }
            Ok(())
        });
    }
}

/// Positions to the number. The renderer leaves the length that shapes give normals and tangents where no joint follows; the kernel does not.
#[test]
fn shapes_bend_as_the_kernels_do() {
    for_cases(|seed, isa| {
        let case = Case::new(seed, Joints::None, true);
        let (ours, twin) = (case.renderer(Vec::new(), Form::Matrices), case.shaped(isa));
        for vertex in 0..case.rest.positions.len() {
            let ([position, normal, tangent], wanted) = (of_bent(&ours, vertex), of_block(&twin, vertex));
            prop_assert_eq!(position, wanted[0], "vertex {}, {:?}", vertex, isa);
            for (found, wanted) in [(normal, wanted[1]), (tangent, wanted[2])] {
                // A length by a reciprocal and by a quotient, of a vector that may be unit already: four roundings of 6e-8.
                prop_assert!((found.normalize() - wanted).abs().max_element() < 2.5e-7, "{} {}", found, wanted);
            }
        }
        Ok(())
    });
}

/// Positions to the number. Directions are made unit once more by the kernels, before the joints: two roundings, 1e-7, that the joints' matrix
/// then stretches by at most its largest stretch over its smallest.
#[test]
fn shapes_under_joints_bend_as_the_kernels_do() {
    for joints in [Joints::Turn, Joints::ScaleEvenly] {
        for_cases(|seed, isa| {
            let case = Case::new(seed, joints, true);
            let (ours, twin) = (
                case.renderer(case.rows(), Form::Matrices),
                case.skinned(isa, &case.shaped(isa), Directions::InverseTranspose),
            );
            for vertex in 0..case.rest.positions.len() {
                let ([position, normal, tangent], wanted) = (of_bent(&ours, vertex), of_block(&twin, vertex));
                prop_assert_eq!(position, wanted[0], "vertex {}, {:?}", vertex, isa);
                if determinant(&case, vertex) <= 1e-3 {
                    continue;
                }
                let stretch = stretch(&case, vertex);
                for (found, wanted) in [(normal, wanted[1]), (tangent, wanted[2])] {
                    let off = (found - wanted).abs().max_element();
                    prop_assert!(off <= 1e-7 * stretch, "vertex {}, {:?}: {} of {}", vertex, isa, off, stretch);
                }
            }
            Ok(())
        });
    }
}

/// At least the quotient of the largest and the smallest stretch of the blended matrix of a vertex.
fn stretch(case: &Case, vertex: usize) -> f32 {
    let mut sum = Mat3::ZERO;
    for influence in case.bend.influences_of(vertex) {
        sum += Mat3::from(Affine3A::from(case.palette[influence.joint as usize]).matrix3) * influence.weight;
    }
    let size = |matrix: Mat3| matrix.to_cols_array().iter().map(|n| n * n).sum::<f32>().sqrt();
    size(sum) * size(sum.inverse())
}
