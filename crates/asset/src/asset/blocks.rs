//! Blocks: a geometry that is bent, laid out for the kernels of `stillframe_anim`: sixteen vertices at a time.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use stillframe_anim::morph::{Morph, MorphDirections, MorphSet, MorphTarget};
use stillframe_anim::pose::Affine;
use stillframe_anim::skin::{
    CentreBlock, Directions, DualJoint, INFLUENCES_MAX, InfluenceBlock, MeshInfluences, SkinBlended, SkinCentres,
    SkinDualQuaternion, SkinMesh, VertexBlock,
};
use stillframe_base::lanes::{Isa, ROW, Row};

use super::Geometry;
use super::bend::{Bend, Bent, Delta, Form, Posture, Tail};

/// Shapes a set of the kernels can hold.
const SHAPES_MAX: usize = 1 << 16;

/// Made once of a geometry at rest and what bends it.
#[derive(Clone, Debug, Default)]
pub struct BendBlocks {
    /// At rest.
    vertices: Vec<VertexBlock>,
    shapes: Vec<Shapes>,
    /// All blocks in order; none where no joint pulls.
    runs: Vec<Run>,
    influences: Vec<InfluenceBlock>,
    tails: Tails,
}

/// What follows the influences of vertices.
#[derive(Clone, Debug, Default)]
enum Tails {
    #[default]
    Nothing,
    Shares(Vec<Row>),
    Centres(Vec<CentreBlock>),
}

/// Shapes that are added at once.
#[derive(Clone, Debug)]
struct Shapes {
    set: MorphSet,
    /// For each of the set's targets its place in [`Posture::shares`].
    targets: Vec<u32>,
}

/// Blocks of vertices that have the same number of influences.
#[derive(Clone, Debug)]
struct Run {
    blocks: Range<usize>,
    /// Of a vertex.
    count: usize,
    /// Where those of the first block begin.
    first: usize,
}

impl BendBlocks {
    /// Of figures of crowds whose vertices are baked there are none: only vertex shaders bend them.
    pub fn new(rest: &Geometry, bend: &Bend) -> BendBlocks {
        assert_eq!(rest.positions.len(), bend.vertex_count(), "a bend is made for its geometry");
        let (runs, influences) = runs(bend);
        BendBlocks {
            vertices: VertexBlock::of_vertices(&rest.positions, &rest.normals, &rest.tangents),
            shapes: shapes(bend, !rest.normals.is_empty()),
            runs,
            influences,
            tails: tails(bend),
        }
    }

    /// The vertices of `rest`, of which the blocks were made, in a posture. Directions that joints turn are unit, those
    /// that lose their length stay as they rest; shapes alone leave the length that they give. The bits are the same on
    /// every instruction set.
    ///
    /// Values may overflow where a file asks for it: who shows the result checks that it is finite.
    pub fn bent(&self, isa: Isa, rest: &Geometry, posture: Posture) -> Bent {
        let shaped = self.shaped(isa, &posture.shares);
        let moved = if self.runs.is_empty() { shaped } else { Cow::Owned(self.pulled(isa, &shaped, &posture)) };
        let mut positions = vec![[0.0; 3]; rest.positions.len()];
        let mut normals = vec![[0.0; 3]; rest.normals.len()];
        let mut tangents = rest.tangents.clone();
        VertexBlock::write_vertices(&moved, &mut positions, &mut normals, &mut tangents);
        Bent { posture, positions, normals, tangents }
    }

    fn shaped(&self, isa: Isa, shares: &[f32]) -> Cow<'_, [VertexBlock]> {
        let mut shaped = Cow::Borrowed(&self.vertices[..]);
        for Shapes { set, targets } in &self.shapes {
            let weights: Vec<f32> = targets.iter().map(|target| shares[*target as usize]).collect();
            if weights.iter().all(|weight| *weight == 0.0) {
                continue;
            }
            let mut out = vec![VertexBlock::ZERO; shaped.len()];
            let directions = MorphDirections::Summed;
            Morph { isa, set, weights: &weights, directions, vertices: &shaped, out: &mut out }.run();
            shaped = Cow::Owned(out);
        }
        shaped
    }

    fn pulled(&self, isa: Isa, shaped: &[VertexBlock], posture: &Posture) -> Vec<VertexBlock> {
        let directions = Directions::Surface;
        let (palette, rotations) = palettes(posture);
        let mut moved = vec![VertexBlock::ZERO; shaped.len()];
        for Run { blocks, count, first } in &self.runs {
            let sets = blocks.len() * InfluenceBlock::sets_for(*count);
            let influences = MeshInfluences { count: *count, blocks: &self.influences[*first..][..sets] };
            let (palette, rotations) = (&palette[..], &rotations[..]);
            let (vertices, out) = (&shaped[blocks.clone()], &mut moved[blocks.clone()]);
            match (posture.form, &self.tails) {
                (Form::Matrices, _) => SkinMesh { isa, palette, influences, directions, vertices, out }.run(),
                (Form::DualQuaternions, _) => {
                    SkinDualQuaternion { isa, palette: rotations, influences, directions, vertices, out }.run();
                }
                (Form::Blended, Tails::Shares(shares)) => {
                    let shares = &shares[blocks.clone()];
                    SkinBlended { isa, palette, rotations, influences, shares, directions, vertices, out }.run();
                }
                (Form::Centres, Tails::Centres(centres)) => {
                    let centres = &centres[blocks.clone()];
                    SkinCentres { isa, palette, rotations, influences, centres, directions, vertices, out }.run();
                }
                (form, _) => unreachable!("{form:?} for a bend that is another's"),
            }
        }
        moved
    }
}

