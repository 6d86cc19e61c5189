//! Exact: two pictures of one size and format, compared bit by bit in one pass.
//!
//! In: pictures. Out: which pixels differ ([`Mask`]), by how much, in which direction. Equal rows and equal stretches
//! of 64 pixels are passed over as slices, so that what costs time is what differs. Two pixels are the same when their
//! canonical bits are, as in [`crate::PixelHash`]; a pixel's delta is the largest difference of its channels, alpha
//! included, in the samples' own unit.

use serde::{Deserialize, Serialize};
use stillframe_base::lanes::{Isa, Work};

use super::alike::{CompareError, check_alike};
use super::differences::float_delta;
use super::mask::{Mask, TILE_PX};
use crate::picture::{Format, Picture, SampleKind, Samples, canonical_bits};

const BLOCK: usize = TILE_PX as usize;

/// What an exact comparison finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    pub width_px: u32,
    pub height_px: u32,
    pub format: Format,
    /// The pixels that differ.
    pub mask: Mask,
    pub differing_pixel_count: u64,
    /// Largest finite delta; 0 where nothing differs.
    pub delta_max: f64,
    /// Of floats: how many numbers lie between two samples at most, NaN and infinity left out. 0 for other samples.
    pub ulp_max: u32,
    /// Of floats: pixels with a channel that is a number on one side alone, or infinite on both with other signs. They
    /// have no finite delta.
    pub non_finite_pixel_count: u64,
    /// Differing pixels with a finite delta by its size, from the first step that holds any to the last.
    pub histogram: Vec<HistogramStep>,
    pub signs: Signs,
}

/// Pixels whose delta is over `over` and at most `up_to`, in the samples' unit.
///
/// Whole samples: 1, 2, 3-4, 5-8, 9-16 ... (of the 255 or 65535 steps of the range). Floats: powers of two from 2^-40
/// to 2^40; what is smaller or larger goes to the first and last.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistogramStep {
    pub over: f64,
    pub up_to: f64,
    pub pixel_count: u64,
}

/// In which direction differing pixels went, by the sum of their colour channels (alpha left out).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Signs {
    pub brighter_pixel_count: u64,
    pub darker_pixel_count: u64,
    /// New minus old, over all colour samples that are finite (floats: and not over 1e38 apart), in the samples' unit.
    pub signed_sum: f64,
}

/// The direction of a change as a whole: what changes of one cause have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sign {
    /// Nine in ten of the differing pixels, or more, are brighter than before.
    Brighter,
    /// Nine in ten of the differing pixels, or more, are darker than before.
    Darker,
    /// Brighter and darker ones together are nine in ten, or more.
    Mixed,
    /// Mostly neither: hue or alpha alone, numbers instead of colours.
    Other,
}

impl Sign {
    pub fn name(self) -> &'static str {
        match self {
            Sign::Brighter => "brighter",
            Sign::Darker => "darker",
            Sign::Mixed => "mixed",
            Sign::Other => "other",
        }
    }
}

impl Exact {
    /// Compares `old` with `new`.
    ///
    /// Errors: pictures of another size or format.
    pub fn of(old: &Picture, new: &Picture) -> Result<Exact, CompareError> {
        Exact::of_at(old, new, Isa::detect())
    }

    fn of_at(old: &Picture, new: &Picture, isa: Isa) -> Result<Exact, CompareError> {
        check_alike(old, new)?;
        let mut tally = Tally::new(old);
        let colours = colour_count(old.format());
        match (&old.samples, &new.samples) {
            (Samples::U8(a), Samples::U8(b)) => isa.run(Bytes { tally: &mut tally, old: a, new: b, colours }),
            (Samples::U16(a), Samples::U16(b)) => tally.rows(a, b, colours),
            (Samples::U32(a), Samples::U32(b)) => tally.rows(a, b, colours),
            (Samples::F32(a), Samples::F32(b)) => tally.rows(a, b, colours),
            _ => unreachable!("the formats are equal"),
        }
        Ok(tally.finish(old.format()))
    }

    pub fn is_same(&self) -> bool {
        self.differing_pixel_count == 0
    }

    pub fn pixel_count(&self) -> u64 {
        u64::from(self.width_px) * u64::from(self.height_px)
    }

