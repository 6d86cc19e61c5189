//! Animated PNG files: frames of one size and format, shown one after the other, for ever.
//!
//! Source: "Animated PNG", PNG Specification (Third Edition), W3C. The first frame is the still picture that programs
//! without animation show.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use crate::picture::{Format, Picture};
use crate::png_file::{CodeSpace, PngEffort, PngError, begun, broken, encoder, sample_bytes};

/// A file in the making: frames go in one at a time and need not be kept.
pub struct Apng {
    writer: png::Writer<Sink>,
    bytes: Sink,
    width_px: u32,
    height_px: u32,
    format: Format,
    frames_per_second: f64,
    frames_left: u32,
}

/// Bytes that the writer fills and we take in the end.
#[derive(Clone, Default)]
pub(crate) struct Sink(Rc<RefCell<Vec<u8>>>);

impl Sink {
    /// What has been written since this was last asked.
    pub(crate) fn take(&self) -> Vec<u8> {
        self.0.take()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Apng {
    /// Begins a file in sRGB of `frame_count` frames that look like `first`. A frame stays for one of
    /// `frames_per_second` parts of a second, or for several: see [`Apng::push_for`].
    ///
    /// Errors: samples other than 8 and 16 bit; no frames.
    pub fn new(first: &Picture, frame_count: u32, frames_per_second: f64, effort: PngEffort) -> Result<Apng, PngError> {
        Apng::new_in(first, (frame_count, frames_per_second), effort, CodeSpace::Srgb)
    }

    /// The same with codes of `space`.
    ///
    /// Errors: those of [`Apng::new`].
    pub fn new_in(
        first: &Picture,
        (frame_count, frames_per_second): (u32, f64),
        effort: PngEffort,
        space: CodeSpace,
    ) -> Result<Apng, PngError> {
        let bytes = Sink::default();
        let mut encoder = encoder(bytes.clone(), first, first.height_px, effort)?;
        encoder.set_animated(frame_count, 0).map_err(broken)?;
        let (numerator, denominator) = delay(frames_per_second);
        encoder.set_frame_delay(numerator, denominator).map_err(broken)?;
        let writer = begun(encoder, space)?;
        let (width_px, height_px, format) = (first.width_px, first.height_px, first.format());
        Ok(Apng { writer, bytes, width_px, height_px, format, frames_per_second, frames_left: frame_count })
    }

    /// Adds the next frame.
    ///
    /// Errors: another size or format than the first, or more frames than were announced.
    pub fn push(&mut self, frame: &Picture) -> Result<(), PngError> {
        self.push_for(frame, 1)
    }

    /// Adds the next frame, which stays for as long as `parts` frames do.
    ///
    /// Errors: those of [`Apng::push`].
    pub fn push_for(&mut self, frame: &Picture, parts: u32) -> Result<(), PngError> {
        if (frame.width_px, frame.height_px, frame.format()) != (self.width_px, self.height_px, self.format) {
            return Err(broken("frames of one animation are of one size and format"));
        }
        self.frames_left = self.frames_left.checked_sub(1).ok_or_else(|| broken("one frame too many"))?;
        let (numerator, denominator) = delay(self.frames_per_second / f64::from(parts.max(1)));
        self.writer.set_frame_delay(numerator, denominator).map_err(broken)?;
        self.writer.write_image_data(&sample_bytes(frame)?).map_err(broken)
    }

    /// The bytes of the file.
    ///
    /// Errors: fewer frames than were announced.
    pub fn finish(self) -> Result<Vec<u8>, PngError> {
        if self.frames_left > 0 {
            return Err(broken(format!("{} frames are missing", self.frames_left)));
        }
        self.writer.finish().map_err(broken)?;
        Ok(self.bytes.0.take())
    }
}

/// Seconds a frame stays, as a fraction of 16-bit numbers: the nearest one, and of equally near ones that with the
/// smallest numerator. 30 a second is 1/30, 23.976 is 1001/24000.
pub fn delay(frames_per_second: f64) -> (u16, u16) {
    let wanted = 1.0 / frames_per_second.clamp(1.0 / 65535.0, 65535.0);
    let mut best = (1, 1, f64::INFINITY);
    // Round numbers of frames and the 1001 of television are both met.
    for numerator in 1..=1001u16 {
        let denominator = (f64::from(numerator) / wanted).round();
        if (1.0..=65535.0).contains(&denominator) {
            let error = (f64::from(numerator) / denominator - wanted).abs();
            // Rounding of the division must not let 7/210 win over 1/30.
            if error < best.2 * 0.999 && best.2 > wanted * 1e-12 {
                best = (numerator, denominator as u16, error);
            }
        }
    }
    if best.2.is_finite() && best.2 <= wanted * 0.5 {
        return (best.0, best.1);
    }
    // Slower than a frame a second by far: whole seconds.
    (wanted.round().clamp(1.0, 65535.0) as u16, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_the_nearest_fractions() {
        for (frames_per_second, want) in [
            (30.0, (1, 30)),
            (1.0, (1, 1)),
            (12.5, (2, 25)),
            (24000.0 / 1001.0, (1001, 24000)),
            (0.5, (2, 1)),
            (0.001, (1000, 1)),
            (0.0001, (10000, 1)),
            (1e6, (1, 65535)),
        ] {
            assert_eq!(delay(frames_per_second), want, "{frames_per_second}");
        }
    }
}
