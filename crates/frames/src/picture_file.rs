//! A file of pictures, whichever it is: PNG, EXR or NPY, told apart by their first bytes.

use stillframe_base::mistaken::{LFS_HELP, LFS_POINTER, is_lfs_pointer};

use crate::exr_read::{Exr, ExrReadError, NamedPicture, Window, decode_exr_with};
use crate::npy::{NpyError, decode_npy};
use crate::picture::Picture;
use crate::png_file::{DecodeLimits, PngError, decode_png_with};

/// Why a file gave no pictures.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureFileError {
    #[error("neither a PNG, nor an EXR, nor an NPY file")]
    Unknown,
    #[error("{LFS_POINTER}; {LFS_HELP}")]
    LfsPointer,
    #[error(transparent)]
    Png(#[from] PngError),
    #[error(transparent)]
    Exr(#[from] ExrReadError),
    #[error(transparent)]
    Npy(#[from] NpyError),
    #[error("the NPY file's numbers are not a picture: it takes [height, width] or [height, width, 1 to 4]")]
    Shape,
}

/// All pictures of a file: one without a name of PNG and NPY files, every layer of EXR files, that which is shown
/// first.
///
/// Errors: see [`PictureFileError`]. Never panics, never allocates out of proportion to the file or over `limits`.
pub fn decode_pictures(bytes: &[u8], limits: &DecodeLimits) -> Result<Vec<NamedPicture>, PictureFileError> {
    if bytes.starts_with(b"\x89PNG") {
        return Ok(vec![alone(decode_png_with(bytes, limits)?)]);
    }
    if bytes.starts_with(b"\x93NUMPY") {
        return Ok(vec![alone(decode_npy(bytes)?.into_picture().ok_or(PictureFileError::Shape)?)]);
    }
    if bytes.starts_with(&[0x76, 0x2F, 0x31, 0x01]) {
        let exr = decode_exr_with(bytes, limits)?;
        let main = exr.main().name.clone();
        let Exr { mut layers, .. } = exr;
        layers.sort_by_key(|layer| layer.name != main);
        return Ok(layers);
    }
    Err(if is_lfs_pointer(bytes) { PictureFileError::LfsPointer } else { PictureFileError::Unknown })
}

fn alone(picture: Picture) -> NamedPicture {
    let names: &[&str] = match picture.channel_count {
        1 => &["Y"],
        2 => &["Y", "A"],
        3 => &["R", "G", "B"],
        _ => &["R", "G", "B", "A"],
    };
    let window = Window { left_px: 0, top_px: 0, width_px: picture.width_px, height_px: picture.height_px };
    NamedPicture { name: String::new(), channels: names.iter().map(|n| (*n).to_owned()).collect(), window, picture }
}
