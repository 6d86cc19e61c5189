//! PNG files whose rows come bit by bit: pictures that are too large to be held.

use std::io::Write as _;

use crate::apng::Sink;
use crate::picture::{Format, Picture};
use crate::png_file::{CodeSpace, PngEffort, PngError, begun, broken, encoder, sample_bytes};

/// A file in the making: some rows go in at a time, from the top down, and some bytes of the file come out.
pub struct PngRows {
    writer: png::StreamWriter<'static, Sink>,
    bytes: Sink,
    width_px: u32,
    format: Format,
    rows_left: u32,
}

impl PngRows {
    /// Begins a file of `height_px` rows that look like those of `first`, which is not written yet.
    ///
    /// Errors: samples other than 8 and 16 bit.
    pub fn new(first: &Picture, height_px: u32, effort: PngEffort, space: CodeSpace) -> Result<PngRows, PngError> {
        let bytes = Sink::default();
        let encoder = encoder(bytes.clone(), first, height_px, effort)?;
        let writer = begun(encoder, space)?.into_stream_writer().map_err(broken)?;
        Ok(PngRows { writer, bytes, width_px: first.width_px, format: first.format(), rows_left: height_px })
    }

    /// Takes the next rows. Returns what comes next in the file. Asserts that they look like the first, and that no
    /// more come than were announced.
    ///
    /// Errors: samples other than 8 and 16 bit.
    pub fn push(&mut self, rows: &Picture) -> Result<Vec<u8>, PngError> {
        assert_eq!((rows.width_px, rows.format()), (self.width_px, self.format), "rows of one picture");
        assert!(rows.height_px <= self.rows_left, "{} rows, but {} are left", rows.height_px, self.rows_left);
        self.rows_left -= rows.height_px;
        self.writer.write_all(&sample_bytes(rows)?).map_err(broken)?;
        Ok(self.bytes.take())
    }

    /// The rest of the file. Asserts that all rows have come.
    ///
    /// Errors: none, as long as memory takes the bytes.
    pub fn finish(self) -> Result<Vec<u8>, PngError> {
        assert_eq!(self.rows_left, 0, "rows are missing");
        self.writer.finish().map_err(broken)?;
        Ok(self.bytes.take())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Samples;
    use crate::png_file::decode_png;

    #[test]
    fn rows_make_the_picture() {
        for bits in [8, 16] {
            let picture = |top: u32, height_px: u32| {
                let values = (0..height_px * 15).map(|at| at + 15 * top);
                let samples = match bits {
                    8 => Samples::U8(values.map(|value| value as u8).collect()),
                    _ => Samples::U16(values.map(|value| (value * 317) as u16).collect()),
                };
                Picture { width_px: 5, height_px, channel_count: 3, samples }
            };
            let mut rows = PngRows::new(&picture(0, 4), 9, PngEffort::Fast, CodeSpace::Srgb).expect("8 or 16 bits");
            let mut bytes = Vec::new();
            for (top, height_px) in [(0, 4), (4, 4), (8, 1)] {
                bytes.extend(rows.push(&picture(top, height_px)).expect("8 or 16 bits"));
            }
            bytes.extend(rows.finish().expect("all rows are there"));
            assert_eq!(decode_png(&bytes), Ok(picture(0, 9)), "{bits} bits");
        }
    }
}
