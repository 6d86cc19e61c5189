//! Texel: raw values of a block of lanes from texel addresses. Rules: "Filtering".
//!
//! In: byte offsets and weights of `axis`. Out: raw values, four components side by side a lane, or one. The lane is the
//! scalar loop here and the component the vector: texels of a lane lie together in memory, those of its neighbours do not.

#![expect(unsafe_code, reason = "texel loads whose addresses are settled by `axis`")]

use stillframe_base::lanes::{Block, Isa, LANES, per_isa};
use stillframe_base::math::colour;
use wgpu_types as wgt;

use super::axis::{Ends, LEVELS};
use super::level::Lanes;
use crate::store::format::Scale;

/// Four components a lane.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub struct Raw(pub [[f32; 4]; LANES]);

impl Raw {
    pub const ZERO: Raw = Raw([[0.0; 4]; LANES]);
}

/// Byte offsets of the four texels of each lane from the texture's start, and their weights.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Corners {
    /// (x, y) = (low, low), (high, low), (low, high), (high, high).
    pub offsets: [[u32; LANES]; 4],
    pub weights: [Lanes; 2],
}

impl Corners {
    pub const ZERO: Corners = Corners { offsets: [[0; LANES]; 4], weights: [[0.0; LANES]; 2] };
}

/// The texels of a block of lanes.
#[derive(Clone, Copy)]
pub struct Texels<'a> {
    /// Of the texture's memory.
    pub start: *const u8,
    pub corners: &'a Corners,
}

impl Texels<'_> {
    /// The bytes of a texel.
    ///
    /// Only for offsets that `axis` or `cube` made for this texture: they bring every index into its level.
    #[inline(always)]
    fn load<const N: usize>(&self, offset: u32) -> [u8; N] {
        // SAFETY: `offset` is the sum of a level's and layer's base and of a texel's place in it, all inside the texture
        // (whose memory the view behind it keeps alive, and which `wide` found to be under 4 GiB); nobody writes meanwhile.
        unsafe { self.start.add(offset as usize).cast::<[u8; N]>().read_unaligned() }
    }
}

#[inline(always)]
fn lerp(a: f32, b: f32, w: f32) -> f32 {
    a + (b - a) * w
}

#[inline(always)]
fn lerp4(a: [f32; 4], b: [f32; 4], w: f32) -> [f32; 4] {
    [lerp(a[0], b[0], w), lerp(a[1], b[1], w), lerp(a[2], b[2], w), lerp(a[3], b[3], w)]
}

/// Filters the four texels of each lane.
#[inline(always)]
fn linear4(raw: &mut Raw, at: &Texels<'_>, count: usize, fetch: impl Fn(u32) -> [f32; 4]) {
    let Corners { offsets: [o0, o1, o2, o3], weights: [wx, wy] } = at.corners;
    for i in 0..count {
        let top = lerp4(fetch(o0[i]), fetch(o1[i]), wx[i]);
        let bottom = lerp4(fetch(o2[i]), fetch(o3[i]), wx[i]);
        raw.0[i] = lerp4(top, bottom, wy[i]);
    }
}

#[inline(always)]
fn nearest4(raw: &mut Raw, at: &Texels<'_>, count: usize, fetch: impl Fn(u32) -> [f32; 4]) {
    for i in 0..count {
        raw.0[i] = fetch(at.corners.offsets[0][i]);
    }
}

#[inline(always)]
fn linear1(raw: &mut Lanes, at: &Texels<'_>, count: usize, fetch: impl Fn(usize, u32) -> f32) {
    let Corners { offsets: [o0, o1, o2, o3], weights: [wx, wy] } = at.corners;
    for i in 0..count {
        let top = lerp(fetch(i, o0[i]), fetch(i, o1[i]), wx[i]);
        let bottom = lerp(fetch(i, o2[i]), fetch(i, o3[i]), wx[i]);
        raw[i] = lerp(top, bottom, wy[i]);
    }
}

#[inline(always)]
fn nearest1(raw: &mut Lanes, at: &Texels<'_>, count: usize, fetch: impl Fn(usize, u32) -> f32) {
    for i in 0..count {
        raw[i] = fetch(i, at.corners.offsets[0][i]);
    }
}

