//! Copying the pictures of references from one store to another.

use crate::lock::LockLine;
use crate::store::accept::{Change, Pixels};
use crate::store::blob::{BlobKey, BlobKind};
use crate::store::check::check_file;
use crate::store::disk;
use crate::store::error::StoreError;
use crate::store::name::in_family;
use crate::store::open::{Place, Store, git_path};
use crate::store::transfer::Moved;

/// Cases that are written at once: what a transaction holds in memory.
const CASES_AT_ONCE: usize = 64;

impl Store {
    /// Copies what lock lines name, this store does not have, and another one has. A second time copies nothing. For an
    /// object store the copies stay here until [`Store::push`].
    ///
    /// Errors: a file of the other store that is not what its lock line says, and those of [`Store::accept`].
    pub fn copy_from(&self, other: &Store) -> Result<Moved, StoreError> {
        let mut moved = Moved::default();
        for family in self.families()? {
            for lines in self.lock(&family)?.lines().chunks(CASES_AT_ONCE) {
                let mut changes = Vec::new();
                for line in lines {
                    let files = self.lacking(other, &family, line, &mut moved)?;
                    if files.is_empty() {
                        continue;
                    }
                    match self.by_content() {
                        Some(folder) => {
                            let guard = folder.guard(self.options.wait)?;
                            files.iter().try_for_each(|(key, bytes)| folder.put(*key, bytes, &guard))?;
                        }
                        None => changes.push(as_change(&family, line, files)),
                    }
                }
                self.accept(&changes)?;
            }
        }
        Ok(moved)
    }

    /// Files of a case that the other store has and this one has not.
    fn lacking(
        &self,
        other: &Store,
        family: &str,
        line: &LockLine,
        moved: &mut Moved,
    ) -> Result<Vec<(BlobKey, Vec<u8>)>, StoreError> {
        let mut out = Vec::new();
        for key in self.keys_of(line) {
            if self.has_sound(family, line, key)? {
                moved.known += 1;
                continue;
            }
            match other.file(family, line, key)? {
                Some((bytes, place)) => {
                    check_file(family, line, key, &bytes, place)?;
                    moved.files += 1;
                    moved.bytes += bytes.len() as u64;
                    out.push((key, bytes));
                }
                None => moved.missing.push(in_family(family, &line.name)),
            }
        }
        moved.missing.dedup();
        Ok(out)
    }

    /// Whether a file is here, and what its line says. One that is cut short or another picture is as good as none.
    pub(super) fn has_sound(&self, family: &str, line: &LockLine, key: BlobKey) -> Result<bool, StoreError> {
        match self.local_file(family, line, key) {
            Ok(Some((bytes, place))) => Ok(check_file(family, line, key, &bytes, place).is_ok()),
            Ok(None) | Err(StoreError::Unreadable { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Files beside lock lines, as the store `git` has them, that this store should have and has not; by their paths
    /// below the references, sorted. None where pictures are kept there, or nowhere.
    pub(super) fn only_beside_lines(&self) -> Result<Vec<String>, StoreError> {
        let mut out = Vec::new();
        if matches!(self.place, Place::Git | Place::None) {
            return Ok(out);
        }
        for family in self.families()? {
            for line in self.lock(&family)?.lines() {
                for key in self.keys_of(line) {
                    let path = git_path(&family, &line.name, key.kind);
                    let is_kept = match self.has_sound(&family, line, key)? {
                        false if matches!(self.place, Place::Remote { .. }) => {
                            let found = self.file(&family, line, key)?;
                            found.is_some_and(|(bytes, place)| check_file(&family, line, key, &bytes, place).is_ok())
                        }
                        sound => sound,
                    };
                    if is_kept {
                        continue;
                    }
                    let beside = disk::read(&disk::join(&self.references, &path), key.max_bytes(line));
                    let beside = beside.or_else(|error| if error.is_refusal() { Ok(None) } else { Err(error) })?;
                    // What is not the line's picture is no copy of it.
                    if beside.is_some_and(|bytes| check_file(&family, line, key, &bytes, path.clone()).is_ok()) {
                        out.push(path);
                    }
                }
            }
        }
        out.sort();
        Ok(out)
    }
}

fn as_change(family: &str, line: &LockLine, files: Vec<(BlobKey, Vec<u8>)>) -> Change {
    let (mut pixels, mut passes, mut inputs) = (Pixels::Kept, None, None);
    for (key, bytes) in files {
        match key.kind {
            // Checked before: lists are texts.
            BlobKind::Passes => passes = String::from_utf8(bytes).ok(),
            BlobKind::Inputs => inputs = String::from_utf8(bytes).ok(),
            _ => pixels = Pixels::Encoded(bytes),
        }
    }
    Change::Set { family: family.to_string(), line: line.clone(), pixels, passes, inputs }
}
