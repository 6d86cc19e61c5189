//! Graphs: pose graphs with what is done to them, drawn, played beside a slow model, and made small.
//!
//! A [`GraphScript`] is a graph by numbers and a list of operations. [`judge`] plays it on a [`GraphPlayer`] beside a
//! model that finds weights, decisions and events in whole numbers and poses in f64, and compares: events with their
//! ticks and order, what machines and switches show and how far their fades are, positions of clocks, what is active
//! (all exactly), weights to 1e-5, poses to an error that goes with what they are made of. The code under test
//! ([`Tested`]) also plays every step a second time, cut at the script's shares, which must give the same bits; it
//! makes every pose twice, on two instruction sets; rotations are unit, numbers finite. Where clips travel, the way of
//! the root is compared, of the whole step and of all its parts; a character that is stored is the same.
//!
//! Shared with the code under test: poses of clips at a moment (the target `clip` judges them), names and the order of
//! nodes, plain data. Of clips also how far each has travelled at a moment. Where the definition leaves something open
//! (the heaviest of two that weigh the same, the hemisphere of a half turn) nothing is judged.

mod clock;
mod decide;
mod draw;
mod journey;
mod mistake;
mod model;
mod own;
mod player;
mod pose;
mod script;
mod show;
mod simpler;
mod slot;
mod space;
mod tell;
mod told;
mod travel;
mod wait;
mod weigh;
mod world;

pub use draw::script;
pub use mistake::{GRAPH_MISTAKES, GraphMistake};
pub use player::{GraphDifference, GraphPlayer, Look, Modelled, Tested, check, judge};
pub use script::{
    Clip, Entry, GraphOp, GraphScript, JointKey, Mask, Mean, Number, Part, Passes, Policy, Rule, Space, Test, Travel,
    Weighted,
};
pub use simpler::shrink;
pub use world::World;
