//! Worlds become texels.
//!
//! In: a `World` and a camera's choice (`view`), settings. Out: what is to be drawn, as plain data (`material`,
//! `shader`, `frame`), the texels that an adapter makes of it (`render`), and the same with faults planted (`fault`).
//! Never here: files of people, pictures' formats.

pub mod fault;
pub mod frame;
pub mod light;
pub mod material;
pub mod render;
pub mod shader;
pub mod view;

pub(crate) use stillframe_asset::asset;
pub(crate) use stillframe_models::bake;
pub(crate) use stillframe_scene::scene;
pub(crate) use stillframe_world::world;
