//! Shadow: where the depth maps of lights look from, and how wide they are.
//!
//! In: a shot. Out: [`Maps`]: a view a map. Never here: textures, passes, filters (these are `shader/shadow.wgsl`).

mod clip;
mod fit;
mod maps;

pub use maps::{MapView, Maps, maps};
