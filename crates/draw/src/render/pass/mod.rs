//! Passes: one file each, with everything about it, and the table of them.

pub mod accumulate;
pub mod aov;
mod behind;
mod blending;
pub mod blur;
mod depth_levels;
mod directions;
mod drawing;
mod effects;
pub mod encode;
mod fetch;
mod functions;
mod gbuffer;
pub mod layers;
mod lights;
mod listed;
mod mean;
mod method;
pub mod moments;
pub mod motion;
mod prepass;
pub mod radiance;
mod rounds;
pub mod scene;
pub mod seen;
pub mod shadow;
pub mod sources;
pub mod specular;
mod subsurface;
mod sums;
mod tiles;
mod veils;

use super::row::Row;

/// Every kind of pass, in the order in which they declare. Those of all cameras come before those of each camera.
pub const ROWS: &[Row] = &[
    radiance::ROW,
    sources::ROW,
    blur::ROW,
    specular::ROW,
    shadow::SUN,
    shadow::LOCAL,
    shadow::MOMENT,
    moments::ROW,
    seen::ROW,
    veils::ROW,
    functions::ROW,
    effects::OCCLUSION,
    scene::ROW,
    effects::ROW,
    seen::OPAQUE,
    encode::ROW,
    aov::ROW,
    motion::ROW,
    motion::AROUND,
    layers::ROW,
    prepass::ROW,
    tiles::ROW,
    gbuffer::STORE,
    gbuffer::SHADE,
    fetch::ROW,
    rounds::ROW,
    sums::SUMS,
    sums::SURFACES,
    subsurface::ROW,
    behind::ROW,
    depth_levels::ROW,
    blending::ITEMS,
    blending::PUT,
    listed::COUNT,
    listed::STARTS,
    listed::FILL,
    listed::PUT,
    accumulate::ROW,
    mean::ROW,
];
