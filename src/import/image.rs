//! Pictures: PNG, JPEG, EXR and Radiance HDR become texels.

use std::io::Cursor;
use std::path::Path;

use exr::math::Vec2;
use exr::meta::{BlockDescription, MetaData};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{Budget, Fault, code};
use crate::asset::{Image, Texels};
use crate::source::{Diagnostic, Severity};

/// No side of a picture may be longer.
const SIDE_MAX_PX: u32 = 16384;

/// Decodes a picture file: PNG and JPEG to 8-bit (16-bit PNG to 16-bit) texels, EXR and HDR to linear floats.
///
/// `file` names it in messages. Errors: a broken file, an unknown kind, one that unpacks to more than [`Budget`] allows.
pub fn picture(file: &Path, bytes: &[u8]) -> Result<Image, Diagnostic> {
    let mut budget = Budget::for_file(bytes.len());
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    decode(name, bytes, &mut budget).map_err(|f| f.in_file(file, Severity::Error))
}

/// Decodes a picture, whatever its name ends in: its first bytes say what it is.
pub(super) fn decode(name: String, bytes: &[u8], budget: &mut Budget) -> Result<Image, Fault> {
    let broken = |e: image::ImageError| Fault::new(code::IMAGE, format!("{name} cannot be decoded: {e}"));
    let format = image::guess_format(bytes).ok();
    let known = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::OpenExr, ImageFormat::Hdr];
    let Some(format) = format.filter(|f| known.contains(f)) else {
        let message = format!("{name} is no PNG, JPEG, EXR or HDR picture");
        return Err(Fault::new(code::IMAGE, message).help("convert it to PNG"));
    };
    if format == ImageFormat::OpenExr {
        check_exr(&name, bytes, budget)?;
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MAX_PX);
    limits.max_image_height = Some(SIDE_MAX_PX);
    limits.max_alloc = Some(budget.left_bytes());
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(broken)?;
    let (width_px, height_px) = decoder.dimensions();
    if width_px == 0 || height_px == 0 || width_px > SIDE_MAX_PX || height_px > SIDE_MAX_PX {
        let message = format!("{name} is {width_px} x {height_px}: a side must be 1 to {SIDE_MAX_PX} pixels");
        return Err(Fault::new(code::TOO_LARGE, message));
    }
    let texel_count = u64::from(width_px) * u64::from(height_px);
    let deep = decoder.color_type().bytes_per_pixel() / decoder.color_type().channel_count();
    let kept_bytes = texel_count * 4 * u64::from(if format == ImageFormat::Jpeg { 1 } else { deep });
    // What decoding holds beside the result: its own samples, and the coefficients of a progressive JPEG.
    let coefficient_bytes = if format == ImageFormat::Jpeg && is_progressive(bytes) { texel_count * 6 } else { 0 };
    let moment_bytes = texel_count * u64::from(decoder.color_type().bytes_per_pixel()) + coefficient_bytes;
    budget.allow(kept_bytes + moment_bytes, &name)?;
    budget.spend(kept_bytes, &name)?;
    let decoded = DynamicImage::from_decoder(decoder).map_err(broken)?;
    let texels = match decoded {
        DynamicImage::ImageLuma16(_)
        | DynamicImage::ImageLumaA16(_)
        | DynamicImage::ImageRgb16(_)
        | DynamicImage::ImageRgba16(_) => Texels::Rgba16(decoded.into_rgba16().into_raw()),
        DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_) => {
            Texels::Rgba32Float(decoded.into_rgba32f().into_raw())
        }
        _ => Texels::Rgba8(decoded.into_rgba8().into_raw()),
    };
    let texels = match texels {
        Texels::Rgba32Float(mut floats) => {
            // Broken pixels of a render must not spread through filtering.
            floats.iter_mut().filter(|f| !f.is_finite()).for_each(|f| *f = 0.0);
            Texels::Rgba32Float(floats)
        }
        texels => texels,
    };
    Ok(Image { name, width_px, height_px, texels })
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

/// What the decoder of EXR files takes on trust: sizes of data windows (the picture's size is the display window's) and of
/// tiles.
fn check_exr(name: &str, bytes: &[u8], budget: &Budget) -> Result<(), Fault> {
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false)
        .map_err(|e| Fault::new(code::IMAGE, format!("{name} cannot be decoded: {e}")))?;
    for header in &meta.headers {
        let side_max = SIDE_MAX_PX as usize;
        let tile = match header.blocks {
            BlockDescription::ScanLines => Vec2(1, 1),
            BlockDescription::Tiles(tiles) => tiles.tile_size,
        };
        let sides = [header.layer_size.0, header.layer_size.1, tile.0, tile.1];
        if sides.iter().any(|side| *side == 0 || *side > side_max) {
            let message =
                format!("{name}: layers and tiles must be 1 to {side_max} pixels wide and high, not {sides:?}");
            return Err(Fault::new(code::TOO_LARGE, message));
        }
        let block_bytes = header.max_block_byte_size() as u64;
        let layer_bytes = header.layer_size.area() as u64 * 16;
        budget.allow(block_bytes.saturating_mul(3) + layer_bytes, name)?;
    }
    Ok(())
}
