//! Lanes: the width, the block, the mask and the choice of instruction set, in one place.
//!
//! In: nothing. Out: [`Block`], [`LaneMask`], [`Isa`]; [`per_isa!`](crate::per_isa) and [`Isa::run`], which compile one
//! loop for every instruction set; [`Wide`] and [`Isa::run_wide`], explicit vectors for kernels that loops cannot
//! express. Never here: what a loop computes. Which of the two ways, and why: `docs/lanes.md`.

mod isa;
mod mask;
mod per_isa;
mod run;
mod wide;

pub use isa::{Isa, IsaError};
pub use mask::{LaneMask, SetLanes};
pub use run::Work;
pub use wide::{MatrixSource, Picked, ROW, Row, Wide, WideWork};

pub use crate::per_isa;

/// Lanes of one block: the unit in which programs run. A bench can vary it.
pub const LANES: usize = 256;

/// One 32-bit value a lane, as bits. Aligned: an unaligned register file costs 1.7x on every instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(C, align(64))]
pub struct Block(pub [u32; LANES]);

impl Block {
    /// All bits zero.
    pub const ZERO: Block = Block([0; LANES]);

    /// The same bits in every lane.
    pub const fn splat(bits: u32) -> Block {
        Block([bits; LANES])
    }
    /// The same number in every lane.
    pub const fn splat_f32(value: f32) -> Block {
        Block([value.to_bits(); LANES])
    }
    /// The lanes as f32, without a copy.
    #[inline(always)]
    pub fn as_f32(&self) -> &[f32; LANES] {
        bytemuck::cast_ref(&self.0)
    }
    /// The lanes as f32, to write.
    #[inline(always)]
    pub fn as_f32_mut(&mut self) -> &mut [f32; LANES] {
        bytemuck::cast_mut(&mut self.0)
    }
    /// The lanes as i32, without a copy.
    #[inline(always)]
    pub fn as_i32(&self) -> &[i32; LANES] {
        bytemuck::cast_ref(&self.0)
    }
    /// The lanes as i32, to write.
    #[inline(always)]
    pub fn as_i32_mut(&mut self) -> &mut [i32; LANES] {
        bytemuck::cast_mut(&mut self.0)
    }
}

impl Default for Block {
    fn default() -> Block {
        Block::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn block_is_aligned_and_dense() {
        assert_eq!(align_of::<Block>(), 64);
        assert_eq!(size_of::<Block>(), LANES * 4);
    }

    #[test]
    fn views_share_bits() {
        let mut block = Block::splat_f32(-0.0);
        assert_eq!(block.0[7], 0x8000_0000);
        block.as_f32_mut()[3] = 1.0;
        block.as_i32_mut()[4] = -1;
        assert_eq!((block.0[3], block.0[4], block.as_i32()[4]), (0x3F80_0000, u32::MAX, -1));
    }
}
