//! Morph: vertices moved towards the shapes of targets, before joints bend them.
//!
//! In: targets as lists of the vertices that they move ([`MorphTarget`]), compiled once to a [`MorphSet`]; weights of
//! channels; vertices in planes of sixteen lanes ([`VertexBlock`](crate::skin::VertexBlock)). Out: vertices, weights of
//! targets, boxes. Never here: curves, names, files, colours.
//!
//! **Order.** Morph first, then skin: targets are differences in the space in which the mesh was bound, which the
//! palette then moves. The other way round a smile would stay on the spot while the head turns.
//!
//! **Missing.** A target that does not list a vertex leaves it; a weight of 0 leaves everything: to the bit, so that
//! nothing is left behind when a weight comes back to 0 (the book's tree keeps what the last frame wrote).
//!
//! Sources: "Game engine: principles and practice" volume 2, chapter 4, with the sparse differences of its exercise 4.2
//! in place of its tree that visits whole vertices; additive as glTF 2.0, 3.7.2.2. Normals are made unit again (the
//! book's are only interpolated).

mod channel;
mod error;
mod job;
mod set;

pub use channel::{MorphChannel, target_weights};
pub use error::MorphError;
pub use job::{Morph, MorphDirections};
pub use set::{MorphSet, MorphTarget};
