//! Rays: what is seen and what light reaches, by rays in f64, to check pictures by.
//!
//! In: a [`World`](crate::world::World) at a moment, a camera's matrix, a light. Out: the [`Seen`] point of each pixel,
//! [`Mask`]s: where the light arrives, and how far away the nearest edge of that is. Never here: shading, filters,
//! depth maps, wgpu; nothing of the code that it judges but places of triangles.

mod mask;
mod surfaces;

pub use mask::Mask;
pub use surfaces::{Eye, Seen, Source, Surfaces, Untraced};
