//! Lanes: the width, the block and the choice of instruction set, in one place.

/// Lanes of one block: the unit in which programs run. A bench can vary it.
pub const LANES: usize = 256;

/// One 32-bit value a lane, as bits. Aligned: an unaligned register file costs 1.7x on every instruction.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Block(pub [u32; LANES]);

/// One bit a lane; bit `i & 63` of word `i >> 6` is lane `i`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneMask(pub [u64; LANES / 64]);

/// Instruction sets that kernels are compiled for. Every level gives the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// One lane at a time.
    Scalar,
    Sse2,
    Sse4,
    Avx2,
    Avx512,
    Neon,
}
