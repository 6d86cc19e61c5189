//! Twins: the renderer's bending, sixteen vertices at a time by the kernels of `stillframe_anim`, beside a loop over
//! one vertex after the other that says the same sums in the same order. What comes out is equal to the bit, on every
//! instruction set.
//!
//! What the renderer asks of the kernels that others may not: normals stay on the side from which triangles run
//! counter-clockwise, mirrored too, and between shapes and joints nothing is made unit.

use glam::{Affine3A, Mat3, Quat, Vec3};
use proptest::prelude::{any, prop_assert_eq};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    Directions, DualJoint, InfluenceBlock, MeshInfluences, SkinMesh, VertexBlock, dual_palette,
};
use stillframe_asset::asset::{Bend, BendBlocks, Bent, Delta, Form, Geometry, Influence, Posture, Tail, direction};
use stillframe_base::lanes::{Isa, ROW};
use stillframe_base::rng::{Rng, Stream};

const CASES: u32 = 200;

/// A mesh at random, with its joints and shapes.
struct Case {
    rest: Geometry,
    bend: Bend,
    palette: Vec<Affine>,
    shares: Vec<f32>,
}

/// What joints may do.
#[derive(Clone, Copy, PartialEq)]
enum Joints {
    None,
    Turn,
    ScaleEvenly,
    ScaleAndMirror,
    /// Now and then to nothing.
    Flatten,
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
        Joints::Flatten => Vec3::from_array([(); 3].map(|()| if stream.one_in(2) { 0.0 } else { even })),
        Joints::ScaleAndMirror => Vec3::from_array([(); 3].map(|()| {
            let size = stream.range_f32(0.25, 4.0);
            if stream.one_in(4) { -size } else { size }
        })),
    };
    Affine3A::from_scale_rotation_translation(scale, turn, vector(stream, 3.0)).into()
}

impl Case {
    fn new(seed: u64, joints: Joints, (tail, has_shapes): (Tail, bool)) -> Case {
        let mut stream = Rng::new(seed).stream("bend", 0);
        let vertex_count = 1 + stream.below(50) as usize;
        let influence_count = 1 + stream.below(8);
        let palette: Vec<Affine> = (0..1 + stream.below(20)).map(|_| joint(&mut stream, joints)).collect();
        let mut rest = Geometry::default();
        let mut bend = Bend { starts: vec![[0; 2]], tail, ..Bend::default() };
        let target_count = if has_shapes { 1 + stream.below(6) } else { 0 };
        for _ in 0..vertex_count {
            rest.positions.push(vector(&mut stream, 2.0).to_array());
            rest.normals.push(unit(&mut stream).to_array());
            rest.tangents.push(unit(&mut stream).extend(if stream.one_in(2) { 1.0 } else { -1.0 }).to_array());
            if joints != Joints::None {
                let own = if stream.one_in(40) { 9 + stream.below(4) } else { 1 + stream.below(influence_count) };
                let weights: Vec<f32> = (0..own).map(|_| stream.range_f32(0.01, 1.0)).collect();
                let sum: f32 = weights.iter().sum();
                let influences = weights.iter().map(|weight| weight / sum);
                let influences =
                    influences.map(|weight| Influence { joint: stream.below(palette.len() as u32), weight });
                bend.influences.extend(influences);
                match tail {
                    Tail::Nothing => {}
                    Tail::Share => bend.influences.push(Influence { joint: 0, weight: stream.range_f32(0.0, 1.0) }),
                    Tail::Centre => bend.push_centre(vector(&mut stream, 2.0).to_array()),
                }
            }
            for target in 0..target_count {
                if stream.one_in(2) {
                    let [position, normal, mut tangent] =
                        [0.2, 0.1, 0.1].map(|size| vector(&mut stream, size).to_array());
                    tangent[stream.below(3) as usize] = 0.0;
                    bend.deltas.push(Delta { target, position, normal, tangent });
                }
            }
            bend.close();
        }
        let share = |stream: &mut Stream| if stream.one_in(4) { 0.0 } else { stream.range_f32(-0.5, 1.5) };
        let shares = (0..target_count).map(|_| share(&mut stream)).collect();
        Case { rest, bend, palette, shares }
    }

