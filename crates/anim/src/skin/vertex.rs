//! Vertex: sixteen vertices in planes, what a blended matrix does to them, and the one loop over blocks that all skins
//! share.

use stillframe_base::lanes::{Isa, ROW, Row, Wide, WideWork};

use crate::pose::load3;

/// Results larger than this are stored past the caches: they would not stay there.
pub(super) const STREAM_BYTES: usize = 16 << 20;

/// Directions whose squared length is below this keep the length they have: they have no direction.
pub(super) const LENGTH_SQUARED_MIN: f32 = f32::MIN_POSITIVE;

/// Sixteen vertices: nine planes. The handedness of a tangent does not move and is not here. Lanes without a vertex are
/// zero.
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

    /// Vertices in planes. `normals` and `tangents` are as many as `positions`, or none and zero; of tangents the first
    /// three numbers count.
    pub fn of_vertices(positions: &[[f32; 3]], normals: &[[f32; 3]], tangents: &[[f32; 4]]) -> Vec<VertexBlock> {
        let mut blocks = vec![VertexBlock::ZERO; VertexBlock::count_for(positions.len())];
        for (block, from) in blocks.iter_mut().zip(positions.chunks(ROW)) {
            into_planes(from, &mut block.position);
        }
        for (block, from) in blocks.iter_mut().zip(normals.chunks(ROW)) {
            into_planes(from, &mut block.normal);
        }
        for (block, from) in blocks.iter_mut().zip(tangents.chunks(ROW)) {
            into_planes(from, &mut block.tangent);
        }
        blocks
    }

    /// Vertices out of planes, as many as there is room for: the reverse of [`of_vertices`](VertexBlock::of_vertices).
    /// The fourth numbers of tangents stay.
    pub fn write_vertices(
        blocks: &[VertexBlock],
        positions: &mut [[f32; 3]],
        normals: &mut [[f32; 3]],
        tangents: &mut [[f32; 4]],
    ) {
        for (block, to) in blocks.iter().zip(positions.chunks_mut(ROW)) {
            out_of_planes(&block.position, to);
        }
        for (block, to) in blocks.iter().zip(normals.chunks_mut(ROW)) {
            out_of_planes(&block.normal, to);
        }
        for (block, to) in blocks.iter().zip(tangents.chunks_mut(ROW)) {
            out_of_planes(&block.tangent, to);
        }
    }
}

/// `N` is 3 or 4.
fn into_planes<const N: usize>(from: &[[f32; N]], to: &mut [Row; 3]) {
    for (lane, from) in from.iter().enumerate() {
        for axis in 0..3 {
            to[axis].0[lane] = from[axis];
        }
    }
}

fn out_of_planes<const N: usize>(from: &[Row; 3], to: &mut [[f32; N]]) {
    for (lane, to) in to.iter_mut().enumerate() {
        for axis in 0..3 {
            to[axis] = from[axis].0[lane];
        }
    }
}

/// What becomes of normals and tangents. Positions do not depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Directions {
    /// Both by the vertex's blended matrix. Right where joints turn, move and scale evenly; lengths are what comes out.
    #[default]
    Carried,
    /// As `Carried`, then made unit.
    Unit,
    /// Tangents as `Unit`. Normals by the inverse transpose of the blended matrix, made unit: right under any scale,
    /// also mirrored or flattened. Scales from 1e-9 to 1e9.
    InverseTranspose,
    /// Normals by the cofactors of the blended matrix: they stay on the side from which the surface's triangles run
    /// counter-clockwise, which a mirror changes. Normals and tangents are made unit; those that lose their length, or
    /// gain too much of it, stay as they were.
    Surface,
}

/// Does `$add` with `$k` as each influence after the first of `$count`, written out: as a loop, numbers reach the
/// registers too late, which costs a third of the time with AVX2.
macro_rules! sum_influences {
    ($count:expr, $k:ident, $add:expr) => {
        sum_influences!(@ $count, $k, $add, 1 2 3 4 5 6 7)
    };
    (@ $count:expr, $k:ident, $add:expr, $($number:literal)*) => {
        $(if $number < $count {
            let $k = $number;
            $add;
        })*
    };
}
pub(super) use sum_influences;

/// What moves a block of vertices.
pub(super) trait MoveBlock {
    /// Writes block number `block`. Implementations must be `#[inline(always)]`.
    fn move_block<W: Wide>(&self, wide: W, block: usize, from: &VertexBlock, to: &mut VertexBlock);
}

/// Moves all blocks.
pub(super) fn move_blocks(isa: Isa, mover: impl MoveBlock, vertices: &[VertexBlock], out: &mut [VertexBlock]) {
    isa.run_wide(Blocks { mover, vertices, out });
}

struct Blocks<'a, M> {
    mover: M,
    vertices: &'a [VertexBlock],
    out: &'a mut [VertexBlock],
}

impl<M: MoveBlock> WideWork for Blocks<'_, M> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let Blocks { mover, vertices, out } = self;
        let past_caches = size_of_val(out) > STREAM_BYTES;
        let mut moved = VertexBlock::ZERO;
        for (block, (from, to)) in vertices.iter().zip(out).enumerate() {
            mover.move_block(wide, block, from, if past_caches { &mut moved } else { &mut *to });
            if past_caches {
                // Hidden from the optimiser, which would store each row as soon as it is computed, between reads.
                stream(wide, std::hint::black_box(&moved), to);
            }
        }
        if past_caches {
            wide.fence();
        }
    }
}

