//! Scalar: the meaning of each pure operation, as one function on 32-bit words. Kernels, uniform execution and constant
//! folding all call these, so a value has the same bits wherever it is computed.
//!
//! In: words (f32 bits, i32, u32; a bool is 0 or all ones). Out: one word. Never here: lanes, masks, memory. Every
//! function is `#[inline(always)]` and free of branches that a vector loop could not take. The rules:
//! `docs/adapter-rules.md`.

mod bits;
mod convert;
mod float;
mod int;

pub use bits::*;
pub use convert::*;
pub use float::*;
pub use int::*;

/// All ones for true, zero for false.
#[inline(always)]
pub fn truth(condition: bool) -> u32 {
    0u32.wrapping_sub(condition as u32)
}

/// The same word.
#[inline(always)]
pub fn mov(a: u32) -> u32 {
    a
}

/// `condition ? accept : reject`, bit by bit: `condition` is all ones or zero.
#[inline(always)]
pub fn select(condition: u32, accept: u32, reject: u32) -> u32 {
    if condition != 0 { accept } else { reject }
}
