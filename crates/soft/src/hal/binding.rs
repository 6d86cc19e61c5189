//! Binding: the buffer inside wgpu-hal's `BufferBinding`, whose field is private to that crate.

use std::mem::{offset_of, size_of};

use wgpu_hal as hal;

use super::resource::Buffer;
use crate::work;

type Binding<'a> = hal::BufferBinding<'a, Buffer>;

/// Where the reference lies: the struct is three words, two of them are the public fields.
const BUFFER_OFFSET_BYTES: usize = {
    let (offset, size) = (offset_of!(Binding<'static>, offset), offset_of!(Binding<'static>, size));
    assert!(size_of::<usize>() == 8 && size_of::<Binding<'static>>() == 24);
    assert!(offset % 8 == 0 && size % 8 == 0 && offset != size);
    24 - offset - size
};

/// The buffer of a binding.
pub fn buffer<'a>(binding: &Binding<'a>) -> &'a Buffer {
    let start = std::ptr::from_ref(binding).cast::<u8>();
    // SAFETY: `BufferBinding` has three fields of eight bytes: `buffer: &'a Buffer`, `offset` and `size`. The
    // assertions of BUFFER_OFFSET_BYTES hold exactly when the word there is neither `offset` nor `size`, hence the
    // reference.
    unsafe { *start.add(BUFFER_OFFSET_BYTES).cast::<&'a Buffer>() }
}

/// The bound range; an open one ends with the buffer.
pub fn range(binding: &Binding<'_>) -> work::BufferRange {
    let buffer = buffer(binding).0.clone();
    let rest = buffer.size_bytes.saturating_sub(binding.offset);
    let size_bytes = binding.size.map_or(rest, |size| size.get().min(rest));
    work::BufferRange { buffer, offset_bytes: binding.offset, size_bytes }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;
    use std::sync::Arc;

    use super::*;
    use crate::store::{self, Memory};

    #[test]
    fn a_binding_gives_its_buffer_and_range() {
        let memory = Memory::zeroed(64).expect("64 bytes");
        let bound = Buffer(Arc::new(store::Buffer { memory, size_bytes: 64 }));
        for (offset, size, want) in [(0, None, 64), (16, None, 48), (16, NonZeroU64::new(8), 8), (64, None, 0)] {
            let binding = hal::BufferBinding::new_unchecked(&bound, offset, size);
            assert!(std::ptr::eq(buffer(&binding), &bound));
            let range = range(&binding);
            assert!(Arc::ptr_eq(&range.buffer, &bound.0));
            assert_eq!((range.offset_bytes, range.size_bytes), (offset, want));
        }
    }
}
