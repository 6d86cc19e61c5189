//! Pictures for web pages: JPEG and lossless WebP files.
//!
//! Source: the encoders of the package `image`, which use integers and correctly rounded divisions alone: the same
//! pixels give the same bytes on every machine.

use image::ExtendedColorType;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::webp::WebPEncoder;

use crate::picture::{Picture, Samples};

/// Of 100: differences are hard to see.
const JPEG_QUALITY: u8 = 92;

/// Why a picture cannot be written for the web.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// Not 8 bits a sample.
    #[error("files for the web hold 8 bits per sample")]
    Samples,
    /// Frames of one animation are of one size.
    #[error("frames of one animation are of one size")]
    Size,
    /// What the encoder says: a side that is too long.
    #[error("{0}")]
    Encoder(String),
}

/// A JPEG file of quality 92, its colours as fine as its brightness. There is no transparency in it: the picture lies
/// on `backdrop`.
///
/// Errors: samples other than 8 bit.
pub fn encode_jpeg(picture: &Picture, backdrop: [u8; 3]) -> Result<Vec<u8>, WebError> {
    let colors: Vec<u8> = pixels(picture)?.flat_map(|pixel| over(pixel, backdrop)).collect();
    let mut out = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut out, JPEG_QUALITY);
    let encoded = encoder.encode(&colors, picture.width_px, picture.height_px, ExtendedColorType::Rgb8);
    encoded.map_err(|error| WebError::Encoder(error.to_string())).map(|()| out)
}

/// A WebP file with exactly the pixels of a picture, with alpha if it has any.
///
/// Errors: samples other than 8 bit.
pub fn encode_webp(picture: &Picture) -> Result<Vec<u8>, WebError> {
    let (samples, color): (Vec<u8>, _) = match picture.channel_count {
        4 => (pixels(picture)?.flatten().collect(), ExtendedColorType::Rgba8),
        _ => (pixels(picture)?.flat_map(|[r, g, b, _]| [r, g, b]).collect(), ExtendedColorType::Rgb8),
    };
    let mut out = Vec::new();
    let encoded = WebPEncoder::new_lossless(&mut out).encode(&samples, picture.width_px, picture.height_px, color);
    encoded.map_err(|error| WebError::Encoder(error.to_string())).map(|()| out)
}

/// Red, green, blue and alpha; grey of pictures with one or two channels.
pub(crate) fn pixels(picture: &Picture) -> Result<impl Iterator<Item = [u8; 4]>, WebError> {
    let Samples::U8(samples) = &picture.samples else { return Err(WebError::Samples) };
    Ok(samples.chunks_exact(picture.channel_count as usize).map(|pixel| match *pixel {
        [r, g, b, a] => [r, g, b, a],
        [r, g, b] => [r, g, b, 255],
        [grey, ..] => [grey, grey, grey, 255],
        [] => unreachable!("a picture has channels"),
    }))
}

/// A pixel on a colour, of sRGB values as browsers do it.
fn over([r, g, b, a]: [u8; 4], backdrop: [u8; 3]) -> [u8; 3] {
    let mix = |color: u8, behind: u8| {
        let (color, behind, a) = (u32::from(color), u32::from(behind), u32::from(a));
        ((color * a + behind * (255 - a) + 127) / 255) as u8
    };
    [mix(r, backdrop[0]), mix(g, backdrop[1]), mix(b, backdrop[2])]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture of many colours, with all kinds of alpha if it has 4 channels.
    fn picture(channel_count: u32) -> Picture {
        let value = |at: u32| (at.wrapping_mul(2_654_435_761) >> 21) as u8 ^ (at / 97) as u8;
        let samples = (0..48 * 32 * channel_count).map(value).collect();
        Picture { width_px: 48, height_px: 32, channel_count, samples: Samples::U8(samples) }
    }

    #[test]
    fn a_webp_file_holds_the_pixels_exactly() {
        for (channels, color) in [(3, image::ColorType::Rgb8), (4, image::ColorType::Rgba8)] {
            let picture = picture(channels);
            let bytes = encode_webp(&picture).expect("a file");
            let read = image::load_from_memory_with_format(&bytes, image::ImageFormat::WebP).expect("a picture");
            assert_eq!((read.color(), Samples::U8(read.into_bytes())), (color, picture.samples));
        }
    }

    #[test]
    fn a_jpeg_file_is_near_the_picture_on_its_backdrop() {
        // Smooth, as a JPEG file wants it.
        let samples =
            (0..64 * 64).flat_map(|at| [(at % 64 * 4) as u8, (at / 64 * 4) as u8, 90, if at < 2048 { 255 } else { 0 }]);
        let picture =
            Picture { width_px: 64, height_px: 64, channel_count: 4, samples: Samples::U8(samples.collect()) };
        let bytes = encode_jpeg(&picture, [255, 0, 128]).expect("a file");
        let read =
            image::load_from_memory_with_format(&bytes, image::ImageFormat::Jpeg).expect("a picture").into_rgb8();
        for (x, y, pixel) in read.enumerate_pixels() {
            let want = if y < 32 { [x as u8 * 4, y as u8 * 4, 90] } else { [255, 0, 128] };
            // Blocks are 8 pixels high, so that the edge is between two of them.
            assert!(pixel.0.iter().zip(want).all(|(a, b)| a.abs_diff(b) < 8), "{x} {y}: {pixel:?} for {want:?}");
        }
    }

    #[test]
    fn only_eight_bits_are_written() {
        let wide = Picture { samples: Samples::U16(vec![0; 48 * 32 * 3]), ..picture(3) };
        assert!(matches!(encode_jpeg(&wide, [0; 3]), Err(WebError::Samples)));
        assert!(matches!(encode_webp(&wide), Err(WebError::Samples)));
    }
}
