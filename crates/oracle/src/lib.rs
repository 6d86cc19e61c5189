#![doc = include_str!("../README.md")]
//!
//! # For maintainers
//!
//! In: scripts and clips, drawn from a seed, from bytes, or by proptest ([`Choices`]). Out: what must come of them, by
//! definition and in exact numbers, and whether the code under test agrees. Never here: code of the paths under test;
//! what is shared with them is their plain data.
//!
//! [`judge_within`] plays a [`Script`] on a [`Player`] beside the [`Model`], by a [`Profile`]. [`Mistake`]s are players
//! with one mistake each, to see whether the judge sees. The modules [`clip`] and [`graph`] do the same
//! for the tests of `stillframe-anim`'s clips and pose graphs, and [`pose`] for blending and skinning.

mod choice;
pub mod clip;
pub mod draw;
pub mod graph;
mod judge;
mod mistake;
mod model;
mod player;
pub mod pose;
mod profile;
mod script;
mod simpler;
#[cfg(feature = "proptest")]
pub mod strategy;

pub use choice::Choices;
pub use judge::{Answer, Difference, Judge, judge, judge_within};
pub use mistake::{MISTAKES, Mistake, Planted};
pub use model::{Entry, Oracle, SUB};
pub use player::{Heard, Model, Player, Real, SIGNALS_MAX};
pub use profile::{Clock, Drawn, ModeKind, OpKind, Profile, Reports, Speeds, Start};
pub use script::{Case, Op, Script, cut, position};
pub use simpler::{shrink, shrink_within, simpler};
