//! Clips for the run time: what they give is what the raw clip has, in every direction, at every instruction set.

mod errors;
mod keys;
pub mod oracle;
mod playing;
mod skeleton;
