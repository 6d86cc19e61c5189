//! Where the kernel's colours come from: encoded samples through a table, or floats through a tone map.

use stillframe_base::math::colour::linear_from_srgb;

use super::colour::ToneMap;
use super::kernel::{Size, Source};

/// 8 or 16 bit samples, sRGB-encoded, straight alpha over black.
#[derive(Clone, Copy)]
pub struct Encoded<'a, T, const CHANNELS: usize> {
    sides: [&'a [[T; CHANNELS]]; 2],
    size: Size,
    table: &'a [f32],
}

impl<'a, T, const CHANNELS: usize> Encoded<'a, T, CHANNELS> {
    pub fn new(sides: [&'a [T]; 2], size: Size, table: &'a [f32]) -> Encoded<'a, T, CHANNELS> {
        Encoded { sides: sides.map(|s| s.as_chunks().0), size, table }
    }
}

/// Linear light of each code of a range.
pub fn decode_table(code_max: u32) -> Vec<f32> {
    (0..=code_max).map(|code| linear_from_srgb(code as f32 / code_max as f32)).collect()
}

impl<T: Copy + Into<usize> + Sync, const CHANNELS: usize> Source for Encoded<'_, T, CHANNELS> {
    fn size(&self) -> Size {
        self.size
    }

    fn row(&self, side: usize, y: usize, left: isize, out: &mut [Vec<f32>; 3]) {
        fill(&self.sides[side][y * self.size.width..(y + 1) * self.size.width], left, out, |pixel| self.rgb(pixel));
    }
}

impl<T: Copy + Into<usize>, const CHANNELS: usize> Encoded<'_, T, CHANNELS> {
    #[inline(always)]
    fn rgb(&self, pixel: &[T; CHANNELS]) -> [f32; 3] {
        let linear = |channel: usize| self.table[pixel[channel].into()];
        let rgb = if CHANNELS < 3 { [linear(0); 3] } else { [linear(0), linear(1), linear(2)] };
        if CHANNELS % 2 == 1 {
            return rgb;
        }
        let alpha = pixel[CHANNELS - 1].into() as f32 / (self.table.len() - 1) as f32;
        rgb.map(
            #[inline(always)]
            |v| v * alpha,
        )
    }
}

/// Linear floats at one exposure.
#[derive(Clone, Copy)]
pub struct Bright<'a, const CHANNELS: usize> {
    sides: [&'a [[f32; CHANNELS]]; 2],
    size: Size,
    gain: f32,
    tone_map: ToneMap,
}

impl<'a, const CHANNELS: usize> Bright<'a, CHANNELS> {
    pub fn new(sides: [&'a [f32]; 2], size: Size, gain: f32, tone_map: ToneMap) -> Bright<'a, CHANNELS> {
        Bright { sides: sides.map(|s| s.as_chunks().0), size, gain, tone_map }
    }
}

/// Planes of the colours of a row, from column `left` on.
#[inline(always)]
fn fill<P>(row: &[P], left: isize, out: &mut [Vec<f32>; 3], colour: impl Fn(&P) -> [f32; 3]) {
    let [red, green, blue] = out;
    for (i, ((red, green), blue)) in red.iter_mut().zip(green).zip(blue).enumerate() {
        let x = (left + i as isize).clamp(0, row.len() as isize - 1) as usize;
        [*red, *green, *blue] = colour(&row[x]);
    }
}

/// A colour of floats: negative numbers and NaN are 0.
#[inline(always)]
pub fn colour<const CHANNELS: usize>(pixel: &[f32; CHANNELS]) -> [f32; 3] {
    let positive = |v: f32| if v > 0.0 { v } else { 0.0 };
    match CHANNELS {
        1 => [positive(pixel[0]); 3],
        2 => [positive(pixel[0]), positive(pixel[1]), 0.0],
        _ => [positive(pixel[0]), positive(pixel[1]), positive(pixel[2])],
    }
}

impl<const CHANNELS: usize> Source for Bright<'_, CHANNELS> {
    fn size(&self) -> Size {
        self.size
    }

    fn row(&self, side: usize, y: usize, left: isize, out: &mut [Vec<f32>; 3]) {
        let row = &self.sides[side][y * self.size.width..(y + 1) * self.size.width];
        fill(row, left, out, |pixel| self.tone_map.shown(colour(pixel), self.gain));
    }
}
