//! `stillframe-heap`: what a program holds, counted by the allocator itself.
//!
//! In: a program that makes [`Counting`] its allocator, and a function to watch. Out: the most bytes held at once while it
//! ran. Never here: limits, opinions. Requested sizes are counted, so the figure is the same on every machine; pages that the
//! system has not handed out yet count too. While nobody watches, an allocation costs one read of a flag that nobody writes.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

/// The system's allocator, which counts while [`Counting::watch`] runs.
#[derive(Debug, Default)]
pub struct Counting {
    watching: AtomicBool,
    /// Taken less given back since watching began; below 0 when older blocks are given back.
    held_bytes: AtomicIsize,
    peak_bytes: AtomicIsize,
}

impl Counting {
    pub const fn new() -> Counting {
        Counting { watching: AtomicBool::new(false), held_bytes: AtomicIsize::new(0), peak_bytes: AtomicIsize::new(0) }
    }

    /// Runs `function`; also the most bytes that the whole program held at once meanwhile, beyond what it held before.
    ///
    /// One watcher at a time. If `function` panics, counting goes on until the next call, which starts afresh.
    pub fn watch<T>(&self, function: impl FnOnce() -> T) -> (T, usize) {
        self.held_bytes.store(0, Relaxed);
        self.peak_bytes.store(0, Relaxed);
        self.watching.store(true, Relaxed);
        let out = function();
        self.watching.store(false, Relaxed);
        (out, self.peak_bytes.load(Relaxed).max(0) as usize)
    }

    fn took(&self, bytes: usize) {
        if self.watching.load(Relaxed) {
            let held = self.held_bytes.fetch_add(bytes as isize, Relaxed) + bytes as isize;
            if held > self.peak_bytes.load(Relaxed) {
                self.peak_bytes.fetch_max(held, Relaxed);
            }
        }
    }

    fn gave(&self, bytes: usize) {
        if self.watching.load(Relaxed) {
            self.held_bytes.fetch_sub(bytes as isize, Relaxed);
        }
    }
}

#[expect(unsafe_code, reason = "the trait of allocators is unsafe")]
// SAFETY: every call goes to the system's allocator with the layout it came with; counting touches no memory of it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.took(layout.size());
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.took(layout.size());
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        self.gave(layout.size());
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be held while bytes move.
        self.took(size);
        self.gave(layout.size());
        // SAFETY: the caller's promise, passed on.
        unsafe { System.realloc(place, layout, size) }
    }
}
