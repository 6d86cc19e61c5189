//! Axis: texel addresses along one axis for a block of lanes. Rules: "Addresses along one axis".
//!
//! In: normalised coordinates, sizes. Out: byte offsets of the texels of each lane, and the weights between them.

#![expect(
    unsafe_code,
    reason = "an unchecked conversion whose range is settled the line before; scratch without zeroing"
)]

use std::mem::MaybeUninit;

use stillframe_base::lanes::{Isa, LANES, per_isa};
use wgpu_types as wgt;

use super::lanes::{Lanes, max, min};

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

/// Numbers by lane that a kernel writes before another reads them; lanes from the call's count on are never touched.
pub type Scratch<T> = [MaybeUninit<T>; LANES];

/// A scratch without values.
pub const fn scratch<T: Copy>() -> Scratch<T> {
    [const { MaybeUninit::uninit() }; LANES]
}

/// Reads a lane of a scratch.
///
/// Only for lanes that were written: every kernel of this folder writes and reads exactly the lanes `0..count` of its
/// call, and `wide` gives all kernels of a lookup the same count.
#[inline(always)]
pub fn get<T: Copy>(scratch: &Scratch<T>, lane: usize) -> T {
    // SAFETY: see above; the writers stand right before the readers in `wide::Plan::level`.
    unsafe { scratch[lane].assume_init() }
}

/// Byte offsets of the low and the high texel along one axis.
pub struct Ends {
    pub low: Scratch<u32>,
    pub high: Scratch<u32>,
}

/// Byte offsets of the four texels of each lane from the texture's start, and their weights.
#[repr(C, align(64))]
pub struct Corners {
    /// (x, y) = (low, low), (high, low), (low, high), (high, high).
    pub offsets: [Scratch<u32>; 4],
    pub weights: [Scratch<f32>; 2],
}

