//! Crowds: what is baked is what moves, within the error that was asked for; what the jobs give is what the formulas
//! say, in any order and at any time.

mod bake;
mod clock;
mod cull;
mod place;
mod puppet;
mod sample;
mod shapes;
pub mod travel;
mod vertices;
