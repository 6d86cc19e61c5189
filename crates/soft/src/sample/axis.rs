//! Axis: texel addresses along one axis for a block of lanes. Rules: "Addresses along one axis".
//!
//! In: normalised coordinates, sizes. Out: byte offsets of the two texels of each lane, and the weight between them.

#![expect(unsafe_code, reason = "an unchecked conversion whose range is settled the line before")]

use stillframe_base::lanes::{Isa, LANES, per_isa};
use wgpu_types as wgt;

use super::level::{Lanes, max, min};

/// Levels that a texture can have, as a table size.
pub const LEVELS: usize = 16;

/// Sizes of one axis, by level.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    pub size: [f32; LEVELS],
    pub count: [i32; LEVELS],
    /// Bytes from one texel to the next.
    pub stride: [u32; LEVELS],
}

/// Byte offsets of the low and the high texel, and the weight of the high one.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Ends {
    pub low: [u32; LANES],
    pub high: [u32; LANES],
    pub weight: Lanes,
}

impl Ends {
    pub const ZERO: Ends = Ends { low: [0; LANES], high: [0; LANES], weight: [0.0; LANES] };
}

/// How an index is brought inside; the masks for sizes that are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    Clamp,
    RepeatMask,
    RepeatAny,
    MirrorMask,
    MirrorAny,
}

impl Wrap {
    /// `None` for borders. `count` is the size of the first level: the others of a power of two are powers, too.
    pub fn new(mode: wgt::AddressMode, count: u32) -> Option<Wrap> {
        match (mode, count.is_power_of_two()) {
            (wgt::AddressMode::ClampToEdge, _) => Some(Wrap::Clamp),
            (wgt::AddressMode::Repeat, true) => Some(Wrap::RepeatMask),
            (wgt::AddressMode::Repeat, false) => Some(Wrap::RepeatAny),
            (wgt::AddressMode::MirrorRepeat, true) => Some(Wrap::MirrorMask),
            (wgt::AddressMode::MirrorRepeat, false) => Some(Wrap::MirrorAny),
            (wgt::AddressMode::ClampToBorder, _) => None,
        }
    }
}

/// Floor of a number within +-2^30, and as an integer.
#[inline(always)]
fn floor(x: f32) -> (f32, i32) {
    // SAFETY: callers clean x to +-2^30, which i32 holds; a NaN does not survive `clean`.
    let toward_zero = unsafe { x.to_int_unchecked::<i32>() };
    let below = (toward_zero as f32 > x) as i32;
    let index = toward_zero - below;
    (index as f32, index)
}

#[inline(always)]
fn clean(x: f32) -> f32 {
    min(max(x, -1_073_741_824.0), 1_073_741_824.0)
}

#[inline(always)]
fn mirror(m: i32, n: i32) -> i32 {
    if m < n { m } else { 2 * n - 1 - m }
}

/// `i` moved by one period if that brings it into `0..n`.
#[inline(always)]
fn near(i: i32, n: i32) -> i32 {
    let up = if i < 0 { n } else { 0 };
    let down = if i >= n { n } else { 0 };
    i + up - down
}

/// Offsets for lanes `0..count`: `place` gives (index of the low texel, weight), `wrapped` an index inside, and whether
/// it is there.
#[inline(always)]
fn ends<const LEVEL: u8>(
    out: &mut Ends,
    count: usize,
    sizes: impl Fn(usize) -> (f32, i32, u32),
    place: impl Fn(usize, f32) -> (i32, f32),
    wrapped: impl Fn(i32, i32) -> (i32, bool),
) -> bool {
    let mut inside = true;
    for i in Isa::each::<LEVEL>(count) {
        let (size, n, stride) = sizes(i);
        let (index, weight) = place(i, size);
        let (low, low_inside) = wrapped(index, n);
        let (high, high_inside) = wrapped(index + 1, n);
        out.low[i] = (low as u32).wrapping_mul(stride);
        out.high[i] = (high as u32).wrapping_mul(stride);
        out.weight[i] = weight;
        inside &= low_inside & high_inside;
    }
    inside
}

