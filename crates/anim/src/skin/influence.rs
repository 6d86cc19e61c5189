//! Influence: which joints move a vertex, and how much, brought into a form that skins can use.
//!
//! Rule, for each vertex:
//! 1. Weights of the same joint are added up. A weight that is negative or not finite and a joint that there is not are
//!    errors.
//! 2. The largest stay, as many as are wanted; of equal ones those of the lower joints.
//! 3. Those below [`SHARE_MIN`] of what is left are dropped.
//! 4. What is left is divided by its sum, which must be more than [`SUM_MIN`].
//!
//! Source: Stillframe's specification of animation, 1.8. Changed: the least share is one of the sum, so that files
//! whose weights do not sum to 1 lose no more than others, and weights of eight bits are rounded so that they sum to
//! 255 ([`weights_u8`]).

use std::collections::BTreeMap;

use stillframe_base::lanes::ROW;

use super::{SkinError, VertexBlock};
use crate::pose::{JobError, check_finite, check_indices, check_length};

/// The most influences a vertex may keep.
pub const INFLUENCES_MAX: usize = 8;

/// Shares below this are dropped.
pub const SHARE_MIN: f64 = 1e-4;

/// Weights that sum to no more than this move nothing.
pub const SUM_MIN: f64 = 1e-4;

/// A joint that moves a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Influence {
    pub joint: u16,
    pub weight: f32,
}

/// Influences of the vertices of a mesh: each has at least one; they are in order of falling weight, then of rising
/// joint; their weights are positive and sum to 1, but for rounding.
#[derive(Clone, Debug, PartialEq)]
pub struct InfluenceList {
    joint_count: usize,
    count_max: usize,
    ends: Vec<u32>,
    entries: Vec<Influence>,
}

impl InfluenceList {
    /// A list of no vertices. `joint_count` is the palette's; vertices keep at most `count_max` influences, 1 to
    /// [`INFLUENCES_MAX`].
    pub fn new(joint_count: usize, count_max: usize) -> InfluenceList {
        assert!((1..=INFLUENCES_MAX).contains(&count_max), "{count_max} influences a vertex");
        InfluenceList { joint_count, count_max, ends: Vec::new(), entries: Vec::new() }
    }

    /// Adds a vertex, reduced by the rule of this module.
    pub fn push(&mut self, raw: &[Influence]) -> Result<(), SkinError> {
        let kept = reduce_influences(self.vertex_count(), raw, self.joint_count, self.count_max)?;
        self.entries.extend(kept);
        self.ends.push(self.entries.len() as u32);
        Ok(())
    }

    pub fn joint_count(&self) -> usize {
        self.joint_count
    }
    pub fn vertex_count(&self) -> usize {
        self.ends.len()
    }
    /// Of one vertex.
    pub fn of(&self, vertex: usize) -> &[Influence] {
        let start = if vertex == 0 { 0 } else { self.ends[vertex - 1] };
        &self.entries[start as usize..self.ends[vertex] as usize]
    }
    /// The most that any vertex has; 1 where there are no vertices.
    pub fn influence_count(&self) -> usize {
        (0..self.vertex_count()).map(|vertex| self.of(vertex).len()).max().unwrap_or(1)
    }

    /// In the form of [`SkinMesh`](super::SkinMesh) with [`influence_count`](InfluenceList::influence_count).
    pub fn blocks(&self) -> Vec<InfluenceBlock> {
        let set_count = InfluenceBlock::sets_for(self.influence_count());
        let mut blocks = vec![InfluenceBlock::ZERO; VertexBlock::count_for(self.vertex_count()) * set_count];
        for vertex in 0..self.vertex_count() {
            for (k, influence) in self.of(vertex).iter().enumerate() {
                let block = &mut blocks[vertex / ROW * set_count + k / 4];
                block.joints[vertex % ROW][k % 4] = influence.joint;
                block.weights[vertex % ROW][k % 4] = influence.weight;
            }
        }
        blocks
    }
}

/// Joints and weights of sixteen vertices, four each. Fewer are filled up with weight 0; lanes without a vertex have no
/// weight.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C, align(64))]
pub struct InfluenceBlock {
    /// Numbers of the palette.
    pub joints: [[u16; 4]; ROW],
    /// They sum to 1.
    pub weights: [[f32; 4]; ROW],
}

