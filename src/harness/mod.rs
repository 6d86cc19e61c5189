//! Harness: tests of the program itself that people can run.
//!
//! In: seeds and files. Out: findings. Never here: printing, the clock, processes (all `cli`'s).

pub mod fuzz;
