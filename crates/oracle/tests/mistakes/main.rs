//! The judges: each passes the code under test and finds each planted mistake soon.

mod clip;
mod clock;
mod graph;
mod pose;
