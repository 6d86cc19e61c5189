//! Accumulation: which points of pixels, lens, shutter and lights each picture of a mean is taken at, and the sum.
//!
//! In: how many points a scene wants of each. Out: the [`Point`] of every picture, a [`Partial`] sum that can be
//! written down. Never here: drawing.
//!
//! Sources: the mean of plain pictures (Haeberli, Akeley 1990, "The accumulation buffer"); sets of points by
//! Hammersley, in the middles of their strata; several sets of one sum, each in an order of its own (Kollig, Keller
//! 2002, "Efficient multidimensional sampling"; the order is a permutation by a hash, as Kensler 2013, "Correlated
//! multi-jittered sampling"). Ours: every count is a power of two, so that each point counts as often as every other.
//! Nested permutations (Laine, Karras 2011) keep halves together, so that lens and shutter would go by each other.

use crate::light::disk;
use crate::render::FOUR_SAMPLES;
use crate::scene::Accumulate;

/// Where one picture of a mean is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    /// From the pixels' centres, right and down.
    pub shift_px: [f32; 2],
    /// From the middle of the lens, in its radii.
    pub lens: [f32; 2],
    /// Seconds from the moment that is shown.
    pub time_s: f64,
    /// In each light: in the unit square.
    pub light: [f32; 2],
}

/// Orders of sets, by the hash that makes them. Points of pixels are taken as they come.
const LENS: u32 = 0x88ba_fad9;
const SHUTTER: u32 = 0x95c7_6ab4;
const LIGHT: u32 = 0x6856_e45b;

/// The point of picture `number`.
pub(super) fn point(of: &Accumulate, number: u32) -> Point {
    let count = of.frame_count();
    let place = |order: u32, of: u32| in_order(number, count, order) % of;
    let [open_s, close_s] = of.shutter_s;
    let share = (f64::from(place(SHUTTER, of.shutter)) + 0.5) / f64::from(of.shutter);
    Point {
        shift_px: in_pixel(number % of.pixel, of.pixel),
        lens: if of.lens == 1 { [0.0; 2] } else { disk(hammersley(place(LENS, of.lens), of.lens)) },
        time_s: if of.shutter == 1 { 0.0 } else { open_s + (close_s - open_s) * share },
        light: if of.light == 1 { [0.5; 2] } else { hammersley(place(LIGHT, of.light), of.light) },
    }
}

/// From a pixel's centre: those of four samples where multisampling has them, the middles of squares where their count
/// is a square, else Hammersley's.
fn in_pixel(number: u32, count: u32) -> [f32; 2] {
    if count == 4 {
        return FOUR_SAMPLES[number as usize].map(|sixteenths| f32::from(sixteenths) / 16.0);
    }
    let bits = count.trailing_zeros();
    let at = match bits.is_multiple_of(2) {
        true => {
            let side = 1 << (bits / 2);
            [number % side, number / side].map(|at| (at as f32 + 0.5) / side as f32)
        }
        false => hammersley(number, count),
    };
    at.map(|at| at - 0.5)
}

/// Point `number` of `count`, a power of two, in the unit square: in the middle of its row and of its column.
fn hammersley(number: u32, count: u32) -> [f32; 2] {
    let mirrored = if count == 1 { 0 } else { number.reverse_bits() >> (32 - count.trailing_zeros()) };
    [number, mirrored].map(|at| (at as f32 + 0.5) / count as f32)
}

/// A permutation of the numbers below `count`, a power of two.
fn in_order(number: u32, count: u32, order: u32) -> u32 {
    if count == 1 {
        return 0;
    }
    let (mask, half) = (count - 1, (count.trailing_zeros() / 2).max(1));
    let (mut x, mut hash) = (number, order);
    // Each step can be taken back: low bits change high ones, then high ones low ones.
    for _ in 0..4 {
        hash = hash.wrapping_mul(0x9e37_79b1).wrapping_add(0x7f4a_7c15);
        x = x.wrapping_add(hash >> 7) & mask;
        x = x.wrapping_mul(hash >> 3 | 1) & mask;
        x ^= x >> half;
    }
    x
}

/// Pictures that are added up so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partial {
    /// Of what: another picture's has another.
    pub identity: String,
    /// How many, and how many there will be.
    pub done: u32,
    pub count: u32,
    pub size_px: [u32; 2],
    /// Linear, exposed, premultiplied red, green, blue and alpha, row by row.
    pub sums: Vec<f32>,
}

/// What a file of a sum begins with.
const MARK: &[u8] = b"stillframe accumulation 1\n";

