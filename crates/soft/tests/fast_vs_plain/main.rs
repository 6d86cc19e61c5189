//! The fast path against the oracle: random cases must give the same bits on both, at every instruction set and thread
//! count.

mod bound;
mod constructs;
mod device;
mod draws;
mod effects;
mod expectations;
mod grids;
mod operations;
mod programs;
mod shaders;
mod stores;
mod tape;
mod textures;
mod vertices;
mod wgsl;
