//! Oracle: slow exact models of what `stillframe-anim` does, generators of scripts and clips, and planted mistakes.
//!
//! In: scripts and clips, drawn from a seed, from bytes, or by proptest ([`Choices`]). Out: what must come of them, by
//! definition and in exact numbers, and whether the code under test agrees. Never here: code of the paths under test;
//! what is shared with them is their plain data. For the tests of `stillframe-anim`, for `stillframe fuzz` and for
//! cargo-fuzz; not published.
//!
//! [`judge`] plays a [`Script`] on a [`Player`] beside the [`Model`]. [`Mistake`]s are players with one mistake each,
//! to see whether the judge sees.

mod choice;
pub mod clip;
pub mod draw;
pub mod graph;
mod mistake;
mod model;
mod player;
mod script;
mod simpler;
#[cfg(feature = "proptest")]
pub mod strategy;

pub use choice::Choices;
pub use mistake::{MISTAKES, Mistake, Planted};
pub use model::{Entry, Oracle, SUB};
pub use player::{Difference, Heard, Model, Player, Real, SIGNALS_MAX, judge};
pub use script::{Case, Op, Script, cut, position};
pub use simpler::{shrink, simpler};
