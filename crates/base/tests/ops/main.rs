//! `math::ops` as a whole: its error against f64, and its bits.

mod error;
mod pinned;
