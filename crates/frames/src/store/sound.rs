//! Sound: whether the picture of a lock line is there, whole, and the one that the line names, as cheaply as can be
//! known for sure.
//!
//! A file's bytes are hashed every time, which costs little beside rendering. Its pixels are decoded only where this
//! file and this line have not been found to belong together before. Times and sizes of files prove nothing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::hash::PixelHash;
use crate::lock::LockLine;
use crate::store::blob::BlobKey;
use crate::store::check::checked_picture;
use crate::store::error::StoreError;
use crate::store::name::in_family;
use crate::store::open::{Place, Store};

/// Which files were found to hold which pictures: a folder of empty files, named after both. It may be deleted at any
/// time.
#[derive(Clone, Debug)]
pub struct Ledger {
    folder: PathBuf,
}

impl Ledger {
    pub fn new(folder: &Path) -> Ledger {
        Ledger { folder: folder.to_path_buf() }
    }

    fn path(&self, bytes: &[u8], line: &LockLine) -> PathBuf {
        let LockLine { width_px, height_px, format, pixels, .. } = line;
        let text = format!("sound/1 {} {width_px}x{height_px} {format} {pixels}", blake3::hash(bytes).to_hex());
        let hex = PixelHash::of_text(&text).hex();
        self.folder.join(&hex[..2]).join(&hex[2..])
    }

    /// That it cannot be kept costs time only.
    fn add(&self, path: &Path) {
        if let Some(folder) = path.parent()
            && fs::create_dir_all(folder).is_ok()
        {
            let _ = fs::File::create(path);
        }
    }
}

impl Store {
    /// Looks whether the picture that a line names is there, whole, and that picture. In an object store it may be
    /// elsewhere: only what was fetched from it is looked at.
    ///
    /// Errors: [`StoreError::Missing`], a file that cannot be read, one that is another picture.
    pub fn check_kept(&self, family: &str, line: &LockLine, ledger: Option<&Ledger>) -> Result<(), StoreError> {
        let key = BlobKey::of_picture(line);
        let Some((bytes, place)) = self.local_file(family, line, key)? else {
            return match (&self.place, self.path_of(family, &line.name, key)) {
                (Place::Git | Place::Folder(_), Some(path)) => {
                    let case = in_family(family, &line.name);
                    Err(StoreError::Missing { case, place: path.display().to_string() })
                }
                _ => Ok(()),
            };
        };
        let known = ledger.map(|ledger| (ledger, ledger.path(&bytes, line)));
        if known.as_ref().is_some_and(|(_, path)| path.exists()) {
            return Ok(());
        }
        checked_picture(family, line, &bytes, place)?;
        if let Some((ledger, path)) = known {
            ledger.add(&path);
        }
        Ok(())
    }
}
