//! Between an object store and the folder that holds what was fetched from it.

use std::collections::BTreeMap;

use crate::lock::LockLine;
use crate::store::blob::BlobKey;
use crate::store::check::check_file;
use crate::store::error::StoreError;
use crate::store::name::in_family;
use crate::store::open::{Place, Store};

/// What was moved between here and an object store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Files that were moved, and their bytes.
    pub files: usize,
    pub bytes: u64,
    /// Files that were known on the other side already.
    pub known: usize,
    /// Cases whose file is on neither side.
    pub missing: Vec<String>,
}

impl Store {
    /// Uploads what lock lines name and the object store does not have. A second time moves nothing.
    ///
    /// Errors: a file here that is not what its lock line says (none is uploaded after it), another back end, the
    ///         network.
    pub fn push(&self) -> Result<Moved, StoreError> {
        let Place::Remote { cache, link } = &self.place else { return Err(self.not_remote()) };
        let named = self.named()?;
        let keys: Vec<BlobKey> = named.keys().copied().collect();
        let mut moved = Moved::default();
        let mut new = Vec::new();
        for (key, size) in keys.iter().zip(link.sizes(&keys)?) {
            match (size, cache.has(*key)) {
                (Some(_), _) => moved.known += 1,
                (None, true) => new.push(*key),
                (None, false) => moved.missing.push(named[key].name()),
            }
        }
        (moved.files, moved.bytes) = link.store(&new, &mut |key| {
            let bytes = cache
                .read(key, key.max_bytes(&named[&key].line))?
                .ok_or_else(|| StoreError::NoPicture { case: named[&key].name() })?;
            named[&key].check(key, &bytes, cache.path_of(key).display().to_string())?;
            Ok(bytes)
        })?;
        // Somebody else was faster.
        moved.known += new.len() - moved.files;
        Ok(moved)
    }

    /// Fetches what lock lines name and is not here. A second time moves nothing.
    ///
    /// Errors: a file in the object store that is not what its lock line says, another back end, the network, the disk.
    pub fn pull(&self) -> Result<Moved, StoreError> {
        let Place::Remote { cache, link } = &self.place else { return Err(self.not_remote()) };
        let named = self.named()?;
        let (mut known, mut new) = (Vec::new(), Vec::new());
        for (key, Named { family, line }) in &named {
            // One that was cut short here is fetched again.
            if self.has_sound(family, line, *key)? { known.push(*key) } else { new.push(*key) }
        }
        let mut moved = Moved { known: known.len(), ..Moved::default() };
        if new.is_empty() {
            return Ok(moved);
        }
        let guard = cache.guard(self.options.wait)?;
        link.fetch(&new, &mut |key, bytes| {
            let Some(bytes) = bytes else {
                moved.missing.push(named[&key].name());
                return Ok(());
            };
            named[&key].check(key, &bytes, link.place_of(key))?;
            cache.put(key, &bytes, &guard)?;
            moved.files += 1;
            moved.bytes += bytes.len() as u64;
            Ok(())
        })?;
        Ok(moved)
    }

    /// Every file that a lock line names, with the first case that does.
    pub(super) fn named(&self) -> Result<BTreeMap<BlobKey, Named>, StoreError> {
        let mut out = BTreeMap::new();
        for family in self.families()? {
            for line in self.lock(&family)?.lines() {
                for key in self.keys_of(line) {
                    out.entry(key).or_insert_with(|| Named { family: family.clone(), line: line.clone() });
                }
            }
        }
        Ok(out)
    }

    fn not_remote(&self) -> StoreError {
        StoreError::NotRemote { address: self.address.to_string() }
    }
}

/// Who names a file.
pub(super) struct Named {
    pub family: String,
    pub line: LockLine,
}

impl Named {
    pub fn name(&self) -> String {
        in_family(&self.family, &self.line.name)
    }

    /// Whether the bytes are what the line says.
    pub fn check(&self, key: BlobKey, bytes: &[u8], place: String) -> Result<(), StoreError> {
        check_file(&self.family, &self.line, key, bytes, place)
    }
}
