//! Import of everything but glTF and FBX: meshes without materials of their own, pictures of every kind.

mod meshes;
mod pictures;
mod tangents;

use std::path::{Path, PathBuf};

use stillframe_asset::source::Diagnostic;

pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

pub fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    std::fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()))
}
