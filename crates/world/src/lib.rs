//! Scenes at a moment.
//!
//! In: a `Scene` and the models that it names (`world` loads them), a time. Out: a `World`: meshes, lights and cameras
//! in their places, with the poses that clips (`pose`) and animators (`animate`) give. Never here: wgpu, pictures.

pub mod animate;
pub mod pose;
pub mod world;

pub(crate) use stillframe_asset::{asset, source};
pub(crate) use stillframe_models::{bake, cache, import};
pub(crate) use stillframe_scene::scene;
