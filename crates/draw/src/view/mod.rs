//! View: what one camera needs of a world.
//!
//! In: a `World` and a camera choice. Out: a [`Shot`]. Never here: wgpu, files; looking never changes the world.

mod camera;
mod dump;
mod look;
mod matrix;
mod shot;

pub use camera::{cube_cameras, frame_all, shot_camera};
pub use dump::dump;
pub use look::{look, look_from, look_since};
pub use matrix::{inverse, product};
pub use shot::{DrawItem, Shot, ShotCamera, ShotFunction, ShotLens, ShotLight};
