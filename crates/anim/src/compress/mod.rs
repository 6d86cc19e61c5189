//! Compress: clips as small as an error bound lets them be, for files, and the job that makes a pose of one at a moment.
//!
//! In: a [`Skeleton`](crate::sample::Skeleton) and a [`RawClip`](crate::RawClip), or any pose over time, and a bound in metres. Out: a
//! [`CompressedClip`], a [`CompressReport`], and by [`Decompress`] local poses. Never here: players, events, files.
//!
//! Source: the tracks, segments, ranges and the measure of the error are those of ACL (Frechette, "Animation Compression Library",
//! 2017 and later). Changed:
//!
//! - A track has a precision and, for each number and segment, the bits that its range needs at it.
//! - A track has a rate of its own in each segment: every frame, every second, fourth, ... or only the ends.
//! - A joint is coded after its parent, as what brings the *decoded* parent to where the joint belongs, so that rotations do not
//!   add up errors along a chain.
//! - Segments hold both of their ends, so that a moment is in one of them.
//! - Between keys decoding follows the arc at even speed, to 3e-6 rad, so that turns near 180 degrees need no more frames.
//!
//! The bound is held, not aimed at: every segment is decoded and compared at five moments a frame. Where a clip jumps between frames, or
//! bends too much for frames 16 times as dense, it is kept as keys of f32 at times of their own.

mod bits;
mod build;
mod bytes;
mod clip;
mod job;
mod keys;
mod lattice;
mod layout;
mod report;
mod search;
mod segment;
mod slerp;
mod source;

pub mod book;

pub use build::{Compression, compress, compress_raw};
pub use bytes::{BytesError, MEMORY_FACTOR};
pub use clip::CompressedClip;
pub use job::Decompress;
pub use report::{ClipForm, CompressReport};
