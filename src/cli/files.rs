//! Files: texts that people name on the command line and that are no scenes.

use std::fmt::Display;
use std::fs::File;
use std::io;
use std::path::Path;

use stillframe_base::bounded;
use stillframe_base::mistaken::utf8;

use super::status::Failure;

/// The text of a file.
pub fn text(path: &Path) -> Result<String, Failure> {
    let bytes = bytes(path, TEXT_MAX_BYTES)
        .map_err(|error| Failure::usage(format!("{} cannot be read: {error}", path.display())))?;
    decoded(&path.display(), bytes)
}

/// Bytes that a text may have.
const TEXT_MAX_BYTES: u64 = 256 << 20;

/// The bytes of a file that is named on the command line. Shells hand what another program writes as a file that is
/// open already: it alone may be a pipe.
pub fn bytes(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let is_handed = ["/dev/fd", "/dev/stdin", "/proc/self/fd"].iter().any(|folder| path.starts_with(folder));
    match is_handed {
        true => bounded::read_from(File::open(path)?, 0, max_bytes),
        false => bounded::read(path, max_bytes),
    }
}

/// Bytes as text; `name` is what they are called in messages.
pub fn decoded(name: &dyn Display, bytes: Vec<u8>) -> Result<String, Failure> {
    utf8(bytes).map_err(|error| Failure::Usage(format!("{name}: {}", error.message), error.help.map(str::to_string)))
}
