//! Files that are whole or not there.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

/// Names of temporary files that stand on the disk while others are written. A program that is told to end in the midst
/// of a write removes them first.
#[derive(Debug, Default)]
pub struct Unfinished(Mutex<BTreeSet<PathBuf>>);

/// No file is begun while this is alive.
pub struct NothingBegins<'a>(#[expect(dead_code, reason = "held, not read")] MutexGuard<'a, BTreeSet<PathBuf>>);

impl Unfinished {
    /// Writes `bytes` to `path` as [`write_file`] does, and knows the temporary file while it is there.
    ///
    /// Errors: of the file system.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        write_through(path, &mut |file| file.write_all(bytes), self)
    }

    /// [`Unfinished::write`] for what is written bit by bit.
    ///
    /// Errors: of the file system, or of `write`.
    pub fn write_with(&self, path: &Path, mut write: impl FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        write_through(path, &mut write, self)
    }

    /// Removes the temporary files of all writes that are under way, in other threads. Nothing new is begun until what
    /// comes back is dropped: end the program before.
    pub fn remove_all(&self) -> NothingBegins<'_> {
        let names = self.lock();
        for name in names.iter() {
            // There is nobody to tell, and the next one may succeed.
            let _ = fs::remove_file(name);
        }
        NothingBegins(names)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// Writes `bytes` to `path` so that at no moment a half-written file stands there: to a temporary name in the same
/// folder first, then renamed over the target. Whatever stood there before stays until then, also when this fails.
///
/// Errors: of the file system. The temporary file is removed on the way out.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_file_with(path, |file| file.write_all(bytes))
}

/// [`write_file`] for what is written bit by bit.
///
/// Errors: of the file system, or of `write`.
pub fn write_file_with(path: &Path, mut write: impl FnMut(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write_through(path, &mut write, &Unfinished::default())
}

fn write_through(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    unfinished: &Unfinished,
) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "the path names no file"))?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (temporary, mut file) = create_beside(folder, &name.to_string_lossy(), unfinished)?;
    let written = write(&mut file).and_then(|()| file.flush());
    drop(file);
    let mut names = unfinished.lock();
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The first failure is the one worth telling.
        let _ = fs::remove_file(&temporary);
    }
    names.remove(&temporary);
    done
}

/// A new file in `folder` whose name nobody has.
fn create_beside(folder: &Path, name: &str, unfinished: &Unfinished) -> io::Result<(PathBuf, fs::File)> {
    let process = std::process::id();
    let mut last = None;
    for attempt in 0..100 {
        // Long names leave room for the rest.
        let start: String = name.chars().take(100).collect();
        let path = folder.join(format!(".{start}.{process}-{attempt}.tmp"));
        // Held over both, so that no file is there which is not known.
        let mut names = unfinished.lock();
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => {
                names.insert(path.clone());
                return Ok((path, file));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => last = Some(error),
            Err(error) => return Err(error),
        }
    }
    Err(last.unwrap_or_else(|| io::Error::other("no free temporary name")))
}
