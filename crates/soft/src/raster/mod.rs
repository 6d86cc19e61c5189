//! Raster: a render pass becomes tiles, quads and lanes.
//!
//! In: a `work::RenderPass`. Out: texels of its targets. Never here: shader arithmetic, texture filtering. The rules
//! are in `docs/adapter-rules.md`, sections "Geometry", "Interpolation" and "Output".
//!
//! The chain: `plan` (decisions, once a pipeline) -> `assemble` (draws become chunks) -> `front` (`fetch`, the vertex
//! program, `project`, `clip`, `chunk`: bins) -> `walk` (a tile: `cover`, `line`, `setup`, `depth`, `sample`) ->
//! `batch` and `interpolate` (lanes), the fragment program -> `merge` (`blend`, `texel`) -> `tile` and `surface`
//! (texels). `pass` holds it together.

mod assemble;
mod batch;
mod bits;
mod blend;
mod chunk;
mod clip;
mod cover;
mod depth;
mod fetch;
mod front;
mod group;
mod interpolate;
mod line;
mod merge;
mod order;
mod pass;
mod plan;
mod project;
mod sample;
mod scene;
mod setup;
mod surface;
mod texel;
mod tile;
mod walk;

pub use pass::{Kept, run_pass};
