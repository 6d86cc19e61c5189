//! Material: which shader an item needs, and its text.
//!
//! In: a material's values, the streams of a geometry, what the scene has. Out: a [`Key`], WGSL, the layout of what the
//! shader reads. Never here: textures' contents, wgpu.

mod emit;
mod graph;
mod key;
mod layer_id;
mod layers;
mod layout;
mod lobes;
mod model;
mod slot;
#[cfg(test)]
mod sweep;

pub use key::{Alpha, Bending, Inputs, Key, Streams, Switches, Through, Variant, graph_name};
pub use layer_id::LayerId;
pub use layout::{
    GRAPH_BINDING, MATERIAL_FLOATS, Stream, material_uniform, sampler_binding, slots, streams, texture_binding,
};
pub use lobes::Lobes;
pub use model::model_text;
pub use slot::{Slot, texture_slot};

/// The module of a key: vertex function `vertex` and fragment function `fragment`.
pub fn emit(key: &Key) -> String {
    emit::emit(key, layers::layer)
}
