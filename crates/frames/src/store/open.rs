//! A store that is open: locks, pictures and lists of passes, each checked against the line that names it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use stillframe_base::bounded::refusal;
use stillframe_base::mistaken::utf16;

use crate::lock::{Lock, LockError, LockLine};
use crate::picture::Picture;
use crate::store::address::StoreAddress;
use crate::store::blob::{BlobKey, BlobKind};
use crate::store::check::{check_file, checked_inputs, checked_passes, checked_picture};
use crate::store::disk::{self, Guard};
use crate::store::error::StoreError;
use crate::store::folder::Folder;
use crate::store::journal::{self, Recovery};
use crate::store::link::Link;
use crate::store::name::{family_fault, in_family, stem};

/// Name of the file of lock lines in a family's folder.
pub const LOCK_FILE: &str = "frames.lock";
/// Folders in folders that are looked at: families are one or two deep.
const FAMILY_DEPTH_MAX: usize = 8;

/// How a store is used.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// A larger file of a picture is not accepted; one that is there is a finding.
    pub reference_bytes_max: Option<u64>,
    /// How long another program that changes the store is waited for.
    pub wait: Duration,
    /// For addresses of object stores.
    pub remote: Option<Remote>,
}

impl Default for StoreOptions {
    fn default() -> StoreOptions {
        StoreOptions { reference_bytes_max: None, wait: Duration::from_secs(10), remote: None }
    }
}

/// How an object store is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remote {
    /// The program `stillframe-remote`.
    pub program: PathBuf,
    /// Folder of what was fetched, and of what waits to be pushed.
    pub cache: PathBuf,
}

/// References of all families: a folder of locks, and pictures where the address says.
#[derive(Debug)]
pub struct Store {
    pub(super) references: PathBuf,
    pub(super) address: StoreAddress,
    pub(super) place: Place,
    pub(super) options: StoreOptions,
    recovery: Option<Recovery>,
}

/// Where pictures are.
#[derive(Debug)]
pub(super) enum Place {
    Git,
    Folder(Folder),
    /// An object store, and what was fetched from it or waits to be pushed.
    Remote {
        cache: Folder,
        link: Link,
    },
    None,
}

impl Store {
    /// Opens the store of the folder of references. The folder need not be there: it then holds nothing.
    ///
    /// A change that was interrupted is finished, or undone where it was not recorded: [`Store::recovery`] tells.
    pub fn open(references: &Path, address: StoreAddress, options: StoreOptions) -> Result<Store, StoreError> {
        let place = match &address {
            StoreAddress::Git => Place::Git,
            StoreAddress::Folder(path) => Place::Folder(Folder::new(path)),
            StoreAddress::None => Place::None,
            StoreAddress::Remote(address) => {
                let message = "it was not named".to_string();
                let remote = options.remote.as_ref();
                let remote = remote.ok_or_else(|| StoreError::NoProgram { address: address.clone(), message })?;
                Place::Remote { cache: Folder::new(&remote.cache), link: Link::new(&remote.program, address) }
            }
        };
        let recovery = journal::recover(references, options.wait)?;
        Ok(Store { references: references.to_path_buf(), address, place, options, recovery })
    }

    pub fn address(&self) -> &StoreAddress {
        &self.address
    }

    /// The folder of references.
    pub fn references(&self) -> &Path {
        &self.references
    }

    /// What an interrupted change had left when the store was opened.
    pub fn recovery(&self) -> Option<&Recovery> {
        self.recovery.as_ref()
    }

    /// Path of a family's lock file, whether it is there or not.
    pub fn lock_path(&self, family: &str) -> PathBuf {
        disk::join(&self.references, family).join(LOCK_FILE)
    }

    /// What the cases of a family must look like. No file: no cases.
    ///
    /// Errors: conflict markers and lines that are none, with file and line.
    pub fn lock(&self, family: &str) -> Result<Lock, StoreError> {
        check_family(family)?;
        match self.lock_text(family)? {
            Some(text) => {
                let path = self.lock_path(family);
                Lock::parse(&text).map_err(|errors| StoreError::Lock { path, errors })
            }
            None => Ok(Lock::default()),
        }
    }