    /// `None` where nothing differs.
    pub fn sign(&self) -> Option<Sign> {
        let Signs { brighter_pixel_count: brighter, darker_pixel_count: darker, .. } = self.signs;
        let most = |count: u64| count * 10 >= self.differing_pixel_count * 9;
        match () {
            () if self.is_same() => None,
            () if most(brighter) => Some(Sign::Brighter),
            () if most(darker) => Some(Sign::Darker),
            () if most(brighter + darker) => Some(Sign::Mixed),
            () => Some(Sign::Other),
        }
    }
}

/// Channels that hold light: alpha is the last of two or four channels of a file for people, and the fourth of floats.
pub(super) fn colour_count(format: Format) -> usize {
    use crate::picture::Channels;
    match (format.channels, format.kind) {
        (_, SampleKind::U32) => 0,
        (Channels::R, _) => 1,
        (Channels::Rg, SampleKind::F32) => 2,
        (Channels::Rg, _) => 1,
        (Channels::Rgb | Channels::Rgba, _) => 3,
    }
}

/// Deltas of whole samples are steps; those of floats have 82 steps of a doubling each.
const STEPS: usize = 96;
const FLOAT_EXPONENT_MIN: i32 = -40;
const FLOAT_EXPONENT_MAX: i32 = 41;

/// A sample type, and how two stretches of it are told apart.
trait Sample: Copy + PartialEq {
    /// What a delta and a signed sum are kept in.
    type Delta: Copy + Default;
    /// Equal bits, whatever they mean: what can be passed over without a look.
    fn same_bits(a: &[Self], b: &[Self]) -> bool;
    /// Largest difference of the channels of a pixel, and the signed sum of the first `colours`.
    fn pixel<const CHANNELS: usize>(
        a: &[Self; CHANNELS],
        b: &[Self; CHANNELS],
        colours: usize,
    ) -> (Self::Delta, Self::Delta);
    /// [`Sample::pixel`] of up to 64 pixels beside each other.
    #[inline(always)]
    fn pixels<const CHANNELS: usize>(
        a: &[[Self; CHANNELS]],
        b: &[[Self; CHANNELS]],
        colours: usize,
        deltas: &mut [Self::Delta; BLOCK],
        sums: &mut [Self::Delta; BLOCK],
    ) {
        for i in 0..a.len().min(b.len()).min(BLOCK) {
            (deltas[i], sums[i]) = Self::pixel(&a[i], &b[i], colours);
        }
    }
    fn differs(delta: Self::Delta) -> bool;
    /// Adds the pixels of `mask`, those of a block that differ, to the figures.
    fn add(tally: &mut Tally, mask: u64, deltas: &[Self::Delta; BLOCK], sums: &[Self::Delta; BLOCK]);
    /// Most numbers between two samples of a pixel of `mask`, of floats.
    #[inline(always)]
    fn ulp_max<const CHANNELS: usize>(_: u64, _: &[[Self; CHANNELS]], _: &[[Self; CHANNELS]]) -> u32 {
        0
    }
}

/// A bit for each flag, 0 or 1, the first lowest.
#[inline(always)]
fn bits_of(flags: &[u8; BLOCK]) -> u64 {
    // The product moves the lowest bit of byte i to bit 56 + i, and no two bits to one place.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut bits = 0;
    for (index, eight) in flags.as_chunks::<8>().0.iter().enumerate() {
        bits |= (u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56) << (8 * index);
    }
    bits
}

/// Numbers of the bits that are set.
fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        first
    })
}

/// [`Sample::pixels`] of four bytes a pixel: taken as words, which become vectors.
#[inline(always)]
fn byte_pixels<const CHANNELS: usize>(
    a: &[[u8; CHANNELS]],
    b: &[[u8; CHANNELS]],
    colours: usize,
    deltas: &mut [i16; BLOCK],
    sums: &mut [i16; BLOCK],
) {
    let word = |pixel: &[u8; CHANNELS]| u32::from_le_bytes(std::array::from_fn(|c| pixel[c]));
    for i in 0..a.len().min(b.len()).min(BLOCK) {
        let (old, new) = (word(&a[i]), word(&b[i]));
        let (mut most, mut sum) = (0, 0);
        for c in 0..4 {
            let step = (new >> (8 * c) & 255) as i32 - (old >> (8 * c) & 255) as i32;
            most = step.abs().max(most);
            sum += if c < colours { step } else { 0 };
        }
        (deltas[i], sums[i]) = (most as i16, sum as i16);
    }
}

