//! Boxes of bent meshes: nothing that a skin, a clip or a morph makes is outside.

#[path = "bounds/clip.rs"]
mod clip;
#[path = "bounds/dual.rs"]
mod dual;
#[path = "bounds/errors.rs"]
mod errors;
#[path = "bounds/mesh.rs"]
mod mesh;
#[path = "bounds/palette.rs"]
mod palette;
