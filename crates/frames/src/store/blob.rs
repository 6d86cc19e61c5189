//! The files a store keeps, as bytes: pictures and lists of passes.
//!
//! 8 and 16 bits a sample are PNG files, 32 bits EXR files of one layer with channels `V`, `X Y`, `R G B` or `R G B A`.

use stillframe_base::mistaken::{LFS_HELP, LFS_POINTER, is_lfs_pointer};
use stillframe_base::par::Pool;

use crate::animation::is_animated;
use crate::exr_file::{encode_plain_exr, plain_channels};
use crate::exr_read::decode_exr;
use crate::hash::PixelHash;
use crate::lock::LockLine;
use crate::picture::{Format, Picture, SampleKind};
use crate::png_file::{PngEffort, decode_png, encode_png};
use crate::store::disk::TEXT_MAX_BYTES;

/// What kind of file, by its ending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlobKind {
    Png,
    Exr,
    Passes,
    /// What a picture was made from: [`crate::run::Inputs`].
    Inputs,
    /// A note of somebody who keeps files beside references, by a key of their own: no line names it, and what looks
    /// after references leaves it alone.
    Note,
}

impl BlobKind {
    /// Those that lines name.
    pub const ALL: [BlobKind; 4] = [BlobKind::Png, BlobKind::Exr, BlobKind::Passes, BlobKind::Inputs];

    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            BlobKind::Png => "png",
            BlobKind::Exr => "exr",
            BlobKind::Passes => "passes",
            BlobKind::Inputs => "inputs",
            BlobKind::Note => "note",
        }
    }

    pub fn of_extension(extension: &str) -> Option<BlobKind> {
        BlobKind::ALL.into_iter().find(|kind| kind.extension() == extension)
    }

    /// The kind of file that a picture of `format` is kept in.
    pub fn of_format(format: Format) -> BlobKind {
        match format.kind {
            SampleKind::U8 | SampleKind::U16 => BlobKind::Png,
            SampleKind::U32 | SampleKind::F32 => BlobKind::Exr,
        }
    }
}

/// A file by its content: what two cases with equal pictures share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlobKey {
    pub hash: PixelHash,
    pub kind: BlobKind,
}

/// What a file may hold beside its samples: colour profiles, texts, rows of tables.
const BESIDE_MAX_BYTES: u64 = 16 << 20;

impl BlobKey {
    /// Of the picture that a line names.
    pub fn of_picture(line: &LockLine) -> BlobKey {
        BlobKey { hash: line.pixels, kind: BlobKind::of_format(line.format) }
    }

    /// Of the list of passes that a line names, if it names one.
    pub fn of_passes(line: &LockLine) -> Option<BlobKey> {
        line.passes.map(|hash| BlobKey { hash, kind: BlobKind::Passes })
    }

    /// Of the list of inputs that a line names, if it names one.
    pub fn of_inputs(line: &LockLine) -> Option<BlobKey> {
        line.inputs.map(|hash| BlobKey { hash, kind: BlobKind::Inputs })
    }

    /// Bytes that its file may have. Whatever packs the samples of a line's picture does not make them much larger;
    /// what is larger holds something else.
    pub fn max_bytes(&self, line: &LockLine) -> u64 {
        match self.kind {
            BlobKind::Png | BlobKind::Exr => {
                let pixels = u64::from(line.width_px) * u64::from(line.height_px);
                let samples = pixels * (line.format.channels as u64 + 1) * line.format.kind.byte_count() as u64;
                samples + samples / 8 + BESIDE_MAX_BYTES
            }
            BlobKind::Passes | BlobKind::Inputs | BlobKind::Note => TEXT_MAX_BYTES,
        }
    }

    /// `ab/cdef....png`, with 62 digits after the slash.
    pub fn path(&self) -> String {
        let digits = self.hash.to_string().replace("b3:", "");
        format!("{}/{}.{}", &digits[..2], &digits[2..], self.kind.extension())
    }

    /// The key whose [`BlobKey::path`] this is.
    pub fn parse(path: &str) -> Option<BlobKey> {
        let (stem, extension) = path.rsplit_once('.')?;
        let (start, rest) = stem.split_once('/')?;
        if start.len() != 2 || rest.len() != 62 {
            return None;
        }
        let hash = format!("b3:{start}{rest}").parse().ok()?;
        Some(BlobKey { hash, kind: BlobKind::of_extension(extension)? })
    }
}

