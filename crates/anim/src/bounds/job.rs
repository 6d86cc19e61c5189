//! Job: the box of a mesh in a pose.
//!
//! ```text
//! for each joint: middle = m * center, reach = |m| * half, size = |m| * (|center| + half) + |t|
//!     box = middle -+ (reach + slack * size)
//! all boxes' least numbers and largest numbers
//! ```
//!
//! Source: Arvo, "Transforming axis-aligned bounding boxes", Graphics gems, 1990, with centre and half size; the slack
//! is ours. Least and largest numbers do not depend on order, so lanes and blocks give the same bits.

use stillframe_base::geom::Aabb;
use stillframe_base::lanes::{Isa, MatrixSource, ROW, Row, Wide, WideWork};

use super::joints::BoxBlock;
use super::{BoundsError, JointBoxes};
use crate::pose::{Affine, check_finite, load3};

/// The box of all vertices that a palette moves: it holds each of them under linear blend skinning.
pub struct PaletteBounds<'a> {
    pub isa: Isa,
    pub palette: &'a [Affine],
    pub boxes: &'a JointBoxes,
}

impl PaletteBounds<'_> {
    /// Looks at every number.
    pub fn validate(&self) -> Result<(), BoundsError> {
        self.boxes.check_palette(self.palette.len())?;
        Ok(check_finite("palette", bytemuck::cast_slice(self.palette))?)
    }

    /// The box; empty for a mesh without vertices. Panics where a joint is none of the palette's.
    pub fn run(self) -> Aabb {
        self.isa.run_wide(Kernel(self))
    }
}

struct Kernel<'a>(PaletteBounds<'a>);

impl WideWork for Kernel<'_> {
    type Out = Aabb;
    #[inline(always)]
    fn run<W: Wide>(self, wide: W) -> Aabb {
        let PaletteBounds { palette, boxes, .. } = self.0;
        let slack = wide.splat(boxes.slack());
        let mut min = [wide.splat(f32::INFINITY); 3];
        let mut max = [wide.splat(f32::NEG_INFINITY); 3];
        for block in &boxes.blocks {
            for part in 0..ROW / W::WIDTH {
                let part = wide.each(part);
                let m = wide.lanes_of_matrices(OfJoints { palette, block, first: part * W::WIDTH });
                let (center, half) = (load3(wide, &block.center, part), load3(wide, &block.half, part));
                for n in 0..3 {
                    let row = [m[4 * n], m[4 * n + 1], m[4 * n + 2]];
                    let sizes = [size(wide, row[0]), size(wide, row[1]), size(wide, row[2])];
                    let of_center = (sizes[0] * size(wide, center[0]) + sizes[1] * size(wide, center[1]))
                        + sizes[2] * size(wide, center[2]);
                    let middle = ((row[0] * center[0] + row[1] * center[1]) + row[2] * center[2]) + m[4 * n + 3];
                    let reach = (sizes[0] * half[0] + sizes[1] * half[1]) + sizes[2] * half[2];
                    let all = (of_center + reach) + size(wide, m[4 * n + 3]);
                    let reach = reach + all * slack;
                    let (low, high) = (middle - reach, middle + reach);
                    min[n] = wide.select_less(low, min[n], low, min[n]);
                    max[n] = wide.select_less(max[n], high, high, max[n]);
                }
            }
        }
        let mut out = Aabb::EMPTY;
        for n in 0..3 {
            let (mut least, mut largest) = (Row([f32::INFINITY; ROW]), Row([f32::NEG_INFINITY; ROW]));
            wide.store(min[n], &mut least, 0);
            wide.store(max[n], &mut largest, 0);
            // Which of 0 and -0 is met first is the one thing that order decides: + 0 makes them one.
            out.min[n] = least.0.iter().fold(f32::INFINITY, |a, b| if *b < a { *b } else { a }) + 0.0;
            out.max[n] = largest.0.iter().fold(f32::NEG_INFINITY, |a, b| if *b > a { *b } else { a }) + 0.0;
        }
        out
    }
}

#[inline(always)]
fn size<W: Wide>(wide: W, a: W::F32) -> W::F32 {
    wide.flip(a, wide.sign(a))
}

struct OfJoints<'a> {
    palette: &'a [Affine],
    block: &'a BoxBlock,
    first: usize,
}

impl<W: Wide> MatrixSource<W> for OfJoints<'_> {
    #[inline(always)]
    fn matrix(&self, wide: W, lane: usize) -> W::Matrix {
        wide.load_matrix(&self.palette[usize::from(self.block.joints[self.first + lane])].0)
    }
}
