//! GIF files: frames of one size and of at most 256 colours, the same for all frames, shown again and again.
//!
//! Source: "Graphics Interchange Format, Version 89a", CompuServe 1990. Colours are chosen by [`Census`], without
//! dithering: what stands still does not flicker. A pixel is transparent or not.

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;

use crate::palette::Census;
use crate::picture::Picture;
use crate::web_file::{WebError, pixels};

/// Below this a pixel is transparent.
const OPAQUE_FROM: u8 = 128;

/// Players take less, in hundredths of a second, for a mistake.
const DELAY_MIN: u64 = 2;

/// Frames are kept packed at this level, from 0 to 10.
const PACKING: u8 = 1;

/// A file in the making.
pub struct Gif {
    width_px: u16,
    height_px: u16,
    frames_per_second: f64,
    census: Census,
    has_transparent: bool,
    /// Packed pixels, and for how many frames they stay.
    frames: Vec<(Vec<u8>, u32)>,
}

impl Gif {
    /// Begins a file of frames of the size of `first`.
    ///
    /// Errors: a picture that is too large.
    pub fn new(first: &Picture, frames_per_second: f64) -> Result<Gif, WebError> {
        let side = |px: u32| u16::try_from(px).map_err(|_| WebError::Size);
        let (width_px, height_px) = (side(first.width_px)?, side(first.height_px)?);
        // One is left for what is transparent.
        let census = Census::new(255);
        Ok(Gif { width_px, height_px, frames_per_second, census, has_transparent: false, frames: Vec::new() })
    }

    /// Adds the next frame, which stays for as long as `parts` frames do.
    ///
    /// Errors: samples other than 8 bit; another size than the first.
    pub fn push_for(&mut self, frame: &Picture, parts: u32) -> Result<(), WebError> {
        if [frame.width_px, frame.height_px] != [self.width_px, self.height_px].map(u32::from) {
            return Err(WebError::Size);
        }
        let mut bytes = Vec::new();
        for [r, g, b, a] in pixels(frame)? {
            let is_opaque = a >= OPAQUE_FROM;
            match is_opaque {
                true => self.census.count([r, g, b]),
                false => self.has_transparent = true,
            }
            bytes.extend([r, g, b, u8::from(is_opaque)]);
        }
        self.frames.push((compress_to_vec(&bytes, PACKING), parts.max(1)));
        Ok(())
    }

