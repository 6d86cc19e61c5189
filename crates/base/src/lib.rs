#![doc = include_str!("../README.md")]
//!
//! # For maintainers
//!
//! In: numbers. Out: numbers with the same bits everywhere. Never here: a clock, the environment, the platform's maths
//! library.

pub mod base64;
pub mod bounded;
#[cfg(feature = "c-symbols")]
mod c_symbols;
pub mod geom;
pub mod hash;
pub mod id;
pub mod lanes;
pub mod math;
pub mod mistaken;
pub mod par;
pub mod rng;
pub mod tick;
