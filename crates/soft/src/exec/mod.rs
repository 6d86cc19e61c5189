//! Exec: lanes run a `Program`.
//!
//! In: a [`Program`], its resources, a block of up to `LANES` lanes. Out: registers, writes to storage.
//!
//! Lane order. Fragments: lane = quad * 4 + (y & 1) * 2 + (x & 1). Vertices and compute: lane = index within the block.
//! Pure operations run on all lanes; masks guard what can be seen (variables, memory, calls that need active lanes).
//!
//! Kernels are loops over the lanes of a *run*, compiled once for every instruction set (`kernels`); the machine's loop
//! (`machine`) calls them through a table by opcode. Where few lanes are left in a loop or branch the runs shrink
//! (`runs`).

pub mod bench;
mod kernels;
mod lanes;
mod machine;
mod memory;
mod prepare;
mod processor;
mod runs;
mod texture;

pub use machine::Machine;
pub use prepare::Prepared;
pub use processor::Processor;
