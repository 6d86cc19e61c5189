//! Comparison on made frames: what is found is what was changed, and FLIP is NVIDIA's.

mod made;
#[path = "made/pairs.rs"]
mod pairs;

#[path = "compare/figures.rs"]
mod figures;
#[path = "compare/flip_peer.rs"]
mod flip_peer;
#[path = "compare/noise.rs"]
mod noise;
