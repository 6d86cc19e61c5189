//! Comparison on made frames: what is found is what was changed, and FLIP is NVIDIA's.

mod figures;
mod flip_peer;
mod noise;
