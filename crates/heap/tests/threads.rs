//! Who is watched: the program with all its threads, or one thread whatever the others do.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use stillframe_heap::Counting;

#[global_allocator]
static HEAP: Counting = Counting::new();

const BYTES: usize = 1 << 20;

#[test]
fn a_thread_is_watched_alone() {
    let (rounds, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let peaks_bytes = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Relaxed) {
                black_box(vec![1u8; BYTES]);
                rounds.fetch_add(1, Relaxed);
            }
        });
        // The other thread takes and gives back at least once while this one is watched.
        let wait = || {
            let from = rounds.load(Relaxed);
            while rounds.load(Relaxed) < from + 2 {
                std::thread::yield_now();
            }
        };
        let peaks_bytes = [0, 1, 100, 4096].map(|bytes| {
            let watched = HEAP.watch_thread(|| {
                black_box(vec![1u8; bytes]);
                wait();
                black_box(vec![1u8; bytes]);
            });
            watched.1
        });
        done.store(true, Relaxed);
        peaks_bytes
    });
    assert_eq!(peaks_bytes, [0, 1, 100, 4096]);
}

#[test]
fn the_program_is_watched_with_all_its_threads() {
    // So much that other tests, which may give back what they held before, do not matter.
    let other = || std::thread::scope(|scope| scope.spawn(|| drop(black_box(vec![1u8; 8 * BYTES]))).join());
    let (joined, peak_bytes) = HEAP.watch(other);
    assert!(joined.is_ok() && peak_bytes >= 4 * BYTES, "{peak_bytes}");
    let (joined, peak_bytes) = HEAP.watch_thread(other);
    assert!(joined.is_ok() && peak_bytes < BYTES, "{peak_bytes}");
}

#[test]
fn threads_are_watched_side_by_side() {
    let begun = Barrier::new(3);
    std::thread::scope(|scope| {
        for bytes in [10, 1000, 100_000] {
            let begun = &begun;
            scope.spawn(move || {
                for _ in 0..100 {
                    begun.wait();
                    let ((), peak_bytes) = HEAP.watch_thread(|| drop(black_box(vec![1u8; bytes])));
                    assert_eq!(peak_bytes, bytes);
                }
            });
        }
    });
}

#[test]
fn what_is_given_back_is_not_held() {
    let before = vec![1u8; 500];
    let ((), peak_bytes) = HEAP.watch_thread(|| {
        drop(before);
        for _ in 0..3 {
            black_box(vec![1u8; 700]);
        }
    });
    assert_eq!(peak_bytes, 200, "500 were held before");
    let (kept, peak_bytes) = HEAP.watch_thread(|| {
        let mut kept: Vec<u8> = Vec::with_capacity(100);
        kept.extend([1; 100]);
        kept.reserve_exact(100);
        kept
    });
    assert_eq!((kept.capacity(), peak_bytes), (200, 300), "both are held while bytes move");
}

#[test]
fn a_panic_ends_the_watch() {
    let thrown = catch_unwind(AssertUnwindSafe(|| HEAP.watch_thread(|| std::panic::resume_unwind(Box::new(7)))));
    assert!(thrown.is_err());
    assert_eq!(HEAP.watch_thread(|| drop(black_box(vec![1u8; 9]))).1, 9);
}
