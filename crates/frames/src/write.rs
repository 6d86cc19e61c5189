//! Files that are whole or not there.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes `bytes` to `path` so that at no moment a half-written file stands there: to a temporary name in the same folder
/// first, then renamed over the target. Whatever stood there before stays until then, also when this fails.
///
/// Errors: of the file system. The temporary file is removed on the way out.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "the path names no file"))?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (temporary, mut file) = create_beside(folder, &name.to_string_lossy())?;
    let written = file.write_all(bytes).and_then(|()| file.flush());
    drop(file);
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The first failure is the one worth telling.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// A new file in `folder` whose name nobody has.
fn create_beside(folder: &Path, name: &str) -> io::Result<(PathBuf, fs::File)> {
    let process = std::process::id();
    let mut last = None;
    for attempt in 0..100 {
        // Long names leave room for the rest.
        let start: String = name.chars().take(100).collect();
        let path = folder.join(format!(".{start}.{process}-{attempt}.tmp"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(|| io::Error::other("no free temporary name")))
}
