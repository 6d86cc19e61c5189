//! Raster: a render pass becomes tiles, quads and lanes.
//!
//! In: a `work::RenderPass`. Out: texels of its targets. Never here: shader arithmetic, texture filtering. The rules are in
//! `docs/adapter-rules.md`, sections "Geometry", "Interpolation" and "Output".

mod assemble;
mod bits;
mod clip;
mod cover;
mod depth;
mod fetch;
mod order;
mod project;
mod setup;
mod texel;

use crate::work::{Engine, Fault, RenderPass};

/// Memory kept between passes and frames: machines, chunk and bin lists.
#[derive(Debug, Default)]
pub struct Kept {}

/// Executes a pass: load operations, every draw in order, resolves.
pub fn run_pass(_engine: &Engine, _pass: &RenderPass) -> Result<(), Fault> {
    unimplemented!()
}
