//! Boxes of bent meshes: nothing that a skin, a clip or a morph makes is outside.

mod clip;
mod dual;
mod errors;
mod mesh;
mod palette;
