//! Mesh: skinning of vertices in any order, four joints each.

use stillframe_base::lanes::{Isa, MatrixSource, Picked, ROW, Wide, WideWork};

use super::VertexBlock;
use super::vertex::{STREAM_BYTES, stream, transform};
use crate::pose::{Affine, JobError, check_finite, check_indices, check_length};

/// Joints and weights of sixteen vertices, four each. Fewer are filled up with weight 0; lanes without a vertex have no weight.
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
}

/// Moves vertices, each by its own joints.
///
/// ```text
/// m = ((w0 palette[j0] + w1 palette[j1]) + w2 palette[j2]) + w3 palette[j3]
/// position = m * position, normal = m * normal, tangent = m * tangent
/// ```
///
/// Shapes: `influences`, `vertices` and `out` have the same number of blocks.
pub struct SkinMesh<'a> {
    pub isa: Isa,
    pub palette: &'a [Affine],
    pub influences: &'a [InfluenceBlock],
    pub vertices: &'a [VertexBlock],
    pub out: &'a mut [VertexBlock],
}

impl SkinMesh<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), JobError> {
        self.check_shape()?;
        let joints = self.influences.iter().flat_map(|block| block.joints).flatten();
        check_indices("joints of the mesh", joints, self.palette.len())?;
        for block in self.influences {
            check_finite("weights", bytemuck::cast_slice(&block.weights))?;
        }
        check_finite("palette", bytemuck::cast_slice(self.palette))?;
        check_finite("vertices", bytemuck::cast_slice(self.vertices))
    }

    fn check_shape(&self) -> Result<(), JobError> {
        check_length("blocks of influences", self.influences.len(), self.vertices.len())?;
        check_length("blocks written", self.out.len(), self.vertices.len())
    }

    /// Writes `out`. Panics where lengths differ or a joint is none of the palette's.
    pub fn run(self) {
        self.check_shape().unwrap_or_else(|error| panic!("{error}"));
        if size_of_val(self.out) > STREAM_BYTES {
            self.isa.run_wide(Kernel::<true>(self));
        } else {
            self.isa.run_wide(Kernel::<false>(self));
        }
    }
}

struct Kernel<'a, const STREAM: bool>(SkinMesh<'a>);

impl<const STREAM: bool> WideWork for Kernel<'_, STREAM> {
    type Out = ();
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) {
        let mut moved = VertexBlock::ZERO;
        let SkinMesh { palette, influences, vertices, out, .. } = self.0;
        for ((influences, vertices), out) in influences.iter().zip(vertices).zip(out) {
            let picked = Picked::new(bytemuck::cast_slice(palette), &influences.joints);
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let blended = Blended { picked, weights: &influences.weights, first: part * W::WIDTH };
                transform(wide, wide.lanes_of_matrices(blended), vertices, part, if STREAM { &mut moved } else { out });
            }
            if STREAM {
                stream(wide, &moved, out);
            }
        }
        if STREAM {
            wide.fence();
        }
    }
}

/// The blended matrix of each lane.
struct Blended<'a> {
    picked: Picked<'a>,
    weights: &'a [[f32; 4]; ROW],
    first: usize,
}

impl<W: Wide> MatrixSource<W> for Blended<'_> {
    #[inline(always)]
    fn matrix(&self, wide: W, lane: usize) -> W::Matrix {
        let lane = self.first + lane;
        let mut sum = self.weighted(wide, lane, 0);
        sum = wide.add_matrices(sum, self.weighted(wide, lane, 1));
        sum = wide.add_matrices(sum, self.weighted(wide, lane, 2));
        wide.add_matrices(sum, self.weighted(wide, lane, 3))
    }
}

impl Blended<'_> {
    #[inline(always)]
    fn weighted<W: Wide>(&self, wide: W, lane: usize, k: usize) -> W::Matrix {
        wide.scale_matrix(wide.load_matrix(self.picked.row(lane, k)), self.weights[lane][k])
    }
}
