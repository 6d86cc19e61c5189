//! Set: the targets of a mesh, laid out by blocks of sixteen vertices.
//!
//! ```text
//! block 0: entries for those targets that move any of its vertices, in the order of targets; block 1: ...
//! entry:   planes of sixteen differences, 0 for vertices that the target leaves
//! ```
//!
//! So a block is read and written once however many targets there are, and what no target moves costs nothing. Faces
//! move in patches: lists of single vertices would need a third of the memory at best and an address for each number.

use stillframe_base::geom::Aabb;
use stillframe_base::lanes::{ROW, Row};

use super::MorphError;
use crate::pose::check_length;
use crate::skin::VertexBlock;

/// Targets: what a `u16` can number.
const TARGETS_MAX: usize = 1 << 16;

/// What is added to some vertices at weight 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct MorphTarget<'a> {
    /// Which vertices, ascending.
    pub vertices: &'a [u32],
    /// As many as `vertices`, metres.
    pub positions: &'a [[f32; 3]],
    /// As many, or none: the target leaves normals.
    pub normals: &'a [[f32; 3]],
    /// As many, or none.
    pub tangents: &'a [[f32; 3]],
}

/// The targets of a mesh. Made once, shared by all that wear it.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphSet {
    pub(super) vertex_count: usize,
    pub(super) target_count: usize,
    /// Where each block's entries end.
    pub(super) ends: Vec<u32>,
    /// The target of each entry.
    pub(super) targets: Vec<u16>,
    /// One an entry.
    pub(super) positions: Vec<[Row; 3]>,
    /// Normals and tangents: one an entry, or none in the whole set.
    pub(super) frames: Vec<[[Row; 3]; 2]>,
}

impl MorphSet {
    /// Lays targets out for a mesh of `vertex_count` vertices.
    ///
    /// Errors: lists of other lengths, vertices that are out of order or not there, numbers that are not finite, more
    ///         than 65536 targets.
    pub fn new(vertex_count: usize, targets: &[MorphTarget<'_>]) -> Result<MorphSet, MorphError> {
        if targets.len() > TARGETS_MAX {
            return Err(MorphError::TooMany { what: "targets", count: targets.len(), max: TARGETS_MAX });
        }
        // Block, target, entry of the target: where a run of one block begins.
        let mut runs: Vec<(u32, u16, usize)> = Vec::new();
        for (number, target) in targets.iter().enumerate() {
            check_target(number, target, vertex_count)?;
            let mut last = None;
            for (entry, vertex) in target.vertices.iter().enumerate() {
                let block = vertex / ROW as u32;
                if last != Some(block) {
                    runs.push((block, number as u16, entry));
                    last = Some(block);
                }
            }
        }
        runs.sort_unstable();
        if u32::try_from(runs.len()).is_err() {
            return Err(MorphError::TooMany { what: "entries", count: runs.len(), max: u32::MAX as usize });
        }
        let has_frames = targets.iter().any(|target| !target.normals.is_empty() || !target.tangents.is_empty());
        let mut set = MorphSet {
            vertex_count,
            target_count: targets.len(),
            ends: vec![0; VertexBlock::count_for(vertex_count)],
            targets: Vec::with_capacity(runs.len()),
            positions: Vec::with_capacity(runs.len()),
            frames: Vec::with_capacity(if has_frames { runs.len() } else { 0 }),
        };
        for (block, number, first) in runs {
            let target = &targets[usize::from(number)];
            let (mut position, mut frame) = ([Row::ZERO; 3], [[Row::ZERO; 3]; 2]);
            let run = target.vertices[first..].iter().take_while(|vertex| *vertex / ROW as u32 == block).count();
            for entry in first..first + run {
                let lane = target.vertices[entry] as usize % ROW;
                for axis in 0..3 {
                    position[axis].0[lane] = target.positions[entry][axis];
                    for (planes, from) in frame.iter_mut().zip([target.normals, target.tangents]) {
                        planes[axis].0[lane] = from.get(entry).map_or(0.0, |vector| vector[axis]);
                    }
                }
            }
            set.ends[block as usize] += 1;
            set.targets.push(number);
            set.positions.push(position);
            if has_frames {
                set.frames.push(frame);
            }
        }
        let mut end = 0;
        for count in &mut set.ends {
            end += *count;
            *count = end;
        }
        Ok(set)
    }

    pub fn vertex_count(&self) -> usize {
        self.vertex_count
    }
    pub fn target_count(&self) -> usize {
        self.target_count
    }
    /// Blocks of sixteen that targets move, over all targets: what a job with all weights reads.
    pub fn entry_count(&self) -> usize {
        self.targets.len()
    }
    /// What it takes in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.ends)
            + size_of_val(&*self.targets)
            + size_of_val(&*self.positions)
            + size_of_val(&*self.frames)
    }

    /// The box that each vertex stays in for weights of targets in 0 to 1, rounding of the job included: the base, and
    /// every difference that makes it larger. (The union of the targets' shapes, which the book takes, holds only means
    /// of them and not their sums.)
    ///
    /// Shapes: `vertices` has the blocks of the mesh; one box a vertex comes out.
    pub fn vertex_boxes(&self, vertices: &[VertexBlock]) -> Result<Vec<Aabb>, MorphError> {
        check_length("blocks of the mesh", vertices.len(), self.ends.len())?;
        let mut boxes = Vec::with_capacity(self.vertex_count);
        for vertex in 0..self.vertex_count {
            let (block, lane) = (vertex / ROW, vertex % ROW);
            let start = if block == 0 { 0 } else { self.ends[block - 1] as usize };
            let mut bounds = Aabb::EMPTY;
            for axis in 0..3 {
                let base = f64::from(vertices[block].position[axis].0[lane]);
                let (mut min, mut max, mut size) = (base, base, base.abs());
                for position in &self.positions[start..self.ends[block] as usize] {
                    let delta = f64::from(position[axis].0[lane]);
                    (min, max, size) = (min + delta.min(0.0), max + delta.max(0.0), size + delta.abs());
                }
                // A product and a sum an entry, each rounded by half an ulp of what is at most `size`; then to f32.
                let slack = size * f64::from(f32::EPSILON) * (self.ends[block] as usize - start + 1) as f64;
                bounds.min[axis] = (min - slack) as f32;
                bounds.max[axis] = (max + slack) as f32;
            }
            boxes.push(bounds);
        }
        Ok(boxes)
    }
}

fn check_target(number: usize, target: &MorphTarget<'_>, vertex_count: usize) -> Result<(), MorphError> {
    let want = target.vertices.len();
    let vectors = [("positions", target.positions), ("normals", target.normals), ("tangents", target.tangents)];
    for (what, vectors) in vectors {
        if vectors.len() != want && !(vectors.is_empty() && what != "positions") {
            return Err(MorphError::Length { target: number, what, count: vectors.len(), want });
        }
        if let Some(entry) = vectors.iter().position(|vector| !vector.iter().all(|x| x.is_finite())) {
            return Err(MorphError::NotFinite { target: number, entry });
        }
    }
    for (entry, &vertex) in target.vertices.iter().enumerate() {
        if vertex as usize >= vertex_count {
            return Err(MorphError::VertexIndex { target: number, entry, vertex, count: vertex_count });
        }
        if entry > 0 && target.vertices[entry - 1] >= vertex {
            return Err(MorphError::VertexOrder { target: number, entry });
        }
    }
    Ok(())
}
