//! Clips for the run time: what they give is what the raw clip has, in every direction, at every instruction set.

#[path = "sample/errors.rs"]
mod errors;
#[path = "sample/keys.rs"]
mod keys;
#[path = "sample/oracle.rs"]
mod oracle;
#[path = "sample/playing.rs"]
mod playing;
#[path = "sample/skeleton.rs"]
mod skeleton;
