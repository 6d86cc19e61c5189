//! Texel: raw values of a block of lanes from texel addresses. Rules: "Filtering".
//!
//! In: byte offsets and weights of `axis`. Out: raw values, by component, then lane.

#![expect(unsafe_code, reason = "texel loads whose addresses are settled by `axis`")]

use stillframe_base::lanes::{Isa, LANES, per_isa};
use stillframe_base::math::colour;
use wgpu_types as wgt;

use super::axis::{Corners, LEVELS, Scratch, get};
use super::lanes::Lanes;
use crate::store::format::Scale;

/// Raw values by component, then lane. Kernels of formats with one component use the first alone.
pub type Raw = [Lanes; 4];

/// The texels of a block of lanes.
#[derive(Clone, Copy)]
pub struct Texels<'a> {
    /// Of the texture's memory, or of the level and layer that all lanes read.
    pub start: *const u8,
    pub corners: &'a Corners,
}

impl Texels<'_> {
    /// The bytes of a texel.
    ///
    /// Only for offsets that `axis`, `cube` or `places` made for this texture: they bring every index into its level.
    #[inline(always)]
    fn load<const N: usize>(&self, offset: u32) -> [u8; N] {
        // SAFETY: `offset` is the sum of a level's and layer's base and of a texel's place in it, all inside the
        // texture (whose memory the view behind it keeps alive, and which `wide` found to be under 4 GiB); nobody
        // writes meanwhile.
        unsafe { self.start.add(offset as usize).cast::<[u8; N]>().read_unaligned() }
    }
}

/// Whole coordinates by lane.
pub struct Whole<'a> {
    pub x: &'a [u32; LANES],
    pub y: &'a [u32; LANES],
    pub layer: &'a [u32; LANES],
    pub sample: &'a [u32; LANES],
}

/// The texels of one level: how many, and how far apart.
pub struct Grid {
    pub width: u32,
    pub height: u32,
    pub layers: u32,
    pub samples: u32,
    pub start_bytes: u32,
    pub texel_bytes: u32,
    pub row_bytes: u32,
    pub layer_bytes: u32,
    pub sample_bytes: u32,
}

#[inline(always)]
fn lerp(a: f32, b: f32, w: f32) -> f32 {
    a + (b - a) * w
}

#[inline(always)]
fn lerp4(a: [f32; 4], b: [f32; 4], w: f32) -> [f32; 4] {
    [lerp(a[0], b[0], w), lerp(a[1], b[1], w), lerp(a[2], b[2], w), lerp(a[3], b[3], w)]
}

/// Components in the order of memory; `swap` exchanges the first and the third.
#[inline(always)]
fn ordered(raw: &mut Raw, swap: bool) -> [&mut Lanes; 4] {
    let [c0, c1, c2, c3] = raw;
    if swap { [c2, c1, c0, c3] } else { [c0, c1, c2, c3] }
}

/// Filters the four texels of each lane.
#[inline(always)]
fn linear4(raw: &mut Raw, at: &Texels<'_>, count: usize, fetch: impl Fn(u32) -> [f32; 4]) {
    let Corners { offsets: [o0, o1, o2, o3], weights: [wx, wy] } = at.corners;
    let [c0, c1, c2, c3] = raw;
    for i in 0..count.min(LANES) {
        let (wx, wy) = (get(wx, i), get(wy, i));
        let top = lerp4(fetch(get(o0, i)), fetch(get(o1, i)), wx);
        let bottom = lerp4(fetch(get(o2, i)), fetch(get(o3, i)), wx);
        [c0[i], c1[i], c2[i], c3[i]] = lerp4(top, bottom, wy);
    }
}

#[inline(always)]
fn nearest4(raw: &mut Raw, at: &Texels<'_>, count: usize, fetch: impl Fn(u32) -> [f32; 4]) {
    let [c0, c1, c2, c3] = raw;
    for i in 0..count.min(LANES) {
        [c0[i], c1[i], c2[i], c3[i]] = fetch(get(&at.corners.offsets[0], i));
    }
}

