//! Joints: for each joint the box, where the mesh was bound, of the vertices that it moves.

use std::collections::BTreeMap;

use glam::Vec3;
use stillframe_base::geom::Aabb;
use stillframe_base::lanes::{ROW, Row};

use super::BoundsError;
use crate::pose::{JobError, check_indices, check_length};
use crate::skin::{Influence, InfluenceBlock, SortedInfluences, VertexBlock};

/// Sums of weights that are further from 1 are not rounding.
const SUM_ERROR_MAX: f64 = 1e-2;

/// Rounding of a kernel: matrices of up to sixteen joints summed, then a product, each of them within a few ulps.
const KERNEL_ROUNDING: f64 = 32.0 * f32::EPSILON as f64;

/// Sixteen boxes as centre and half size, and whose they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BoxBlock {
    pub joints: [u16; ROW],
    pub center: [Row; 3],
    pub half: [Row; 3],
}

/// The boxes of a mesh's joints. Joints that move no vertex have none.
#[derive(Clone, Debug, PartialEq)]
pub struct JointBoxes {
    /// Ascending numbers of the palette.
    joints: Vec<u16>,
    boxes: Vec<Aabb>,
    /// The same for lanes; the last block is filled up with its last box.
    pub(super) blocks: Vec<BoxBlock>,
    /// Joints that share vertices, the first less than the second, and the box of these vertices.
    pub(super) shared: Vec<(u16, u16, Aabb)>,
    /// The most joints of a vertex.
    pub(super) joints_max: usize,
    slack: f32,
}

impl JointBoxes {
    /// From joints and weights of vertices in any order, four each.
    ///
    /// Shapes: `vertices` has a box for each vertex, where the mesh was bound: a point ([`point_boxes`]), or all that a
    ///         morph makes of it
    /// ([`MorphSet::vertex_boxes`](crate::morph::MorphSet::vertex_boxes)); `influences` has its blocks.
    pub fn of_mesh(influences: &[InfluenceBlock], vertices: &[Aabb]) -> Result<JointBoxes, BoundsError> {
        check_length("blocks of influences", influences.len(), VertexBlock::count_for(vertices.len()))?;
        let mut builder = Builder::default();
        for (vertex, bounds) in vertices.iter().enumerate() {
            let (block, lane) = (&influences[vertex / ROW], vertex % ROW);
            builder.add(vertex, *bounds, block.joints[lane].into_iter().zip(block.weights[lane]))?;
        }
        Ok(builder.finish())
    }

    /// From vertices with any number of joints each, as a file has them.
    pub fn of_vertices<'a>(
        vertices: impl IntoIterator<Item = (Aabb, &'a [Influence])>,
    ) -> Result<JointBoxes, BoundsError> {
        let mut builder = Builder::default();
        for (vertex, (bounds, influences)) in vertices.into_iter().enumerate() {
            builder.add(vertex, bounds, influences.iter().map(|own| (own.joint, own.weight)))?;
        }
        Ok(builder.finish())
    }

    /// From joints of blocks of sixteen vertices.
    ///
    /// Shapes: as [`of_mesh`](JointBoxes::of_mesh).
    pub fn of_sorted(influences: SortedInfluences<'_>, vertices: &[Aabb]) -> Result<JointBoxes, BoundsError> {
        let SortedInfluences { ends, joints, weights } = influences;
        check_length("ends of blocks", ends.len(), VertexBlock::count_for(vertices.len()))?;
        check_length("rows of weights", weights.len(), joints.len())?;
        let mut start = 0;
        for (block, end) in ends.iter().map(|end| *end as usize).enumerate() {
            if end < start || end > joints.len() {
                return Err(JobError::BlockEnd { block, start, end, count: joints.len() }.into());
            }
            start = end;
        }
        let mut builder = Builder::default();
        for (vertex, bounds) in vertices.iter().enumerate() {
            let (block, lane) = (vertex / ROW, vertex % ROW);
            let start = if block == 0 { 0 } else { ends[block - 1] as usize };
            let entries = start..ends[block] as usize;
            let weights = weights[entries.clone()].iter().map(|row| f32::from(row[lane]) * (1.0 / 255.0));
            builder.add(vertex, *bounds, joints[entries].iter().copied().zip(weights))?;
        }
        Ok(builder.finish())
    }

