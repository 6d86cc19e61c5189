//! Mesh: skinning of vertices in any order, one to eight joints each.

use stillframe_base::lanes::{Isa, MatrixSource, Picked, ROW, Wide};

use super::sums::{LinearLanes, Sets};
use super::vertex::{MoveBlock, move_blocks, sum_influences, transform};
use super::{Directions, InfluenceBlock, MeshInfluences, VertexBlock};
use crate::pose::{Affine, JobError, check_finite, check_length};

/// Moves vertices, each by its own joints.
///
/// ```text
/// m = ((w0 palette[j0] + w1 palette[j1]) + w2 palette[j2]) + ... for as many influences as there are
/// position = m * position, normal = m * normal, tangent = m * tangent (see Directions)
/// ```
///
/// Shapes: `vertices` and `out` have the same number of blocks, `influences` those of its count.
pub struct SkinMesh<'a> {
    pub isa: Isa,
    pub palette: &'a [Affine],
    pub influences: MeshInfluences<'a>,
    pub directions: Directions,
    pub vertices: &'a [VertexBlock],
    pub out: &'a mut [VertexBlock],
}

impl SkinMesh<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        self.influences.validate(self.palette.len())?;
        check_finite("palette", bytemuck::cast_slice(self.palette))?;
        check_finite("vertices", bytemuck::cast_slice(self.vertices))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        self.influences.check_shape(self.vertices.len())?;
        check_length("blocks written", self.out.len(), self.vertices.len())
    }

    /// Writes `out`. Panics where lengths differ or a joint is none of the palette's.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        match self.influences.count {
            1 => self.run_with::<1>(),
            2 => self.run_with::<2>(),
            3 => self.run_with::<3>(),
            4 => self.run_with::<4>(),
            5 => self.run_with::<5>(),
            6 => self.run_with::<6>(),
            7 => self.run_with::<7>(),
            8 => self.run_with::<8>(),
            _ => self.run_with_any(),
        }
    }

    fn run_with<const COUNT: usize>(self) {
        let mover =
            Mover::<COUNT> { palette: self.palette, influences: self.influences.blocks, directions: self.directions };
        move_blocks(self.isa, mover, self.vertices, self.out);
    }

    fn run_with_any(self) {
        let sets = Sets::<0>::new(self.influences.blocks, self.influences.count);
        let mover = ManyMover { palette: self.palette, sets, directions: self.directions };
        move_blocks(self.isa, mover, self.vertices, self.out);
    }
}

/// For more influences than are written out.
struct ManyMover<'a> {
    palette: &'a [Affine],
    sets: Sets<'a, 0>,
    directions: Directions,
}

impl MoveBlock for ManyMover<'_> {
    #[inline(always)]
    fn move_block<W: Wide>(&self, wide: W, block: usize, from: &VertexBlock, to: &mut VertexBlock) {
        let sets = self.sets.of(block);
        for part in 0..ROW / W::WIDTH {
            let part = wide.each(part);
            let lanes = LinearLanes::<0> { palette: self.palette, sets, first: part * W::WIDTH };
            transform(wide, wide.lanes_of_matrices(lanes), self.directions, from, part, to);
        }
    }
}

struct Mover<'a, const COUNT: usize> {
    palette: &'a [Affine],
    influences: &'a [InfluenceBlock],
    directions: Directions,
}

impl<const COUNT: usize> MoveBlock for Mover<'_, COUNT> {
    #[inline(always)]
    fn move_block<W: Wide>(&self, wide: W, block: usize, from: &VertexBlock, to: &mut VertexBlock) {
        let sets = PickedSets::<COUNT>::new(self.palette, self.influences, block);
        for part in 0..ROW / W::WIDTH {
            let part = wide.each(part);
            let blended = Blended { sets, first: part * W::WIDTH };
            transform(wide, wide.lanes_of_matrices(blended), self.directions, from, part, to);
        }
    }
}

/// Influences of a block of vertices, their joints checked.
#[derive(Clone, Copy)]
struct PickedSets<'a, const COUNT: usize> {
    /// The second is the first where there is no other.
    picked: [Picked<'a>; 2],
    weights: [&'a [[f32; 4]; ROW]; 2],
}

impl<'a, const COUNT: usize> PickedSets<'a, COUNT> {
    #[inline(always)]
    fn new(palette: &'a [Affine], influences: &'a [InfluenceBlock], block: usize) -> PickedSets<'a, COUNT> {
        let rows = bytemuck::cast_slice(palette);
        let count = InfluenceBlock::sets_for(COUNT);
        let first = &influences[block * count];
        let picked = Picked::new(rows, &first.joints);
        if count == 1 {
            return PickedSets { picked: [picked; 2], weights: [&first.weights; 2] };
        }
        let second = &influences[block * count + 1];
        PickedSets { picked: [picked, Picked::new(rows, &second.joints)], weights: [&first.weights, &second.weights] }
    }

    #[inline(always)]
    fn weighted<W: Wide>(&self, wide: W, lane: usize, k: usize) -> W::Matrix {
        wide.scale_matrix(wide.load_matrix(self.picked[k / 4].row(lane, k % 4)), self.weights[k / 4][lane][k % 4])
    }
}

/// The blended matrix of each lane.
struct Blended<'a, const COUNT: usize> {
    sets: PickedSets<'a, COUNT>,
    first: usize,
}

impl<W: Wide, const COUNT: usize> MatrixSource<W> for Blended<'_, COUNT> {
    #[inline(always)]
    fn matrix(&self, wide: W, lane: usize) -> W::Matrix {
        let lane = self.first + lane;
        let mut sum = self.sets.weighted(wide, lane, 0);
        sum_influences!(COUNT, k, sum = wide.add_matrices(sum, self.sets.weighted(wide, lane, k)));
        sum
    }
}
