//! Compress: clips as small as an error bound lets them be, for files, and the job that makes a pose of one at a
//! moment.
//!
//! In: a [`Skeleton`](crate::sample::Skeleton) and a [`RawClip`](crate::RawClip), or any pose over time, and a bound in
//! metres. Out: a [`CompressedClip`], a [`CompressReport`], and by [`Decompress`] local poses. Never here: players,
//! events, files.
//!
//! Source: the tracks, segments, ranges and the measure of the error are those of ACL (Frechette, "Animation
//! Compression Library", 2017 and later). Changed:
//!
//! - A track has a precision and, for each number and segment, the bits that its range needs at it.
//! - A track has a rate of its own in each segment: every frame, every second, fourth, ... or only the ends.
//! - A joint is coded after its parent, as what brings the *decoded* parent to where the joint belongs, so that
//!   rotations do not add up errors along a chain.
//! - Segments hold both of their ends, so that a moment is in one of them.
//! - Between keys decoding follows the arc at even speed, to 3e-6 rad, so that turns near 180 degrees need no more
//!   frames.
//!
//! The bound is held, not aimed at: every segment is decoded and compared at five moments a frame. Where a clip jumps
//! between frames, or bends too much for frames 16 times as dense, it is kept as keys of f32 at times of their own.
//!
//! Measured on twelve made-up clips of 67 joints (the table of `tests/jobs/compress`), as ratios to f32 with ten
//! numbers a joint and key:
//!
//! | scheme | at most | ratio |
//! |---|---|---|
//! | this one, 32 intervals a segment | 0.12 mm | 22.7 |
//! | the same, 0.2 mm | 0.2 mm | 24.2 |
//! | segments of 16 / 24 / 64 | 0.12 mm | 0.97 / 0.98 / 1.00 of 32 |
//! | every frame a key | 0.12 mm | 0.74 of 32 |
//! | each joint by itself, not after its decoded parent | 0.12 mm | 0.92 of 32 |
//! | uniform, 16 bits | 184 mm | 5.0 |
//! | [the book's](book), 30 frames a second | 184 mm | 5.2 |
//! | the book's, 15 frames a second | 452 mm | 10.2 |
//!
//! In the file every number has the bits it needs; in memory tracks that are decoded alike stand sixteen to a group, in
//! half bytes, so that unpacking is a loop over lanes: 13.2 to 1 for the 22.7 of the file.
//!
//! Also tried: budgets that are free to grow and shrink, which drift towards the ends of chains until the root's are
//! too small for any bits, so that they are kept near where they begin. In memory: the bits of the file, each number by
//! itself; rows of whole bytes or 16 bits with all sixteen lanes, 6.1 to 1; groups packed into batches of 64 lanes
//! before any arithmetic, 5 to 10 % slower; one group a block of joints, each in its lane, 9 % faster where all turns
//! and elsewhere no faster, for a tenth more memory.

mod bits;
mod build;
mod bytes;
mod check;
mod clip;
mod compression;
mod grid;
mod job;
mod keys;
mod lattice;
mod layout;
mod moving;
mod named;
mod report;
mod search;
mod segment;
mod slerp;

pub mod book;

pub use build::{compress, compress_raw};
pub use bytes::{BytesError, MEMORY_FACTOR};
pub use clip::CompressedClip;
pub use compression::Compression;
pub use job::Decompress;
pub use named::NamedClip;
pub use report::{ClipForm, CompressReport};
