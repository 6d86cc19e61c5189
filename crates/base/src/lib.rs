//! `stillframe-base`: what every part of Stillframe stands on. Pinned maths, lanes, ids, ticks, seeded random numbers,
//! hashes of canonical bytes and ordered parallelism. Nothing here reads a clock, the environment or the platform's maths library.

#[cfg(feature = "c-symbols")]
mod c_symbols;
pub mod geom;
pub mod hash;
pub mod id;
pub mod lanes;
pub mod math;
pub mod par;
pub mod rng;
pub mod tick;

/// The example of the README holds.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
