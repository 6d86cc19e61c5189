//! Cache: models as they are after import and baking, and what others keep (`bytes.rs`), in files of the user's cache
//! folder.
//!
//! In: a model's file and a way to read the files it names. Out: a [`Ready`] model, the same to the last bit whether it
//! comes from the folder or not. Never here: scenes, wgpu, which folder it is (the command line says so).
//!
//! An entry's name is the hash of the model file's bytes; the entry lists what other files were read for it, with their
//! hashes, and counts only where all of them still read the same. Every byte is behind a checksum: an entry that is
//! cut, changed, written by another build or with other widths of strokes is none, and is written anew. A folder that
//! cannot be written to, or has no room, is as good as none.

mod bytes;
mod entry;
mod lists;
mod ready;

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use stillframe_base::hash::Digest;
use stillframe_base::par::Pool;
use stillframe_frames::write_file_with;

pub use self::ready::Ready;
use crate::import;
use crate::source::{Diagnostic, content_hash};

/// A folder of ready models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cache {
    folder: PathBuf,
    max_bytes: u64,
}

/// A cache, and what looking into it takes.
pub struct Access<'a> {
    pub cache: &'a Cache,
    /// [`content_hash`] of a file, wherever its bytes can be read.
    pub content_hash: &'a dyn Fn(&Path) -> Result<Digest, Diagnostic>,
    /// No model depends on it.
    pub pool: &'a Pool,
}

/// A file that was asked for: its name seen from the model's folder, and the hash of its bytes where it could be read.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Asked {
    name: String,
    hash: Option<[u8; 32]>,
}

impl Cache {
    /// Models that are read from less than this are quicker made than found.
    pub const WORTH_BYTES: usize = 1 << 16;
    /// The folder is kept below this, unless [`Cache::with_limit`] says otherwise: the oldest entries go.
    pub const MAX_BYTES: u64 = 4 << 30;

    /// Entries in `folder`, which is made when the first one is written.
    pub fn new(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into(), max_bytes: Cache::MAX_BYTES }
    }

    /// The same with another limit on the size of all entries.
    pub fn with_limit(self, max_bytes: u64) -> Cache {
        Cache { max_bytes, ..self }
    }

    fn path(&self, file: &Path, hash: Digest, wishes: import::Wishes) -> PathBuf {
        self.folder.join(entry::name(file, hash, wishes))
    }

    /// Nobody is told where this fails: the next start is as long as this one, and nothing else.
    fn write(&self, path: &Path, ready: &mut Ready, file: &Path, asked: Vec<Asked>) {
        let Some(entry) = entry::Entry::of(ready, file, asked) else { return };
        if entry.size_bytes() <= self.max_bytes / 2 && fs::create_dir_all(&self.folder).is_ok() {
            let _ = write_file_with(path, |out| entry.write(ready, out));
            self.make_room();
        }
    }

    /// Removes the oldest entries until the rest is below the limit.
    fn make_room(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        let mut files: Vec<_> = entries
            .flatten()
            .filter_map(|entry| {
                let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((metadata.modified().ok()?, entry.path(), metadata.len()))
            })
            .collect();
        files.sort();
        let mut total: u64 = files.iter().map(|(_, _, size)| size).sum();
        for (_, path, size) in files {
            if total <= self.max_bytes {
                break;
            }
            // Another process may have been quicker.
            let _ = fs::remove_file(path);
            total -= size;
        }
    }
}

impl Access<'_> {
    /// The model in `file`, and whether it was found in the folder. One that was not is imported, baked and written
    /// there.
    ///
    /// Errors: those of [`import::model`].
    pub fn model(
        &self,
        file: &Path,
        read: &import::Read<'_>,
        wishes: import::Wishes,
    ) -> Result<(Ready, bool), Vec<Diagnostic>> {
        let hash = (self.content_hash)(file).map_err(|diagnostic| vec![diagnostic])?;
        let found = entry::read(&self.cache.path(file, hash, wishes), file, self);
        let is_as_wide =
            |ready: &Ready| ready.model.stroke_width_ratio.is_none_or(|r| r == wishes.stroke_width_ratio());
        if let Some(ready) = found.filter(is_as_wide) {
            return Ok((ready, true));
        }
        let bytes = read(file).map_err(|diagnostic| vec![diagnostic])?;
        // Of the very bytes that become the model: the file may have changed since.
        let hash = content_hash(&bytes);
        let asked: RefCell<Vec<(PathBuf, Option<[u8; 32]>)>> = RefCell::default();
        let read_bytes = RefCell::new(bytes.len());
        let noting = |path: &Path| {
            let found = read(path);
            let hash = found.as_ref().ok().map(|bytes| content_hash(bytes).0);
            asked.borrow_mut().push((path.to_path_buf(), hash));
            *read_bytes.borrow_mut() += found.as_ref().map_or(0, Vec::len);
            found
        };
        let model = import::model_of(file, &bytes, &noting, wishes)?;
        drop(bytes);
        if read_bytes.into_inner() < Cache::WORTH_BYTES {
            return Ok((Ready::raw(model), false));
        }
        let mut ready = Ready::baked(model);
        if let Some(asked) = seen_from(file, &asked.into_inner()) {
            self.cache.write(&self.cache.path(file, hash, wishes), &mut ready, file, asked);
        }
        Ok((ready, false))
    }
}

/// Names seen from the folder of `file`; `None` where one lies elsewhere.
fn seen_from(file: &Path, asked: &[(PathBuf, Option<[u8; 32]>)]) -> Option<Vec<Asked>> {
    let folder = file.parent()?;
    let name = |path: &Path| Some(path.strip_prefix(folder).ok()?.to_str()?.to_string());
    asked.iter().map(|(path, hash)| Some(Asked { name: name(path)?, hash: *hash })).collect()
}
