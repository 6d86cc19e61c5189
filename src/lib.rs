//! Stillframe: scenes described in files go through a full material, light and shadow pipeline to offscreen pictures,
//! with no window, no GPU and no driver needed, bit-exact on every machine.
//!
//! The chain, one folder a link (start reading at `take`): `source` -> `scene` -> `import`, `pose`, `bake`, `asset` ->
//! `world` -> `view` -> `material`, `shader`, `frame` -> `render` -> a `stillframe_frames::Picture`.

pub mod cli;
pub mod harness;
pub mod study;
pub mod take;

pub use stillframe_asset::{asset, source};
pub use stillframe_draw::{fault, frame, material, render, shader, view};
pub use stillframe_models::{bake, cache, import};
pub use stillframe_scene::scene;
pub use stillframe_world::{animate, pose, world};