    /// The text of a family's lock file, if there is one.
    pub fn lock_text(&self, family: &str) -> Result<Option<String>, StoreError> {
        check_family(family)?;
        let path = self.lock_path(family);
        let Some(bytes) = disk::read(&path, disk::TEXT_MAX_BYTES)? else { return Ok(None) };
        if utf16(&bytes).is_some() {
            let message = "UTF-16 text; save it as UTF-8".into();
            return Err(StoreError::Lock { path, errors: vec![LockError { line_number: 1, message }] });
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line_number = 1 + valid.iter().filter(|byte| **byte == b'\n').count();
            StoreError::Lock { path, errors: vec![LockError { line_number, message: "not UTF-8".into() }] }
        })?;
        Ok(Some(text))
    }

    /// Names of the families that have a lock file, sorted.
    pub fn families(&self) -> Result<Vec<String>, StoreError> {
        let mut out = Vec::new();
        for folder in std::iter::once(String::new()).chain(self.folders()?) {
            if disk::is_there(&disk::join(&self.references, &folder).join(LOCK_FILE))? {
                check_family(&folder)?;
                out.push(folder);
            }
        }
        out.sort();
        Ok(out)
    }

    /// All folders under that of references, by their paths in it, sorted. Hidden ones and links are left out.
    pub(super) fn folders(&self) -> Result<Vec<String>, StoreError> {
        let mut out = Vec::new();
        let mut open = vec![String::new()];
        while let Some(folder) = open.pop() {
            for entry in disk::list(&disk::join(&self.references, &folder))? {
                let name = entry.file_name().to_string_lossy().into_owned();
                let is_folder = entry.file_type().map_err(StoreError::read(&entry.path()))?.is_dir();
                if is_folder && !name.starts_with('.') {
                    let below = in_family(&folder, &name);
                    if below.split('/').count() < FAMILY_DEPTH_MAX {
                        open.push(below.clone());
                    }
                    out.push(below);
                }
            }
        }
        out.sort();
        Ok(out)
    }

    /// The picture that a line names; none where the store has no such file. From an object store it is fetched once.
    ///
    /// Errors: a file that cannot be read, and one that is another picture.
    pub fn picture(&self, family: &str, line: &LockLine) -> Result<Option<Picture>, StoreError> {
        let key = BlobKey::of_picture(line);
        let Some((bytes, place)) = self.file(family, line, key)? else { return Ok(None) };
        checked_picture(family, line, &bytes, place).map(Some)
    }

    /// The list of passes that a line names; none where it names none, or the store has no such file.
    ///
    /// Errors: a file that cannot be read, and one that is another list.
    pub fn passes(&self, family: &str, line: &LockLine) -> Result<Option<String>, StoreError> {
        let Some(key) = BlobKey::of_passes(line) else { return Ok(None) };
        let Some((bytes, place)) = self.file(family, line, key)? else { return Ok(None) };
        checked_passes(family, line, bytes, place).map(Some)
    }

    /// The list of inputs that a line names; none where it names none, or the store has no such file.
    ///
    /// Errors: a file that cannot be read, and one that is another list.
    pub fn inputs(&self, family: &str, line: &LockLine) -> Result<Option<String>, StoreError> {
        let Some(key) = BlobKey::of_inputs(line) else { return Ok(None) };
        let Some((bytes, place)) = self.file(family, line, key)? else { return Ok(None) };
        checked_inputs(family, line, bytes, place).map(Some)
    }

    /// Where the picture of a line is kept as a file, if it is kept as one, whether it is there or not.
    pub fn picture_path(&self, family: &str, line: &LockLine) -> Option<PathBuf> {
        self.path_of(family, &line.name, BlobKey::of_picture(line))
    }

    pub(super) fn path_of(&self, family: &str, name: &str, key: BlobKey) -> Option<PathBuf> {
        match &self.place {
            Place::Git => Some(disk::join(&self.references, &git_path(family, name, key.kind))),
            Place::Folder(folder) | Place::Remote { cache: folder, .. } => Some(folder.path_of(key)),
            Place::None => None,
        }
    }

    /// The folder of files by content, if there is one.
    pub(super) fn by_content(&self) -> Option<&Folder> {
        match &self.place {
            Place::Folder(folder) | Place::Remote { cache: folder, .. } => Some(folder),
            Place::Git | Place::None => None,
        }
    }

    /// The bytes of a file of a case, not looked into, and what to call the file. One that comes over the network is
    /// looked into, and kept.
    pub(super) fn file(
        &self,
        family: &str,
        line: &LockLine,
        key: BlobKey,
    ) -> Result<Option<(Vec<u8>, String)>, StoreError> {
        let Place::Remote { cache, link } = &self.place else { return self.local_file(family, line, key) };
        // What was cut short here is fetched again.
        if self.has_sound(family, line, key)? {
            return self.local_file(family, line, key);
        }
        let mut fetched = None;
        link.fetch(&[key], &mut |_, bytes| {
            fetched = bytes;
            Ok(())
        })?;
        let Some(bytes) = fetched else { return Ok(None) };
        let place = link.place_of(key);
        check_file(family, line, key, &bytes, place.clone())?;
        // A folder that cannot be written costs another fetch, and nothing else.
        let _ = cache.guard(self.options.wait).and_then(|guard| cache.put(key, &bytes, &guard));
        Ok(Some((bytes, place)))
    }

    /// The bytes of a file that is on this machine, not looked into, and what to call the file.
    pub(super) fn local_file(
        &self,
        family: &str,
        line: &LockLine,
        key: BlobKey,
    ) -> Result<Option<(Vec<u8>, String)>, StoreError> {
        check_family(family)?;
        let Some(path) = self.path_of(family, &line.name, key) else { return Ok(None) };
        let place = path.display().to_string();
        match disk::read(&path, key.max_bytes(line)) {
            Ok(bytes) => Ok(bytes.map(|bytes| (bytes, place))),
            Err(StoreError::Read { source, .. }) if refusal(&source).is_some() => {
                let case = in_family(family, &line.name);
                Err(StoreError::Unreadable { case, place, message: source.to_string() })
            }
            Err(error) => Err(error),
        }
    }

    /// Nobody else changes the references while this lives; where nothing can be written nobody can anyway.
    pub(super) fn read_guard(&self) -> Result<Option<Guard>, StoreError> {
        if !disk::is_there(&self.references)? {
            return Ok(None);
        }
        match Guard::take(&self.references, self.options.wait) {
            Ok(guard) => Ok(Some(guard)),
            Err(error) if disk::is_read_only(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Path of a case's file under the folder of references, where files stand beside their lock.
pub(super) fn git_path(family: &str, name: &str, kind: BlobKind) -> String {
    in_family(family, &format!("{}.{}", stem(name), kind.extension()))
}

pub(super) fn check_family(family: &str) -> Result<(), StoreError> {
    match family_fault(family) {
        Some(fault) => Err(StoreError::Family { name: family.to_string(), fault }),
        None => Ok(()),
    }
}
