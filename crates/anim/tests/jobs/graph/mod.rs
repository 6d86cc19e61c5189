//! Pose graphs against oracles: clips by formula on a biped, poses made again from sampled clips, weights by hand.

mod additive;
pub mod biped;
mod errors;
mod events;
mod found;
mod laws;
mod machine;
mod monster;
mod partial;
mod share;
mod slot;
mod spaces;
mod spans;
mod switch;
mod sync;
mod travel;
