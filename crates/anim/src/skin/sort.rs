//! Sort: vertices in blocks of sixteen that name few joints together, done once at import.
//!
//! Source: Stillframe's own measurements of skins (few joints a block is what makes [`SkinSorted`](super::SkinSorted)
//! fast). Greedy:
//! 1. Vertices with the same joints are a group. Groups fill whole blocks by themselves.
//! 2. What is left of the groups fills blocks together: a block begins with the group that has most joints, and takes
//!    again and again the one that adds fewest joints to it (of equals the one with most vertices, then the first), as
//!    long as it has room for vertices and joints.
//!
//! The order depends on nothing but the influences.

use std::collections::BTreeMap;

use stillframe_base::lanes::ROW;

use super::{Influence, InfluenceList, SkinError, SortedInfluences, VertexBlock, weights_u8};

/// The most joints that a block is given.
pub const BLOCK_JOINTS_MAX: usize = 8;

/// A lane without a vertex.
pub const NO_VERTEX: u32 = u32::MAX;

/// A mesh in the order of its blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct SortedMesh {
    /// The vertex in each lane of each block, or [`NO_VERTEX`].
    pub vertices: Vec<u32>,
    /// The lane of each vertex, counted over all blocks: what index buffers are mapped through.
    pub slots: Vec<u32>,
    ends: Vec<u32>,
    joints: Vec<u16>,
    weights: Vec<[u8; ROW]>,
    pub report: BlockReport,
}

/// How well vertices fit into blocks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockReport {
    pub vertex_count: usize,
    pub block_count: usize,
    /// Lanes that hold a vertex, of all: 0 to 1; 1 where there are none.
    pub fill: f64,
    /// Joints of a block.
    pub joints_mean: f64,
    pub joints_max: usize,
    /// Joints of a block if the vertices stayed in their order.
    pub joints_mean_unsorted: f64,
}

impl SortedMesh {
    pub fn influences(&self) -> SortedInfluences<'_> {
        SortedInfluences { ends: &self.ends, joints: &self.joints, weights: &self.weights }
    }

    /// Vertices in the order of the blocks; `vertices` are those of the mesh in its own order.
    pub fn arrange(&self, vertices: &[VertexBlock]) -> Vec<VertexBlock> {
        let mut out = vec![VertexBlock::ZERO; self.ends.len()];
        for (slot, &vertex) in self.vertices.iter().enumerate().filter(|(_, vertex)| **vertex != NO_VERTEX) {
            let (from, to) = (&vertices[vertex as usize / ROW], &mut out[slot / ROW]);
            let pairs =
                [(&from.position, &mut to.position), (&from.normal, &mut to.normal), (&from.tangent, &mut to.tangent)];
            for (from, to) in pairs {
                for (from, to) in from.iter().zip(to) {
                    to.0[slot % ROW] = from.0[vertex as usize % ROW];
                }
            }
        }
        out
    }
}

/// Orders vertices into blocks. A block has at most `joints_max` joints, and a vertex must not have more.
///
/// Weights are rounded to 255ths, and joints whose weight that makes 0 do not count.
pub fn sort_blocks(influences: &InfluenceList, joints_max: usize) -> Result<SortedMesh, SkinError> {
    assert!((1..=BLOCK_JOINTS_MAX).contains(&joints_max), "blocks of {joints_max} joints");
    let shares: Vec<Vec<Share>> = (0..influences.vertex_count()).map(|vertex| shares(influences.of(vertex))).collect();
    let mut groups = BTreeMap::<Vec<u16>, Vec<u32>>::new();
    for (vertex, shares) in shares.iter().enumerate() {
        if shares.len() > joints_max {
            return Err(SkinError::VertexJoints { vertex, count: shares.len(), max: joints_max });
        }
        groups.entry(shares.iter().map(|share| share.joint).collect()).or_default().push(vertex as u32);
    }

    let mut blocks: Vec<Block> = Vec::new();
    for (joints, vertices) in &mut groups {
        let whole = vertices.len() / ROW * ROW;
        for chunk in vertices[..whole].chunks_exact(ROW) {
            blocks.push(Block { joints: joints.clone(), vertices: chunk.to_vec() });
        }
        vertices.drain(..whole);
    }
    let left: Vec<Block> = groups
        .into_iter()
        .filter(|(_, vertices)| !vertices.is_empty())
        .map(|(joints, vertices)| Block { joints, vertices })
        .collect();
    blocks.extend(fill_together(left, joints_max));
    Ok(lay_out(&blocks, &shares, influences))
}

