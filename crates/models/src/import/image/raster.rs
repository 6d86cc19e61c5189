//! PNG, WebP, BMP, TGA, EXR and Radiance HDR by the `image` crate.
//!
//! Palettes and grey become RGB; 16-bit samples are kept. Of files that hold several pictures (animated PNG and WebP)
//! the first counts. EXR holds colours multiplied by alpha, as its specification says: they are divided again.

use std::io::Cursor;

use exr::math::Vec2;
use exr::meta::{BlockDescription, MetaData};
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits};

use super::{SIDE_MAX_PX, check_sides, decoded, make_straight};
use crate::asset::{Image, Texels};
use crate::import::{Budget, Fault, code};

pub fn decode(name: String, bytes: &[u8], format: ImageFormat, budget: &mut Budget) -> Result<Image, Fault> {
    if format == ImageFormat::OpenExr {
        check_exr(&name, bytes, budget)?;
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MAX_PX);
    limits.max_image_height = Some(SIDE_MAX_PX);
    limits.max_alloc = Some(budget.left_bytes());
    reader.limits(limits);
    let decoder = decoded(&name, || reader.into_decoder())?;
    let (width_px, height_px) = decoder.dimensions();
    check_sides(&name, width_px, height_px)?;
    let texel_count = u64::from(width_px) * u64::from(height_px);
    let color = decoder.color_type();
    let deep = u64::from(color.bytes_per_pixel() / color.channel_count());
    let kept_bytes = texel_count * 4 * deep;
    // What decoding holds beside the result: its own samples; WebP also its planes and predictions, of the frame that
    // is inside.
    let aside_bytes = if format == ImageFormat::WebP { webp_texel_count(bytes).max(texel_count) * 8 } else { 0 };
    let moment_bytes = texel_count * u64::from(color.bytes_per_pixel()) + aside_bytes;
    budget.allow(kept_bytes + moment_bytes, &name)?;
    budget.spend(kept_bytes, &name)?;
    let picture = decoded(&name, || DynamicImage::from_decoder(decoder))?;
    let mut texels = match picture {
        DynamicImage::ImageLuma16(_)
        | DynamicImage::ImageLumaA16(_)
        | DynamicImage::ImageRgb16(_)
        | DynamicImage::ImageRgba16(_) => Texels::Rgba16(picture.into_rgba16().into_raw()),
        DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_) => {
            Texels::Rgba32Float(picture.into_rgba32f().into_raw())
        }
        _ => Texels::Rgba8(picture.into_rgba8().into_raw()),
    };
    if format == ImageFormat::OpenExr {
        make_straight(&mut texels);
    }
    Ok(Image { name, width_px, height_px, texels, levels: Vec::new() })
}

/// Texels of the largest frame inside a WebP file. The decoder makes room for it before it finds that the file around
/// it speaks of another size.
///
/// Source: RFC 9649, 2.3 (chunks), 2.7.1.1 (ANMF), 3.4 (VP8L); RFC 6386, 9.1 (VP8).
fn webp_texel_count(bytes: &[u8]) -> u64 {
    fn largest(mut chunks: &[u8], nested: bool) -> u64 {
        let mut most = 0;
        while let Some((head, rest)) = chunks.split_first_chunk::<8>() {
            let size = u32::from_le_bytes([head[4], head[5], head[6], head[7]]) as usize;
            let inside = &rest[..size.min(rest.len())];
            let word = |at: usize| inside.get(at..at + 2).map_or(0, |b| u64::from(b[0]) | u64::from(b[1]) << 8);
            most = most.max(match &head[..4] {
                b"VP8 " => (word(6) & 0x3FFF) * (word(8) & 0x3FFF),
                b"VP8L" => {
                    let bits = word(1) | word(3) << 16;
                    ((bits & 0x3FFF) + 1) * ((bits >> 14 & 0x3FFF) + 1)
                }
                b"ANMF" if !nested => largest(inside.get(16..).unwrap_or(&[]), true),
                _ => 0,
            });
            let next = size.saturating_add(size & 1);
            chunks = rest.get(next..).unwrap_or(&[]);
        }
        most
    }
    largest(bytes.get(12..).unwrap_or(&[]), false)
}

/// What the decoder of EXR files takes on trust: sizes of data windows (the picture's size is the display window's) and
/// of tiles.
fn check_exr(name: &str, bytes: &[u8], budget: &Budget) -> Result<(), Fault> {
    let meta = decoded(name, || MetaData::read_from_buffered(Cursor::new(bytes), false))?;
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