impl Corners {
    pub const fn new() -> Corners {
        Corners { offsets: [const { scratch() }; 4], weights: [const { scratch() }; 2] }
    }
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

/// Lanes `0..count`: `place` gives (index of the low texel, weight), `wrapped` an index inside and whether it is there;
/// `sink` takes the lane, the byte offsets of both texels, and the weight.
#[inline(always)]
fn ends<const LEVEL: u8>(
    count: usize,
    sizes: impl Fn(usize) -> (f32, i32, u32),
    place: impl Fn(usize, f32) -> (i32, f32),
    wrapped: impl Fn(i32, i32) -> (i32, bool),
    sink: &mut impl FnMut(usize, u32, u32, f32),
) -> bool {
    let mut inside = true;
    for i in Isa::each::<LEVEL>(count.min(LANES)) {
        let (size, n, stride) = sizes(i);
        let (index, weight) = place(i, size);
        let (low, low_inside) = wrapped(index, n);
        let (high, high_inside) = wrapped(index + 1, n);
        sink(i, (low as u32).wrapping_mul(stride), (high as u32).wrapping_mul(stride), weight);
        inside &= low_inside & high_inside;
    }
    inside
}

/// All address modes.
#[inline(always)]
fn every_wrap<const LEVEL: u8>(
    count: usize,
    wrap: Wrap,
    sizes: impl Fn(usize) -> (f32, i32, u32) + Copy,
    place: impl Fn(usize, f32) -> (i32, f32) + Copy,
    sink: &mut impl FnMut(usize, u32, u32, f32),
) {
    match wrap {
        Wrap::Clamp => {
            let inside = |i: i32, n: i32| {
                let low = if i > 0 { i } else { 0 };
                (if low < n { low } else { n - 1 }, true)
            };
            ends::<LEVEL>(count, sizes, place, inside, sink);
        }
        Wrap::RepeatMask => {
            ends::<LEVEL>(count, sizes, place, |i, n| (i & (n - 1), true), sink);
        }
        Wrap::MirrorMask => {
            ends::<LEVEL>(count, sizes, place, |i, n| (mirror(i & (2 * n - 1), n), true), sink);
        }
        Wrap::RepeatAny => {
            let close = |i: i32, n: i32| {
                let near = near(i, n);
                (near, (near as u32) < n as u32)
            };
            if !ends::<LEVEL>(count, sizes, place, close, sink) {
                ends::<LEVEL>(count, sizes, place, |i, n| (i.rem_euclid(n), true), sink);
            }
        }
        Wrap::MirrorAny => {
            let close = |i: i32, n: i32| {
                let near = near(i, 2 * n);
                (mirror(near, n), (near as u32) < 2 * n as u32)
            };
            if !ends::<LEVEL>(count, sizes, place, close, sink) {
                ends::<LEVEL>(count, sizes, place, |i, n| (mirror(i.rem_euclid(2 * n), n), true), sink);
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

/// Size of every lane's level: the same one.
#[inline(always)]
fn one_size(sizes: &Sizes, level: usize) -> impl Fn(usize) -> (f32, i32, u32) + Copy {
    let size = (sizes.size[level], sizes.count[level], sizes.stride[level]);
    move |_| size
}

/// Size of each lane's own level.
#[inline(always)]
fn each_size(sizes: &Sizes, levels: &[u32; LANES]) -> impl Fn(usize) -> (f32, i32, u32) + Copy {
    |i| {
        let level = levels[i] as usize & (LEVELS - 1);
        (sizes.size[level], sizes.count[level], sizes.stride[level])
    }
}

/// Keeps both ends of the first axis.
#[inline(always)]
fn to_ends(out: &mut Ends, weight: &mut Scratch<f32>) -> impl FnMut(usize, u32, u32, f32) {
    |i, low, high, w| {
        out.low[i].write(low);
        out.high[i].write(high);
        weight[i].write(w);
    }
}

/// Joins the second axis with the first.
#[inline(always)]
fn to_corners(out: &mut Corners, base: &Scratch<u32>, x: &Ends) -> impl FnMut(usize, u32, u32, f32) {
    let Corners { offsets: [o0, o1, o2, o3], weights: [_, weight] } = out;
    move |i, low, high, w| {
        let (left, right) = (get(&x.low, i).wrapping_add(get(base, i)), get(&x.high, i).wrapping_add(get(base, i)));
        o0[i].write(left.wrapping_add(low));
        o1[i].write(right.wrapping_add(low));
        o2[i].write(left.wrapping_add(high));
        o3[i].write(right.wrapping_add(high));
        weight[i].write(w);
    }
}

/// As `to_corners`, from the start of the level and layer that all lanes read.
#[inline(always)]
fn to_flat_corners(out: &mut Corners, x: &Ends) -> impl FnMut(usize, u32, u32, f32) {
    let Corners { offsets: [o0, o1, o2, o3], weights: [_, weight] } = out;
    move |i, low, high, w| {
        let (left, right) = (get(&x.low, i), get(&x.high, i));
        o0[i].write(left.wrapping_add(low));
        o1[i].write(right.wrapping_add(low));
        o2[i].write(left.wrapping_add(high));
        o3[i].write(right.wrapping_add(high));
        weight[i].write(w);
    }
}

/// Adds offsets along one axis to those of `from`. Not in place: a wrap may be tried twice.
#[inline(always)]
fn add_to(from: &Scratch<u32>, sums: &mut Scratch<u32>) -> impl FnMut(usize, u32, u32, f32) {
    |i, low, _, _| {
        sums[i].write(get(from, i).wrapping_add(low));
    }
}

per_isa! {
    /// First axis, linear, every lane in the same level.
    pub fn x_linear_one(out: &mut Ends, weight: &mut Scratch<f32>, u: &Lanes, sizes: &Sizes, level: usize, offset: i32, wrap: Wrap, count: usize) {
        every_wrap::<LEVEL>(count, wrap, one_size(sizes, level), linear(u, offset), &mut to_ends(out, weight));
    }
    /// First axis, linear, each lane in its own level.
    pub fn x_linear_each(out: &mut Ends, weight: &mut Scratch<f32>, u: &Lanes, sizes: &Sizes, levels: &[u32; LANES], offset: i32, wrap: Wrap, count: usize) {
        every_wrap::<LEVEL>(count, wrap, each_size(sizes, levels), linear(u, offset), &mut to_ends(out, weight));
    }
    /// Second axis, linear, every lane in the same level: all four offsets.
    pub fn y_linear_one(out: &mut Corners, base: &Scratch<u32>, x: &Ends, v: &Lanes, sizes: &Sizes, level: usize, offset: i32, wrap: Wrap, count: usize) {
        every_wrap::<LEVEL>(count, wrap, one_size(sizes, level), linear(v, offset), &mut to_corners(out, base, x));
    }
    /// Second axis, linear, every lane in the same level and layer: all four offsets from where that starts.
    pub fn y_linear_flat(out: &mut Corners, x: &Ends, v: &Lanes, sizes: &Sizes, level: usize, offset: i32, wrap: Wrap, count: usize) {
        every_wrap::<LEVEL>(count, wrap, one_size(sizes, level), linear(v, offset), &mut to_flat_corners(out, x));
    }
    /// Second axis, linear, each lane in its own level: all four offsets.
    pub fn y_linear_each(out: &mut Corners, base: &Scratch<u32>, x: &Ends, v: &Lanes, sizes: &Sizes, levels: &[u32; LANES], offset: i32, wrap: Wrap, count: usize) {
        every_wrap::<LEVEL>(count, wrap, each_size(sizes, levels), linear(v, offset), &mut to_corners(out, base, x));
    }
    /// Adds the nearest texel along one axis to an offset, every lane in the same level.
    pub fn add_nearest_one(out: &mut Scratch<u32>, u: &Lanes, sizes: &Sizes, level: usize, offset: i32, wrap: Wrap, count: usize) {
        let mut sums = scratch();
        every_wrap::<LEVEL>(count, wrap, one_size(sizes, level), nearest(u, offset), &mut add_to(out, &mut sums));
        *out = sums;
    }
    /// Adds the nearest texel along one axis to an offset, each lane in its own level.
    pub fn add_nearest_each(out: &mut Scratch<u32>, u: &Lanes, sizes: &Sizes, levels: &[u32; LANES], offset: i32, wrap: Wrap, count: usize) {
        let mut sums = scratch();
        every_wrap::<LEVEL>(count, wrap, each_size(sizes, levels), nearest(u, offset), &mut add_to(out, &mut sums));
        *out = sums;
    }
}