/// The f32 equal to an f16, as `pack::f32_from_f16`, but never through a subnormal f32: a whole vector waits for one.
#[inline(always)]
fn widen(half: u16) -> f32 {
    let size = i32::from(half & 0x7FFF);
    let sign = i32::from(half & 0x8000) << 16;
    let normal = (size << 13) + (112 << 23);
    let infinite = normal + (112 << 23);
    // 2^-24 is the step of the smallest.
    let tiny = (size as f32 * f32::from_bits(0x3380_0000)).to_bits() as i32;
    let finite = if size < 0x400 { tiny } else { normal };
    let number = (if size < 0x7C00 { finite } else { infinite }) | sign;
    f32::from_bits(if size > 0x7C00 { 0x7FC0_0000 } else { number } as u32)
}

/// Lanes whose texels are converted together: their bytes and numbers stay in the nearest cache.
const GROUP: usize = 32;

/// Filters four halves a texel: loads a group of lanes, widens it as one long vector, then filters.
#[inline(always)]
fn linear_halves(raw: &mut Raw, at: &Texels<'_>, count: usize) {
    let mut halves = [[0u16; 4]; 4 * GROUP];
    let mut wide = [[0.0f32; 4]; 4 * GROUP];
    for first in (0..count).step_by(GROUP) {
        let lanes = GROUP.min(count - first);
        for corner in 0..4 {
            for i in 0..lanes {
                halves[corner * GROUP + i] = bytemuck::cast(at.load::<8>(at.corners.offsets[corner][first + i]));
            }
        }
        for (wide, half) in wide.as_flattened_mut().iter_mut().zip(halves.as_flattened()) {
            *wide = widen(u16::from_le(*half));
        }
        for i in 0..lanes {
            let (wx, wy) = (at.corners.weights[0][first + i], at.corners.weights[1][first + i]);
            let top = lerp4(wide[i], wide[GROUP + i], wx);
            let bottom = lerp4(wide[2 * GROUP + i], wide[3 * GROUP + i], wx);
            raw.0[first + i] = lerp4(top, bottom, wy);
        }
    }
}

#[inline(always)]
fn nearest_halves(raw: &mut Raw, at: &Texels<'_>, count: usize) {
    let mut halves = [[0u16; 4]; LANES];
    for i in 0..count {
        halves[i] = bytemuck::cast(at.load::<8>(at.corners.offsets[0][i]));
    }
    for (wide, half) in raw.0[..count].as_flattened_mut().iter_mut().zip(halves[..count].as_flattened()) {
        *wide = widen(u16::from_le(*half));
    }
}

#[inline(always)]
fn unorm8(bytes: [u8; 4]) -> [f32; 4] {
    [f32::from(bytes[0]), f32::from(bytes[1]), f32::from(bytes[2]), f32::from(bytes[3])]
}

#[inline(always)]
fn srgb8(bytes: [u8; 4]) -> [f32; 4] {
    let table = &colour::LINEAR_FROM_SRGB8;
    [table[bytes[0] as usize], table[bytes[1] as usize], table[bytes[2] as usize], f32::from(bytes[3])]
}

#[inline(always)]
fn float32(bytes: [u8; 16]) -> [f32; 4] {
    let word = |i: usize| f32::from_le_bytes([bytes[i], bytes[i + 1], bytes[i + 2], bytes[i + 3]]);
    [word(0), word(4), word(8), word(12)]
}

/// Depth of 16 bits as its unit.
#[inline(always)]
fn depth16(bytes: [u8; 2]) -> f32 {
    Scale::BITS_16.apply(f32::from(u16::from_le_bytes(bytes)))
}

/// A comparison function as data: holds where the order of reference and texel is one of three, or is not.
#[derive(Clone, Copy)]
pub struct Comparison {
    less: bool,
    equal: bool,
    greater: bool,
    not: bool,
}

impl Comparison {
    pub fn new(function: wgt::CompareFunction) -> Comparison {
        let [less, equal, greater, not] = match function {
            wgt::CompareFunction::Never => [false, false, false, false],
            wgt::CompareFunction::Less => [true, false, false, false],
            wgt::CompareFunction::Equal => [false, true, false, false],
            wgt::CompareFunction::LessEqual => [true, true, false, false],
            wgt::CompareFunction::Greater => [false, false, true, false],
            wgt::CompareFunction::NotEqual => [false, true, false, true],
            wgt::CompareFunction::GreaterEqual => [false, true, true, false],
            wgt::CompareFunction::Always => [false, false, false, true],
        };
        Comparison { less, equal, greater, not }
    }

    /// 1 where `reference op texel` holds, else 0.
    #[inline(always)]
    fn result(self, reference: f32, texel: f32) -> f32 {
        let holds =
            (reference < texel) & self.less | (reference == texel) & self.equal | (reference > texel) & self.greater;
        if holds ^ self.not { 1.0 } else { 0.0 }
    }
}

