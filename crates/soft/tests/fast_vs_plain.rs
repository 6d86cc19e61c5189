//! The fast path against the oracle: random cases must give the same bits on both, at every instruction set and thread count.

#![expect(clippy::disallowed_methods, reason = "a test reads its own switches from the environment")]

#[path = "fast_vs_plain/bound.rs"]
mod bound;
#[path = "fast_vs_plain/device.rs"]
mod device;
#[path = "fast_vs_plain/draws.rs"]
mod draws;
#[path = "fast_vs_plain/effects.rs"]
mod effects;
#[path = "fast_vs_plain/grids.rs"]
mod grids;
#[path = "fast_vs_plain/operations.rs"]
mod operations;
#[path = "fast_vs_plain/shaders.rs"]
mod shaders;
#[path = "fast_vs_plain/stores.rs"]
mod stores;
#[path = "fast_vs_plain/tape.rs"]
mod tape;
#[path = "fast_vs_plain/textures.rs"]
mod textures;
#[path = "fast_vs_plain/vertices.rs"]
mod vertices;
#[path = "fast_vs_plain/wgsl.rs"]
mod wgsl;
