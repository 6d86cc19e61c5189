//! Bake: raw geometry and pictures become what a renderer needs, once, when a scene is loaded.
//!
//! In: geometry as files hold it, shapes as scenes describe them, decoded pictures. Out: welded, complete
//! [`Geometry`](crate::asset::Geometry) and mip levels. Never here: files, ids, wgpu. Every function is pure, and its
//! results do not depend on the machine: sums run in one written order and all trigonometry is `base`'s.

mod complete;
mod measure;
mod mesh;
mod mips;
mod normal;
mod order;
mod panel;
mod quantise;
mod shape;
mod solid;
mod tangent;
#[cfg(test)]
mod tests;
mod weld;

pub use complete::{Completed, TangentWish, bounds, complete, complete_bending};
pub use measure::{Sizes, measure};
pub use mips::{MipUse, level_count, mips};
pub use normal::make_flat;
pub use order::{CACHE, misses_per_triangle, order};
pub use panel::panel;
pub use quantise::{Grid, Indices, Loss, Quantised, direction, quantise, tangent as tangent_of, uv as uv_of};
pub use shape::shape;
pub use weld::weld;
