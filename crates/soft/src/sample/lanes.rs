//! Lanes: numbers by lane, and comparisons that vectorise.

use stillframe_base::lanes::{Isa, LANES, per_isa};

/// The layers of a view: clamped, counted from the texture's first, in faces for cubes.
#[derive(Clone, Copy, Debug)]
pub struct Layers {
    pub base: u32,
    pub last: i32,
    pub faces: u32,
}

impl Layers {
    #[inline(always)]
    pub fn at(self, index: i32) -> u32 {
        self.base + index.max(0).min(self.last) as u32 * self.faces
    }
}

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

per_isa! {
    /// The layers that indices name.
    pub fn layers(out: &mut [u32; LANES], index: &[i32; LANES], of: Layers, count: usize) {
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            out[i] = of.at(index[i]);
        }
    }
    /// Within 0 and 1; NaN becomes 0.
    pub fn clamp_unit(out: &mut Lanes, x: &Lanes, count: usize) {
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            out[i] = min(max(x[i], 0.0), 1.0);
        }
    }
}