macro_rules! whole_sample {
    ($sample:ty, $delta:ty, $sum:ty $(, $pixels:item)?) => {
        impl Sample for $sample {
            type Delta = $delta;
            fn same_bits(a: &[Self], b: &[Self]) -> bool {
                a == b
            }
            #[inline(always)]
            fn pixel<const CHANNELS: usize>(
                a: &[Self; CHANNELS],
                b: &[Self; CHANNELS],
                colours: usize,
            ) -> ($delta, $delta) {
                let mut most: $delta = 0;
                let mut sum: $delta = 0;
                for c in 0..CHANNELS {
                    most = most.max(<$delta>::from(a[c].abs_diff(b[c])));
                    sum += if c < colours { <$delta>::from(b[c]) - <$delta>::from(a[c]) } else { 0 };
                }
                (most, sum)
            }
            $($pixels)?
            #[inline(always)]
            fn differs(delta: $delta) -> bool {
                delta != 0
            }
            /// Sums of whole numbers are exact in any order, and pixels that do not differ add nothing to them. Steps
            /// of the histogram are 1, 2, 3-4, 5-8 ...: what is over a bound is counted, which is a loop without
            /// branches.
            #[inline(always)]
            fn add(tally: &mut Tally, mask: u64, deltas: &[$delta; BLOCK], sums: &[$delta; BLOCK]) {
                let most = deltas.iter().fold(0, |most, delta| (*delta).max(most));
                tally.delta_max = tally.delta_max.max(most as f64);
                let (mut brighter, mut darker, mut sum): ($delta, $delta, $sum) = (0, 0, 0);
                for step in sums {
                    brighter += <$delta>::from(*step > 0);
                    darker += <$delta>::from(*step < 0);
                    sum += <$sum>::from(*step);
                }
                tally.signs.brighter_pixel_count += brighter as u64;
                tally.signs.darker_pixel_count += darker as u64;
                tally.signs.signed_sum += sum as f64;
                let mut left = u64::from(mask.count_ones());
                let mut bound: $delta = 1;
                let mut step = 1;
                while left > 0 {
                    let beyond = deltas.iter().fold(0, |count, delta| count + <$delta>::from(*delta > bound)) as u64;
                    tally.counts[step] += left - beyond;
                    (left, bound, step) = (beyond, bound << 1, step + 1);
                }
            }
        }
    };
}

whole_sample!(
    u8,
    i16,
    i32,
    #[inline(always)]
    fn pixels<const CHANNELS: usize>(
        a: &[[u8; CHANNELS]],
        b: &[[u8; CHANNELS]],
        colours: usize,
        deltas: &mut [i16; BLOCK],
        sums: &mut [i16; BLOCK],
    ) {
        if CHANNELS == 4 {
            return byte_pixels(a, b, colours, deltas, sums);
        }
        for i in 0..a.len().min(b.len()).min(BLOCK) {
            (deltas[i], sums[i]) = Self::pixel(&a[i], &b[i], colours);
        }
    }
);
whole_sample!(u16, i32, i32);
whole_sample!(u32, i64, i64);

impl Sample for f32 {
    type Delta = f32;
    fn same_bits(a: &[f32], b: &[f32]) -> bool {
        bytemuck::cast_slice::<f32, u32>(a) == bytemuck::cast_slice::<f32, u32>(b)
    }
    #[inline(always)]
    fn pixel<const CHANNELS: usize>(a: &[f32; CHANNELS], b: &[f32; CHANNELS], colours: usize) -> (f32, f32) {
        let mut most = 0.0f32;
        let mut sum = 0.0;
        for c in 0..CHANNELS {
            most = most.max(float_delta(a[c], b[c]));
            let step = b[c] - a[c];
            sum += if c < colours && step.abs() < 1e38 { step } else { 0.0 };
        }
        (most, sum)
    }
    #[inline(always)]
    fn differs(delta: f32) -> bool {
        delta != 0.0
    }
    /// Pixel by pixel: the order of a sum of floats shows in its bits.
    #[inline(always)]
    fn add(tally: &mut Tally, mask: u64, deltas: &[f32; BLOCK], sums: &[f32; BLOCK]) {
        for i in set_bits(mask) {
            match float_step(deltas[i]) {
                Some(step) => {
                    tally.counts[step] += 1;
                    tally.delta_max = tally.delta_max.max(f64::from(deltas[i]));
                }
                None => tally.non_finite += 1,
            }
            tally.signs.brighter_pixel_count += u64::from(sums[i] > 0.0);
            tally.signs.darker_pixel_count += u64::from(sums[i] < 0.0);
            tally.signs.signed_sum += f64::from(sums[i]);
        }
    }
    #[inline(always)]
    fn ulp_max<const CHANNELS: usize>(mask: u64, old: &[[f32; CHANNELS]], new: &[[f32; CHANNELS]]) -> u32 {
        let mut most = 0;
        for i in set_bits(mask) {
            for (a, b) in old[i].into_iter().zip(new[i]) {
                let is_number = a.is_finite() && b.is_finite();
                most = most.max(if is_number { ordered(a).abs_diff(ordered(b)) } else { 0 });
            }
        }
        most
    }
}