impl Partial {
    /// The sum as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut rest = Vec::with_capacity(self.sums.len() * 4 + 256);
        rest.extend((self.identity.len() as u32).to_le_bytes());
        rest.extend(self.identity.as_bytes());
        for number in [self.done, self.count, self.size_px[0], self.size_px[1]] {
            rest.extend(number.to_le_bytes());
        }
        self.sums.iter().for_each(|sum| rest.extend(sum.to_le_bytes()));
        [MARK, blake3::hash(&rest).as_bytes(), &rest].concat()
    }

    /// The same from a file. `None`: it is none, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Option<Partial> {
        let (hash, rest) = bytes.strip_prefix(MARK)?.split_at_checked(blake3::OUT_LEN)?;
        if blake3::hash(rest).as_bytes() != hash {
            return None;
        }
        let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let (length, rest) = rest.split_at_checked(4)?;
        let (identity, rest) = rest.split_at_checked(word(length) as usize)?;
        let (numbers, rest) = rest.split_at_checked(16)?;
        let [done, count, width_px, height_px] = [0, 1, 2, 3].map(|at| word(&numbers[4 * at..]));
        let sums: Vec<f32> = rest.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let is_whole = sums.len() as u64 == 4 * u64::from(width_px) * u64::from(height_px);
        let identity = String::from_utf8(identity.to_vec()).ok()?;
        is_whole.then_some(Partial { identity, done, count, size_px: [width_px, height_px], sums })
    }

    /// Adds a picture.
    pub(super) fn add(&mut self, texels: &[f32]) {
        if self.done == 0 {
            self.sums = texels.to_vec();
        } else {
            assert_eq!(self.sums.len(), texels.len(), "pictures of one size");
            self.sums.iter_mut().zip(texels).for_each(|(sum, texel)| *sum += texel);
        }
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Accumulate = Accumulate { pixel: 1, lens: 1, shutter: 1, light: 1, shutter_s: [0.0, 1.0] };

    #[test]
    fn every_point_comes_as_often_as_every_other() {
        for count in (0..13).map(|bits| 1u32 << bits) {
            for order in [LENS, SHUTTER, LIGHT] {
                let mut seen: Vec<u32> = (0..count).map(|number| in_order(number, count, order)).collect();
                seen.sort_unstable();
                assert!(seen.iter().copied().eq(0..count), "{count} by {order:x}");
            }
        }
    }

    /// No two of a count's points share a row or a column; sixteen and four are those of `samples`.
    #[test]
    fn points_are_spread() {
        for count in [2u32, 8, 64, 512] {
            let points: Vec<[f32; 2]> = (0..count).map(|number| hammersley(number, count)).collect();
            for axis in [0, 1] {
                let mut rows: Vec<u32> = points.iter().map(|at| (at[axis] * count as f32) as u32).collect();
                rows.sort_unstable();
                assert!(rows.into_iter().eq(0..count), "{count}");
            }
        }
        let of = Accumulate { pixel: 16, ..ALL };
        assert_eq!(point(&of, 0).shift_px, [-6.0 / 16.0, -6.0 / 16.0]);
        assert_eq!(point(&of, 7).shift_px, [6.0 / 16.0, -2.0 / 16.0]);
        assert_eq!(point(&Accumulate { pixel: 4, ..ALL }, 1).shift_px, [6.0 / 16.0, -2.0 / 16.0]);
    }

    /// Points of one thing say nothing of those of another.
    #[test]
    fn lens_shutter_light_and_pixel_are_independent() {
        for (count, most) in [(64u32, 0.3), (256, 0.15), (4096, 0.06)] {
            let of = Accumulate { pixel: count, lens: count, shutter: count, light: count, ..ALL };
            let rows: Vec<[f64; 7]> = (0..count)
                .map(|number| {
                    let Point { shift_px, lens, time_s, light } = point(&of, number);
                    let [a, b, c, d] = [shift_px[0], shift_px[1], light[0] - 0.5, light[1] - 0.5].map(f64::from);
                    [a, b, f64::from(lens[0]), f64::from(lens[1]), time_s - 0.5, c, d]
                })
                .collect();
            for i in 0..7 {
                for j in 0..i {
                    let sum = |f: &dyn Fn(&[f64; 7]) -> f64| rows.iter().map(f).sum::<f64>();
                    let both = sum(&|row| row[i] * row[j]);
                    let alone = sum(&|row| row[i] * row[i]) * sum(&|row| row[j] * row[j]);
                    let correlation = both / alone.sqrt();
                    assert!(correlation.abs() < most, "{count}: {i} and {j}: {correlation}");
                }
            }
        }
    }

    #[test]
    fn sums_are_what_was_written_or_nothing() {
        let mut partial = Partial { identity: "b3:0".into(), count: 4, size_px: [1, 2], ..Partial::default() };
        partial.add(&[0.5; 8]);
        partial.add(&[0.25, 1.0, -0.0, 3.0, 0.1, 0.2, 0.3, 0.4]);
        assert_eq!((partial.done, partial.sums[1]), (2, 1.5));
        let bytes = partial.to_bytes();
        assert_eq!(Partial::from_bytes(&bytes), Some(partial));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert_eq!(Partial::from_bytes(&damaged), None, "byte {at}");
            assert_eq!(Partial::from_bytes(&bytes[..at]), None, "{at} bytes");
        }
    }
}
