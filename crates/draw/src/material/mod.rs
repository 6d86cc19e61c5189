//! Material: which shader an item needs, and its text.
//!
//! In: a material's values, the streams of a geometry, what the scene has. Out: a [`Key`], WGSL, the layout of what the
//! shader reads. Never here: textures' contents, wgpu.

mod blank;
mod each_light;
mod emit;
mod fetch;
mod gbuffer;
mod graph;
mod key;
mod layer_id;
mod layers;
mod layout;
mod lobes;
mod model;
mod stored;
mod sums;
#[cfg(test)]
mod sweep;
mod texel;
mod text;
mod vertex;

pub use gbuffer::{ShadedValues, is_forward_only, shade_key, shaded_values};
pub use key::{Alpha, Bending, Blending, Inputs, Key, Round, Streams, Switches, Variant, graph_name};
pub use layer_id::LayerId;
pub use layout::{
    MATERIAL_FLOATS, MATERIAL_NUMBER, Stream, graph_binding, material_uniform, sampler_binding, streams,
    texture_binding,
};
pub use lobes::Lobes;
pub use model::model_text;
pub use stored::{Gbuffer, Kept};
pub use sums::{is_summed, sums_key};
pub use text::emit;