/// Step of the histogram, 1 and up; `None` of what is not finite.
#[inline(always)]
fn float_step(delta: f32) -> Option<usize> {
    let bits = delta.abs().to_bits();
    let exponent = (bits >> 23) as i32 - 127 + i32::from(bits & 0x007F_FFFF != 0);
    let step = exponent.clamp(FLOAT_EXPONENT_MIN, FLOAT_EXPONENT_MAX) - FLOAT_EXPONENT_MIN + 1;
    (bits < 0x7F80_0000).then_some(step as usize)
}

/// Whole numbers in the order of the floats, neighbours one apart; -0 and 0 are neighbours.
fn ordered(value: f32) -> i32 {
    let bits = canonical_bits(value) as i32;
    if bits < 0 { i32::MIN.wrapping_sub(bits).wrapping_sub(1) } else { bits }
}

/// All rows of two pictures of bytes: most of what is compared, and what gains by wider instructions.
struct Bytes<'a> {
    tally: &'a mut Tally,
    old: &'a [u8],
    new: &'a [u8],
    colours: usize,
}

impl Work for Bytes<'_> {
    type Out = ();

    #[inline(always)]
    fn run<const LEVEL: u8>(self) {
        self.tally.rows(self.old, self.new, self.colours);
    }
}

struct Tally {
    width: usize,
    channels: usize,
    mask: Mask,
    counts: [u64; STEPS],
    delta_max: f64,
    ulp_max: u32,
    non_finite: u64,
    signs: Signs,
}

impl Tally {
    fn new(of: &Picture) -> Tally {
        Tally {
            width: of.width_px as usize,
            channels: of.channel_count as usize,
            mask: Mask::empty(of.width_px, of.height_px),
            counts: [0; STEPS],
            delta_max: 0.0,
            ulp_max: 0,
            non_finite: 0,
            signs: Signs::default(),
        }
    }

    #[inline(always)]
    fn rows<T: Sample>(&mut self, old: &[T], new: &[T], colours: usize) {
        match self.channels {
            1 => self.rows_of::<T, 1>(old, new, colours),
            2 => self.rows_of::<T, 2>(old, new, colours),
            3 => self.rows_of::<T, 3>(old, new, colours),
            _ => self.rows_of::<T, 4>(old, new, colours),
        }
    }

    #[inline(always)]
    fn rows_of<T: Sample, const CHANNELS: usize>(&mut self, old: &[T], new: &[T], colours: usize) {
        let row = self.width * CHANNELS;
        for (y, (old, new)) in old.chunks_exact(row).zip(new.chunks_exact(row)).enumerate() {
            if T::same_bits(old, new) {
                continue;
            }
            let blocks = old.chunks(BLOCK * CHANNELS).zip(new.chunks(BLOCK * CHANNELS));
            for (index, (old, new)) in blocks.enumerate() {
                if !T::same_bits(old, new) {
                    let found = self.block::<T, CHANNELS>(old, new, colours);
                    self.mask.row_mut(y as u32)[index] = found;
                }
            }
        }
    }

    /// Up to 64 pixels beside each other; which differ.
    #[inline(always)]
    fn block<T: Sample, const CHANNELS: usize>(&mut self, old: &[T], new: &[T], colours: usize) -> u64 {
        let (old, _) = old.as_chunks::<CHANNELS>();
        let (new, _) = new.as_chunks::<CHANNELS>();
        let mut deltas = [T::Delta::default(); BLOCK];
        let mut sums = [T::Delta::default(); BLOCK];
        T::pixels(old, new, colours, &mut deltas, &mut sums);
        let mut flags = [0; BLOCK];
        for i in 0..BLOCK {
            flags[i] = u8::from(T::differs(deltas[i]));
        }
        let mask = bits_of(&flags);
        T::add(self, mask, &deltas, &sums);
        self.ulp_max = self.ulp_max.max(T::ulp_max(mask, old, new));
        mask
    }

