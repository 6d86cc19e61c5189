//! Maths: one page a noun, every function with the same bits on every machine.
//!
//! [`ops`] pins what the platform's maths library would leave open (f32, scalar and lane form), [`ops64`] the f64 forms
//! for set-up and oracles. Never here: `mul_add`, the platform's library, a table that is filled at run time.

pub mod camera;
pub mod colour;
pub mod ops;
pub mod ops64;
pub mod pack;
mod srgb_table;
