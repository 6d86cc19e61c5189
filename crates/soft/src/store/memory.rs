//! Bytes shared by host, copies and shaders, and the account of how many there are.

use std::cell::UnsafeCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A quarter of a cache line. Not a whole one: what the system's allocator aligns by itself comes as fresh pages, which
/// cost nothing until somebody touches them (attachments that are never stored); for more alignment they would be
/// zeroed by hand.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
struct Quarter([u8; 16]);

const LINE_BYTES: usize = 64;

/// A fixed, zeroed, 64-byte aligned run of bytes that several threads may read and write through raw pointers. Who may
/// touch what when is settled above: wgpu-core orders submissions, tiles own their pixels, ordered dispatches run
/// alone.
#[derive(Debug)]
pub struct Memory {
    /// Three more than the bytes need: they start at the first whole line.
    quarters: Box<[UnsafeCell<Quarter>]>,
    size_bytes: usize,
    /// Where the bytes are accounted for; given back on drop.
    ledger: Option<Arc<Ledger>>,
}

// SAFETY: the only access is through raw pointers from `as_ptr`; the users named above keep writers apart.
#[expect(unsafe_code, reason = "shared device memory")]
unsafe impl Sync for Memory {}

impl Memory {
    /// `None` when the allocator has no room.
    #[expect(unsafe_code, reason = "zeroed allocation without touching the pages")]
    pub fn zeroed(size_bytes: usize) -> Option<Memory> {
        let count = if size_bytes == 0 { 0 } else { size_bytes.div_ceil(LINE_BYTES) * 4 + 3 };
        let mut quarters = Vec::<UnsafeCell<Quarter>>::new();
        if count > 0 {
            let layout = std::alloc::Layout::array::<UnsafeCell<Quarter>>(count).ok()?;
            // SAFETY: `layout` is not empty; a zeroed `Quarter` is valid; length and capacity are `count`, the type's
            // own layout.
            quarters = unsafe {
                let start = std::alloc::alloc_zeroed(layout).cast::<UnsafeCell<Quarter>>();
                if start.is_null() {
                    return None;
                }
                Vec::from_raw_parts(start, count, count)
            };
        }
        Some(Memory { quarters: quarters.into_boxed_slice(), size_bytes, ledger: None })
    }

    /// As `zeroed`, charged to `ledger`; `None` also when the ledger's limit would be passed.
    pub fn charged(size_bytes: usize, ledger: &Arc<Ledger>) -> Option<Memory> {
        if !ledger.charge(size_bytes as u64) {
            return None;
        }
        let Some(mut memory) = Memory::zeroed(size_bytes) else {
            ledger.give_back(size_bytes as u64);
            return None;
        };
        memory.ledger = Some(ledger.clone());
        Some(memory)
    }

    pub fn size_bytes(&self) -> usize {
        self.size_bytes
    }

    /// Start of the bytes, 64-byte aligned. Padding up to a whole line may be read too.
    pub fn as_ptr(&self) -> *mut u8 {
        let start: *mut u8 = self.quarters.as_ptr().cast_mut().cast();
        // Of nothing there is no first line.
        if self.quarters.is_empty() { start } else { start.wrapping_add(start.addr().wrapping_neg() % LINE_BYTES) }
    }

    /// Panics unless `offset_bytes + count_bytes` lies inside.
    #[track_caller]
    fn check(&self, offset_bytes: usize, count_bytes: usize) {
        let end = offset_bytes.checked_add(count_bytes);
        assert!(
            end.is_some_and(|end| end <= self.size_bytes),
            "{offset_bytes} + {count_bytes} bytes of {}",
            self.size_bytes
        );
    }

    /// Copies bytes out.
    #[expect(unsafe_code, reason = "shared device memory")]
    pub fn read(&self, offset_bytes: usize, to: &mut [u8]) {
        self.check(offset_bytes, to.len());
        // SAFETY: `check` keeps the range inside the allocation; `to` is exclusive; no writer runs at the same time
        // (type).
        unsafe { self.as_ptr().add(offset_bytes).copy_to_nonoverlapping(to.as_mut_ptr(), to.len()) }
    }

