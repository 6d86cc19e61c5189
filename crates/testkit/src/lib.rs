//! `stillframe-testkit`: what the tests, benches and examples of several packages share.
//!
//! In: seeds, sizes, rules. Out: made-up clips, files, pictures and runs, digests of results, slow twins of functions,
//! and readers that are not under test. Never here: assertions about a package, and anything that a program ships. A
//! feature for each kind of input keeps the tests of one package from building another.

#![allow(clippy::new_without_default, clippy::should_implement_trait, reason = "for tests alone")]

#[cfg(feature = "anim")]
pub mod clips;
pub mod depth;
#[cfg(feature = "anim")]
pub mod digest;
#[cfg(feature = "files")]
pub mod fbx;
#[cfg(feature = "files")]
pub mod glb;
pub mod lobes;
pub mod models;
#[cfg(feature = "files")]
pub mod npy;
pub mod ops;
#[cfg(feature = "frames")]
pub mod pairs;
#[cfg(feature = "frames")]
pub mod pictures;
#[cfg(feature = "files")]
pub mod ray;
#[cfg(feature = "frames")]
pub mod runs;
pub mod spheres;
pub mod vector;
mod worst;

pub use worst::worse;