    fn rows(&self) -> Vec<[[f32; 4]; 3]> {
        let rows = |affine: &Affine| [0, 4, 8].map(|first| [0, 1, 2, 3].map(|column| affine.0.0[first + column]));
        self.palette.iter().map(rows).collect()
    }

    fn duals(&self) -> Vec<[[f32; 4]; 3]> {
        let mut duals = vec![DualJoint::IDENTITY; self.palette.len()];
        match dual_palette(&self.palette, &mut duals) {
            Ok(()) => {
                duals.iter().map(|dual| [0, 4, 8].map(|first| [0, 1, 2, 3].map(|n| dual.0[0].0[first + n]))).collect()
            }
            Err(_) => vec![[[0.0; 4]; 3]; self.palette.len()],
        }
    }

    fn posture(&self, form: Form) -> Posture {
        let joints = match form {
            Form::Matrices => self.rows(),
            Form::DualQuaternions => self.duals(),
            _ => self.rows().into_iter().zip(self.duals()).flat_map(|(matrix, dual)| [matrix, dual]).collect(),
        };
        Posture { joints, form, shares: self.shares.clone() }
    }

    fn renderer(&self, isa: Isa, form: Form) -> Bent {
        BendBlocks::new(&self.rest, &self.bend).bent(isa, &self.rest, self.posture(form))
    }

    /// By one vertex after the other.
    fn plain(&self, form: Form) -> Bent {
        plain(&self.rest, &self.bend, self.posture(form))
    }

    /// By the kernel with directions of another kind, every vertex with the same number of influences.
    fn outwards(&self, isa: Isa) -> Vec<VertexBlock> {
        let count = (0..self.bend.vertex_count()).map(|vertex| self.bend.pulls_of(vertex).len()).max().unwrap();
        let sets = InfluenceBlock::sets_for(count);
        let mut blocks = vec![InfluenceBlock::ZERO; VertexBlock::count_for(self.rest.positions.len()) * sets];
        for vertex in 0..self.rest.positions.len() {
            for (k, influence) in self.bend.pulls_of(vertex).iter().enumerate() {
                let (block, lane) = (&mut blocks[vertex / ROW * sets + k / 4], vertex % ROW);
                (block.joints[lane][k % 4], block.weights[lane][k % 4]) = (influence.joint as u16, influence.weight);
            }
        }
        let vertices = &VertexBlock::of_vertices(&self.rest.positions, &self.rest.normals, &self.rest.tangents)[..];
        let mut out = vec![VertexBlock::ZERO; vertices.len()];
        let influences = MeshInfluences { count, blocks: &blocks };
        let directions = Directions::InverseTranspose;
        let job = SkinMesh { isa, palette: &self.palette, influences, directions, vertices, out: &mut out };
        job.validate().unwrap();
        job.run();
        out
    }
}

/// The vertices of a geometry in a posture, one after the other.
fn plain(rest: &Geometry, bend: &Bend, posture: Posture) -> Bent {
    let form = posture.form;
    let joints = &*posture.joints;
    let (mut positions, mut normals, mut tangents) =
        (rest.positions.clone(), rest.normals.clone(), rest.tangents.clone());
    for vertex in 0..positions.len() {
        for delta in bend.deltas_of(vertex) {
            let share = posture.shares[delta.target as usize];
            if share != 0.0 {
                add(&mut positions[vertex], delta.position, share);
                add(&mut normals[vertex], delta.normal, share);
                add(&mut tangents[vertex], delta.tangent, share);
            }
        }
        let pulls = bend.pulls_of(vertex);
        if pulls.is_empty() {
            continue;
        }
        let rows = match form {
            Form::Matrices => summed(pulls, |joint| &joints[joint], false),
            Form::DualQuaternions => matrix_of_dual(summed(pulls, |joint| &joints[joint], true)),
            Form::Blended | Form::Centres => {
                let linear = summed(pulls, |joint| &joints[2 * joint], false);
                let dual = summed(pulls, |joint| &joints[2 * joint + 1], true);
                let has_turn = dot_4(&dual[0], &dual[0]) >= f32::MIN_POSITIVE;
                let turned = matrix_of_dual(dual);
                match (has_turn, form) {
                    (false, _) => linear,
                    (true, Form::Blended) => mixed(linear, turned, bend.share_of(vertex)),
                    (true, _) => about(bend.centre_of(vertex), linear, turned),
                }
            }
            Form::Places => unreachable!("of crowds"),
        };
        positions[vertex] = rows.map(|row| dot(row, positions[vertex]) + row[3]);
        normals[vertex] = direction(cofactors(rows).map(|row| dot(row, normals[vertex])), normals[vertex]);
        let [x, y, z, w] = tangents[vertex];
        let [x, y, z] = direction(rows.map(|row| dot(row, [x, y, z])), [x, y, z]);
        tangents[vertex] = [x, y, z, w];
    }
    Bent { posture, positions, normals, tangents }
}

