//! Files and folders that are on the disk when a function says so, and the lock that one program at a time holds.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use stillframe_base::bounded;

use crate::store::error::StoreError;

/// Folder beside the files it is about: the lock and changes under way. Ignores itself in git.
pub const CONTROL: &str = ".store";
const LOCK: &str = "lock";
const PAUSE: Duration = Duration::from_millis(20);

/// Writes a file whole and waits until the disk has it. Not for a name at which a reader may look already.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let write = || {
        let mut file = File::create(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(StoreError::write(path))
}

/// Waits until the disk has the names in a folder.
pub fn sync_folder(path: &Path) -> io::Result<()> {
    // Elsewhere folders cannot be opened, and renames are on the disk with their file.
    if !cfg!(unix) {
        return Ok(());
    }
    match File::open(path)?.sync_all() {
        // Some network file systems know no such thing.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        done => done,
    }
}

/// Bytes that a lock file, a journal or a list of passes may have.
pub const TEXT_MAX_BYTES: u64 = 256 << 20;

/// The bytes of a file of at most `max_bytes`, if it is there.
pub fn read(path: &Path, max_bytes: u64) -> Result<Option<Vec<u8>>, StoreError> {
    match bounded::read(path, max_bytes) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::read(path)(error)),
    }
}

/// Whether something stands at a path. What cannot be seen is not what is not there.
pub fn is_there(path: &Path) -> Result<bool, StoreError> {
    match path.try_exists() {
        // A file in the place of a folder.
        Err(error) if error.kind() == ErrorKind::NotADirectory => Ok(false),
        known => known.map_err(StoreError::read(path)),
    }
}

/// What stands under a name, links not followed; none where nothing does.
pub fn known(path: &Path) -> Result<Option<fs::Metadata>, StoreError> {
    match fs::symlink_metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        known => known.map(Some).map_err(StoreError::read(path)),
    }
}

/// Removes a file that may be gone already.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// What is in a folder, in order of names; nothing if there is no such folder.
pub fn list(path: &Path) -> Result<Vec<fs::DirEntry>, StoreError> {
    let entries = match fs::read_dir(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(StoreError::read(path))?,
    };
    let mut entries = entries.collect::<Result<Vec<_>, _>>().map_err(StoreError::read(path))?;
    entries.sort_by_key(|entry| entry.file_name());
    Ok(entries)
}

/// Nobody else changes a folder while this is alive, as long as all ask for it. The system takes it from a program that
/// ends.
#[derive(Debug)]
pub struct Guard {
    #[expect(dead_code, reason = "held, not read")]
    file: File,
}

impl Guard {
    /// Takes the lock of `folder`, which is made if it is not there, and waits for others about as long as `wait`.
    ///
    /// Errors: busy for all that time; the folder cannot be made or written.
    pub fn take(folder: &Path, wait: Duration) -> Result<Guard, StoreError> {
        let control = folder.join(CONTROL);
        fs::create_dir_all(&control).map_err(StoreError::write(&control))?;
        let ignore = control.join(".gitignore");
        if bounded::read(&ignore, 2).ok().as_deref() != Some(b"*\n") {
            fs::write(&ignore, b"*\n").map_err(StoreError::write(&ignore))?;
        }
        let path = control.join(LOCK);
        // Never removed: who waits for a file that is gone would wait for another one than the next.
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
        let file = file.map_err(StoreError::write(&path))?;
        // Counted, since nothing here looks at a clock.
        let attempts = wait.as_millis() / PAUSE.as_millis();
        for attempt in 0..=attempts {
            match file.try_lock() {
                Ok(()) => return Ok(Guard { file }),
                Err(TryLockError::WouldBlock) if attempt < attempts => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => break,
                Err(TryLockError::Error(source)) => return Err(StoreError::Write { path, source }),
            }
        }
        Err(StoreError::Busy { path: folder.to_path_buf(), waited_ms: wait.as_millis() as u64 })
    }
}

/// Whether an error says that nothing can be written here at all.
pub fn is_read_only(error: &StoreError) -> bool {
    let kind = match error {
        StoreError::Write { source, .. } => source.kind(),
        _ => return false,
    };
    matches!(kind, ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied | ErrorKind::NotADirectory)
}

/// `relative` under `root`; it holds names with slashes between.
pub fn join(root: &Path, relative: &str) -> PathBuf {
    relative.split('/').filter(|part| !part.is_empty()).fold(root.to_path_buf(), |path, part| path.join(part))
}
