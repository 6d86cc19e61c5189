//! Motion in scenes: clips of other files, solvers, bent surfaces, crowds, and figures that say how a scene moves.

mod bending;
mod borrowing;
mod crowd_levels;
mod metrics;
mod reaching;
