//! The adapter as a wgpu program sees it: devices, copies, textures, drawing, each against rules and numbers made by
//! hand.

mod copies;
mod device;
mod raster;
mod screen;
mod states;
mod textures;
