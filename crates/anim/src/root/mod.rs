//! Root: the way that a clip travels, taken out of its pose and given to the actor.
//!
//! In: poses over time and what of the root's motion counts as travel ([`RootParts`]); then positions on a
//! [`Timeline`](crate::time::Timeline). Out: a [`RootTrack`], [`Motion`]s from one position to another, poses that stay
//! in place. Never here: actors' owners, players, collision. Nothing is accumulated inside: a motion between two
//! positions is a function of the two, so any number of loops may lie between them, and seeking, which is no step,
//! moves nothing.
//!
//! **Spaces.** The model's: right-handed, +Y up, metres. With `travel(t)` the motion from the clip's first key to `t`,
//!
//! ```text
//! pose(t) = travel(t) * in_place(t)                                          where root joints are concerned
//! world   = actor * travel(from)^-1 * seam^loops * travel(to) * in_place(to)
//! ```
//!
//! **Numbers** are f64. An actor is moved 60 times a second for hours by motions of millimetres: in f32 each product is
//! rounded to 1/16 mm at a kilometre from the origin, which adds up to a visible slide; in f64 it is 1e-13 m. Who wants
//! the same bits however time was cut keeps the actor where it was at some position, and asks for the motion from there
//! ([`RootTrack::between`]).
//!
//! Source: "Game engine: principles and practice" volume 2, section 2.6, and its exercise 2.4 (loops). Other than
//! there, motions are relative and not absolute, so that actors stay the game's; the reference is the clip's first key
//! and not what the joint happened to hold before (its `R` jumps by the difference).

mod blend;
mod error;
mod motion;
mod track;

pub use blend::blend_motions;
pub use error::RootError;
pub use motion::{Motion, move_actor};
pub use track::{RootParts, RootRotation, RootTrack};
