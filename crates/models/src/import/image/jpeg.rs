//! JPEG: 8-bit samples by `zune-jpeg` in its plain form, without kernels for some processors.
//!
//! Turned pictures (Exif orientation) stay as they are stored, as textures do everywhere.

use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::{SIDE_MAX_PX, broken, check_sides, decoded};
use crate::asset::{Image, Texels};
use crate::import::{Budget, Fault};

pub fn decode(name: String, bytes: &[u8], budget: &mut Budget) -> Result<Image, Fault> {
    let options = DecoderOptions::default()
        .set_use_unsafe(false)
        .set_strict_mode(false)
        .set_max_width(SIDE_MAX_PX as usize)
        .set_max_height(SIDE_MAX_PX as usize);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoded(&name, || decoder.decode_headers())?;
    let (width, height) = decoder.dimensions().ok_or_else(|| broken(&name, "it has no size"))?;
    let (width_px, height_px) = (width as u32, height as u32);
    check_sides(&name, width_px, height_px)?;
    // Half a picture would pass as grey below: the decoder forgives it.
    if !bytes.windows(2).rev().any(|pair| pair == [0xFF, 0xD9]) {
        return Err(broken(&name, "the file ends before the end of the picture"));
    }
    let is_grey = decoder.input_colorspace() == Some(ColorSpace::Luma);
    let wanted = if is_grey { ColorSpace::Luma } else { ColorSpace::RGB };
    decoder.set_options(options.jpeg_set_out_colorspace(wanted));
    let texel_count = u64::from(width_px) * u64::from(height_px);
    // What decoding holds beside the result: its own samples, and the coefficients of a progressive picture.
    let coefficient_bytes = if is_progressive(bytes) { texel_count * 6 } else { 0 };
    budget.allow(texel_count * 7 + coefficient_bytes, &name)?;
    budget.spend(texel_count * 4, &name)?;
    let samples = decoded(&name, || decoder.decode())?;
    let channel_count = if is_grey { 1 } else { 3 };
    if samples.len() as u64 != texel_count * channel_count {
        return Err(broken(&name, "its number of samples does not match its size"));
    }
    let texels = if is_grey {
        samples.iter().flat_map(|&v| [v, v, v, 255]).collect()
    } else {
        samples.chunks_exact(3).flat_map(|t| [t[0], t[1], t[2], 255]).collect()
    };
    Ok(Image { name, width_px, height_px, texels: Texels::Rgba8(texels), levels: Vec::new() })
}

/// Whether a JPEG's frame is anything but sequential: then all of its coefficients are held at once.
fn is_progressive(bytes: &[u8]) -> bool {
    let mut at = 2;
    while let Some(&[0xFF, marker, high, low]) = bytes.get(at..at + 4).and_then(|b| b.first_chunk()) {
        match marker {
            0xC0 | 0xC1 => return false,
            // Bytes of 0xFF before a marker fill space.
            0xFF => at += 1,
            0x01 | 0xD0..=0xD8 => at += 2,
            _ if (0xC2..=0xCF).contains(&marker) && ![0xC4, 0xC8, 0xCC].contains(&marker) => return true,
            _ => at += 2 + usize::from(u16::from_be_bytes([high, low])),
        }
    }
    true
}
