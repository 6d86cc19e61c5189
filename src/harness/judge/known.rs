//! Known: what earlier runs found out, by everything that went in.
//!
//! An entry is found by the hash of the scene as it is resolved, the settings and the build; it lists every file that
//! was read then, with its hash, and every one that was looked for in vain. Only where all of them are still so does it
//! count. It holds identities, no verdicts: references may change, and a picture that is not the reference's is
//! rendered again, so that it can be seen. A file that cannot be read, or that is cut off, is as good as none.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use stillframe_base::bounded;
use stillframe_frames::{PixelHash, write_file};

use super::super::case::Piece;
use super::setup::Setup;
use super::times_s_of;
use crate::scene::Scene;
use crate::source::Vfs;

/// Bytes that an entry may have.
const ENTRY_MAX_BYTES: u64 = 64 << 20;

/// What went in, and what came out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Read then: path from the project's folder, hash of the content; none where there was no such file.
    pub files: Vec<(String, Option<String>)>,
    pub results: Vec<Outcome>,
    /// Whether anything of it was warned about, beyond the scene's text.
    pub warned: bool,
}

/// One picture of a piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    pub name: String,
    pub pixels: PixelHash,
    pub size_px: [u32; 2],
    pub format: String,
    pub adapter: String,
    pub passes_root: Option<PixelHash>,
    pub pass_count: u32,
    pub scene_hash: Option<PixelHash>,
}

/// What goes into a piece, but for the files that it reads.
pub fn key(setup: &Setup, scene: &Scene, names: &[String], times_s: &[f64]) -> PixelHash {
    let plain = Scene { test: None, ..scene.clone() };
    let root = plain.root.display().to_string();
    let text = format!(
        "known/1\0{}\0{:?}\0{:?}\0{names:?}\0{times_s:?}\0{}",
        setup.build,
        setup.rendering.native,
        setup.rendering.look,
        // Names of files are told from the root; where it lies plays no part.
        plain.print().replace(&root, "")
    );
    PixelHash::of_text(&text)
}

fn file_of(folder: &Path, key: PixelHash) -> PathBuf {
    let hex = key.hex();
    folder.join(&hex[..2]).join(format!("{}.json", &hex[2..]))
}

/// The entry, if everything that it was made from is still the same.
pub fn look_up(folder: &Path, key: PixelHash, root: &Path) -> Option<Entry> {
    let entry = read(folder, key)?;
    let same =
        |(path, hash): &(String, Option<String>)| match (bounded::read(&root.join(path), Vfs::FILE_MAX_BYTES), hash) {
            (Ok(bytes), Some(hash)) => blake3::hash(&bytes).to_hex().as_str() == hash,
            // One that cannot be read is not one that is not there.
            (Err(error), None) => error.kind() == ErrorKind::NotFound,
            _ => false,
        };
    entry.files.iter().all(same).then_some(entry)
}

/// The entry as it was written, whatever became of its files.
pub fn read(folder: &Path, key: PixelHash) -> Option<Entry> {
    serde_json::from_slice(&bytes(folder, key)?).ok()
}

/// The key of a piece; `None`: its scene cannot be read.
pub fn key_of(setup: &Setup, piece: &Piece) -> Option<PixelHash> {
    let mut scene = crate::scene::read(&setup.root.join(&piece.scene), &piece.edits).ok()?.scene;
    let test = scene.test.take().unwrap_or_default();
    Some(key(setup, &scene, &names(piece), &times_s_of(&scene, &test)))
}

/// Of its cases.
pub(super) fn names(piece: &Piece) -> Vec<String> {
    piece.cases.iter().map(|case| case.name.clone()).collect()
}

/// An entry's bytes, for another machine; `None`: there is none.
pub fn bytes(folder: &Path, key: PixelHash) -> Option<Vec<u8>> {
    bounded::read(&file_of(folder, key), ENTRY_MAX_BYTES).ok()
}

/// Keeps what another machine knows. What is no entry is left out.
pub fn keep_bytes(folder: &Path, key: PixelHash, bytes: &[u8]) {
    if let Ok(entry) = serde_json::from_slice(bytes) {
        keep(folder, key, &entry);
    }
}

/// Keeps an entry. That it cannot be kept costs time only.
pub fn keep(folder: &Path, key: PixelHash, entry: &Entry) {
    let file = file_of(folder, key);
    let Ok(text) = serde_json::to_vec(entry) else { return };
    if let Some(parent) = file.parent()
        && fs::create_dir_all(parent).is_ok()
    {
        let _ = write_file(&file, &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_counts_while_nothing_changed() {
        let root = std::env::temp_dir().join(format!("stillframe-known-{}", std::process::id()));
        fs::create_dir_all(&root).unwrap();
        fs::write(root.join("a.png"), b"one").unwrap();
        let hash = |bytes: &[u8]| Some(blake3::hash(bytes).to_hex().to_string());
        let key = PixelHash::of_text("key");
        let files = vec![("a.png".into(), hash(b"one")), ("b.png".into(), None)];
        let entry = Entry { files, ..Entry::default() };
        assert_eq!(look_up(&root, key, &root), None);
        keep(&root, key, &entry);
        assert_eq!(look_up(&root, key, &root), Some(entry.clone()));
        fs::write(root.join("b.png"), b"now there").unwrap();
        assert_eq!(look_up(&root, key, &root), None, "a file that was missed is there");
        fs::remove_file(root.join("b.png")).unwrap();
        fs::write(root.join("a.png"), b"two").unwrap();
        assert_eq!(look_up(&root, key, &root), None, "a file changed");
        fs::write(root.join("a.png"), b"one").unwrap();
        fs::write(file_of(&root, key), b"{\"files\":[").unwrap();
        assert_eq!(look_up(&root, key, &root), None, "a broken entry");
        fs::remove_dir_all(&root).unwrap();
    }
}