    /// Numbers of the palette, ascending.
    pub fn joints(&self) -> &[u16] {
        &self.joints
    }
    /// One a joint of [`joints`](JointBoxes::joints).
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }
    /// How much boxes are enlarged, of the size of the numbers that are summed for them.
    pub fn slack(&self) -> f32 {
        self.slack
    }

    pub(super) fn check_palette(&self, joint_count: usize) -> Result<(), BoundsError> {
        Ok(check_indices("joints of the boxes", self.joints.iter().copied(), joint_count)?)
    }
}

/// A box for each vertex of a mesh that nothing morphs: the point itself.
pub fn point_boxes(vertices: &[VertexBlock], vertex_count: usize) -> Vec<Aabb> {
    let point = |vertex: usize| {
        let block = &vertices[vertex / ROW];
        Vec3::from_array([0, 1, 2].map(|axis: usize| block.position[axis].0[vertex % ROW]))
    };
    (0..vertex_count).map(|vertex| Aabb::new(point(vertex), point(vertex))).collect()
}

#[derive(Default)]
struct Builder {
    boxes: BTreeMap<u16, Aabb>,
    shared: BTreeMap<(u16, u16), Aabb>,
    joints_max: usize,
    sum_error: f64,
}

impl Builder {
    fn add(
        &mut self,
        vertex: usize,
        bounds: Aabb,
        influences: impl Iterator<Item = (u16, f32)> + Clone,
    ) -> Result<(), BoundsError> {
        if bounds.is_empty() || !bounds.min.is_finite() || !bounds.max.is_finite() {
            return Err(BoundsError::Vertex { vertex });
        }
        let mut sum = 0.0;
        for (joint, weight) in influences.clone() {
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(BoundsError::Weight { vertex, joint, weight });
            }
            sum += f64::from(weight);
        }
        let error = (sum - 1.0).abs();
        if error > SUM_ERROR_MAX {
            return Err(BoundsError::WeightSum { vertex, sum });
        }
        self.sum_error = self.sum_error.max(error);
        let moved_by = influences.filter(|(_, weight)| *weight > 0.0).map(|(joint, _)| joint);
        self.joints_max = self.joints_max.max(moved_by.clone().count());
        for joint in moved_by.clone() {
            let own = self.boxes.entry(joint).or_default();
            *own = own.union(bounds);
            for other in moved_by.clone().filter(|other| *other > joint) {
                let both = self.shared.entry((joint, other)).or_default();
                *both = both.union(bounds);
            }
        }
        Ok(())
    }

    fn finish(self) -> JointBoxes {
        let joints: Vec<u16> = self.boxes.keys().copied().collect();
        let boxes: Vec<Aabb> = self.boxes.values().copied().collect();
        let blocks = (0..joints.len().div_ceil(ROW)).map(|block| {
            let mut out = BoxBlock { joints: [0; ROW], center: [Row::ZERO; 3], half: [Row::ZERO; 3] };
            for lane in 0..ROW {
                let from = (block * ROW + lane).min(joints.len() - 1);
                out.joints[lane] = joints[from];
                let (center, half) = (boxes[from].center(), boxes[from].half_size());
                for axis in 0..3 {
                    out.center[axis].0[lane] = center[axis];
                    out.half[axis].0[lane] = half[axis];
                }
            }
            out
        });
        let blocks = blocks.collect();
        let shared = self.shared.into_iter().map(|((first, second), bounds)| (first, second, bounds)).collect();
        let slack = (self.sum_error + KERNEL_ROUNDING) as f32;
        JointBoxes { joints, boxes, blocks, shared, joints_max: self.joints_max, slack }
    }
}
