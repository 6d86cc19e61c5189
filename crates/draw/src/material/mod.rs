//! Material: which shader an item needs, and its text.
//!
//! In: a material's values, the streams of a geometry, what the scene has. Out: a [`Key`], WGSL, the layout of what the
//! shader reads. Never here: textures' contents, wgpu.

mod emit;
mod graph;
mod key;
mod layout;
mod lobes;
mod model;
#[cfg(test)]
mod sweep;
mod texel;

pub use emit::emit;
pub use key::{Alpha, Bending, Inputs, Key, Streams, Switches, Variant, graph_name};
pub use layout::{MATERIAL_FLOATS, Stream, graph_binding, material_uniform, sampler_binding, streams, texture_binding};
pub use lobes::Lobes;
pub use model::model_text;
