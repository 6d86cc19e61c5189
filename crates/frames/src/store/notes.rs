//! Notes: small files by keys of whoever writes them, where several machines share a store.
//!
//! A note is never changed: whoever has something else to say uses another key. Losing one costs time, never a picture.

use crate::hash::PixelHash;
use crate::store::blob::{BlobKey, BlobKind};
use crate::store::disk::TEXT_MAX_BYTES;
use crate::store::error::StoreError;
use crate::store::open::{Place, Store};

fn key_of(hash: PixelHash) -> BlobKey {
    BlobKey { hash, kind: BlobKind::Note }
}

impl Store {
    /// Whether other machines can see notes: in a folder of its own or an object store.
    pub fn shares_notes(&self) -> bool {
        matches!(self.place, Place::Folder(_) | Place::Remote { .. })
    }

    /// Fetches notes; `take` gets those that are there.
    ///
    /// Errors: the disk, the network.
    pub fn notes(&self, keys: &[PixelHash], take: &mut dyn FnMut(PixelHash, Vec<u8>)) -> Result<(), StoreError> {
        let keys: Vec<BlobKey> = keys.iter().copied().map(key_of).collect();
        let mut found = |key: BlobKey, bytes: Option<Vec<u8>>| {
            if let Some(bytes) = bytes {
                take(key.hash, bytes);
            }
            Ok(())
        };
        match &self.place {
            Place::Folder(folder) => keys.iter().try_for_each(|key| found(*key, folder.read(*key, TEXT_MAX_BYTES)?)),
            Place::Remote { link, .. } => link.fetch(&keys, &mut found),
            Place::Git | Place::None => Ok(()),
        }
    }

    /// Writes notes that are not there yet; how many were.
    ///
    /// Errors: the disk, the network, or somebody else who writes for too long.
    pub fn add_notes(
        &self,
        keys: &[PixelHash],
        read: &mut dyn FnMut(PixelHash) -> Option<Vec<u8>>,
    ) -> Result<usize, StoreError> {
        let keys: Vec<BlobKey> = keys.iter().copied().map(key_of).collect();
        match &self.place {
            Place::Folder(folder) => {
                let new: Vec<BlobKey> = keys.into_iter().filter(|key| !folder.has(*key)).collect();
                if new.is_empty() {
                    return Ok(0);
                }
                let guard = folder.guard(self.options.wait)?;
                let mut count = 0;
                for key in new {
                    if let Some(bytes) = read(key.hash) {
                        folder.put(key, &bytes, &guard)?;
                        count += 1;
                    }
                }
                Ok(count)
            }
            Place::Remote { link, .. } => {
                let sizes = link.sizes(&keys)?;
                let new = keys.iter().zip(sizes).filter(|(_, size)| size.is_none());
                let with_bytes: Vec<(BlobKey, Vec<u8>)> =
                    new.filter_map(|(key, _)| Some((*key, read(key.hash)?))).collect();
                let new: Vec<BlobKey> = with_bytes.iter().map(|(key, _)| *key).collect();
                let mut bytes = with_bytes.into_iter().map(|(_, bytes)| bytes);
                let stored = link.store(&new, &mut |_| Ok(bytes.next().expect("as many as keys")))?;
                Ok(stored.0)
            }
            Place::Git | Place::None => Ok(0),
        }
    }
}
