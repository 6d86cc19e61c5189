#![doc = include_str!("../README.md")]
//!
//! # For maintainers
//!
//! In: a function to watch. Out: the most bytes held at once while it ran. Never here: limits, opinions.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering::Relaxed};

/// The system's allocator, which counts while [`Counting::watch`] or [`Counting::watch_thread`] runs.
#[derive(Debug, Default)]
pub struct Counting {
    watching: AtomicBool,
    /// Taken less given back since watching began; below 0 when older blocks are given back.
    held_bytes: AtomicIsize,
    peak_bytes: AtomicIsize,
    /// Threads that are watched alone.
    watched_threads: AtomicUsize,
}

/// What a watched thread holds, as [`Counting`] does for the program.
#[derive(Clone, Copy)]
struct Held {
    held_bytes: isize,
    peak_bytes: isize,
}

thread_local! {
    /// Of this thread while it is watched. Made at compile time and without a destructor, so that looking at it takes
    /// no memory.
    static HELD: Cell<Option<Held>> = const { Cell::new(None) };
}

impl Counting {
    pub const fn new() -> Counting {
        Counting {
            watching: AtomicBool::new(false),
            held_bytes: AtomicIsize::new(0),
            peak_bytes: AtomicIsize::new(0),
            watched_threads: AtomicUsize::new(0),
        }
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

    /// Runs `function`; also the most bytes that this thread alone held at once meanwhile, beyond what it held before.
    /// What it leaves to other threads is not seen, nor is what they do.
    ///
    /// One watcher a thread, any number of threads. If `function` panics, the thread is no longer watched.
    pub fn watch_thread<T>(&self, function: impl FnOnce() -> T) -> (T, usize) {
        struct Watched<'a>(&'a Counting);
        impl Drop for Watched<'_> {
            fn drop(&mut self) {
                HELD.set(None);
                self.0.watched_threads.fetch_sub(1, Relaxed);
            }
        }
        HELD.set(Some(Held { held_bytes: 0, peak_bytes: 0 }));
        self.watched_threads.fetch_add(1, Relaxed);
        let watched = Watched(self);
        let out = function();
        let peak_bytes = HELD.get().map_or(0, |held| held.peak_bytes as usize);
        drop(watched);
        (out, peak_bytes)
    }

    fn took(&self, bytes: usize) {
        if self.watching.load(Relaxed) {
            let held = self.held_bytes.fetch_add(bytes as isize, Relaxed) + bytes as isize;
            if held > self.peak_bytes.load(Relaxed) {
                self.peak_bytes.fetch_max(held, Relaxed);
            }
        }
        self.count_thread(bytes as isize);
    }

    fn gave(&self, bytes: usize) {
        if self.watching.load(Relaxed) {
            self.held_bytes.fetch_sub(bytes as isize, Relaxed);
        }
        self.count_thread(-(bytes as isize));
    }

    fn count_thread(&self, bytes: isize) {
        if self.watched_threads.load(Relaxed) == 0 {
            return;
        }
        // A thread that is ending has nothing to count in, and is not watched.
        let _ = HELD.try_with(|of_thread| {
            if let Some(Held { held_bytes, peak_bytes }) = of_thread.get() {
                let held_bytes = held_bytes + bytes;
                of_thread.set(Some(Held { held_bytes, peak_bytes: peak_bytes.max(held_bytes) }));
            }
        });
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
