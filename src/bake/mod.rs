//! Bake: raw geometry and pictures become what a renderer needs, once, when a scene is loaded.
//!
//! In: geometry as files hold it, shapes as scenes describe them, decoded pictures. Out: welded, complete
//! [`Geometry`](crate::asset::Geometry) and mip levels. Never here: files, ids, wgpu. Every function is pure, and its
//! results do not depend on the machine: sums run in one written order and all trigonometry is `base`'s.

mod complete;
mod mips;
mod normal;
mod shape;
mod solid;
mod tangent;
#[cfg(test)]
mod tests;
mod weld;

pub use complete::{Completed, TangentWish, complete};
pub use mips::{MipUse, level_count, mips};
pub use shape::shape;
