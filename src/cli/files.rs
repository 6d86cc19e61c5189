//! Files: texts that people name on the command line and that are no scenes.

use std::fmt::Display;
use std::path::Path;

use stillframe_base::mistaken::utf8;

use super::status::Failure;

/// The text of a file.
pub fn text(path: &Path) -> Result<String, Failure> {
    let bytes =
        std::fs::read(path).map_err(|error| Failure::usage(format!("{} cannot be read: {error}", path.display())))?;
    decoded(&path.display(), bytes)
}

/// Bytes as text; `name` is what they are called in messages.
pub fn decoded(name: &dyn Display, bytes: Vec<u8>) -> Result<String, Failure> {
    utf8(bytes).map_err(|error| Failure::Usage(format!("{name}: {}", error.message), error.help.map(str::to_string)))
}
