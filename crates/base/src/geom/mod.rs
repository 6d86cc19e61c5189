//! Geom: bounds and what a camera can see of them.
//!
//! In: `glam` vectors, metres. Out: boxes, spheres, frusta and conservative answers: rounding may keep what is just outside,
//! never drop what is inside. Never here: meshes, scenes, allocation.

mod aabb;
mod frustum;
mod sphere;

pub use aabb::Aabb;
pub use frustum::{Frustum, Plane};
pub use sphere::Sphere;
