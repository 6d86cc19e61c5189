//! Geom: bounds and what a camera can see of them.
//!
//! In: `glam` vectors, metres. Out: boxes, spheres, frusta and conservative answers: rounding may keep what is just
//! outside, never drop what is inside; places of cameras that just see some points; which of many triangles a ray
//! meets. Never here: meshes, scenes.
//!
//! What a light of limited range reaches is a sphere, and a camera sees it or not:
//!
//! ```
//! use glam::Vec3;
//! use stillframe_base::geom::{Aabb, Frustum, Sphere};
//! use stillframe_base::math::camera::{look_at, perspective};
//!
//! let view_from_world = look_at(Vec3::new(0.0, 1.0, 5.0), Vec3::ZERO, Vec3::Y);
//! let frustum = Frustum::new(&(perspective(0.8, 1.5, 0.1, None) * view_from_world));
//! let lamp = Sphere::new(Vec3::ZERO, 2.0);
//! assert!(frustum.sees_sphere(&lamp));
//! assert!(!frustum.sees_sphere(&Sphere::new(Vec3::Z * 9.0, 2.0)), "it is behind the camera");
//! // A sphere around a room's box holds every point of it.
//! let room = Sphere::of_aabb(&Aabb::new(Vec3::splat(-1.0), Vec3::splat(3.0)));
//! assert!(frustum.sees_sphere(&room));
//! ```

mod aabb;
mod bvh;
mod framing;
mod frustum;
mod sphere;

pub use aabb::Aabb;
pub use bvh::{Bvh, Hit, Ray};
pub use framing::{Framed, Framing, Lens, Reach};
pub use frustum::{Frustum, Plane};
pub use sphere::Sphere;
