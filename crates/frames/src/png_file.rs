//! PNG files of pictures, and pictures of PNG files.
//!
//! Written: 8 or 16 bits, 1 to 4 channels, what its codes mean, nothing else: no dates, no names; the same pixels give
//! the same bytes with one build. Read: every PNG, with a limit on what it may unfold to.

use std::borrow::Cow;
use std::io::{self, Cursor};

use crate::picture::{Picture, SIDE_MAX_PX, Samples};

/// How every PNG file begins.
pub(crate) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// How much a file may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeLimits {
    /// Longest side.
    pub side_max_px: u32,
    /// Decoded samples, in bytes, whatever the size of the file.
    pub decoded_max_bytes: u64,
    /// Decoded bytes over file bytes; only asked of pictures over `ratio_free_bytes`.
    pub ratio_max: u64,
    /// Below this a picture may be as well compressed as it likes.
    pub ratio_free_bytes: u64,
}

impl Default for DecodeLimits {
    fn default() -> DecodeLimits {
        DecodeLimits {
            side_max_px: SIDE_MAX_PX,
            decoded_max_bytes: 2 << 30,
            ratio_max: 256,
            ratio_free_bytes: 64 << 20,
        }
    }
}

/// Why a PNG could not be read or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PngError {
    #[error("not a PNG file")]
    Signature,
    #[error("the PNG file is cut short or broken: {0}")]
    Broken(String),
    #[error("the PNG holds {width_px} x {height_px} pixels, more than is accepted")]
    TooLarge { width_px: u32, height_px: u32 },
    #[error("a PNG cannot hold {0} samples: only 8 and 16 bit")]
    Samples(&'static str),
}

/// What the encoder spends its time on. The pixels are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PngEffort {
    /// Ten times faster, files a few parts in ten larger: for pictures that somebody waits for.
    Fast,
    /// For pictures that are kept.
    Small,
}

/// What the codes of a file mean. Pictures that are read are taken for sRGB, whatever their files say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CodeSpace {
    #[default]
    Srgb,
    /// P3 primaries, the white D65, the transfer function of sRGB.
    DisplayP3,
    /// ITU-R BT.2100 PQ.
    Rec2020Pq,
}

impl CodeSpace {
    /// The data of a cICP chunk: primaries, transfer function, matrix and range, numbered by ITU-T H.273.
    fn cicp(self) -> Option<[u8; 4]> {
        match self {
            CodeSpace::Srgb => None,
            CodeSpace::DisplayP3 => Some([12, 13, 0, 1]),
            CodeSpace::Rec2020Pq => Some([9, 16, 0, 1]),
        }
    }
}

/// The bytes of a PNG file of `picture`, in sRGB.
///
/// Errors: only U8 and U16 samples fit into a PNG.
pub fn encode_png(picture: &Picture, effort: PngEffort) -> Result<Vec<u8>, PngError> {
    encode_png_in(picture, effort, CodeSpace::Srgb)
}

/// The bytes of a PNG file of `picture`, whose codes are of `space`.
///
/// Errors: only U8 and U16 samples fit into a PNG.
pub fn encode_png_in(picture: &Picture, effort: PngEffort, space: CodeSpace) -> Result<Vec<u8>, PngError> {
    let bytes = sample_bytes(picture)?;
    let mut out = Vec::new();
    let mut writer = begun(encoder(&mut out, picture, picture.height_px, effort)?, space)?;
    writer.write_image_data(&bytes).map_err(broken)?;
    writer.finish().map_err(broken)?;
    Ok(out)
}

/// Samples as they stand in the file.
pub(crate) fn sample_bytes(picture: &Picture) -> Result<Cow<'_, [u8]>, PngError> {
    match &picture.samples {
        Samples::U8(v) => Ok(Cow::Borrowed(v)),
        Samples::U16(v) => Ok(Cow::Owned(v.iter().flat_map(|s| s.to_be_bytes()).collect())),
        Samples::U32(_) => Err(PngError::Samples("32-bit integer")),
        Samples::F32(_) => Err(PngError::Samples("float")),
    }
}

/// What writes pictures of the width and format of `picture`.
pub(crate) fn encoder<'a, W: io::Write>(
    to: W,
    picture: &Picture,
    height_px: u32,
    effort: PngEffort,
) -> Result<png::Encoder<'a, W>, PngError> {
    let depth = match &picture.samples {
        Samples::U8(_) => png::BitDepth::Eight,
        Samples::U16(_) => png::BitDepth::Sixteen,
        Samples::U32(_) => return Err(PngError::Samples("32-bit integer")),
        Samples::F32(_) => return Err(PngError::Samples("float")),
    };
    let color = match picture.channel_count {
        1 => png::ColorType::Grayscale,
        2 => png::ColorType::GrayscaleAlpha,
        3 => png::ColorType::Rgb,
        4 => png::ColorType::Rgba,
        count => panic!("a picture has 1 to 4 channels, not {count}"),
    };
    let mut encoder = png::Encoder::new(to, picture.width_px, height_px);
    encoder.set_color(color);
    encoder.set_depth(depth);
    match effort {
        PngEffort::Fast => {
            // One filter for all rows: trying five on each takes a third of the time, for files a few parts in a
            // hundred smaller.
            encoder.set_compression(png::Compression::Fastest);
            encoder.set_filter(png::Filter::Sub);
        }
        PngEffort::Small => encoder.set_compression(png::Compression::Balanced),
    }
    Ok(encoder)
}