per_isa! {
    /// The four texels of two axes.
    pub fn corners(out: &mut Corners, base: &[u32; LANES], x: &Ends, y: &Ends, count: usize) {
        let [o0, o1, o2, o3] = &mut out.offsets;
        for i in Isa::each::<LEVEL>(count) {
            let (low, high) = (base[i].wrapping_add(y.low[i]), base[i].wrapping_add(y.high[i]));
            (o0[i], o1[i]) = (low.wrapping_add(x.low[i]), low.wrapping_add(x.high[i]));
            (o2[i], o3[i]) = (high.wrapping_add(x.low[i]), high.wrapping_add(x.high[i]));
        }
        out.weights = [x.weight, y.weight];
    }
    /// Where the levels and layers of the lanes start.
    pub fn bases(out: &mut [u32; LANES], levels: &[u32; LANES], layers: &[u32; LANES], level_bytes: &[u32; LEVELS], layer_bytes: &[u32; LEVELS], count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            let level = levels[i] as usize & (LEVELS - 1);
            out[i] = level_bytes[level].wrapping_add(layers[i].wrapping_mul(layer_bytes[level]));
        }
    }
    /// As `bases`, every lane in the same level.
    pub fn bases_one(out: &mut [u32; LANES], layers: &[u32; LANES], level_bytes: u32, layer_bytes: u32, count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            out[i] = level_bytes.wrapping_add(layers[i].wrapping_mul(layer_bytes));
        }
    }
    pub fn linear_unorm8(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        linear4(raw, at, count, |o| unorm8(at.load(o)));
    }
    pub fn nearest_unorm8(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        nearest4(raw, at, count, |o| unorm8(at.load(o)));
    }
    pub fn linear_srgb8(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        linear4(raw, at, count, |o| srgb8(at.load(o)));
    }
    pub fn nearest_srgb8(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        nearest4(raw, at, count, |o| srgb8(at.load(o)));
    }
    pub fn linear_float16(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        linear_halves(raw, at, count);
    }
    pub fn nearest_float16(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        nearest_halves(raw, at, count);
    }
    pub fn linear_float32(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        linear4(raw, at, count, |o| float32(at.load(o)));
    }
    pub fn nearest_float32(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        nearest4(raw, at, count, |o| float32(at.load(o)));
    }
    pub fn linear_one_unorm8(raw: &mut Lanes, at: &Texels<'_>, count: usize) {
        linear1(raw, at, count, |_, o| f32::from(at.load::<1>(o)[0]));
    }
    pub fn nearest_one_unorm8(raw: &mut Lanes, at: &Texels<'_>, count: usize) {
        nearest1(raw, at, count, |_, o| f32::from(at.load::<1>(o)[0]));
    }
    pub fn linear_one_float32(raw: &mut Lanes, at: &Texels<'_>, count: usize) {
        linear1(raw, at, count, |_, o| f32::from_le_bytes(at.load(o)));
    }
    pub fn nearest_one_float32(raw: &mut Lanes, at: &Texels<'_>, count: usize) {
        nearest1(raw, at, count, |_, o| f32::from_le_bytes(at.load(o)));
    }
    pub fn linear_depth16(raw: &mut Lanes, at: &Texels<'_>, count: usize) {
        linear1(raw, at, count, |_, o| depth16(at.load(o)));
    }
    pub fn nearest_depth16(raw: &mut Lanes, at: &Texels<'_>, count: usize) {
        nearest1(raw, at, count, |_, o| depth16(at.load(o)));
    }
    /// Filtered comparisons with depth of 32 bits.
    pub fn linear_compare32(raw: &mut Lanes, at: &Texels<'_>, reference: &Lanes, compare: Comparison, count: usize) {
        linear1(raw, at, count, |i, o| compare.result(reference[i], f32::from_le_bytes(at.load(o))));
    }
    pub fn nearest_compare32(raw: &mut Lanes, at: &Texels<'_>, reference: &Lanes, compare: Comparison, count: usize) {
        nearest1(raw, at, count, |i, o| compare.result(reference[i], f32::from_le_bytes(at.load(o))));
    }
    /// Filtered comparisons with depth of 16 bits.
    pub fn linear_compare16(raw: &mut Lanes, at: &Texels<'_>, reference: &Lanes, compare: Comparison, count: usize) {
        linear1(raw, at, count, |i, o| compare.result(reference[i], depth16(at.load(o))));
    }
    pub fn nearest_compare16(raw: &mut Lanes, at: &Texels<'_>, reference: &Lanes, compare: Comparison, count: usize) {
        nearest1(raw, at, count, |i, o| compare.result(reference[i], depth16(at.load(o))));
    }
    /// `near = lerp(near, far, fraction)`; a fraction of zero keeps `near` as it is.
    pub fn mix(near: &mut Raw, far: &Raw, fraction: &Lanes, count: usize) {
        for i in 0..count {
            let mixed = lerp4(near.0[i], far.0[i], fraction[i]);
            near.0[i] = if fraction[i] == 0.0 { near.0[i] } else { mixed };
        }
    }
    /// As `mix`, with one component.
    pub fn mix_one(near: &mut Lanes, far: &Lanes, fraction: &Lanes, count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            let mixed = lerp(near[i], far[i], fraction[i]);
            near[i] = if fraction[i] == 0.0 { near[i] } else { mixed };
        }
    }
    /// `sum = sum + tap` where the lane has that many taps; tap 0 starts the sum.
    pub fn add_tap(sum: &mut Raw, tap: &Raw, number: f32, taps: &Lanes, count: usize) {
        for i in 0..count {
            let old = sum.0[i];
            let new = tap.0[i];
            let added = [old[0] + new[0], old[1] + new[1], old[2] + new[2], old[3] + new[3]];
            let kept = if number < taps[i] { added } else { old };
            sum.0[i] = if number == 0.0 { new } else { kept };
        }
    }
    /// `sum = sum / taps`.
    pub fn divide_by_taps(sum: &mut Raw, taps: &Lanes, count: usize) {
        for i in 0..count {
            sum.0[i] = sum.0[i].map(|value| value / taps[i]);
        }
    }
    /// Units of four components: colour and alpha have their own scales; `swap` exchanges red and blue.
    pub fn finish(out: &mut [Block; 4], raw: &Raw, color: Scale, alpha: Scale, swap: bool, count: usize) {
        let [c0, c1, c2, c3] = out;
        let (red, blue) = if swap { (c2, c0) } else { (c0, c2) };
        let (red, green, blue) = (red.as_f32_mut(), c1.as_f32_mut(), blue.as_f32_mut());
        let a = c3.as_f32_mut();
        if color.low == 0.0 && alpha.low == 0.0 {
            for i in Isa::each::<LEVEL>(count) {
                [red[i], green[i], blue[i], a[i]] = raw.0[i];
            }
        } else if color.low == 0.0 {
            for i in Isa::each::<LEVEL>(count) {
                let v = raw.0[i];
                [red[i], green[i], blue[i], a[i]] = [v[0], v[1], v[2], v[3] * alpha.high + v[3] * alpha.low];
            }
        } else {
            for i in Isa::each::<LEVEL>(count) {
                let v = raw.0[i];
                let unit = |v: f32| v * color.high + v * color.low;
                [red[i], green[i], blue[i], a[i]] = [unit(v[0]), unit(v[1]), unit(v[2]), v[3] * alpha.high + v[3] * alpha.low];
            }
        }
    }
    /// Units of one component; the others are absent.
    pub fn finish_one(out: &mut [Block; 4], raw: &Lanes, scale: Scale, count: usize) {
        let red = out[0].as_f32_mut();
        for i in Isa::each::<LEVEL>(count) {
            red[i] = if scale.low == 0.0 { raw[i] } else { raw[i] * scale.high + raw[i] * scale.low };
        }
        out[1].0[..count].fill(0);
        out[2].0[..count].fill(0);
        out[3].0[..count].fill(1.0f32.to_bits());
    }
}

#[cfg(test)]
mod tests {
    use stillframe_base::math::pack;

    use super::*;

    #[test]
    fn widening_agrees_with_the_base() {
        for half in 0..=u16::MAX {
            assert_eq!(widen(half).to_bits(), pack::f32_from_f16(half).to_bits(), "{half:#x}");
        }
    }

    #[test]
    fn comparisons_as_data() {
        use wgt::CompareFunction as F;
        let all = [F::Never, F::Less, F::Equal, F::LessEqual, F::Greater, F::NotEqual, F::GreaterEqual, F::Always];
        for function in all {
            for (reference, texel) in [(0.0, 1.0), (1.0, 0.0), (0.5, 0.5), (f32::NAN, 0.5), (0.5, f32::NAN)] {
                let want = super::super::each::compare(function, reference, texel);
                assert_eq!(Comparison::new(function).result(reference, texel) == 1.0, want, "{function:?}");
            }
        }
    }
}
