//! Pictures: PNG, JPEG, WebP, BMP, TGA, EXR, Radiance HDR, DDS and KTX2 become texels.
//!
//! In: bytes, whose beginning says what they are (TGA has none: its footer or its name's ending does). Out: an
//! [`Image`] with straight alpha, top row first, and the mip levels that the file stores. Never here: what the texels
//! mean. Whether 8- and 16-bit texels are sRGB is decided by their use (colours are, data is not), whatever the file's
//! own words are: `gAMA` and `iCCP` of PNG, Exif of JPEG, `_SRGB` or not in the formats of DDS and KTX2. Floats are
//! linear.
//!
//! Every kind is decoded in plain integer steps or exact float ones, without kernels picked by the processor: the same
//! file gives the same texels on every machine.

mod basis;
mod dds;
mod jpeg;
mod ktx2;
mod ktx2_file;
mod layout;
mod raster;

use std::collections::BTreeMap;
use std::path::Path;

use image::ImageFormat;
use layout::Layout;
use stillframe_base::hash::Digest;

use super::size::Size;
use super::{Budget, Fault, code, foreign};
use crate::asset::{Image, Texels};
use crate::source::{Diagnostic, Severity};

/// No side of a picture may be longer.
const SIDE_MAX_PX: u32 = 16384;

/// Decodes a picture file: 8-bit texels stay so, 16-bit ones too; EXR, HDR, BC6H and float formats become linear
/// floats.
///
/// `file` names it in messages. Errors: a broken file, an unknown kind, one that unpacks to more than [`Budget`]
/// allows.
pub fn picture(file: &Path, bytes: &[u8]) -> Result<Image, Diagnostic> {
    let mut budget = Budget::for_file(bytes.len());
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    decode_alone(name, bytes, &mut budget).map_err(|f| f.in_file(file, Severity::Error))
}

/// Positions of pictures in a model by their files' bytes: equal ones are decoded once.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen(BTreeMap<(Digest, bool), usize>);

impl Seen {
    /// The position in `images` of the picture in `bytes`, which is decoded unless an equal one has been.
    pub fn position(
        &mut self,
        name: String,
        bytes: &[u8],
        images: &mut Vec<Image>,
        budget: &mut Budget,
    ) -> Result<usize, Fault> {
        // The name tells whether bytes without a beginning of their own are TGA.
        let key = (Digest::of_bytes(bytes), is_tga_name(&name));
        if let Some(position) = self.0.get(&key) {
            return Ok(*position);
        }
        images.push(decode(name, bytes, budget)?);
        self.0.insert(key, images.len() - 1);
        Ok(images.len() - 1)
    }
}

/// Decodes a picture, whatever its name ends in. KTX2 with Basis Universal and WebP come the same way: glTF's
/// `KHR_texture_basisu` and `EXT_texture_webp` need no more than this.
fn decode(name: String, bytes: &[u8], budget: &mut Budget) -> Result<Image, Fault> {
    let mut own = budget.for_picture(bytes.len());
    let image = decode_alone(name, bytes, &mut own)?;
    budget.keep_picture(&own);
    Ok(image)
}

fn decode_alone(name: String, bytes: &[u8], budget: &mut Budget) -> Result<Image, Fault> {
    let mut image = decode_as_stored(name, bytes, budget)?;
    for texels in std::iter::once(&mut image.texels).chain(&mut image.levels) {
        drop_not_finite(texels);
    }
    Ok(image)
}

fn decode_as_stored(name: String, bytes: &[u8], budget: &mut Budget) -> Result<Image, Fault> {
    match Kind::of(&name, bytes) {
        Some(Kind::Jpeg) => jpeg::decode(name, bytes, budget),
        Some(Kind::Dds) => dds::decode(name, bytes, budget),
        Some(Kind::Ktx2) => ktx2::decode(name, bytes, budget),
        Some(Kind::Raster(format)) => raster::decode(name, bytes, format, budget),
        None => {
            let message = format!("{name} is not a PNG, JPEG, WebP, BMP, TGA, EXR, HDR, DDS or KTX2 picture");
            Err(Fault::new(code::IMAGE, message).help("convert it to PNG"))
        }
    }
}

/// What a picture's first bytes say it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Jpeg,
    Dds,
    Ktx2,
    /// Those that the `image` crate decodes.
    Raster(ImageFormat),
}