/// Writes what stands before the pixels. Readers that do not know cICP take P3 from cHRM and gAMA; there is none such
/// for PQ.
pub(crate) fn begun<W: io::Write>(
    mut encoder: png::Encoder<'_, W>,
    space: CodeSpace,
) -> Result<png::Writer<W>, PngError> {
    match space {
        CodeSpace::Srgb => encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual),
        CodeSpace::DisplayP3 => {
            let [white, red, green, blue] = [(0.3127, 0.3290), (0.680, 0.320), (0.265, 0.690), (0.150, 0.060)];
            encoder.set_source_chromaticities(png::SourceChromaticities::new(white, red, green, blue));
            encoder.set_source_gamma(png::ScaledFloat::new(1.0 / 2.2));
        }
        CodeSpace::Rec2020Pq => {}
    }
    let mut writer = encoder.write_header().map_err(broken)?;
    if let Some(cicp) = space.cicp() {
        writer.write_chunk(png::chunk::ChunkType(*b"cICP"), &cicp).map_err(broken)?;
    }
    Ok(writer)
}

pub(crate) fn broken(error: impl std::fmt::Display) -> PngError {
    PngError::Broken(error.to_string())
}

/// The picture in a PNG file, with the usual limits.
pub fn decode_png(bytes: &[u8]) -> Result<Picture, PngError> {
    decode_png_with(bytes, &DecodeLimits::default())
}

/// The picture in a PNG file: palettes and fewer bits become 8 bits, a transparent colour becomes alpha; 1 to 4
/// channels as the file has them. Of an animation, the still picture.
///
/// The png crate reads no further than to the chunk after the last rows: that chunk's own checksum does not matter,
/// since all pixels are there, but it must have begun. Errors: not a PNG, broken anywhere before its last row, or over
/// `limits`. Never panics, and never allocates more than the limits allow (three times the decoded size at most).
pub fn decode_png_with(bytes: &[u8], limits: &DecodeLimits) -> Result<Picture, PngError> {
    let (plain, width_px, height_px) = only_what_is_needed(bytes)?;
    let side = 1..=limits.side_max_px.min(SIDE_MAX_PX);
    let too_large = PngError::TooLarge { width_px, height_px };
    if !side.contains(&width_px) || !side.contains(&height_px) {
        return Err(too_large);
    }
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(&plain), png::Limits { bytes: 64 << 20 });
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(broken)?;
    let byte_count = reader.output_buffer_size().ok_or(too_large.clone())?;
    if unfolds_too_far(byte_count as u64, bytes.len(), limits) {
        return Err(too_large);
    }
    let mut texels = vec![0u8; byte_count];
    let frame = reader.next_frame(&mut texels).map_err(broken)?;
    let channel_count = frame.color_type.samples() as u32;
    let samples = match frame.bit_depth {
        png::BitDepth::Sixteen => {
            Samples::U16(texels.chunks_exact(2).map(|s| u16::from_be_bytes([s[0], s[1]])).collect())
        }
        _ => Samples::U8(texels),
    };
    Picture::new(frame.width, frame.height, channel_count, samples).map_err(broken)
}

/// Whether so many decoded bytes are more than a file of `file_bytes` may ask for.
pub(crate) fn unfolds_too_far(byte_count: u64, file_bytes: usize, limits: &DecodeLimits) -> bool {
    let is_free = byte_count <= limits.ratio_free_bytes;
    byte_count > limits.decoded_max_bytes || !is_free && byte_count / (file_bytes as u64).max(1) > limits.ratio_max
}

/// The file without the chunks that do not change a pixel of the still picture (texts, profiles, animation), and its
/// size in pixels. Broken or hostile extras can then do no harm.
fn only_what_is_needed(bytes: &[u8]) -> Result<(Vec<u8>, u32, u32), PngError> {
    let mut rest = bytes.strip_prefix(SIGNATURE).ok_or(PngError::Signature)?;
    let mut out = Vec::with_capacity(bytes.len());
    out.extend_from_slice(SIGNATURE);
    let mut size = None;
    while let Some((head, _)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([head[0], head[1], head[2], head[3]]) as usize;
        let kind = [head[4], head[5], head[6], head[7]];
        // A chunk that is cut short is kept as far as it goes: the decoder says what is wrong with it.
        let end = length.saturating_add(12).min(rest.len());
        let (chunk, after) = rest.split_at(end);
        if &kind == b"IHDR" && chunk.len() >= 16 {
            let number = |at: usize| u32::from_be_bytes([chunk[at], chunk[at + 1], chunk[at + 2], chunk[at + 3]]);
            size.get_or_insert((number(8), number(12)));
        }
        if matches!(&kind, b"IHDR" | b"PLTE" | b"tRNS" | b"IDAT" | b"IEND") {
            out.extend_from_slice(chunk);
        }
        rest = after;
    }
    let (width_px, height_px) = size.ok_or_else(|| broken("no header"))?;
    Ok((out, width_px, height_px))
}
