//! Bytes shared by host, copies and shaders.

use std::cell::UnsafeCell;

/// One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// A fixed, zeroed, 64-byte aligned run of bytes that several threads may read and write through raw pointers. Who may
/// touch what when is settled above: wgpu-core orders submissions, tiles own their pixels, ordered dispatches run alone.
#[derive(Debug)]
pub struct Memory {
    lines: Box<[UnsafeCell<Line>]>,
    size_bytes: usize,
}

// SAFETY: the only access is through raw pointers from `as_ptr`; the users named above keep writers apart.
#[expect(unsafe_code, reason = "shared device memory")]
unsafe impl Sync for Memory {}

impl Memory {
    /// `None` when the allocator has no room.
    #[expect(unsafe_code, reason = "zeroed allocation without touching the pages")]
    pub fn zeroed(size_bytes: usize) -> Option<Memory> {
        let count = size_bytes.div_ceil(64);
        let mut lines = Vec::<UnsafeCell<Line>>::new();
        if count > 0 {
            let layout = std::alloc::Layout::array::<UnsafeCell<Line>>(count).ok()?;
            // SAFETY: `layout` is not empty; a zeroed `Line` is valid; length and capacity are `count`, the type's own layout.
            lines = unsafe {
                let start = std::alloc::alloc_zeroed(layout).cast::<UnsafeCell<Line>>();
                if start.is_null() {
                    return None;
                }
                Vec::from_raw_parts(start, count, count)
            };
        }
        Some(Memory { lines: lines.into_boxed_slice(), size_bytes })
    }

    pub fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    /// Start of the bytes, 64-byte aligned. Padding up to a whole line may be read too.
    pub fn as_ptr(&self) -> *mut u8 {
        self.lines.as_ptr().cast_mut().cast()
    }
}