/// The file of a picture, as small as we make it. The same picture gives the same bytes with one build.
pub fn encode(picture: &Picture) -> Vec<u8> {
    match BlobKind::of_format(picture.format()) {
        BlobKind::Png => encode_png(picture, PngEffort::Small).expect("8 and 16 bits a sample fit into a PNG"),
        _ => encode_plain_exr(picture, &Pool::new(1)).expect("one layer of 32 bits a sample fits into an EXR"),
    }
}

/// The picture in a file of a store.
///
/// Errors: what is wrong with the file, for people.
pub fn decode(bytes: &[u8], format: Format, width_px: u32, height_px: u32) -> Result<Picture, String> {
    if is_lfs_pointer(bytes) {
        return Err(format!("{LFS_POINTER}; {LFS_HELP}"));
    }
    match BlobKind::of_format(format) {
        // Its first frame alone would be compared.
        BlobKind::Png if is_animated(bytes) => Err("it is animated, and a reference is one picture".into()),
        BlobKind::Png => decode_png(bytes).map_err(|error| error.to_string()),
        _ => decode_plain_exr(bytes, format, width_px, height_px),
    }
}

/// Reads back what [`encode`] wrote.
fn decode_plain_exr(bytes: &[u8], format: Format, width_px: u32, height_px: u32) -> Result<Picture, String> {
    let mut exr = decode_exr(bytes).map_err(|error| error.to_string())?;
    let names = plain_channels(format.channels);
    let layer = exr.layers.swap_remove(0);
    if !exr.layers.is_empty() || layer.channels != names {
        return Err(format!("other channels than {}", names.join(" ")));
    }
    let picture = layer.picture;
    if (picture.width_px, picture.height_px) != (width_px, height_px) {
        let (width, height) = (picture.width_px, picture.height_px);
        return Err(format!("{width} x {height} pixels where {width_px} x {height_px} are expected"));
    }
    if picture.format() != format {
        return Err("samples of another type than frames.lock names".into());
    }
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Samples;

    #[test]
    fn keys_are_paths_and_back() {
        let hash: PixelHash = format!("b3:{}", "0123456789abcdef".repeat(4)).parse().unwrap();
        for kind in BlobKind::ALL {
            let key = BlobKey { hash, kind };
            assert_eq!(BlobKey::parse(&key.path()), Some(key));
        }
        let path = BlobKey { hash, kind: BlobKind::Png }.path();
        assert_eq!(path, format!("01/23456789abcdef{}.png", "0123456789abcdef".repeat(3)));
        for bad in
            ["", "01/23.png", &path[1..], &path.to_uppercase(), &path.replace(".png", ".gif"), &format!("x{path}")]
        {
            assert_eq!(BlobKey::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn every_format_comes_back_as_it_was() {
        let odd = [0.0f32, -0.0, 1.5e-42, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1.0 / 3.0];
        for channel_count in 1..=4 {
            let (width, height) = (5u32, 19u32);
            let count = (width * height * channel_count) as usize;
            for samples in [
                Samples::U8((0..count).map(|i| i as u8).collect()),
                Samples::U16((0..count).map(|i| (i * 977) as u16).collect()),
                Samples::U32((0..count).map(|i| (i as u32).wrapping_mul(0x9E37_79B9)).collect()),
                Samples::F32((0..count).map(|i| odd[i % odd.len()]).collect()),
            ] {
                let picture = Picture::new(width, height, channel_count, samples).unwrap();
                let again = decode(&encode(&picture), picture.format(), width, height).unwrap();
                assert_eq!(again.hash(), picture.hash(), "{}", picture.format());
            }
        }
    }

    #[test]
    fn other_pictures_than_asked_for_are_refused() {
        let picture = Picture::new(3, 2, 1, Samples::F32(vec![0.5; 6])).unwrap();
        let bytes = encode(&picture);
        let format = |text| Format::parse(text).unwrap();
        assert!(decode(&bytes, format("r32f"), 3, 3).unwrap_err().contains("3 x 2"));
        assert!(decode(&bytes, format("rg32f"), 3, 2).unwrap_err().contains("channels"));
        assert!(decode(&bytes, format("r32u"), 3, 2).unwrap_err().contains("type"));
        assert!(decode(&bytes, format("rgb8"), 3, 2).unwrap_err().contains("not a PNG"));
        for end in 0..bytes.len() {
            assert!(decode(&bytes[..end], format("r32f"), 3, 2).is_err(), "cut at {end}");
        }
    }
}
