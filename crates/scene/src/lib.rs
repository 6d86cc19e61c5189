//! Scenes as text and as what it says.
//!
//! In: TOML, wishes of the command line. Out: a `Scene`, or diagnostics. Never here: readers of models, wgpu.

pub mod scene;

pub(crate) use stillframe_asset::{asset, source};
