//! Drawing, driven through wgpu: each rule of "Geometry", "Interpolation" and "Output" as pixels that can be worked out
//! by hand. Long because it is a table of pictures, one a rule. Every picture is drawn with 1, 2 and 8 threads, at
//! every instruction set and by the oracle; all must be equal.

mod colour;
mod depth;
mod geometry;
mod interpolation;
mod random;
mod samples;
mod size;
pub mod stage;
mod tiles;