fn add<const N: usize>(to: &mut [f32; N], from: [f32; 3], share: f32) {
    for axis in 0..3 {
        if from[axis] != 0.0 {
            to[axis] += from[axis] * share;
        }
    }
}

fn dot([x, y, z, _]: [f32; 4], v: [f32; 3]) -> f32 {
    (x * v[0] + y * v[1]) + z * v[2]
}

fn dot_4(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    ((a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]) + a[3] * b[3]
}

/// The weighted sum of joints' entries. `is_dual`: of the two quaternions of a turn the one that is nearer to the first
/// counts.
fn summed<'a>(pulls: &[Influence], entry: impl Fn(usize) -> &'a [[f32; 4]; 3], is_dual: bool) -> [[f32; 4]; 3] {
    let [pivot, ..] = entry(pulls[0].joint as usize);
    let terms = pulls.iter().map(|Influence { joint, weight }| {
        let joint = entry(*joint as usize);
        let turn = if is_dual && dot_4(pivot, &joint[0]) < 0.0 { -weight } else { *weight };
        [joint[0].map(|n| n * turn), joint[1].map(|n| n * turn), joint[2].map(|n| n * weight)]
    });
    let sum = |a: [[f32; 4]; 3], b: [[f32; 4]; 3]| [0, 1, 2].map(|row| [0, 1, 2, 3].map(|at| a[row][at] + b[row][at]));
    terms.reduce(sum).unwrap()
}

fn mixed(linear: [[f32; 4]; 3], dual: [[f32; 4]; 3], share: f32) -> [[f32; 4]; 3] {
    [0, 1, 2].map(|row| [0, 1, 2, 3].map(|at| linear[row][at] + (dual[row][at] - linear[row][at]) * share))
}

fn about(centre: [f32; 3], linear: [[f32; 4]; 3], turn: [[f32; 4]; 3]) -> [[f32; 4]; 3] {
    [0, 1, 2].map(|row| {
        let [x, y, z, _] = turn[row];
        [x, y, z, (dot(linear[row], centre) + linear[row][3]) - dot(turn[row], centre)]
    })
}

/// Rows of the matrix that a sum of dual quaternions with scales is.
fn matrix_of_dual([q, d, [scale, ..]]: [[f32; 4]; 3]) -> [[f32; 4]; 3] {
    let squared = dot_4(&q, &q);
    let factor = if squared < f32::MIN_POSITIVE { 1.0 } else { 1.0 / squared.sqrt() };
    let [x, y, z, w] = q.map(|n| n * factor);
    let [dx, dy, dz, dw] = d.map(|n| n * factor);
    let (x2, y2, z2) = (x + x, y + y, z + z);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, xz, yz) = (x * y2, x * z2, y * z2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    let tx = 2.0 * ((w * dx - dw * x) + (y * dz - z * dy));
    let ty = 2.0 * ((w * dy - dw * y) + (z * dx - x * dz));
    let tz = 2.0 * ((w * dz - dw * z) + (x * dy - y * dx));
    [
        [(1.0 - (yy + zz)) * scale, (xy - wz) * scale, (xz + wy) * scale, tx],
        [(xy + wz) * scale, (1.0 - (xx + zz)) * scale, (yz - wx) * scale, ty],
        [(xz - wy) * scale, (yz + wx) * scale, (1.0 - (xx + yy)) * scale, tz],
    ]
}

