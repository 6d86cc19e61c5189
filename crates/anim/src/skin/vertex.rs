//! Vertex: sixteen vertices in planes, and what a blended matrix does to them.

use stillframe_base::lanes::{ROW, Row, Wide};

use crate::pose::load3;

/// Results larger than this are stored past the caches: they would not stay there.
pub(super) const STREAM_BYTES: usize = 16 << 20;

/// Sixteen vertices: nine planes. The handedness of a tangent does not move and is not here. Lanes without a vertex are zero.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C)]
pub struct VertexBlock {
    pub position: [Row; 3],
    pub normal: [Row; 3],
    pub tangent: [Row; 3],
}

impl VertexBlock {
    pub const ZERO: VertexBlock =
        VertexBlock { position: [Row::ZERO; 3], normal: [Row::ZERO; 3], tangent: [Row::ZERO; 3] };

    /// Blocks that hold `vertex_count` vertices.
    pub const fn count_for(vertex_count: usize) -> usize {
        vertex_count.div_ceil(ROW)
    }
}

/// Writes a part of a block, moved by the matrix of each lane.
#[inline(always)]
pub(super) fn transform<W: Wide>(wide: W, m: [W::F32; 12], vertices: &VertexBlock, part: usize, out: &mut VertexBlock) {
    let [x, y, z] = load3(wide, &vertices.position, part);
    wide.store(((m[0] * x + m[1] * y) + m[2] * z) + m[3], &mut out.position[0], part);
    wide.store(((m[4] * x + m[5] * y) + m[6] * z) + m[7], &mut out.position[1], part);
    wide.store(((m[8] * x + m[9] * y) + m[10] * z) + m[11], &mut out.position[2], part);
    for (from, to) in [(&vertices.normal, &mut out.normal), (&vertices.tangent, &mut out.tangent)] {
        let [x, y, z] = load3(wide, from, part);
        wide.store((m[0] * x + m[1] * y) + m[2] * z, &mut to[0], part);
        wide.store((m[4] * x + m[5] * y) + m[6] * z, &mut to[1], part);
        wide.store((m[8] * x + m[9] * y) + m[10] * z, &mut to[2], part);
    }
}

/// Copies a block past the caches.
#[inline(always)]
pub(super) fn stream<W: Wide>(wide: W, from: &VertexBlock, to: &mut VertexBlock) {
    let from: &[Row] = bytemuck::cast_slice(std::slice::from_ref(from));
    let to: &mut [Row] = bytemuck::cast_slice_mut(std::slice::from_mut(to));
    for (from, to) in from.iter().zip(to) {
        wide.stream(from, to);
    }
}