/// Writes a part of a block, moved by the matrix of each lane.
#[inline(always)]
pub(super) fn transform<W: Wide>(
    wide: W,
    m: [W::F32; 12],
    directions: Directions,
    vertices: &VertexBlock,
    part: usize,
    out: &mut VertexBlock,
) {
    let [x, y, z] = load3(wide, &vertices.position, part);
    wide.store(((m[0] * x + m[1] * y) + m[2] * z) + m[3], &mut out.position[0], part);
    wide.store(((m[4] * x + m[5] * y) + m[6] * z) + m[7], &mut out.position[1], part);
    wide.store(((m[8] * x + m[9] * y) + m[10] * z) + m[11], &mut out.position[2], part);
    // One vector after the other: the matrix and two of them are more than the registers of AVX2.
    let normal = load3(wide, &vertices.normal, part);
    let normal = match directions {
        Directions::Carried => turned(wide, &m, normal),
        Directions::Unit => unit(wide, turned(wide, &m, normal)),
        Directions::InverseTranspose => unit(wide, outwards(wide, turned_by_cofactors(wide, &m, normal))),
        Directions::Surface => unit_or(wide, turned_by_cofactors(wide, &m, normal).0, normal),
    };
    store3(wide, normal, &mut out.normal, part);
    let before = load3(wide, &vertices.tangent, part);
    let tangent = turned(wide, &m, before);
    let tangent = match directions {
        Directions::Carried => tangent,
        Directions::Unit | Directions::InverseTranspose => unit(wide, tangent),
        Directions::Surface => unit_or(wide, tangent, before),
    };
    store3(wide, tangent, &mut out.tangent, part);
}

#[inline(always)]
fn turned<W: Wide>(_: W, m: &[W::F32; 12], [x, y, z]: [W::F32; 3]) -> [W::F32; 3] {
    [(m[0] * x + m[1] * y) + m[2] * z, (m[4] * x + m[5] * y) + m[6] * z, (m[8] * x + m[9] * y) + m[10] * z]
}

/// By the inverse transpose times the determinant: the rows of the matrix of cofactors are the cross products of the
/// matrix's rows. With it the sign of the determinant.
#[inline(always)]
fn turned_by_cofactors<W: Wide>(wide: W, m: &[W::F32; 12], [x, y, z]: [W::F32; 3]) -> ([W::F32; 3], W::F32) {
    let (a, b, c) = ([m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]);
    let (bc, ca, ab) = (cross(wide, b, c), cross(wide, c, a), cross(wide, a, b));
    let sign = wide.sign((a[0] * bc[0] + a[1] * bc[1]) + a[2] * bc[2]);
    let turned =
        [(bc[0] * x + bc[1] * y) + bc[2] * z, (ca[0] * x + ca[1] * y) + ca[2] * z, (ab[0] * x + ab[1] * y) + ab[2] * z];
    (turned, sign)
}

#[inline(always)]
fn outwards<W: Wide>(wide: W, ([x, y, z], sign): ([W::F32; 3], W::F32)) -> [W::F32; 3] {
    [wide.flip(x, sign), wide.flip(y, sign), wide.flip(z, sign)]
}

#[inline(always)]
pub(super) fn cross<W: Wide>(_: W, a: [W::F32; 3], b: [W::F32; 3]) -> [W::F32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn unit<W: Wide>(wide: W, [x, y, z]: [W::F32; 3]) -> [W::F32; 3] {
    let factor = unit_factor(wide, (x * x + y * y) + z * z);
    [x * factor, y * factor, z * factor]
}

/// Unit; `otherwise` where the length is 0 or no number that can be divided by.
#[inline(always)]
fn unit_or<W: Wide>(wide: W, [x, y, z]: [W::F32; 3], otherwise: [W::F32; 3]) -> [W::F32; 3] {
    let length_squared = (x * x + y * y) + z * z;
    let factor = wide.splat(1.0) / wide.sqrt(length_squared);
    let (zero, infinity) = (wide.splat(0.0), wide.splat(f32::INFINITY));
    let mut out = [x * factor, y * factor, z * factor];
    for n in 0..3 {
        let long = wide.select_less(zero, length_squared, out[n], otherwise[n]);
        out[n] = wide.select_less(length_squared, infinity, long, otherwise[n]);
    }
    out
}

/// What makes a vector of this squared length unit; 1 where it has no direction.
#[inline(always)]
pub(super) fn unit_factor<W: Wide>(wide: W, length_squared: W::F32) -> W::F32 {
    let one = wide.splat(1.0);
    wide.select_less(length_squared, wide.splat(LENGTH_SQUARED_MIN), one, one / wide.sqrt(length_squared))
}

#[inline(always)]
fn store3<W: Wide>(wide: W, [x, y, z]: [W::F32; 3], to: &mut [Row; 3], part: usize) {
    wide.store(x, &mut to[0], part);
    wide.store(y, &mut to[1], part);
    wide.store(z, &mut to[2], part);
}

/// Copies a block past the caches.
#[inline(always)]
fn stream<W: Wide>(wide: W, from: &VertexBlock, to: &mut VertexBlock) {
    let from: &[Row] = bytemuck::cast_slice(std::slice::from_ref(from));
    let to: &mut [Row] = bytemuck::cast_slice_mut(std::slice::from_mut(to));
    for (from, to) in from.iter().zip(to) {
        wide.stream(from, to);
    }
}