    /// The bytes of the file.
    ///
    /// Errors: none that a caller could cause.
    pub fn finish(self) -> Result<Vec<u8>, WebError> {
        let wrong = |error: &dyn std::fmt::Display| WebError::Encoder(error.to_string());
        let palette = self.census.palette();
        let transparent = self.has_transparent.then_some(palette.colors.len() as u8);
        let mut colors: Vec<u8> = palette.colors.iter().flatten().copied().collect();
        if transparent.is_some() || colors.is_empty() {
            colors.extend([0; 3]);
        }
        let mut out = Vec::new();
        let mut encoder =
            Encoder::new(&mut out, self.width_px, self.height_px, &colors).map_err(|error| wrong(&error))?;
        if self.frames.len() > 1 {
            encoder.set_repeat(Repeat::Infinite).map_err(|error| wrong(&error))?;
        }
        let (mut parts_before, mut hundredths_before) = (0_u64, 0_u64);
        for (packed, parts) in &self.frames {
            let bytes = decompress_to_vec(packed).map_err(|error| wrong(&error))?;
            let place = |pixel: &[u8; 4]| match *pixel {
                [r, g, b, 1] => palette.place([r, g, b]),
                _ => transparent.expect("a pixel was counted as transparent"),
            };
            let buffer: Vec<u8> = bytes.as_chunks::<4>().0.iter().map(place).collect();
            parts_before += u64::from(*parts);
            // Hundredths are too coarse for most rates: each frame ends as near to its time as they allow.
            let until = (parts_before as f64 * 100.0 / self.frames_per_second).round() as u64;
            let delay = until.saturating_sub(hundredths_before).clamp(DELAY_MIN, u64::from(u16::MAX));
            hundredths_before += delay;
            let frame = Frame {
                width: self.width_px,
                height: self.height_px,
                delay: if self.frames.len() > 1 { delay as u16 } else { 0 },
                // What is transparent shows the page, not the frame before.
                dispose: if transparent.is_some() { DisposalMethod::Background } else { DisposalMethod::Keep },
                transparent,
                buffer: buffer.into(),
                ..Frame::default()
            };
            encoder.write_frame(&frame).map_err(|error| wrong(&error))?;
        }
        drop(encoder);
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Samples;

    fn picture(channel_count: u32, value: impl Fn(u32) -> u8) -> Picture {
        let samples = (0..40 * 30 * channel_count).map(value).collect();
        Picture { width_px: 40, height_px: 30, channel_count, samples: Samples::U8(samples) }
    }

    /// Frames as another reader has them: red, green, blue, alpha; and their delays.
    fn read(bytes: &[u8]) -> Vec<(Vec<u8>, u16)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).expect("a file");
        let mut out = Vec::new();
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            out.push((frame.buffer.to_vec(), frame.delay));
        }
        out
    }

    #[test]
    fn frames_of_few_colours_are_exact() {
        let frames = [1, 2, 3].map(|frame| picture(3, move |at| (at / 3 % 60 * frame) as u8));
        let mut gif = Gif::new(&frames[0], 30.0).expect("a file");
        frames.iter().for_each(|frame| gif.push_for(frame, 1).expect("a frame"));
        let read = read(&gif.finish().expect("a file"));
        for (frame, (pixels, _)) in frames.iter().zip(&read) {
            let Samples::U8(samples) = &frame.samples else { unreachable!("8 bits") };
            assert!(samples.chunks_exact(3).zip(pixels.chunks_exact(4)).all(|(a, b)| a == &b[..3] && b[3] == 255));
        }
        // 3.33 hundredths each.
        assert_eq!(read.iter().map(|(_, delay)| *delay).collect::<Vec<_>>(), [3, 4, 3]);
    }

    #[test]
    fn half_transparent_pixels_are_all_or_nothing() {
        let frame = picture(4, |at| if at % 4 == 3 { (at / 4 % 256) as u8 } else { 77 });
        let mut gif = Gif::new(&frame, 10.0).expect("a file");
        gif.push_for(&frame, 5).expect("a frame");
        let read = read(&gif.finish().expect("a file"));
        for (at, pixel) in read[0].0.chunks_exact(4).enumerate() {
            let is_opaque = at % 256 >= 128;
            assert_eq!((pixel[3] == 255, !is_opaque || pixel[0] == 77), (is_opaque, true), "pixel {at}");
        }
        assert_eq!(read[0].1, 0, "a still has no delay");
    }

    #[test]
    fn frames_of_many_colours_show_near_ones() {
        let frame = picture(3, |at| (at.wrapping_mul(2_654_435_761) >> 24) as u8);
        let mut gif = Gif::new(&frame, 24.0).expect("a file");
        gif.push_for(&frame, 1).expect("a frame");
        gif.push_for(&frame, 3).expect("a frame");
        let bytes = gif.finish().expect("a file");
        let read = read(&bytes);
        assert_eq!((read[0].1, read[1].1), (4, 13));
        let Samples::U8(samples) = &frame.samples else { unreachable!("8 bits") };
        let off = |(a, b): (&[u8], &[u8])| (0..3).map(|at| u64::from(a[at].abs_diff(b[at]))).sum::<u64>();
        let sum: u64 = samples.chunks_exact(3).zip(read[0].0.chunks_exact(4)).map(off).sum();
        assert!(sum < 3 * 1200 * 20, "{sum}");
    }

    #[test]
    fn frames_of_other_sizes_are_refused() {
        let frame = picture(3, |_| 0);
        let mut gif = Gif::new(&frame, 24.0).expect("a file");
        let wide = Picture { width_px: 30, height_px: 40, ..frame };
        assert!(matches!(gif.push_for(&wide, 1), Err(WebError::Size)));
    }
}
