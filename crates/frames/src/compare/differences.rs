//! The difference of every pixel, kept: for thresholds, regions and heat. [`Exact`](super::Exact) finds the same
//! figures without keeping them.
//!
//! Two pixels are the same when their canonical bits are (as in [`crate::PixelHash`]), so "no difference" and "equal
//! hashes" are one statement. A delta is the largest difference of a pixel's channels in the samples' own unit:
//! 0..=255, 0..=65535, whole numbers, or linear floats; a number against NaN or infinity counts as infinite.

use super::alike::{CompareError, check_alike};
use super::mask::Bounds;
use crate::picture::{Picture, Samples, canonical_bits};

/// The difference of every pixel of two pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    pub width_px: u32,
    pub height_px: u32,
    /// One a pixel, rows top to bottom; above 0 exactly where the pixels differ.
    pub deltas: Vec<f32>,
    /// Largest sample of the format (255, 65535), or 1 for floats and numbers: what a share of the range refers to.
    pub full_scale: f32,
}

/// The figures of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    pub pixel_count: usize,
    pub differing_pixel_count: usize,
    /// 0 where nothing differs.
    pub delta_max: f32,
    /// Of the differing pixels.
    pub bounds: Option<Bounds>,
}

impl Differences {
    /// Compares two pictures of one size and format.
    pub fn of(left: &Picture, right: &Picture) -> Result<Differences, CompareError> {
        check_alike(left, right)?;
        let channels = left.channel_count as usize;
        let (deltas, full_scale) = match (&left.samples, &right.samples) {
            (Samples::U8(a), Samples::U8(b)) => (pixels(a, b, channels, |a, b| f32::from(a.abs_diff(b))), 255.0),
            (Samples::U16(a), Samples::U16(b)) => (pixels(a, b, channels, |a, b| f32::from(a.abs_diff(b))), 65535.0),
            (Samples::U32(a), Samples::U32(b)) => (pixels(a, b, channels, |a, b| a.abs_diff(b) as f32), 1.0),
            (Samples::F32(a), Samples::F32(b)) => (pixels(a, b, channels, float_delta), 1.0),
            _ => unreachable!("the formats are equal"),
        };
        Ok(Differences { width_px: left.width_px, height_px: left.height_px, deltas, full_scale })
    }

    /// Whether every pixel is the same.
    pub fn is_none(&self) -> bool {
        self.deltas.iter().all(|delta| *delta == 0.0)
    }

    pub fn summary(&self) -> Summary {
        let mut out =
            Summary { pixel_count: self.deltas.len(), differing_pixel_count: 0, delta_max: 0.0, bounds: None };
        for (index, delta) in self.deltas.iter().enumerate().filter(|(_, delta)| **delta > 0.0) {
            let x = (index % self.width_px as usize) as u32;
            let y = (index / self.width_px as usize) as u32;
            out.differing_pixel_count += 1;
            out.delta_max = out.delta_max.max(*delta);
            let bounds = out.bounds.get_or_insert(Bounds { left_px: x, top_px: y, right_px: x, bottom_px: y });
            bounds.left_px = bounds.left_px.min(x);
            bounds.right_px = bounds.right_px.max(x);
            bounds.bottom_px = bounds.bottom_px.max(y);
        }
        out
    }

    /// Share (0..=1) of pixels whose delta is over `delta`, in the samples' unit.
    pub fn share_over(&self, delta: f32) -> f64 {
        let over = self.deltas.iter().filter(|d| **d > delta).count();
        over as f64 / self.deltas.len() as f64
    }

