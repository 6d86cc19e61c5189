//! View: what one camera needs of a world.
//!
//! In: a `World` and a camera choice. Out: a [`Shot`]. Never here: wgpu, files; looking never changes the world.

mod camera;
mod dump;
mod eyes;
mod look;
mod matrix;
mod oblique;
mod shot;

pub use camera::{CUBE_FACES, cube_cameras, frame_all};
pub use dump::dump;
pub use eyes::{eyes, reflected, shot_camera};
pub use look::{look, look_from, look_since, looks_since};
pub use matrix::{inverse, product};
pub use shot::{DrawItem, Shot, ShotCamera, ShotFunction, ShotLens, ShotLight};
