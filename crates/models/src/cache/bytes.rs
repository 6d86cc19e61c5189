//! Bytes: entries of the cache whose contents are nobody's business here, by names that their makers give.
//!
//! `MAGIC`, the length and its checksum (u64 each, little-endian), then the bytes.

use std::fs;
use std::path::PathBuf;

use stillframe_frames::write_file_with;
use xxhash_rust::xxh3::xxh3_64;

use super::Cache;

const MAGIC: &[u8; 8] = b"stillbyt";
const HEADER: usize = 24;

impl Cache {
    /// What was kept by this name; `None` where nothing was, or it is damaged.
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = fs::read(self.bytes_path(name)).ok()?;
        let (header, rest) = bytes.split_at_checked(HEADER)?;
        let word = |at: usize| header[at..at + 8].try_into().map(u64::from_le_bytes).ok();
        let is_whole = header[..8] == *MAGIC && word(8)? == rest.len() as u64 && word(16)? == xxh3_64(rest);
        if !is_whole {
            return None;
        }
        bytes.drain(..HEADER);
        Some(bytes)
    }

    /// Keeps bytes by a name, which says everything that they depend on. As models, nobody is told where this fails.
    pub fn keep(&self, name: &str, bytes: &[u8]) {
        if bytes.len() as u64 > self.max_bytes / 2 || fs::create_dir_all(&self.folder).is_err() {
            return;
        }
        let _ = write_file_with(&self.bytes_path(name), |out| {
            out.write_all(MAGIC)?;
            out.write_all(&(bytes.len() as u64).to_le_bytes())?;
            out.write_all(&xxh3_64(bytes).to_le_bytes())?;
            out.write_all(bytes)
        });
        self.make_room();
    }

    fn bytes_path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.bytes"))
    }
}
