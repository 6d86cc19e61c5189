//! Blended: both ways at once, matrices and dual quaternions, in a share of each vertex.
//!
//! Source: the `Blend` skinning type of FBX (`FbxSkin::eBlend`), which gives every vertex a weight between the linear
//! and the dual quaternion result. Changed: the two matrices are blended, which is the same for positions, so that what
//! follows is that of all skins.

use stillframe_base::lanes::{Isa, ROW, Row, Wide};

use super::dual::{matrix_of_dual, where_turned};
use super::sums::{DualLanes, LinearLanes, Sets};
use super::vertex::{MoveBlock, move_blocks, transform};
use super::{Directions, DualJoint, InfluenceBlock, MeshInfluences, VertexBlock};
use crate::pose::{Affine, JobError, check_finite, check_length};

/// Moves vertices between where matrices and where dual quaternions take them.
///
/// ```text
/// l = that of SkinMesh, d = that of SkinDualQuaternion
/// m = l + share (d - l);  l where d has no direction, as where all dual quaternions are zero
/// position = m * position, normal = m * normal, tangent = m * tangent (see Directions)
/// ```
///
/// Shapes: as [`SkinMesh`](super::SkinMesh); `rotations` are the palette by [`dual_palette`](super::dual_palette),
///         `shares` one a vertex, in
/// blocks.
pub struct SkinBlended<'a> {
    pub isa: Isa,
    pub palette: &'a [Affine],
    pub rotations: &'a [DualJoint],
    pub influences: MeshInfluences<'a>,
    /// Of the dual quaternions: 0 to 1.
    pub shares: &'a [Row],
    pub directions: Directions,
    pub vertices: &'a [VertexBlock],
    pub out: &'a mut [VertexBlock],
}

impl SkinBlended<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        self.influences.validate(self.palette.len())?;
        check_finite("palette", bytemuck::cast_slice(self.palette))?;
        check_finite("rotations", bytemuck::cast_slice(self.rotations))?;
        check_finite("shares", bytemuck::cast_slice(self.shares))?;
        check_finite("vertices", bytemuck::cast_slice(self.vertices))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        self.influences.check_shape(self.vertices.len())?;
        check_length("rotations", self.rotations.len(), self.palette.len())?;
        check_length("blocks of shares", self.shares.len(), self.vertices.len())?;
        check_length("blocks written", self.out.len(), self.vertices.len())
    }

    /// Writes `out`. Panics where lengths differ or a joint is none of the palette's.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        match InfluenceBlock::sets_for(self.influences.count) {
            1 => self.run_with::<1>(),
            2 => self.run_with::<2>(),
            _ => self.run_with::<0>(),
        }
    }

    fn run_with<const SETS: usize>(self) {
        let SkinBlended { isa, palette, rotations, influences, shares, directions, vertices, out } = self;
        let sets = Sets::<SETS>::new(influences.blocks, influences.count);
        move_blocks(isa, Mover { palette, rotations, sets, shares, directions }, vertices, out);
    }
}

struct Mover<'a, const SETS: usize> {
    palette: &'a [Affine],
    rotations: &'a [DualJoint],
    sets: Sets<'a, SETS>,
    shares: &'a [Row],
    directions: Directions,
}

impl<const SETS: usize> MoveBlock for Mover<'_, SETS> {
    #[inline(always)]
    fn move_block<W: Wide>(&self, wide: W, block: usize, from: &VertexBlock, to: &mut VertexBlock) {
        let sets = self.sets.of(block);
        for part in 0..ROW / W::WIDTH {
            let part = wide.each(part);
            let first = part * W::WIDTH;
            let blended = wide.lanes_of_matrices(DualLanes::<SETS> { palette: self.rotations, sets, first });
            let d = matrix_of_dual(wide, &blended);
            let l = wide.lanes_of_matrices(LinearLanes::<SETS> { palette: self.palette, sets, first });
            let share = wide.load(&self.shares[block], part);
            let mut m = l;
            for n in 0..12 {
                m[n] = l[n] + (d[n] - l[n]) * share;
            }
            transform(wide, where_turned(wide, &blended, m, l), self.directions, from, part, to);
        }
    }
}