fn cofactors(rows: [[f32; 4]; 3]) -> [[f32; 4]; 3] {
    let [x, y, z] = rows.map(|[x, y, z, _]| Vec3::new(x, y, z));
    [y.cross(z), z.cross(x), x.cross(y)].map(|row| row.extend(0.0).to_array())
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

fn bits(bent: &Bent) -> [Vec<u32>; 3] {
    let bits = |numbers: &[f32]| numbers.iter().map(|n| n.to_bits()).collect();
    let Bent { positions, normals, tangents, .. } = bent;
    [bits(positions.as_flattened()), bits(normals.as_flattened()), bits(tangents.as_flattened())]
}

fn check(joints: &[Joints], form: Form, tail: Tail, has_shapes: bool) {
    for joints in joints {
        for_cases(|seed, isa| {
            let case = Case::new(seed, *joints, (tail, has_shapes));
            let (kernels, plain) = (bits(&case.renderer(isa, form)), bits(&case.plain(form)));
            for (what, kernels, plain) in [
                ("positions", &kernels[0], &plain[0]),
                ("normals", &kernels[1], &plain[1]),
                ("tangents", &kernels[2], &plain[2]),
            ] {
                let first = kernels.iter().zip(plain).position(|(a, b)| a != b);
                prop_assert_eq!(first, None, "number of the {} of {:?}, {:?}", what, form, isa);
                prop_assert_eq!(kernels.len(), plain.len());
            }
            Ok(())
        });
    }
}

const ALL: [Joints; 4] = [Joints::Turn, Joints::ScaleEvenly, Joints::ScaleAndMirror, Joints::Flatten];

#[test]
fn matrices_bend_one_by_one_and_in_blocks() {
    check(&ALL, Form::Matrices, Tail::Nothing, false);
}

#[test]
fn dual_quaternions_bend_one_by_one_and_in_blocks() {
    check(&ALL[..2], Form::DualQuaternions, Tail::Nothing, false);
}

/// Joints that are no dual quaternions among them: vertices go with their matrices.
#[test]
fn both_ways_bend_one_by_one_and_in_blocks() {
    check(&ALL, Form::Blended, Tail::Share, false);
}

#[test]
fn centres_bend_one_by_one_and_in_blocks() {
    check(&ALL, Form::Centres, Tail::Centre, false);
}

#[test]
fn shapes_bend_one_by_one_and_in_blocks() {
    check(&[Joints::None], Form::Matrices, Tail::Nothing, true);
    check(&ALL[..2], Form::Matrices, Tail::Nothing, true);
    check(&ALL[..1], Form::Centres, Tail::Centre, true);
}

/// A joint that nobody hangs on may be anywhere; who hangs on it alone is where it is.
#[test]
fn a_joint_that_is_nowhere_takes_only_its_own_along() {
    let rest = Geometry { positions: vec![[1.0, 2.0, 3.0]; 2], ..Geometry::default() };
    let influences = vec![
        Influence { joint: 1, weight: 1.0 },
        Influence { joint: 2, weight: 0.5 },
        Influence { joint: 1, weight: 0.5 },
    ];
    let bend = Bend { starts: vec![[0, 0], [1, 0], [3, 0]], influences, ..Bend::default() };
    let stays = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let posture = Posture { joints: vec![[[f32::NAN; 4]; 3], stays, stays], ..Posture::default() };
    for isa in Isa::available() {
        let bent = BendBlocks::new(&rest, &bend).bent(isa, &rest, posture.clone());
        assert_eq!(bent.positions, rest.positions, "{isa}");
    }
}

/// Of the blended matrix of a vertex.
fn determinant(case: &Case, vertex: usize) -> f32 {
    let mut sum = Mat3::ZERO;
    for influence in case.bend.pulls_of(vertex) {
        sum += Mat3::from(Affine3A::from(case.palette[influence.joint as usize]).matrix3) * influence.weight;
    }
    sum.determinant()
}

/// Mirrored, a surface's triangles run the other way round: the renderer's normals go with them, others stay outside.
#[test]
fn mirrors_turn_the_renderers_normals_only() {
    for_cases(|seed, isa| {
        let case = Case::new(seed, Joints::ScaleAndMirror, (Tail::Nothing, false));
        let (ours, twin) = (case.renderer(isa, Form::Matrices), case.outwards(isa));
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

/// A vertex that goes half with matrices and half with dual quaternions is in the middle of where either takes it.
#[test]
fn half_of_both_ways() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let rest = Geometry { positions: vec![[0.3, 1.0, 0.0]; 3], ..Geometry::default() };
    let pull = |share: f32| [(0, 0.5), (1, 0.5), (0, share)].map(|(joint, weight)| Influence { joint, weight });
    let influences = [0.0, 0.5, 1.0].map(pull).concat();
    let starts = vec![[0, 0], [3, 0], [6, 0], [9, 0]];
    let bend = Bend { starts, influences, tail: Tail::Share, ..Bend::default() };
    let blocks = BendBlocks::new(&rest, &bend);
    let bent = |joints| blocks.bent(Isa::detect(), &rest, Posture { joints, form: Form::Blended, shares: Vec::new() });
    let stays = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let turned = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
    let dual = |real: [f32; 4]| [real, [0.0; 4], [1.0, 0.0, 0.0, 0.0]];
    let near = |a: [f32; 3], b: [f32; 3]| (0..3).all(|i| (a[i] - b[i]).abs() < 1e-6);

    let both = bent(vec![stays, dual([0.0, 0.0, 0.0, 1.0]), turned, dual([half, 0.0, 0.0, half])]);
    let middle = (0.5 + half) * 0.5;
    for (got, want) in both.positions.iter().zip([0.5, middle, half]) {
        assert!(near(*got, [0.3, want, want]), "{got:?} instead of {want}");
    }
    // Joints that are no dual quaternions.
    let matrices = bent(vec![stays, [[0.0; 4]; 3], turned, [[0.0; 4]; 3]]);
    assert!(matrices.positions.iter().all(|got| near(*got, [0.3, 0.5, 0.5])), "{:?}", matrices.positions);
}

/// Half of a right angle about X keeps its distance from the axis with dual quaternions and about a centre on the axis,
/// and comes nearer with matrices.
#[test]
fn half_a_turn_between_two_joints() {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let rest = Geometry { positions: vec![[0.3, 1.0, 0.0]], normals: vec![[0.0, 1.0, 0.0]], ..Geometry::default() };
    let influences = [0, 1].map(|joint| Influence { joint, weight: 0.5 }).to_vec();
    let bend = Bend { starts: vec![[0, 0], [2, 0]], influences, ..Bend::default() };
    let isa = Isa::detect();
    let bent = |bend: &Bend, joints, form| {
        BendBlocks::new(&rest, bend).bent(isa, &rest, Posture { joints, form, shares: Vec::new() })
    };
    let close = |a: [f32; 3], b: [f32; 3]| (0..3).all(|i| (a[i] - b[i]).abs() < 1e-6);

    let stays = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let turned = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
    let linear = bent(&bend, vec![stays, turned], Form::Matrices);
    assert!(close(linear.positions[0], [0.3, 0.5, 0.5]), "{:?}", linear.positions[0]);

    let dual = |real: [f32; 4]| [real, [0.0; 4], [1.0, 0.0, 0.0, 0.0]];
    // The second turn by either of its quaternions: the nearer one counts.
    for turned in [dual([half, 0.0, 0.0, half]), dual([-half, 0.0, 0.0, -half])] {
        let kept = bent(&bend, vec![dual([0.0, 0.0, 0.0, 1.0]), turned], Form::DualQuaternions);
        assert!(close(kept.positions[0], [0.3, half, half]), "{:?}", kept.positions[0]);
        assert!(close(kept.normals[0], [0.0, half, half]), "{:?}", kept.normals[0]);
    }
    // About itself the vertex goes where its matrix takes it, and turns all the same.
    for (centre, y) in [([0.3, 0.0, 0.0], half), ([0.3, 1.0, 0.0], 0.5)] {
        let mut bend = Bend { tail: Tail::Centre, ..bend.clone() };
        bend.push_centre(centre);
        bend.starts[1][0] = 4;
        let joints = vec![stays, dual([0.0, 0.0, 0.0, 1.0]), turned, dual([half, 0.0, 0.0, half])];
        let about = bent(&bend, joints, Form::Centres);
        assert!(close(about.positions[0], [0.3, y, y]), "{:?}", about.positions[0]);
        assert!(close(about.normals[0], [0.0, half, half]), "{:?}", about.normals[0]);
    }
}
