//! Lanes: numbers by lane, and comparisons that vectorise.

use stillframe_base::lanes::LANES;

/// A number a lane.
pub type Lanes = [f32; LANES];

/// Three numbers a lane.
pub type Lanes3 = [Lanes; 3];

/// `if a > b { a } else { b }`.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `if a < b { a } else { b }`.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}