/// Joints of a block, rising, and its vertices; or of a group of vertices that have the same joints.
struct Block {
    joints: Vec<u16>,
    vertices: Vec<u32>,
}

/// How much a joint moves a vertex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Share {
    joint: u16,
    /// In 255ths.
    weight: u8,
}

/// Joints of a vertex that have a weight in 255ths, rising.
fn shares(influences: &[Influence]) -> Vec<Share> {
    let mut weights = [0; super::INFLUENCES_MAX];
    let weights = &mut weights[..influences.len()];
    weights_u8(influences, weights);
    let share = |(influence, weight): (&Influence, &mut u8)| Share { joint: influence.joint, weight: *weight };
    let mut shares: Vec<Share> = influences.iter().zip(weights).map(share).collect();
    shares.retain(|share| share.weight > 0);
    shares.sort_unstable();
    shares
}

/// Blocks of groups that are smaller than a block.
fn fill_together(mut left: Vec<Block>, joints_max: usize) -> Vec<Block> {
    // Most joints first, which are hardest to place; the sort is stable.
    left.sort_by_key(|group| std::cmp::Reverse((group.joints.len(), group.vertices.len())));
    let mut blocks = Vec::new();
    while !left.is_empty() {
        let mut block = left.remove(0);
        while block.vertices.len() < ROW {
            let mut best: Option<(usize, usize, usize)> = None;
            for (place, group) in left.iter().enumerate() {
                let added = group.joints.iter().filter(|joint| block.joints.binary_search(joint).is_err()).count();
                let fits = block.joints.len() + added <= joints_max;
                let better = |(best, count, _): &(usize, usize, usize)| {
                    added < *best || (added == *best && group.vertices.len() > *count)
                };
                if fits && best.as_ref().is_none_or(better) {
                    best = Some((added, group.vertices.len(), place));
                }
            }
            let Some((_, count, place)) = best else { break };
            let room = ROW - block.vertices.len();
            block.joints.extend(&left[place].joints);
            block.joints.sort_unstable();
            block.joints.dedup();
            block.vertices.extend(left[place].vertices.drain(..room.min(count)));
            if left[place].vertices.is_empty() {
                left.remove(place);
            }
        }
        blocks.push(block);
    }
    blocks
}

fn lay_out(blocks: &[Block], shares: &[Vec<Share>], influences: &InfluenceList) -> SortedMesh {
    let vertex_count = shares.len();
    let mut mesh = SortedMesh {
        vertices: vec![NO_VERTEX; blocks.len() * ROW],
        slots: vec![0; vertex_count],
        ends: Vec::new(),
        joints: Vec::new(),
        weights: Vec::new(),
        report: BlockReport {
            vertex_count,
            block_count: blocks.len(),
            fill: if blocks.is_empty() { 1.0 } else { vertex_count as f64 / (blocks.len() * ROW) as f64 },
            joints_mean: 0.0,
            joints_max: blocks.iter().map(|block| block.joints.len()).max().unwrap_or(0),
            joints_mean_unsorted: joints_mean_unsorted(influences),
        },
    };
    for (b, block) in blocks.iter().enumerate() {
        let first = mesh.joints.len();
        mesh.joints.extend(&block.joints);
        mesh.weights.resize(mesh.joints.len(), [0; ROW]);
        for (lane, &vertex) in block.vertices.iter().enumerate() {
            mesh.vertices[b * ROW + lane] = vertex;
            mesh.slots[vertex as usize] = (b * ROW + lane) as u32;
            for Share { joint, weight } in &shares[vertex as usize] {
                let entry =
                    block.joints.binary_search(joint).unwrap_or_else(|_| unreachable!("a block has its joints"));
                mesh.weights[first + entry][lane] = *weight;
            }
        }
        mesh.ends.push(mesh.joints.len() as u32);
    }
    mesh.report.joints_mean = mesh.joints.len() as f64 / blocks.len().max(1) as f64;
    mesh
}

fn joints_mean_unsorted(influences: &InfluenceList) -> f64 {
    let block_count = VertexBlock::count_for(influences.vertex_count());
    let mut sum = 0;
    for block in 0..block_count {
        let vertices = block * ROW..influences.vertex_count().min((block + 1) * ROW);
        let mut joints: Vec<u16> =
            vertices.flat_map(|vertex| influences.of(vertex)).map(|influence| influence.joint).collect();
        joints.sort_unstable();
        joints.dedup();
        sum += joints.len();
    }
    sum as f64 / block_count.max(1) as f64
}
