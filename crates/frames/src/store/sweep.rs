//! Removing what no lock line names, and bringing all pictures out under names that people read.

use std::fs;
use std::path::Path;

use crate::hash::PixelHash;
use crate::store::blob::BlobKey;
use crate::store::check::{checked_inputs, checked_passes, checked_picture};
use crate::store::disk::{self, Guard};
use crate::store::error::StoreError;
use crate::store::journal;
use crate::store::name::in_family;
use crate::store::open::{Place, Store, git_path};
use crate::store::verify::{DeadFile, Site};
use crate::write::write_file;

/// How [`Store::sweep`] removes dead files.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// Lists them and removes none.
    pub is_dry_run: bool,
    /// Pictures and lists of passes that other branches' locks name. A folder that branches share keeps them.
    pub keep: Vec<PixelHash>,
    /// Looks at the object store too, and not only at what is on this machine. Everybody shares it: name all that is to
    /// be kept.
    pub is_remote_swept: bool,
}

/// What [`Store::export`] wrote.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    pub files: usize,
    /// Cases whose picture the store does not have.
    pub missing: Vec<String>,
}

impl Store {
    /// Removes files that no lock line names, and what interrupted writes left; returns them.
    ///
    /// Errors: a lock that cannot be read (its pictures would seem dead), files beside lock lines that this store does
    /// not have yet, and those of removing.
    pub fn sweep(&self, sweep: &Sweep) -> Result<Vec<DeadFile>, StoreError> {
        let is_here = disk::is_there(&self.references)?;
        let guard = match (sweep.is_dry_run, is_here) {
            (true, _) => self.read_guard()?,
            (false, true) => Some(Guard::take(&self.references, self.options.wait)?),
            (false, false) => None,
        };
        if let (Some(guard), false) = (&guard, sweep.is_dry_run) {
            journal::recover_held(&self.references, guard)?;
        }
        for family in self.families()? {
            self.lock(&family)?;
        }
        let only = self.only_beside_lines()?;
        if let Some(first) = only.first() {
            let (address, count) = (self.address.to_string(), only.len());
            return Err(StoreError::OnlyCopy { address, count, first: first.clone() });
        }
        let mut dead = self.dead_files(&sweep.keep)?;
        if sweep.is_remote_swept {
            dead.extend(self.dead_away(&sweep.keep)?);
        }
        if sweep.is_dry_run || dead.is_empty() {
            return Ok(dead);
        }
        let is_any_by_content = dead.iter().any(|file| matches!(file.site, Site::ByContent(_)));
        let folder = match self.by_content().filter(|_| is_any_by_content) {
            Some(folder) => Some((folder, folder.guard(self.options.wait)?)),
            None => None,
        };
        let mut away = Vec::new();
        for file in &dead {
            match (&file.site, &folder) {
                (Site::Away(key), _) => away.push(*key),
                (Site::ByContent(key), Some((folder, guard))) => folder.remove(*key, guard)?,
                (Site::ByContent(_), None) => unreachable!("it was found in that folder"),
                (Site::Path(path), _) => {
                    disk::remove(path).map_err(StoreError::write(path))?;
                    if let Some(parent) = path.parent() {
                        // Not empty is as it should be.
                        let _ = fs::remove_dir(parent);
                    }
                }
            }
        }
        if let Place::Remote { link, .. } = &self.place {
            link.delete(&away)?;
        }
        Ok(dead)
    }

    /// Writes every picture and list to `FOLDER/<family>/<case>.png`, `.exr`, `.passes` or `.inputs`; each is checked.
    ///
    /// Errors: files that are not what their lock line says, those of reading and writing.
    pub fn export(&self, to: &Path) -> Result<Exported, StoreError> {
        let mut exported = Exported::default();
        for family in self.families()? {
            let folder = disk::join(to, &family);
            for line in self.lock(&family)?.lines() {
                let picture_key = BlobKey::of_picture(line);
                let Some((bytes, place)) = self.file(&family, line, picture_key)? else {
                    exported.missing.push(in_family(&family, &line.name));
                    continue;
                };
                checked_picture(&family, line, &bytes, place)?;
                let mut files = vec![(picture_key, bytes)];
                if let Some(key) = BlobKey::of_passes(line)
                    && let Some((bytes, place)) = self.file(&family, line, key)?
                {
                    files.push((key, checked_passes(&family, line, bytes, place)?.into_bytes()));
                }
                if let Some(key) = BlobKey::of_inputs(line)
                    && let Some((bytes, place)) = self.file(&family, line, key)?
                {
                    files.push((key, checked_inputs(&family, line, bytes, place)?.into_bytes()));
                }
                fs::create_dir_all(&folder).map_err(StoreError::write(&folder))?;
                for (key, bytes) in files {
                    let path = disk::join(to, &git_path(&family, &line.name, key.kind));
                    write_file(&path, &bytes).map_err(StoreError::write(&path))?;
                    exported.files += 1;
                }
            }
        }
        Ok(exported)
    }
}
