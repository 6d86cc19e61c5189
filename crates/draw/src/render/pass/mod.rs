//! Passes: one file each, with everything about it, and the table of them.

pub mod aov;
pub mod encode;
pub mod harmonics;
mod lights;
pub mod motion;
pub mod radiance;
pub mod scene;
pub mod shadow;
pub mod specular;

use super::row::Row;

/// Every kind of pass, in the order in which they declare. Those of all cameras come before those of each camera.
pub const ROWS: &[Row] = &[
    radiance::ROW,
    harmonics::ROW,
    specular::ROW,
    shadow::SUN,
    shadow::LOCAL,
    scene::ROW,
    encode::ROW,
    aov::ROW,
    motion::ROW,
];
