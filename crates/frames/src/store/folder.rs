//! A folder of files by content: what `dir:` names, and what has been fetched from an object store.
//!
//! `ab/cdef....png`, named by the hash of the pixels. A file is written to `.store/new/` and renamed to its place when
//! the disk has it, so that what stands there is whole. A file that no lock names does no harm: other branches may name
//! it.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use crate::store::blob::BlobKey;
use crate::store::disk::{self, CONTROL, Guard};
use crate::store::error::StoreError;

const NEW: &str = "new";

/// A folder of files by content.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

/// A file of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stored {
    pub key: BlobKey,
    pub bytes: u64,
}

impl Folder {
    pub fn new(path: &Path) -> Folder {
        Folder { path: path.to_path_buf() }
    }

    pub fn path_of(&self, key: BlobKey) -> PathBuf {
        disk::join(&self.path, &key.path())
    }

    /// Nobody else writes or removes while the guard lives.
    pub fn guard(&self, wait: Duration) -> Result<Guard, StoreError> {
        Guard::take(&self.path, wait)
    }

    pub fn has(&self, key: BlobKey) -> bool {
        self.path_of(key).is_file()
    }

    pub fn read(&self, key: BlobKey, max_bytes: u64) -> Result<Option<Vec<u8>>, StoreError> {
        disk::read(&self.path_of(key), max_bytes)
    }

    /// Writes a file, whatever stands there.
    pub fn put(&self, key: BlobKey, bytes: &[u8], _guard: &Guard) -> Result<(), StoreError> {
        let new = self.path.join(CONTROL).join(NEW);
        fs::create_dir_all(&new).map_err(StoreError::write(&new))?;
        let (from, target) = (new.join(key.path().replace('/', "")), self.path_of(key));
        let folder = target.parent().expect("a key has two parts").to_path_buf();
        let written = disk::write_new(&from, bytes)
            .and_then(|()| fs::create_dir_all(&folder).map_err(StoreError::write(&folder)))
            .and_then(|()| fs::rename(&from, &target).map_err(StoreError::write(&target)));
        if written.is_err() {
            // The first failure is the one worth telling.
            let _ = fs::remove_file(&from);
            return written;
        }
        disk::sync_folder(&folder).map_err(StoreError::write(&folder))?;
        disk::sync_folder(&self.path).map_err(StoreError::write(&self.path))
    }

    /// Removes a file; the folder it stood in goes with the last one.
    pub fn remove(&self, key: BlobKey, _guard: &Guard) -> Result<(), StoreError> {
        let path = self.path_of(key);
        disk::remove(&path).map_err(StoreError::write(&path))?;
        if let Some(folder) = path.parent() {
            // Not empty is as it should be.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// All files, in order of keys. What is no file of ours is left out.
    pub fn list(&self) -> Result<Vec<Stored>, StoreError> {
        let mut out = Vec::new();
        for start in disk::list(&self.path)? {
            let start_name = start.file_name().to_string_lossy().into_owned();
            if start_name.len() != 2 {
                continue;
            }
            match fs::metadata(start.path()) {
                Ok(known) if known.is_dir() => {}
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(StoreError::read(&start.path())(error));
                }
                _ => continue,
            }
            for entry in disk::list(&start.path())? {
                let path = format!("{start_name}/{}", entry.file_name().to_string_lossy());
                if let Some(key) = BlobKey::parse(&path) {
                    let known = entry.metadata().map_err(StoreError::read(&entry.path()))?;
                    out.push(Stored { key, bytes: known.len() });
                }
            }
        }
        out.sort();
        Ok(out)
    }

    /// Files of writes that were interrupted. True only while the guard is held: otherwise they may be under way.
    pub fn leftovers(&self) -> Result<Vec<PathBuf>, StoreError> {
        let new = self.path.join(CONTROL).join(NEW);
        Ok(disk::list(&new)?.into_iter().map(|entry| entry.path()).collect())
    }
}
