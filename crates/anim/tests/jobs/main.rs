//! The jobs of the crate, a module for each part: against slow models, against laws, against numbers made by hand, to
//! the bit, and without taking memory.

mod bounds;
mod compress;
mod crowd;
mod digest;
mod figure;
mod graph;
mod heap;
mod ik;
mod metric;
mod morph;
mod root;
mod sample;
mod skin;
mod socket;
mod time;
