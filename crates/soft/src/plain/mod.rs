//! Plain: the oracle. Walks naga IR and pixels one by one, imports neither `program`, `exec`, `sample`, `raster` nor
//! lanes.
//!
//! In: the same `work` as the fast path. Out: the same bits.

mod arith;
mod block;
mod bptc;
mod builtin;
mod bytes;
mod clip;
mod cube;
mod dispatch;
mod eval;
mod figure;
mod fragment;
mod group;
mod io;
mod memory;
mod output;
mod pass;
mod target;
mod texel;
mod texture;
mod value;
mod vertex;

pub use dispatch::run_dispatch;
pub use pass::run_pass;