/// All address modes.
#[inline(always)]
fn every_wrap<const LEVEL: u8>(
    out: &mut Ends,
    count: usize,
    wrap: Wrap,
    sizes: impl Fn(usize) -> (f32, i32, u32) + Copy,
    place: impl Fn(usize, f32) -> (i32, f32) + Copy,
) {
    match wrap {
        Wrap::Clamp => {
            ends::<LEVEL>(out, count, sizes, place, |i, n| {
                let low = if i > 0 { i } else { 0 };
                (if low < n { low } else { n - 1 }, true)
            });
        }
        Wrap::RepeatMask => {
            ends::<LEVEL>(out, count, sizes, place, |i, n| (i & (n - 1), true));
        }
        Wrap::MirrorMask => {
            ends::<LEVEL>(out, count, sizes, place, |i, n| (mirror(i & (2 * n - 1), n), true));
        }
        Wrap::RepeatAny => {
            let all = ends::<LEVEL>(out, count, sizes, place, |i, n| {
                let near = near(i, n);
                (near, (near as u32) < n as u32)
            });
            if !all {
                ends::<LEVEL>(out, count, sizes, place, |i, n| (i.rem_euclid(n), true));
            }
        }
        Wrap::MirrorAny => {
            let all = ends::<LEVEL>(out, count, sizes, place, |i, n| {
                let near = near(i, 2 * n);
                (mirror(near, n), (near as u32) < 2 * n as u32)
            });
            if !all {
                ends::<LEVEL>(out, count, sizes, place, |i, n| (mirror(i.rem_euclid(2 * n), n), true));
            }
        }
    }
}

/// Index of the low texel of a linear footprint, and weight of the high one.
#[inline(always)]
pub fn place(u: f32, size: f32) -> (i32, f32) {
    let x = clean(u * size - 0.5);
    let (f, index) = floor(x);
    (index, x - f)
}

/// `place` for all lanes.
#[inline(always)]
fn linear(u: &Lanes, offset: i32) -> impl Fn(usize, f32) -> (i32, f32) + Copy {
    move |i, size| {
        let (index, weight) = place(u[i], size);
        (index + offset, weight)
    }
}

/// Index of the one texel.
#[inline(always)]
fn nearest(u: &Lanes, offset: i32) -> impl Fn(usize, f32) -> (i32, f32) + Copy {
    move |i, size| (floor(clean(u[i] * size)).1 + offset, 0.0)
}

per_isa! {
    /// Linear footprints, every lane in the same level.
    pub fn linear_one(out: &mut Ends, u: &Lanes, sizes: &Sizes, level: usize, offset: i32, wrap: Wrap, count: usize) {
        let size = (sizes.size[level], sizes.count[level], sizes.stride[level]);
        every_wrap::<LEVEL>(out, count, wrap, |_| size, linear(u, offset));
    }
    /// Nearest texels, every lane in the same level.
    pub fn nearest_one(out: &mut Ends, u: &Lanes, sizes: &Sizes, level: usize, offset: i32, wrap: Wrap, count: usize) {
        let size = (sizes.size[level], sizes.count[level], sizes.stride[level]);
        every_wrap::<LEVEL>(out, count, wrap, |_| size, nearest(u, offset));
    }
    /// Linear footprints, each lane in its own level.
    pub fn linear_each(out: &mut Ends, u: &Lanes, sizes: &Sizes, levels: &[u32; LANES], offset: i32, wrap: Wrap, count: usize) {
        let size = |i: usize| {
            let level = levels[i] as usize & (LEVELS - 1);
            (sizes.size[level], sizes.count[level], sizes.stride[level])
        };
        every_wrap::<LEVEL>(out, count, wrap, size, linear(u, offset));
    }
    /// Nearest texels, each lane in its own level.
    pub fn nearest_each(out: &mut Ends, u: &Lanes, sizes: &Sizes, levels: &[u32; LANES], offset: i32, wrap: Wrap, count: usize) {
        let size = |i: usize| {
            let level = levels[i] as usize & (LEVELS - 1);
            (sizes.size[level], sizes.count[level], sizes.stride[level])
        };
        every_wrap::<LEVEL>(out, count, wrap, size, nearest(u, offset));
    }
}
