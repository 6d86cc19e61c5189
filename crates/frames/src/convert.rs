//! Convert: pictures of other packages, and pixels whose colour is multiplied by their alpha.

use crate::picture::{Picture, PictureError, Samples};

impl Picture {
    /// A picture of 8-bit RGBA whose colours are multiplied by their alpha, as `tiny-skia`, Cairo and compositors keep
    /// them. A [`Picture`] has straight alpha: each colour is divided by its alpha and rounded to the nearest step,
    /// halves up; where alpha is 0, so is the colour.
    ///
    /// Multiplied again and rounded to the nearest step, the result is the input: no two inputs make one picture. A
    /// colour above its alpha, which nothing correct makes, counts as equal to it.
    ///
    /// Shapes: `bytes.len() == width_px * height_px * 4`, sides 1..=[`SIDE_MAX_PX`](crate::SIDE_MAX_PX).
    /// Errors: anything else.
    pub fn from_premultiplied(width_px: u32, height_px: u32, bytes: &[u8]) -> Result<Picture, PictureError> {
        let straight = |texel: &[u8]| match texel {
            [r, g, b, alpha] => [divided(*r, *alpha), divided(*g, *alpha), divided(*b, *alpha), *alpha],
            _ => unreachable!("four bytes a pixel"),
        };
        let mut values: Vec<u8> = bytes.chunks_exact(4).flat_map(straight).collect();
        // What is left over makes the count wrong, which is told.
        values.extend_from_slice(bytes.chunks_exact(4).remainder());
        Picture::new(width_px, height_px, 4, Samples::U8(values))
    }
}

/// `channel / alpha` of 255, rounded to the nearest, halves up.
fn divided(channel: u8, alpha: u8) -> u8 {
    let (channel, alpha) = (u32::from(channel.min(alpha)), u32::from(alpha));
    // 0..=255, since the channel is at most the alpha.
    if alpha == 0 { 0 } else { ((channel * 510 + alpha) / (2 * alpha)) as u8 }
}

impl From<&Picture> for Picture {
    fn from(picture: &Picture) -> Picture {
        picture.clone()
    }
}

/// Straight alpha, as it is.
///
/// Errors: a side of 0, or longer than [`SIDE_MAX_PX`](crate::SIDE_MAX_PX).
#[cfg(feature = "image")]
impl TryFrom<image::RgbaImage> for Picture {
    type Error = PictureError;

    fn try_from(image: image::RgbaImage) -> Result<Picture, PictureError> {
        Picture::new(image.width(), image.height(), 4, Samples::U8(image.into_raw()))
    }
}

#[cfg(feature = "image")]
impl TryFrom<&image::RgbaImage> for Picture {
    type Error = PictureError;

    fn try_from(image: &image::RgbaImage) -> Result<Picture, PictureError> {
        Picture::new(image.width(), image.height(), 4, Samples::U8(image.as_raw().clone()))
    }
}

/// Errors: a side of 0, or longer than [`SIDE_MAX_PX`](crate::SIDE_MAX_PX).
#[cfg(feature = "image")]
impl TryFrom<image::RgbImage> for Picture {
    type Error = PictureError;

    fn try_from(image: image::RgbImage) -> Result<Picture, PictureError> {
        Picture::new(image.width(), image.height(), 3, Samples::U8(image.into_raw()))
    }
}

#[cfg(feature = "image")]
impl TryFrom<&image::RgbImage> for Picture {
    type Error = PictureError;

    fn try_from(image: &image::RgbImage) -> Result<Picture, PictureError> {
        Picture::new(image.width(), image.height(), 3, Samples::U8(image.as_raw().clone()))
    }
}

/// As [`Picture::from_premultiplied`] says.
///
/// Errors: a side longer than [`SIDE_MAX_PX`](crate::SIDE_MAX_PX).
#[cfg(feature = "tiny-skia")]
impl TryFrom<&tiny_skia::Pixmap> for Picture {
    type Error = PictureError;

    fn try_from(pixmap: &tiny_skia::Pixmap) -> Result<Picture, PictureError> {
        Picture::from_premultiplied(pixmap.width(), pixmap.height(), pixmap.data())
    }
}

#[cfg(feature = "tiny-skia")]
impl TryFrom<tiny_skia::Pixmap> for Picture {
    type Error = PictureError;

    fn try_from(pixmap: tiny_skia::Pixmap) -> Result<Picture, PictureError> {
        Picture::try_from(&pixmap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 65,536 pairs of a channel and an alpha.
    #[test]
    fn division_by_alpha_loses_nothing() {
        for alpha in 0..=255u8 {
            for channel in 0..=255u8 {
                let straight = divided(channel, alpha);
                let again = (u32::from(straight) * u32::from(alpha) * 2 + 255) / 510;
                assert_eq!(again, u32::from(channel.min(alpha)), "{channel} of {alpha}");
            }
        }
        assert_eq!([divided(1, 2), divided(1, 255), divided(127, 254), divided(3, 0)], [128, 1, 128, 0]);
    }

    #[test]
    fn bytes_must_be_four_a_pixel() {
        let picture = Picture::from_premultiplied(1, 2, &[10, 20, 30, 60, 0, 0, 0, 0]).unwrap();
        assert_eq!(picture.samples, Samples::U8(vec![43, 85, 128, 60, 0, 0, 0, 0]));
        for count in [0, 4, 7, 9, 12] {
            assert!(Picture::from_premultiplied(1, 2, &vec![0; count]).is_err(), "{count}");
        }
    }
}
