//! Sums: matrices and dual quaternions of a vertex's influences, for skins that need both of them.

use stillframe_base::lanes::{MatrixSource, Row, Wide};

use super::vertex::sum_influences;
use super::{DualJoint, InfluenceBlock};
use crate::pose::Affine;

/// Influences of a mesh: `SETS` blocks of them for each block of vertices, or as many as `count` says where `SETS` is
/// 0.
#[derive(Clone, Copy)]
pub(super) struct Sets<'a, const SETS: usize> {
    blocks: &'a [InfluenceBlock],
    count: usize,
}

impl<'a, const SETS: usize> Sets<'a, SETS> {
    /// `count`: influences of a vertex.
    pub fn new(blocks: &'a [InfluenceBlock], count: usize) -> Sets<'a, SETS> {
        Sets { blocks, count: InfluenceBlock::sets_for(count) }
    }

    /// Those of a block of vertices.
    #[inline(always)]
    pub fn of(self, block: usize) -> &'a [InfluenceBlock] {
        if SETS == 0 {
            return &self.blocks[block * self.count..][..self.count];
        }
        // The length as a constant, so that sums are written out.
        self.blocks[block * SETS..].first_chunk::<SETS>().unwrap_or_else(|| unreachable!("the shape was checked"))
    }
}

/// The blended matrix of each lane, as that of [`SkinMesh`](super::SkinMesh).
pub(super) struct LinearLanes<'a, const SETS: usize> {
    pub palette: &'a [Affine],
    /// Of [`Sets::of`].
    pub sets: &'a [InfluenceBlock],
    pub first: usize,
}

impl<W: Wide, const SETS: usize> MatrixSource<W> for LinearLanes<'_, SETS> {
    #[inline(always)]
    fn matrix(&self, wide: W, lane: usize) -> W::Matrix {
        let lane = self.first + lane;
        let mut sum = self.weighted(wide, lane, 0);
        sum_influences!(SETS * 4, k, sum = wide.add_matrices(sum, self.weighted(wide, lane, k)));
        if SETS == 0 {
            for k in 1..self.sets.len() * 4 {
                sum = wide.add_matrices(sum, self.weighted(wide, lane, k));
            }
        }
        sum
    }
}

impl<const SETS: usize> LinearLanes<'_, SETS> {
    #[inline(always)]
    fn weighted<W: Wide>(&self, wide: W, lane: usize, k: usize) -> W::Matrix {
        let (joint, weight) = (self.sets[k / 4].joints[lane][k % 4], self.sets[k / 4].weights[lane][k % 4]);
        wide.scale_matrix(wide.load_matrix(&self.palette[usize::from(joint)].0), weight)
    }
}

/// The blended dual quaternion of each lane: real and dual half, not divided by their length, and scale, then zeros.
pub(super) struct DualLanes<'a, const SETS: usize> {
    pub palette: &'a [DualJoint],
    /// Of [`Sets::of`].
    pub sets: &'a [InfluenceBlock],
    pub first: usize,
}

impl<W: Wide, const SETS: usize> MatrixSource<W> for DualLanes<'_, SETS> {
    #[inline(always)]
    fn matrix(&self, wide: W, lane: usize) -> W::Matrix {
        let lane = self.first + lane;
        let pivot = &self.palette[usize::from(self.sets[0].joints[lane][0])].0[0];
        let mut sum = wide.scale_matrix(wide.load_matrix(pivot), self.sets[0].weights[lane][0]);
        sum_influences!(SETS * 4, k, sum = wide.add_matrices(sum, self.weighted(wide, pivot, lane, k)));
        if SETS == 0 {
            for k in 1..self.sets.len() * 4 {
                sum = wide.add_matrices(sum, self.weighted(wide, pivot, lane, k));
            }
        }
        sum
    }
}

impl<const SETS: usize> DualLanes<'_, SETS> {
    /// Of the two quaternions of a turn the one that is nearer to `pivot`.
    #[inline(always)]
    fn weighted<W: Wide>(&self, wide: W, Row(p): &Row, lane: usize, k: usize) -> W::Matrix {
        let set = &self.sets[k / 4];
        let rows = &self.palette[usize::from(set.joints[lane][k % 4])].0;
        let q = &rows[0].0;
        let dot = ((p[0] * q[0] + p[1] * q[1]) + p[2] * q[2]) + p[3] * q[3];
        // By number, not by a branch, which nobody could foresee.
        let nearer = &rows[usize::from(dot < 0.0)];
        wide.scale_matrix(wide.load_matrix(nearer), set.weights[lane][k % 4])
    }
}