impl Kind {
    fn of(name: &str, bytes: &[u8]) -> Option<Kind> {
        let starts: [(&[u8], Kind); 9] = [
            (b"\x89PNG\r\n\x1A\n", Kind::Raster(ImageFormat::Png)),
            (b"\xFF\xD8\xFF", Kind::Jpeg),
            (b"\x76\x2F\x31\x01", Kind::Raster(ImageFormat::OpenExr)),
            (b"#?RADIANCE", Kind::Raster(ImageFormat::Hdr)),
            (b"#?RGBE", Kind::Raster(ImageFormat::Hdr)),
            (b"DDS ", Kind::Dds),
            (&ktx2_file::MAGIC, Kind::Ktx2),
            (b"BM", Kind::Raster(ImageFormat::Bmp)),
            (b"", Kind::Raster(ImageFormat::WebP)),
        ];
        let is_webp = bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP");
        let found = starts.iter().find(|(start, kind)| match kind {
            Kind::Raster(ImageFormat::WebP) => is_webp,
            _ => bytes.starts_with(start),
        });
        if let Some((_, kind)) = found {
            return Some(*kind);
        }
        let is_tga = bytes.ends_with(b"TRUEVISION-XFILE.\0") || is_tga_name(name);
        is_tga.then_some(Kind::Raster(ImageFormat::Tga))
    }
}

fn is_tga_name(name: &str) -> bool {
    name.len() > 4 && name.as_bytes()[name.len() - 4..].eq_ignore_ascii_case(b".tga")
}

/// Errors: a side of 0 or over [`SIDE_MAX_PX`].
fn check_sides(name: &str, width_px: u32, height_px: u32) -> Result<(), Fault> {
    if width_px == 0 || height_px == 0 || width_px > SIDE_MAX_PX || height_px > SIDE_MAX_PX {
        let message = format!("{name} is {width_px} x {height_px}: a side must be 1 to {SIDE_MAX_PX} pixels");
        return Err(Fault::new(code::TOO_LARGE, message));
    }
    Ok(())
}

fn broken(name: &str, why: impl std::fmt::Display) -> Fault {
    Fault::new(code::IMAGE, format!("{name} cannot be decoded: {why}"))
}

/// What another's decoder makes of a picture; its errors and its panics are faults of the file.
fn decoded<T, E: std::fmt::Display>(name: &str, decode: impl FnOnce() -> Result<T, E>) -> Result<T, Fault> {
    match foreign::call(decode) {
        Some(outcome) => outcome.map_err(|error| broken(name, error)),
        None => Err(broken(name, "its data is broken")),
    }
}

/// An image of levels, largest first: at least one, each of the kind of the first.
fn of_levels(name: String, size: Size, levels: Vec<Texels>) -> Image {
    let mut levels = levels.into_iter();
    let texels = levels.next().expect("a picture has a level");
    Image { name, width_px: size.width_px, height_px: size.height_px, texels, levels: levels.collect() }
}

/// A level as it lies in a file, decoded within the budget, with straight alpha.
///
/// Shapes: `stored.len()` is [`Layout::level_bytes`].
fn level(
    name: &str,
    layout: Layout,
    size: Size,
    stored: &[u8],
    premultiplied: bool,
    budget: &mut Budget,
) -> Result<Texels, Fault> {
    budget.spend(size.texel_count() * layout.kept_bytes(), name)?;
    let mut texels = layout.decode(size, stored);
    if premultiplied {
        make_straight(&mut texels);
    }
    Ok(texels)
}

/// Colours that were multiplied by alpha, as they were before.
fn make_straight(texels: &mut Texels) {
    match texels {
        Texels::Rgba8(bytes) => {
            for texel in bytes.chunks_exact_mut(4) {
                let alpha = u32::from(texel[3]);
                if alpha > 0 {
                    (0..3).for_each(|c| texel[c] = ((u32::from(texel[c]) * 255 + alpha / 2) / alpha).min(255) as u8);
                }
            }
        }
        Texels::Rgba16(words) => {
            for texel in words.chunks_exact_mut(4) {
                let alpha = u64::from(texel[3]);
                if alpha > 0 {
                    let of = |v: u16| ((u64::from(v) * 65535 + alpha / 2) / alpha).min(65535) as u16;
                    (0..3).for_each(|c| texel[c] = of(texel[c]));
                }
            }
        }
        Texels::Rgba32Float(floats) => {
            for texel in floats.chunks_exact_mut(4) {
                let alpha = texel[3];
                if alpha > 0.0 && alpha < 1.0 {
                    (0..3).for_each(|c| texel[c] /= alpha);
                }
            }
        }
    }
}

/// Broken pixels of a render must not spread through filtering.
fn drop_not_finite(texels: &mut Texels) {
    if let Texels::Rgba32Float(floats) = texels {
        floats.iter_mut().filter(|f| !f.is_finite()).for_each(|f| *f = 0.0);
    }
}
