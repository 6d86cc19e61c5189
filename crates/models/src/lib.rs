//! Models: other programs' files become what a renderer needs.
//!
//! In: bytes of model files and pictures, shapes. Out: raw models (`import`), the same made ready for drawing (`bake`),
//! and both kept in files (`cache`). Never here: scenes, wgpu.

pub mod bake;
pub mod cache;
pub mod import;

pub(crate) use stillframe_asset::{asset, source};
