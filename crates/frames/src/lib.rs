//! `stillframe-frames`: pictures with an exact identity. PNG and NPY files, pixel hashes, lock files and exact comparison
//! for image tests. Knows neither wgpu nor scenes: any project that has pictures can use it alone.

mod picture;

pub use picture::{Picture, Samples};
