//! Tests of plans that are drawn: views, memory, a pass that nobody knows.

mod caps;
mod gbuffer;
mod lists;
mod memory;
mod probe;
mod stage;
mod views;
