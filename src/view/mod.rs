//! View: what one camera needs of a world.
//!
//! In: a `World` and a camera choice. Out: a [`Shot`]. Never here: wgpu, files; looking never changes the world.

mod shot;

pub use shot::{DrawItem, Shot, ShotCamera, ShotLight};