    /// Pixels of the largest region whose deltas are all over `delta`; pixels that touch by a side or a corner hang
    /// together.
    pub fn largest_region_over(&self, delta: f32) -> usize {
        let (width, height) = (self.width_px as usize, self.height_px as usize);
        let mut open: Vec<bool> = self.deltas.iter().map(|d| *d > delta).collect();
        let mut stack = Vec::new();
        let mut largest = 0;
        for start in 0..open.len() {
            if !std::mem::take(&mut open[start]) {
                continue;
            }
            let mut size = 0;
            stack.push(start);
            while let Some(at) = stack.pop() {
                size += 1;
                let (x, y) = (at % width, at / width);
                for ny in y.saturating_sub(1)..=(y + 1).min(height - 1) {
                    for nx in x.saturating_sub(1)..=(x + 1).min(width - 1) {
                        let next = ny * width + nx;
                        if std::mem::take(&mut open[next]) {
                            stack.push(next);
                        }
                    }
                }
            }
            largest = largest.max(size);
        }
        largest
    }
}

/// The largest `delta` of each pixel's channels.
fn pixels<T: Copy>(left: &[T], right: &[T], channels: usize, delta: impl Fn(T, T) -> f32) -> Vec<f32> {
    let pairs = left.chunks_exact(channels).zip(right.chunks_exact(channels));
    pairs.map(|(a, b)| a.iter().zip(b).fold(0.0f32, |most, (a, b)| most.max(delta(*a, *b)))).collect()
}

pub(super) fn float_delta(left: f32, right: f32) -> f32 {
    if canonical_bits(left) == canonical_bits(right) {
        return 0.0;
    }
    let delta = (left - right).abs();
    if delta.is_nan() {
        f32::INFINITY
    } else {
        // 0 and -0 differ, though their difference is 0.
        delta.max(f32::from_bits(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(width: u32, samples: &[u8]) -> Picture {
        Picture::new(width, samples.len() as u32 / width, 1, Samples::U8(samples.to_vec())).unwrap()
    }

    #[test]
    fn one_low_bit_is_a_difference() {
        let left = bytes(4, &[7; 16]);
        let mut right = left.clone();
        let Samples::U8(samples) = &mut right.samples else { unreachable!() };
        samples[6] = 6;
        let found = Differences::of(&left, &right).unwrap();
        let at = Bounds { left_px: 2, top_px: 1, right_px: 2, bottom_px: 1 };
        assert_eq!(
            found.summary(),
            Summary { pixel_count: 16, differing_pixel_count: 1, delta_max: 1.0, bounds: Some(at) }
        );
        assert!(!found.is_none() && Differences::of(&left, &left).unwrap().is_none());
    }

    #[test]
    fn sizes_and_formats_must_agree() {
        let error = Differences::of(&bytes(4, &[0; 16]), &bytes(2, &[0; 16])).unwrap_err();
        assert_eq!(error.to_string(), "4x4 r8 against 2x8 r8: only pictures of one size and format are compared");
    }

    #[test]
    fn floats_differ_by_bits_but_for_nan() {
        for (a, b, want) in [
            (1.0, 1.5, 0.5),
            (f32::NAN, -f32::NAN, 0.0),
            (f32::NAN, 1.0, f32::INFINITY),
            (f32::INFINITY, f32::INFINITY, 0.0),
            (f32::INFINITY, 1.0, f32::INFINITY),
            (f32::INFINITY, f32::NEG_INFINITY, f32::INFINITY),
            (0.0, -0.0, f32::from_bits(1)),
        ] {
            assert_eq!(float_delta(a, b), want, "{a} {b}");
            assert_eq!(float_delta(b, a), want, "{b} {a}");
        }
    }

    #[test]
    fn regions_hang_together_by_corners() {
        #[rustfmt::skip]
        let right = bytes(5, &[
            9, 0, 0, 0, 9,
            0, 9, 0, 0, 9,
            0, 0, 9, 0, 0,
            3, 3, 3, 3, 3,
        ]);
        let found = Differences::of(&bytes(5, &[0; 20]), &right).unwrap();
        assert_eq!(found.largest_region_over(8.0), 3);
        assert_eq!(found.largest_region_over(2.0), 8);
        assert_eq!(found.largest_region_over(9.0), 0);
        assert_eq!(found.share_over(2.0), 0.5);
        assert_eq!(found.share_over(3.0), 0.25);
    }
}