/// Joints as the form has them: as matrices, as dual quaternions.
fn palettes(posture: &Posture) -> (Vec<Affine>, Vec<DualJoint>) {
    let affine = |rows: &[[f32; 4]; 3]| {
        let mut out = Row::IDENTITY;
        out.0[..12].copy_from_slice(rows.as_flattened());
        Affine(out)
    };
    let dual = |[real, dual, [scale, ..]]: &[[f32; 4]; 3]| DualJoint::of_parts(*real, *dual, *scale);
    let joints = &posture.joints;
    match posture.form {
        Form::Matrices => (joints.iter().map(affine).collect(), Vec::new()),
        Form::DualQuaternions => (Vec::new(), joints.iter().map(dual).collect()),
        Form::Blended | Form::Centres => {
            let pairs = joints.as_chunks::<2>().0;
            (pairs.iter().map(|[matrix, _]| affine(matrix)).collect(), pairs.iter().map(|[_, of]| dual(of)).collect())
        }
        Form::Places => unreachable!("only vertex shaders bend vertices that are baked"),
    }
}

fn runs(bend: &Bend) -> (Vec<Run>, Vec<InfluenceBlock>) {
    let (mut runs, mut blocks): (Vec<Run>, Vec<InfluenceBlock>) = (Vec::new(), Vec::new());
    if bend.influences.is_empty() {
        return (runs, blocks);
    }
    let vertex_count = bend.vertex_count();
    let vertices_of = |block: usize| block * ROW..vertex_count.min((block + 1) * ROW);
    let block_count = VertexBlock::count_for(vertex_count);
    let most = |block| vertices_of(block).map(|vertex| bend.pulls_of(vertex).len()).max().unwrap_or(1);
    // One run as a rule: only what has more than the kernels have written out stands alone.
    let usual = (0..block_count).map(most).filter(|count| *count <= INFLUENCES_MAX).max().unwrap_or(1);
    for block in 0..block_count {
        let most = most(block);
        let count = if most <= usual { usual } else { most.next_multiple_of(4) };
        match runs.last_mut() {
            Some(run) if run.count == count => run.blocks.end = block + 1,
            _ => runs.push(Run { blocks: block..block + 1, count, first: blocks.len() }),
        }
        let first = blocks.len();
        blocks.resize(first + InfluenceBlock::sets_for(count), InfluenceBlock::ZERO);
        let sets = &mut blocks[first..];
        for vertex in vertices_of(block) {
            let (pulls, lane) = (bend.pulls_of(vertex), vertex % ROW);
            let joint = |joint: u32| u16::try_from(joint).expect("no skin has more joints");
            // What is left over pulls with no weight at the first joint, so that a joint that is nowhere moves only who
            // hangs on it.
            sets.iter_mut().for_each(|set| set.joints[lane] = [joint(pulls[0].joint); 4]);
            for (k, pull) in pulls.iter().enumerate() {
                let set = &mut sets[k / 4];
                (set.joints[lane][k % 4], set.weights[lane][k % 4]) = (joint(pull.joint), pull.weight);
            }
        }
    }
    (runs, blocks)
}

fn tails(bend: &Bend) -> Tails {
    let count = VertexBlock::count_for(bend.vertex_count());
    match bend.tail {
        Tail::Nothing => Tails::Nothing,
        Tail::Share => {
            let mut out = vec![Row::ZERO; count];
            (0..bend.vertex_count()).for_each(|at| out[at / ROW].0[at % ROW] = bend.share_of(at));
            Tails::Shares(out)
        }
        Tail::Centre => {
            let mut out = vec![CentreBlock::ZERO; count];
            for vertex in 0..bend.vertex_count() {
                let centre = bend.centre_of(vertex);
                (0..3).for_each(|axis| out[vertex / ROW].0[axis].0[vertex % ROW] = centre[axis]);
            }
            Tails::Centres(out)
        }
    }
}

/// Which vertices a shape moves, and their deltas: positions, normals, tangents.
#[derive(Default)]
struct Moves {
    vertices: Vec<u32>,
    deltas: [Vec<[f32; 3]>; 3],
}

impl Moves {
    fn target(&self, has_normals: bool) -> MorphTarget<'_> {
        let [positions, normals, tangents] = &self.deltas;
        // Shapes that turn nothing, as most do, need no room for it.
        let turns = |list: &[[f32; 3]]| has_normals && list.iter().any(|delta| *delta != [0.0; 3]);
        MorphTarget {
            vertices: &self.vertices,
            positions,
            normals: if turns(normals) { normals } else { &[] },
            tangents: if turns(tangents) { tangents } else { &[] },
        }
    }
}

fn shapes(bend: &Bend, has_normals: bool) -> Vec<Shapes> {
    let mut by_target: BTreeMap<u32, Moves> = BTreeMap::new();
    for vertex in 0..bend.vertex_count() {
        for Delta { target, position, normal, tangent } in bend.deltas_of(vertex) {
            let Moves { vertices, deltas } = by_target.entry(*target).or_default();
            vertices.push(vertex as u32);
            deltas.iter_mut().zip([position, normal, tangent]).for_each(|(list, delta)| list.push(*delta));
        }
    }
    let by_target: Vec<(u32, Moves)> = by_target.into_iter().collect();
    let of_chunk = |chunk: &[(u32, Moves)]| {
        let targets: Vec<MorphTarget<'_>> = chunk.iter().map(|(_, moves)| moves.target(has_normals)).collect();
        let set = MorphSet::new(bend.vertex_count(), &targets);
        let set = set.unwrap_or_else(|error| panic!("importers leave finite deltas, one a vertex and shape: {error}"));
        Shapes { set, targets: chunk.iter().map(|(target, _)| *target).collect() }
    };
    by_target.chunks(SHAPES_MAX).map(of_chunk).collect()
}
