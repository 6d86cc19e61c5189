//! Drawing, driven through wgpu: each rule of "Geometry", "Interpolation" and "Output" as pixels that can be worked out by
//! hand. Long because it is a table of pictures, one a rule. Every picture is drawn with 1, 2 and 8 threads, at every instruction set and by the oracle; all must be equal.

#[path = "raster/colour.rs"]
mod colour;
#[path = "raster/depth.rs"]
mod depth;
#[path = "raster/geometry.rs"]
mod geometry;
#[path = "raster/interpolation.rs"]
mod interpolation;
#[path = "raster/random.rs"]
mod random;
#[path = "raster/samples.rs"]
mod samples;
#[path = "raster/size.rs"]
mod size;
#[path = "raster/stage.rs"]
mod stage;
