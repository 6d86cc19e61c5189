//! A picture: rows top to bottom, samples interleaved, no padding.

use std::fmt;

/// Longest side a picture may have.
pub const SIDE_MAX_PX: u32 = 16384;

/// Pixels of one layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub width_px: u32,
    pub height_px: u32,
    /// 1..=4.
    pub channel_count: u32,
    pub samples: Samples,
}

/// `width_px * height_px * channel_count` values. 8 and 16 bit are sRGB-encoded with straight alpha; floats are linear.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    F32(Vec<f32>),
}

impl Samples {
    pub fn len(&self) -> usize {
        match self {
            Samples::U8(v) => v.len(),
            Samples::U16(v) => v.len(),
            Samples::U32(v) => v.len(),
            Samples::F32(v) => v.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn kind(&self) -> SampleKind {
        match self {
            Samples::U8(_) => SampleKind::U8,
            Samples::U16(_) => SampleKind::U16,
            Samples::U32(_) => SampleKind::U32,
            Samples::F32(_) => SampleKind::F32,
        }
    }
}

/// How one sample is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleKind {
    U8,
    U16,
    U32,
    F32,
}

impl SampleKind {
    pub fn byte_count(self) -> usize {
        match self {
            SampleKind::U8 => 1,
            SampleKind::U16 => 2,
            SampleKind::U32 | SampleKind::F32 => 4,
        }
    }
}

/// What a pixel consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    R,
    Rg,
    Rgb,
    Rgba,
}

/// Channels and sample type; printed as `rgb8`, `rgba16`, `r32f`, `r32u` ...
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    pub channels: Channels,
    pub kind: SampleKind,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.channels {
            Channels::R => "r",
            Channels::Rg => "rg",
            Channels::Rgb => "rgb",
            Channels::Rgba => "rgba",
        })?;
        f.write_str(match self.kind {
            SampleKind::U8 => "8",
            SampleKind::U16 => "16",
            SampleKind::U32 => "32u",
            SampleKind::F32 => "32f",
        })
    }
}

impl Format {
    /// The format that `Display` prints as `text`.
    pub fn parse(text: &str) -> Option<Format> {
        let digits = text.find(|c: char| c.is_ascii_digit())?;
        let channels = match &text[..digits] {
            "r" => Channels::R,
            "rg" => Channels::Rg,
            "rgb" => Channels::Rgb,
            "rgba" => Channels::Rgba,
            _ => return None,
        };
        let kind = match &text[digits..] {
            "8" => SampleKind::U8,
            "16" => SampleKind::U16,
            "32u" => SampleKind::U32,
            "32f" => SampleKind::F32,
            _ => return None,
        };
        Some(Format { channels, kind })
    }
}

/// Why samples do not make a picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    #[error("a picture of {width_px} x {height_px} pixels: sides run from 1 to {SIDE_MAX_PX}")]
    Side { width_px: u32, height_px: u32 },
    #[error("{0} channels: a pixel has 1 to 4")]
    Channels(u32),
    #[error("{got} samples where {want} are needed")]
    SampleCount { got: usize, want: usize },
}

impl Picture {
    /// A picture of `samples`.
    ///
    /// Shapes: `samples.len() == width_px * height_px * channel_count`, sides 1..=[`SIDE_MAX_PX`], 1..=4 channels.
    /// Errors: anything else.
    pub fn new(width_px: u32, height_px: u32, channel_count: u32, samples: Samples) -> Result<Picture, PictureError> {
        let picture = Picture { width_px, height_px, channel_count, samples };
        picture.check()?;
        Ok(picture)
    }

    /// Whether the fields agree, as [`Picture::new`] asks.
    pub fn check(&self) -> Result<(), PictureError> {
        let Picture { width_px, height_px, channel_count, ref samples } = *self;
        let side = 1..=SIDE_MAX_PX;
        if !side.contains(&width_px) || !side.contains(&height_px) {
            return Err(PictureError::Side { width_px, height_px });
        }
        if !(1..=4).contains(&channel_count) {
            return Err(PictureError::Channels(channel_count));
        }
        let want = width_px as usize * height_px as usize * channel_count as usize;
        if samples.len() != want {
            return Err(PictureError::SampleCount { got: samples.len(), want });
        }
        Ok(())
    }

    pub fn pixel_count(&self) -> usize {
        self.width_px as usize * self.height_px as usize
    }

    pub fn format(&self) -> Format {
        let channels = match self.channel_count {
            1 => Channels::R,
            2 => Channels::Rg,
            3 => Channels::Rgb,
            4 => Channels::Rgba,
            count => panic!("a picture has 1 to 4 channels, not {count}"),
        };
        Format { channels, kind: self.samples.kind() }
    }

    /// Little-endian samples, every NaN as 0x7FC00000: what identity is made of.
    pub fn canonical_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.samples.len() * self.samples.kind().byte_count());
        self.each_canonical_block(&mut |block| out.extend_from_slice(block));
        out
    }

    /// Hands the canonical bytes on in blocks, so that hashing a large picture needs no second copy of it.
    pub(crate) fn each_canonical_block(&self, take: &mut dyn FnMut(&[u8])) {
        const BLOCK_SAMPLES: usize = 4096;
        let mut block = Vec::with_capacity(BLOCK_SAMPLES * 4);
        match &self.samples {
            Samples::U8(v) => take(v),
            Samples::U16(v) => {
                for part in v.chunks(BLOCK_SAMPLES) {
                    block.clear();
                    block.extend(part.iter().flat_map(|s| s.to_le_bytes()));
                    take(&block);
                }
            }
            Samples::U32(v) => {
                for part in v.chunks(BLOCK_SAMPLES) {
                    block.clear();
                    block.extend(part.iter().flat_map(|s| s.to_le_bytes()));
                    take(&block);
                }
            }
            Samples::F32(v) => {
                for part in v.chunks(BLOCK_SAMPLES) {
                    block.clear();
                    block.extend(part.iter().flat_map(|s| canonical_bits(*s).to_le_bytes()));
                    take(&block);
                }
            }
        }
    }
}

/// The bits of a float with every NaN folded to one.
pub(crate) fn canonical_bits(value: f32) -> u32 {
    if value.is_nan() { 0x7FC0_0000 } else { value.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sound_pictures_are_made() {
        for (width, height, channels, samples, sound) in [
            (2, 2, 3, Samples::U8(vec![0; 12]), true),
            (1, 1, 1, Samples::U32(vec![7]), true),
            (0, 2, 3, Samples::U8(vec![]), false),
            (2, 16385, 1, Samples::U8(vec![0; 2 * 16385]), false),
            (2, 2, 0, Samples::U8(vec![]), false),
            (2, 2, 5, Samples::U8(vec![0; 20]), false),
            (2, 2, 3, Samples::U8(vec![0; 11]), false),
            (2, 2, 3, Samples::F32(vec![0.0; 13]), false),
        ] {
            assert_eq!(Picture::new(width, height, channels, samples).is_ok(), sound, "{width}x{height}x{channels}");
        }
    }

    #[test]
    fn formats_print_and_parse() {
        for text in ["r8", "rg8", "rgb8", "rgba8", "rgb16", "rgba16", "r32u", "r32f", "rg32f", "rgb32f", "rgba32f"] {
            assert_eq!(Format::parse(text).map(|f| f.to_string()).as_deref(), Some(text));
        }
        for text in ["", "8", "rgb", "bgr8", "rgb9", "rgb8 ", "ä8"] {
            assert_eq!(Format::parse(text), None, "{text}");
        }
    }
}
