//! Lab: what tries Stillframe's parts and times them.
//!
//! In: seeds, bytes of another fuzzer, scripts, a clock that is passed. Out: findings of the fuzz targets (`fuzz`),
//! figures of what is timed (`bench`), scripts of time control as texts (`script`), what rays say of a picture
//! (`rays`). Never here: wgpu, processes, printing, reading the clock. `stillframe fuzz`, `stillframe bench`,
//! cargo-fuzz and criterion drive it.

pub mod bench;
pub mod fuzz;
pub mod posing;
pub mod rays;
pub mod script;

pub(crate) use stillframe_asset::{asset, source};
pub(crate) use stillframe_models::{bake, import};
pub(crate) use stillframe_scene::scene;
pub(crate) use stillframe_world::{pose, world};
