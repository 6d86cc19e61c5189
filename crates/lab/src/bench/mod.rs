//! Bench: one table of what is timed, for `stillframe bench` and for criterion alike.
//!
//! In: a setting (instruction set, threads), a clock that is passed. Out: the work, checked; nanoseconds. Never here:
//! printing, reading the clock, files. Inputs are random numbers of fixed seeds, so that two machines time the same
//! work. A further case is one row of [`CASES`].
//!
//! `ready` is work that is prepared. `anim`, `play`, `reach`, `skin` and `machine` prepare it, `input` makes what it is
//! done to, `case` is the table, `measure` times.

mod anim;
mod case;
pub mod input;
mod machine;
mod measure;
mod play;
mod reach;
mod ready;
mod skin;

pub use anim::{Order, POSES, moments};
pub use case::{CASES, Case, Unit, cases};
pub use measure::{Clock, Figure, ROUNDS, measure};
pub use ready::{Ready, Setting};

#[cfg(test)]
mod tests;
