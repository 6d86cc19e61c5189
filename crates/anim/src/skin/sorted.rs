//! Sorted: skinning of vertices in blocks of sixteen that share their joints.

use stillframe_base::lanes::{Isa, ROW, Wide};

use super::vertex::{MoveBlock, move_blocks, transform};
use super::{Directions, VertexBlock};
use crate::pose::{Affine, JobError, check_finite, check_indices, check_length};

/// Joints of blocks, one list behind the other.
#[derive(Clone, Copy, Debug)]
pub struct SortedInfluences<'a> {
    /// Where each block's entries end; they begin where those of the block before end.
    pub ends: &'a [u32],
    /// Numbers of the palette, one an entry.
    pub joints: &'a [u16],
    /// Of 255, one a vertex of the block and entry; those of one vertex sum to 255.
    pub weights: &'a [[u8; ROW]],
}

/// Moves vertices, each block by its joints.
///
/// ```text
/// m = (w0 / 255) palette[j0], then + (wk / 255) palette[jk] for each further joint of the block
/// position = m * position, normal = m * normal, tangent = m * tangent (see Directions)
/// ```
///
/// Shapes: `influences.ends`, `vertices` and `out` have one entry a block. A block without joints collapses to the
///         origin.
pub struct SkinSorted<'a> {
    pub isa: Isa,
    pub palette: &'a [Affine],
    pub influences: SortedInfluences<'a>,
    pub directions: Directions,
    pub vertices: &'a [VertexBlock],
    pub out: &'a mut [VertexBlock],
}

impl SkinSorted<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        let SortedInfluences { ends, joints, .. } = self.influences;
        let mut start = 0;
        for (block, &end) in ends.iter().enumerate() {
            let end = end as usize;
            if end < start || end > joints.len() {
                return Err(JobError::BlockEnd { block, start, end, count: joints.len() });
            }
            start = end;
        }
        check_indices("joints of the mesh", joints.iter().copied(), self.palette.len())?;
        check_finite("palette", bytemuck::cast_slice(self.palette))?;
        check_finite("vertices", bytemuck::cast_slice(self.vertices))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_length("ends of blocks", self.influences.ends.len(), self.vertices.len())?;
        check_length("blocks written", self.out.len(), self.vertices.len())?;
        check_length("rows of weights", self.influences.weights.len(), self.influences.joints.len())
    }

    /// Writes `out`. Panics where lengths differ, ends are out of order or a joint is none of the palette's.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        let mover = Mover { palette: self.palette, influences: self.influences, directions: self.directions };
        move_blocks(self.isa, mover, self.vertices, self.out);
    }
}

struct Mover<'a> {
    palette: &'a [Affine],
    influences: SortedInfluences<'a>,
    directions: Directions,
}

impl MoveBlock for Mover<'_> {
    #[inline(always)]
    fn move_block<W: Wide>(&self, wide: W, block: usize, from: &VertexBlock, to: &mut VertexBlock) {
        let SortedInfluences { ends, joints, weights } = self.influences;
        let start = if block == 0 { 0 } else { ends[block - 1] as usize };
        let entries = start..ends[block] as usize;
        let (joints, weights) = (&joints[entries.clone()], &weights[entries]);
        for part in 0..ROW / W::WIDTH {
            let part = wide.each(part);
            let m = blend_matrices(wide, self.palette, joints, weights, part);
            transform(wide, m, self.directions, from, part, to);
        }
    }
}

/// The blended matrix of each lane, twelve registers.
#[inline(always)]
fn blend_matrices<W: Wide>(
    wide: W,
    palette: &[Affine],
    joints: &[u16],
    weights: &[[u8; ROW]],
    part: usize,
) -> [W::F32; 12] {
    let unit = wide.splat(1.0 / 255.0);
    let mut m = [wide.splat(0.0); 12];
    for (k, (&joint, weights)) in joints.iter().zip(weights).enumerate() {
        let from = &palette[usize::from(joint)].0.0;
        let weight = wide.load_u8(weights, part) * unit;
        for n in 0..12 {
            let product = wide.splat(from[n]) * weight;
            m[n] = if k == 0 { product } else { m[n] + product };
        }
    }
    m
}