    fn finish(self, format: Format) -> Exact {
        let differing_pixel_count = self.mask.pixel_count();
        let bounds = |step: usize| match format.kind {
            SampleKind::F32 => {
                let up_to = FLOAT_EXPONENT_MIN + step as i32 - 1;
                let over = if up_to == FLOAT_EXPONENT_MIN { 0.0 } else { power_of_two(up_to - 1) };
                (over, if up_to == FLOAT_EXPONENT_MAX { f64::from(f32::MAX) } else { power_of_two(up_to) })
            }
            _ if step == 1 => (0.0, 1.0),
            _ => (power_of_two(step as i32 - 2), power_of_two(step as i32 - 1)),
        };
        let first = self.counts.iter().position(|count| *count > 0).unwrap_or(0);
        let end = self.counts.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
        let histogram = (first..end)
            .map(|step| {
                let (over, up_to) = bounds(step);
                HistogramStep { over, up_to, pixel_count: self.counts[step] }
            })
            .collect();
        Exact {
            width_px: self.mask.width_px,
            height_px: self.mask.height_px,
            format,
            differing_pixel_count,
            delta_max: self.delta_max,
            ulp_max: self.ulp_max,
            non_finite_pixel_count: self.non_finite,
            histogram,
            signs: self.signs,
            mask: self.mask,
        }
    }
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::differences::Differences;
    use super::*;

    fn picture(width: u32, channels: u32, samples: Samples) -> Picture {
        Picture::new(width, samples.len() as u32 / width / channels, channels, samples).unwrap()
    }

    #[test]
    fn figures_of_a_few_pixels() {
        let old = picture(4, 4, Samples::U8(vec![100; 64]));
        let mut new = old.clone();
        let Samples::U8(s) = &mut new.samples else { unreachable!() };
        s[4] = 101;
        s[5] = 99;
        s[8] = 105;
        s[63] = 0;
        s[12..15].copy_from_slice(&[90, 90, 90]);
        let found = Exact::of(&old, &new).unwrap();
        assert_eq!(found.mask.pixels().collect::<Vec<_>>(), [(1, 0), (2, 0), (3, 0), (3, 3)]);
        assert_eq!((found.differing_pixel_count, found.delta_max, found.ulp_max), (4, 100.0, 0));
        let steps: Vec<(f64, f64, u64)> = found.histogram.iter().map(|s| (s.over, s.up_to, s.pixel_count)).collect();
        let want = [(0.0, 1.0, 1), (1.0, 2.0, 0), (2.0, 4.0, 0), (4.0, 8.0, 1), (8.0, 16.0, 1), (16.0, 32.0, 0)];
        assert_eq!(steps[..6], want);
        assert_eq!(steps[6..], [(32.0, 64.0, 0), (64.0, 128.0, 1)]);
        // One went up and down alike, one changed in alpha alone.
        assert_eq!(found.signs, Signs { brighter_pixel_count: 1, darker_pixel_count: 1, signed_sum: -25.0 });
        assert_eq!(found.sign(), Some(Sign::Other));
        assert_eq!(Exact::of(&old, &old).unwrap().sign(), None);
    }

    #[test]
    fn one_step_of_a_float_is_seen() {
        let old = picture(3, 1, Samples::F32(vec![1.0, f32::NAN, 0.0]));
        let next = f32::from_bits(1.0f32.to_bits() + 1);
        let new = picture(3, 1, Samples::F32(vec![next, f32::from_bits(0x7FC0_1234), 0.0]));
        let found = Exact::of(&old, &new).unwrap();
        assert_eq!((found.differing_pixel_count, found.ulp_max), (1, 1));
        assert_eq!(
            found.histogram,
            [HistogramStep { over: power_of_two(-24), up_to: power_of_two(-23), pixel_count: 1 }]
        );
        assert_eq!(found.sign(), Some(Sign::Brighter));

        let broken = picture(3, 1, Samples::F32(vec![1.0, 7.0, -0.0]));
        let found = Exact::of(&old, &broken).unwrap();
        assert_eq!((found.differing_pixel_count, found.non_finite_pixel_count, found.ulp_max), (2, 1, 1));
        assert_eq!(found.histogram[0].over, 0.0);
    }

    #[test]
    fn distances_between_floats_count_numbers() {
        for (a, b, want) in [
            (0.0, f32::from_bits(1), 1),
            (-0.0, 0.0, 1),
            (f32::from_bits(0x8000_0001), 0.0, 2),
            (1.0, 2.0, 0x80_0000),
            (-f32::MAX, f32::MAX, 0xFEFF_FFFF),
            (f32::INFINITY, 1.0, 0),
        ] {
            assert_eq!(f32::ulp_max(1, &[[a]], &[[b]]), want, "{a} {b}");
        }
    }

