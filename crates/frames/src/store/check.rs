//! Check: whether a file's bytes are what a lock line says.

use stillframe_base::mistaken::{LFS_HELP, LFS_POINTER, is_lfs_pointer};

use crate::hash::PixelHash;
use crate::lock::LockLine;
use crate::passes::passes_root;
use crate::picture::Picture;
use crate::store::blob::{self, BlobKey, BlobKind};
use crate::store::error::StoreError;
use crate::store::name::in_family;

/// The picture in `bytes` if it is the one that `line` names. `place` is what to call the file.
pub(super) fn checked_picture(
    family: &str,
    line: &LockLine,
    bytes: &[u8],
    place: String,
) -> Result<Picture, StoreError> {
    let case = in_family(family, &line.name);
    match blob::decode(bytes, line.format, line.width_px, line.height_px) {
        Err(message) => Err(StoreError::Unreadable { case, place, message }),
        Ok(picture) => {
            check_picture(&picture, line, case, place)?;
            Ok(picture)
        }
    }
}

pub(super) fn check_picture(picture: &Picture, line: &LockLine, case: String, place: String) -> Result<(), StoreError> {
    let got = picture.hash();
    if got != line.pixels {
        return Err(StoreError::NotThePicture { case, place, got, want: line.pixels });
    }
    // The hash holds for size and format too, so that a line which says otherwise was written by hand.
    let (size, format) = ((picture.width_px, picture.height_px), picture.format());
    if size != (line.width_px, line.height_px) || format != line.format {
        let message = format!(
            "it is {}x{} {format}, frames.lock says {}x{} {}",
            size.0, size.1, line.width_px, line.height_px, line.format
        );
        return Err(StoreError::Unreadable { case, place, message });
    }
    Ok(())
}

/// The text in `bytes`.
fn text_of(case: &str, bytes: Vec<u8>, place: &str) -> Result<String, StoreError> {
    let unreadable =
        |message: String| StoreError::Unreadable { case: case.to_string(), place: place.to_string(), message };
    if is_lfs_pointer(&bytes) {
        return Err(unreadable(format!("{LFS_POINTER}; {LFS_HELP}")));
    }
    String::from_utf8(bytes).map_err(|_| unreadable("it is not text".into()))
}

/// The list of passes in `bytes` if it is the one that `line` names.
pub(super) fn checked_passes(
    family: &str,
    line: &LockLine,
    bytes: Vec<u8>,
    place: String,
) -> Result<String, StoreError> {
    let case = in_family(family, &line.name);
    let text = text_of(&case, bytes, &place)?;
    let got = passes_root(&text);
    match line.passes {
        Some(want) if want == got => Ok(text),
        Some(want) => Err(StoreError::NotThePasses { case, place, got, want }),
        None => Err(StoreError::PassesUnnamed { case }),
    }
}

/// The list of inputs in `bytes` if it is the one that `line` names.
pub(super) fn checked_inputs(
    family: &str,
    line: &LockLine,
    bytes: Vec<u8>,
    place: String,
) -> Result<String, StoreError> {
    let case = in_family(family, &line.name);
    let text = text_of(&case, bytes, &place)?;
    let got = PixelHash::of_text(&text);
    match line.inputs {
        Some(want) if want == got => Ok(text),
        want => Err(StoreError::NotTheInputs { case, place, got, want: want.unwrap_or(PixelHash([0; 32])) }),
    }
}

/// Whether the bytes of a file of either kind are what the line says.
pub(super) fn check_file(
    family: &str,
    line: &LockLine,
    key: BlobKey,
    bytes: &[u8],
    place: String,
) -> Result<(), StoreError> {
    match key.kind {
        BlobKind::Passes => checked_passes(family, line, bytes.to_vec(), place).map(|_| ()),
        BlobKind::Inputs => checked_inputs(family, line, bytes.to_vec(), place).map(|_| ()),
        // No line names one.
        BlobKind::Note => Ok(()),
        BlobKind::Png | BlobKind::Exr => checked_picture(family, line, bytes, place).map(|_| ()),
    }
}
