//! Clip: compressed clips, alone in a file of their own.

use std::path::Path;

use stillframe_anim::compress::{CompressedClip, NamedClip};

use super::code;
use crate::source::Diagnostic;

/// A `.clip`, as `anim compress -o` writes it.
///
/// Errors: bytes that are no such file, or are damaged.
pub fn clip(file: &Path, bytes: &[u8]) -> Result<NamedClip, Diagnostic> {
    NamedClip::from_bytes(bytes).map_err(|error| {
        let (words, help) = match CompressedClip::from_bytes(bytes).is_ok() {
            true => ("it has no joint names".to_string(), "write it again with `stillframe anim compress -o`"),
            false => (error.to_string(), "`stillframe anim compress MODEL --clip NAME -o FILE.clip` writes one"),
        };
        Diagnostic::error(code::CLIP_FILE, file, format!("not a valid compressed clip: {words}")).help(help)
    })
}
