//! Bytes: the one door to device memory, by value and bounds-checked.
#![expect(unsafe_code, reason = "device memory is reached through raw pointers")]

use crate::store::Memory;

/// Reads `N` bytes. Panics outside of the memory.
pub fn read<const N: usize>(memory: &Memory, at: usize) -> [u8; N] {
    assert!(at + N <= memory.size_bytes(), "read of {N} bytes at {at} of {}", memory.size_bytes());
    // SAFETY: the assertion above keeps the bytes inside; `[u8; N]` has no alignment; who writes when is settled above
    // us.
    unsafe { memory.as_ptr().add(at).cast::<[u8; N]>().read() }
}

/// Writes `N` bytes. Panics outside of the memory.
pub fn write<const N: usize>(memory: &Memory, at: usize, bytes: [u8; N]) {
    assert!(at + N <= memory.size_bytes(), "write of {N} bytes at {at} of {}", memory.size_bytes());
    // SAFETY: as in `read`; the oracle runs on one thread and wgpu-core orders it against everyone else.
    unsafe { memory.as_ptr().add(at).cast::<[u8; N]>().write(bytes) }
}

/// A little-endian word.
pub fn read_u32(memory: &Memory, at: usize) -> u32 {
    u32::from_le_bytes(read(memory, at))
}

/// Writes a little-endian word.
pub fn write_u32(memory: &Memory, at: usize, word: u32) {
    write(memory, at, word.to_le_bytes());
}