    #[test]
    fn steps_of_whole_deltas() {
        for (delta, want) in
            [(1, 1), (2, 2), (3, 3), (4, 3), (5, 4), (8, 4), (9, 5), (255, 9), (65535, 17), (u32::MAX, 33)]
        {
            let of = |sample| picture(1, 1, Samples::U32(vec![sample]));
            let found = Exact::of(&of(0), &of(delta)).unwrap().histogram;
            assert_eq!(
                found.iter().map(|s| (s.up_to, s.pixel_count)).collect::<Vec<_>>(),
                [(power_of_two(want - 1), 1)]
            );
        }
    }

    #[test]
    fn signs_of_a_change() {
        let old = picture(10, 1, Samples::U16(vec![1000; 10]));
        for (brighter, darker, want) in
            [(10, 0, Sign::Brighter), (9, 1, Sign::Brighter), (5, 5, Sign::Mixed), (1, 9, Sign::Darker)]
        {
            let samples = (0..10).map(|i| {
                if i < brighter {
                    1010
                } else if i < brighter + darker {
                    990
                } else {
                    1000
                }
            });
            let new = picture(10, 1, Samples::U16(samples.collect()));
            assert_eq!(Exact::of(&old, &new).unwrap().sign(), Some(want), "{brighter} {darker}");
        }
        let ids = |id: u32| picture(2, 1, Samples::U32(vec![id; 2]));
        assert_eq!(Exact::of(&ids(3), &ids(9)).unwrap().sign(), Some(Sign::Other));
    }

    fn samples(kind: u8, count: usize, seed: u64, noise: u64) -> (Samples, Samples) {
        let mut state = seed | 1;
        let mut next = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 32
        };
        let mut both = |mask: u64| -> Vec<(u64, u64)> {
            (0..count)
                .map(|_| {
                    let old = next() & mask;
                    (old, if next() % 100 < noise { next() & mask } else { old })
                })
                .collect()
        };
        macro_rules! pair {
            ($variant:ident, $mask:expr, $to:expr) => {{
                let both = both($mask);
                (
                    Samples::$variant(both.iter().map(|p| $to(p.0)).collect()),
                    Samples::$variant(both.iter().map(|p| $to(p.1)).collect()),
                )
            }};
        }
        match kind {
            0 => pair!(U8, 0xFF, |v| v as u8),
            1 => pair!(U16, 0xFFFF, |v| v as u16),
            2 => pair!(U32, u64::MAX, |v| v as u32),
            _ => pair!(F32, u64::MAX, |v| f32::from_bits(v as u32)),
        }
    }

    proptest! {
        /// Against the plain comparison that keeps every delta.
        #[test]
        fn as_the_plain_way_finds_it(kind in 0u8..4, width in 1u32..140, height in 1u32..6, channels in 1u32..=4, seed in any::<u64>(), noise in 0u64..100) {
            let (old, new) = samples(kind, (width * height * channels) as usize, seed, noise);
            let (old, new) = (picture(width, channels, old), picture(width, channels, new));
            let found = Exact::of(&old, &new).unwrap();
            for isa in Isa::available() {
                prop_assert_eq!(&Exact::of_at(&old, &new, isa).unwrap(), &found, "{}", isa);
            }
            let plain = Differences::of(&old, &new).unwrap();
            let summary = plain.summary();
            prop_assert_eq!(found.differing_pixel_count, summary.differing_pixel_count as u64);
            prop_assert_eq!(found.mask.bounds(), summary.bounds);
            for (i, delta) in plain.deltas.iter().enumerate() {
                prop_assert_eq!(found.mask.contains(i as u32 % width, i as u32 / width), *delta > 0.0);
            }
            let finite = plain.deltas.iter().filter(|d| d.is_finite()).fold(0.0f32, |m, d| m.max(*d));
            prop_assert_eq!(found.delta_max as f32, finite);
            let told: u64 = found.histogram.iter().map(|s| s.pixel_count).sum();
            prop_assert_eq!(told + found.non_finite_pixel_count, found.differing_pixel_count);
            for step in &found.histogram {
                let inside = plain.deltas.iter().filter(|d| f64::from(**d) > step.over && f64::from(**d) <= step.up_to);
                // Deltas of large whole numbers are rounded in the plain way.
                if kind != 2 {
                    prop_assert_eq!(inside.count() as u64, step.pixel_count, "{:?}", step);
                }
            }
        }
    }
}