#[inline(always)]
fn linear1(raw: &mut Raw, at: &Texels<'_>, count: usize, fetch: impl Fn(usize, u32) -> f32) {
    let Corners { offsets: [o0, o1, o2, o3], weights: [wx, wy] } = at.corners;
    for i in 0..count.min(LANES) {
        let (wx, wy) = (get(wx, i), get(wy, i));
        let top = lerp(fetch(i, get(o0, i)), fetch(i, get(o1, i)), wx);
        let bottom = lerp(fetch(i, get(o2, i)), fetch(i, get(o3, i)), wx);
        raw[0][i] = lerp(top, bottom, wy);
    }
}

#[inline(always)]
fn nearest1(raw: &mut Raw, at: &Texels<'_>, count: usize, fetch: impl Fn(usize, u32) -> f32) {
    for i in 0..count.min(LANES) {
        raw[0][i] = fetch(i, get(&at.corners.offsets[0], i));
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
/// The same for texels of one word: a register at the widest level.
const WORDS: usize = 16;

/// Filters four halves a texel: loads a group of lanes, widens it as one long vector, then filters.
#[inline(always)]
fn linear_halves(raw: &mut Raw, at: &Texels<'_>, count: usize) {
    let [c0, c1, c2, c3] = raw;
    let mut halves = [[0u16; 4]; 4 * GROUP];
    let mut wide = [[0.0f32; 4]; 4 * GROUP];
    for first in (0..count.min(LANES)).step_by(GROUP) {
        let lanes = GROUP.min(count - first);
        for corner in 0..4 {
            for i in 0..lanes {
                halves[corner * GROUP + i] = bytemuck::cast(at.load::<8>(get(&at.corners.offsets[corner], first + i)));
            }
        }
        for (wide, half) in wide.as_flattened_mut().iter_mut().zip(halves.as_flattened()) {
            *wide = widen(u16::from_le(*half));
        }
        for i in 0..lanes {
            let (wx, wy) = (get(&at.corners.weights[0], first + i), get(&at.corners.weights[1], first + i));
            let top = lerp4(wide[i], wide[GROUP + i], wx);
            let bottom = lerp4(wide[2 * GROUP + i], wide[3 * GROUP + i], wx);
            [c0[first + i], c1[first + i], c2[first + i], c3[first + i]] = lerp4(top, bottom, wy);
        }
    }
}

#[inline(always)]
fn nearest_halves(raw: &mut Raw, at: &Texels<'_>, count: usize) {
    let [c0, c1, c2, c3] = raw;
    let mut halves = [[0u16; 4]; GROUP];
    let mut wide = [[0.0f32; 4]; GROUP];
    for first in (0..count.min(LANES)).step_by(GROUP) {
        let lanes = GROUP.min(count - first);
        for i in 0..lanes {
            halves[i] = bytemuck::cast(at.load::<8>(get(&at.corners.offsets[0], first + i)));
        }
        for (wide, half) in wide.as_flattened_mut().iter_mut().zip(halves.as_flattened()) {
            *wide = widen(u16::from_le(*half));
        }
        for i in 0..lanes {
            [c0[first + i], c1[first + i], c2[first + i], c3[first + i]] = wide[i];
        }
    }
}

/// Filters texels of four bytes: loads a group of lanes, then takes one component after the other as long vectors.
/// `value`: the number that a byte of a component stands for.
#[inline(always)]
fn linear_bytes(raw: &mut Raw, swap: bool, at: &Texels<'_>, count: usize, value: impl Fn(usize, u32) -> f32) {
    let Corners { offsets, weights: [wx, wy] } = at.corners;
    let out = ordered(raw, swap);
    let mut texels = [[0u32; WORDS]; 4];
    // Counts are multiples of 16.
    for first in (0..count.min(LANES)).step_by(WORDS) {
        for corner in 0..4 {
            for i in 0..WORDS {
                texels[corner][i] = u32::from_le_bytes(at.load(get(&offsets[corner], first + i)));
            }
        }
        for component in 0..4 {
            for i in 0..WORDS {
                let [a, b, c, d] = [0, 1, 2, 3].map(|k: usize| value(component, texels[k][i] >> (8 * component) & 255));
                let (wx, wy) = (get(wx, first + i), get(wy, first + i));
                out[component][first + i] = lerp(lerp(a, b, wx), lerp(c, d, wx), wy);
            }
        }
    }
}

#[inline(always)]
fn nearest_bytes(raw: &mut Raw, swap: bool, at: &Texels<'_>, count: usize, value: impl Fn(usize, u32) -> f32) {
    let out = ordered(raw, swap);
    let mut texels = [0u32; WORDS];
    for first in (0..count.min(LANES)).step_by(WORDS) {
        for i in 0..WORDS {
            texels[i] = u32::from_le_bytes(at.load(get(&at.corners.offsets[0], first + i)));
        }
        for component in 0..4 {
            for i in 0..WORDS {
                out[component][first + i] = value(component, texels[i] >> (8 * component) & 255);
            }
        }
    }
}

/// A byte as a number; signed on the way, because that conversion exists at every level.
#[inline(always)]
fn unorm8(_: usize, byte: u32) -> f32 {
    byte as i32 as f32
}

#[inline(always)]
fn srgb8(component: usize, byte: u32) -> f32 {
    if component == 3 { byte as i32 as f32 } else { colour::LINEAR_FROM_SRGB8[byte as usize & 255] }
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
    /// Where the levels and layers of the lanes start.
    pub fn bases(out: &mut Scratch<u32>, levels: &[u32; LANES], layers: &[u32; LANES], level_bytes: &[u32; LEVELS], layer_bytes: &[u32; LEVELS], count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            let level = levels[i] as usize & (LEVELS - 1);
            out[i].write(level_bytes[level].wrapping_add(layers[i].wrapping_mul(layer_bytes[level])));
        }
    }
    /// As `bases`, every lane in the same level.
    pub fn bases_one(out: &mut Scratch<u32>, layers: &[u32; LANES], level_bytes: u32, layer_bytes: u32, count: usize) {
        for i in Isa::each::<LEVEL>(count) {
            out[i].write(level_bytes.wrapping_add(layers[i].wrapping_mul(layer_bytes)));
        }
    }
    /// Offsets of the texels at whole coordinates, and all ones where there is one; elsewhere zeros.
    pub fn places(out: &mut Scratch<u32>, inside: &mut [u32; LANES], at: &Whole<'_>, grid: &Grid, count: usize) {
        let (x, y, layer, sample) = (at.x, at.y, at.layer, at.sample);
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            let there = (x[i] < grid.width) & (y[i] < grid.height) & (layer[i] < grid.layers) & (sample[i] < grid.samples);
            let place = x[i].wrapping_mul(grid.texel_bytes).wrapping_add(y[i].wrapping_mul(grid.row_bytes));
            let place = place.wrapping_add(layer[i].wrapping_mul(grid.layer_bytes));
            let place = place.wrapping_add(sample[i].wrapping_mul(grid.sample_bytes)).wrapping_add(grid.start_bytes);
            inside[i] = if there { u32::MAX } else { 0 };
            out[i].write(if there { place } else { 0 });
        }
    }
    /// Zeros where `inside` has none.
    pub fn keep(raw: &mut Lanes, inside: &[u32; LANES], count: usize) {
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            raw[i] = f32::from_bits(raw[i].to_bits() & inside[i]);
        }
    }
    pub fn linear_unorm8(raw: &mut Raw, swap: bool, at: &Texels<'_>, count: usize) {
        linear_bytes(raw, swap, at, count, unorm8);
    }
    pub fn nearest_unorm8(raw: &mut Raw, swap: bool, at: &Texels<'_>, count: usize) {
        nearest_bytes(raw, swap, at, count, unorm8);
    }
    pub fn linear_srgb8(raw: &mut Raw, swap: bool, at: &Texels<'_>, count: usize) {
        linear_bytes(raw, swap, at, count, srgb8);
    }
    pub fn nearest_srgb8(raw: &mut Raw, swap: bool, at: &Texels<'_>, count: usize) {
        nearest_bytes(raw, swap, at, count, srgb8);
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
    pub fn linear_one_unorm8(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        linear1(raw, at, count, |_, o| f32::from(at.load::<1>(o)[0]));
    }
    pub fn nearest_one_unorm8(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        nearest1(raw, at, count, |_, o| f32::from(at.load::<1>(o)[0]));
    }
    pub fn linear_one_float32(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        linear1(raw, at, count, |_, o| f32::from_le_bytes(at.load(o)));
    }
    pub fn nearest_one_float32(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        nearest1(raw, at, count, |_, o| f32::from_le_bytes(at.load(o)));
    }
    pub fn linear_depth16(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        linear1(raw, at, count, |_, o| depth16(at.load(o)));
    }
    pub fn nearest_depth16(raw: &mut Raw, at: &Texels<'_>, count: usize) {
        nearest1(raw, at, count, |_, o| depth16(at.load(o)));
    }
    /// Filtered comparisons with depth of 32 bits.
    pub fn linear_compare32(raw: &mut Raw, at: &Texels<'_>, reference: &Lanes, compare: Comparison, count: usize) {
        linear1(raw, at, count, |i, o| compare.result(reference[i], f32::from_le_bytes(at.load(o))));
    }
    pub fn nearest_compare32(raw: &mut Raw, at: &Texels<'_>, reference: &Lanes, compare: Comparison, count: usize) {
        nearest1(raw, at, count, |i, o| compare.result(reference[i], f32::from_le_bytes(at.load(o))));
    }
    /// Filtered comparisons with depth of 16 bits.
    pub fn linear_compare16(raw: &mut Raw, at: &Texels<'_>, reference: &Lanes, compare: Comparison, count: usize) {
        linear1(raw, at, count, |i, o| compare.result(reference[i], depth16(at.load(o))));
    }
    pub fn nearest_compare16(raw: &mut Raw, at: &Texels<'_>, reference: &Lanes, compare: Comparison, count: usize) {
        nearest1(raw, at, count, |i, o| compare.result(reference[i], depth16(at.load(o))));
    }
    /// Filters four texels, one component. `corner` - 1 is the number of the one that is not there but the mean of the
    /// others, in the order (inside both axes, outside in x, outside in y); other values leave all four.
    pub fn mix_corners(out: &mut Lanes, texels: [&Lanes; 4], corner: &[u32; LANES], corners: &Corners, count: usize) {
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            let [a, b, c, d] = [texels[0][i], texels[1][i], texels[2][i], texels[3][i]];
            let third = f32::from_bits(0x3EAA_AAAB);
            let missing = corner[i];
            let mixed = [
                if missing == 1 { ((d + c) + b) * third } else { a },
                if missing == 2 { ((c + d) + a) * third } else { b },
                if missing == 3 { ((b + a) + d) * third } else { c },
                if missing == 4 { ((a + b) + c) * third } else { d },
            ];
            let [wx, wy] = [get(&corners.weights[0], i), get(&corners.weights[1], i)];
            out[i] = lerp(lerp(mixed[0], mixed[1], wx), lerp(mixed[2], mixed[3], wx), wy);
        }
    }
    /// `near = lerp(near, far, fraction)`, one component; a fraction of zero keeps `near` as it is.
    pub fn mix(near: &mut Lanes, far: &Lanes, fraction: &Lanes, count: usize) {
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            let mixed = lerp(near[i], far[i], fraction[i]);
            near[i] = if fraction[i] == 0.0 { near[i] } else { mixed };
        }
    }
    /// `sum = sum + tap`, one component, where the lane has more taps than `number`; tap 0 starts the sum.
    pub fn add_tap(sum: &mut Lanes, tap: &Lanes, number: f32, taps: &Lanes, count: usize) {
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            let kept = if number < taps[i] { sum[i] + tap[i] } else { sum[i] };
            sum[i] = if number == 0.0 { tap[i] } else { kept };
        }
    }
    /// `sum = sum / taps`, one component.
    pub fn divide(sum: &mut Lanes, taps: &Lanes, count: usize) {
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            sum[i] /= taps[i];
        }
    }
    /// Raw values of one component become units.
    pub fn scale(raw: &mut Lanes, scale: Scale, count: usize) {
        for i in Isa::each::<LEVEL>(count.min(LANES)) {
            raw[i] = raw[i] * scale.high + raw[i] * scale.low;
        }
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
