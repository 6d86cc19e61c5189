//! What takes nothing from the heap: each test watches its own thread alone, so that all of them share a process.

mod body;
mod compress;
mod crowd;
mod graph;
mod ik;
mod jobs;
mod sample;
mod skin;
mod time;

use stillframe_heap::Counting;

#[global_allocator]
static HEAP: Counting = Counting::new();