    /// Shows bytes in their place.
    #[expect(unsafe_code, reason = "shared device memory")]
    pub fn show(&self, offset_bytes: usize, count_bytes: usize, see: &mut dyn FnMut(&[u8])) {
        self.check(offset_bytes, count_bytes);
        // SAFETY: `check` keeps the range inside the allocation; no writer runs at the same time (type).
        see(unsafe { std::slice::from_raw_parts(self.as_ptr().add(offset_bytes), count_bytes) });
    }

    /// Copies bytes in.
    #[expect(unsafe_code, reason = "shared device memory")]
    pub fn write(&self, offset_bytes: usize, from: &[u8]) {
        self.check(offset_bytes, from.len());
        // SAFETY: `check` keeps the range inside the allocation; nobody else uses the range at the same time (type).
        unsafe { self.as_ptr().add(offset_bytes).copy_from(from.as_ptr(), from.len()) }
    }

    /// Sets every byte of a range.
    #[expect(unsafe_code, reason = "shared device memory")]
    pub fn fill(&self, offset_bytes: usize, count_bytes: usize, byte: u8) {
        self.check(offset_bytes, count_bytes);
        // SAFETY: `check` keeps the range inside the allocation; nobody else uses the range at the same time (type).
        unsafe { self.as_ptr().add(offset_bytes).write_bytes(byte, count_bytes) }
    }

    /// Copies from another memory, or within this one (ranges may overlap).
    #[expect(unsafe_code, reason = "shared device memory")]
    pub fn copy(&self, offset_bytes: usize, from: &Memory, from_offset_bytes: usize, count_bytes: usize) {
        self.check(offset_bytes, count_bytes);
        from.check(from_offset_bytes, count_bytes);
        // SAFETY: `check` keeps both ranges inside their allocations; `copy_from` allows overlap.
        unsafe { self.as_ptr().add(offset_bytes).copy_from(from.as_ptr().add(from_offset_bytes), count_bytes) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Some(ledger) = &self.ledger {
            ledger.give_back(self.size_bytes as u64);
        }
    }
}

/// How many bytes of buffers and textures one device holds, and may hold.
#[derive(Debug)]
pub struct Ledger {
    limit_bytes: u64,
    used_bytes: AtomicU64,
    peak_bytes: AtomicU64,
}

impl Ledger {
    pub fn new(limit_bytes: u64) -> Ledger {
        Ledger { limit_bytes, used_bytes: AtomicU64::new(0), peak_bytes: AtomicU64::new(0) }
    }

    /// Now and at most so far.
    pub fn used_and_peak_bytes(&self) -> (u64, u64) {
        (self.used_bytes.load(Ordering::Relaxed), self.peak_bytes.load(Ordering::Relaxed))
    }

    /// False, and nothing charged, where the limit would be passed.
    fn charge(&self, bytes: u64) -> bool {
        let add = |used: u64| used.checked_add(bytes).filter(|&sum| sum <= self.limit_bytes);
        let Ok(before) = self.used_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add) else {
            return false;
        };
        self.peak_bytes.fetch_max(before + bytes, Ordering::Relaxed);
        true
    }

    fn give_back(&self, bytes: u64) {
        self.used_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_move_and_overlap() {
        let memory = Memory::zeroed(100).expect("100 bytes");
        memory.write(10, &[1, 2, 3, 4]);
        memory.copy(12, &memory, 10, 4);
        memory.fill(99, 1, 9);
        let mut out = [0; 100];
        memory.read(0, &mut out);
        assert_eq!(out[9..17], [0, 1, 2, 1, 2, 3, 4, 0]);
        assert_eq!(out[98..], [0, 9]);
    }

    #[test]
    fn a_ledger_refuses_beyond_its_limit_and_takes_back() {
        let ledger = Arc::new(Ledger::new(1000));
        let first = Memory::charged(600, &ledger).expect("within the limit");
        assert!(Memory::charged(401, &ledger).is_none());
        assert!(Memory::charged(400, &ledger).is_some());
        drop(first);
        assert_eq!(ledger.used_and_peak_bytes(), (0, 1000));
    }

    #[test]
    #[should_panic(expected = "99 + 2 bytes of 100")]
    fn a_range_outside_is_a_bug() {
        Memory::zeroed(100).expect("100 bytes").fill(99, 2, 0);
    }
}