impl InfluenceBlock {
    pub const ZERO: InfluenceBlock = InfluenceBlock { joints: [[0; 4]; ROW], weights: [[0.0; 4]; ROW] };

    /// Blocks of influences that a block of vertices has.
    pub const fn sets_for(influence_count: usize) -> usize {
        influence_count.div_ceil(4)
    }
}

/// Influences of the vertices of a mesh.
#[derive(Clone, Copy, Debug)]
pub struct MeshInfluences<'a> {
    /// Of a vertex, 1 and more; fast up to [`INFLUENCES_MAX`]. Entries after these have no weight.
    pub count: usize,
    /// [`InfluenceBlock::sets_for`] of `count` for a block of vertices, behind each other: its influences 1 to 4, then
    /// 5 to 8 and so on.
    pub blocks: &'a [InfluenceBlock],
}

impl MeshInfluences<'_> {
    pub(super) fn check_shape(&self, vertex_blocks: usize) -> Result<(), JobError> {
        if self.count == 0 {
            return Err(JobError::Length { what: "influences of a vertex", count: 0, want: 1 });
        }
        let sets = InfluenceBlock::sets_for(self.count);
        check_length("blocks of influences", self.blocks.len(), vertex_blocks * sets)
    }

    pub(super) fn validate(&self, joint_count: usize) -> Result<(), JobError> {
        let joints = self.blocks.iter().flat_map(|block| block.joints).flatten();
        check_indices("joints of the mesh", joints, joint_count)?;
        self.blocks.iter().try_for_each(|block| check_finite("weights", bytemuck::cast_slice(&block.weights)))
    }
}

/// What is left of the influences of a vertex, by the rule of this module; `vertex` is for the error.
pub fn reduce_influences(
    vertex: usize,
    raw: &[Influence],
    joint_count: usize,
    count_max: usize,
) -> Result<Vec<Influence>, SkinError> {
    let mut merged = BTreeMap::<u16, f64>::new();
    for &Influence { joint, weight } in raw {
        if usize::from(joint) >= joint_count {
            return Err(SkinError::UnknownJoint { vertex, joint, count: joint_count });
        }
        if !(weight >= 0.0 && weight.is_finite()) {
            return Err(SkinError::Weight { vertex, joint, weight });
        }
        *merged.entry(joint).or_default() += f64::from(weight);
    }
    let mut kept: Vec<(u16, f64)> = merged.into_iter().collect();
    kept.sort_by(|(a, a_weight), (b, b_weight)| b_weight.total_cmp(a_weight).then(a.cmp(b)));
    kept.truncate(count_max);
    let sum: f64 = kept.iter().map(|(_, weight)| weight).sum();
    if sum <= SUM_MIN {
        return Err(SkinError::NoWeight { vertex, sum });
    }
    // The first has an eighth of the sum at least, so that one is left.
    kept.retain(|(_, weight)| *weight >= SHARE_MIN * sum);
    let sum: f64 = kept.iter().map(|(_, weight)| weight).sum();
    Ok(kept.into_iter().map(|(joint, weight)| Influence { joint, weight: (weight / sum) as f32 }).collect())
}

/// Weights as parts of 255 that sum to 255: each is rounded down, and what is missing goes to those that lost most, of
/// equal ones to the first (largest remainder).
///
/// Shapes: `weights` are those of an [`InfluenceList`]; `out` has as many.
pub fn weights_u8(weights: &[Influence], out: &mut [u8]) {
    assert!(!weights.is_empty() && weights.len() == out.len(), "{} weights, {} written", weights.len(), out.len());
    let sum: f64 = weights.iter().map(|influence| f64::from(influence.weight)).sum();
    let exact = |k: usize| f64::from(weights[k].weight) * 255.0 / sum;
    let mut left = 255;
    for (k, out) in out.iter_mut().enumerate() {
        *out = exact(k) as u8;
        left -= i32::from(*out);
    }
    let mut order: [usize; INFLUENCES_MAX] = std::array::from_fn(|k| k);
    let order = &mut order[..weights.len()];
    let lost = |k: usize| exact(k) - f64::from(exact(k) as u8);
    order.sort_by(|&a, &b| lost(b).total_cmp(&lost(a)).then(a.cmp(&b)));
    // Rounding of the sum itself may leave one too many, never more than there are weights.
    for &k in order.iter().cycle().take(left.max(0) as usize) {
        out[k] += 1;
    }
}
