//! Sample: stencil and depth for one sample at a time, where blocks of lanes do not serve: stencil, and tests after
//! shading.
//!
//! In: a sample of a tile and its depth. Out: whether it passes; stencil and depth written. "Output" 4.

use wgpu_types::{StencilFaceState, StencilOperation, StencilState};

use super::depth::{DepthTest, holds};
use super::tile::Tile;

/// The tests of one draw.
#[derive(Clone, Copy, Debug)]
pub struct Tests<'a> {
    /// `None` where there is no depth to test or write.
    pub depth: Option<&'a DepthTest>,
    pub stencil: Option<&'a StencilState>,
    pub reference: u32,
}

impl Tests<'_> {
    /// Tests sample `sample` of the pixel with number `index`; `z` is clean.
    #[inline(always)]
    pub fn run(&self, tile: &mut Tile, sample: usize, index: usize, z: f32, is_front: bool) -> bool {
        let mut face: Option<&StencilFaceState> = None;
        if let Some(state) = self.stencil {
            let side = if is_front { &state.front } else { &state.back };
            let stored = tile.stencil[sample].0[index];
            let mask = state.read_mask & 0xFF;
            if !holds(side.compare, self.reference & mask, stored & mask) {
                self.write_stencil(tile, sample, index, side.fail_op);
                return false;
            }
            face = Some(side);
        }
        if let Some(test) = self.depth {
            let stored = &mut tile.depth[sample].as_f32_mut()[index];
            if !holds(test.compare, z, *stored) {
                if let Some(side) = face {
                    self.write_stencil(tile, sample, index, side.depth_fail_op);
                }
                return false;
            }
            if test.write {
                *stored = z;
                tile.bounds.widen(index >> 6, z);
            }
        }
        if let Some(side) = face {
            self.write_stencil(tile, sample, index, side.pass_op);
        }
        true
    }

    fn write_stencil(&self, tile: &mut Tile, sample: usize, index: usize, operation: StencilOperation) {
        let Some(state) = self.stencil else { return };
        let stored = &mut tile.stencil[sample].0[index];
        let old = *stored;
        let new = match operation {
            StencilOperation::Keep => old,
            StencilOperation::Zero => 0,
            StencilOperation::Replace => self.reference,
            StencilOperation::Invert => !old,
            StencilOperation::IncrementClamp => (old + 1).min(255),
            StencilOperation::DecrementClamp => old.saturating_sub(1),
            StencilOperation::IncrementWrap => old + 1,
            StencilOperation::DecrementWrap => old.wrapping_sub(1),
        };
        let mask = state.write_mask & 0xFF;
        *stored = old & !mask | new & mask;
    }
}
