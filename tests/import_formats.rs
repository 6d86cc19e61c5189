//! Import of everything but glTF and FBX: meshes without materials of their own, pictures of every kind.

#[path = "import/laws.rs"]
#[allow(dead_code)]
mod laws;
#[path = "import_formats/meshes.rs"]
mod meshes;
#[path = "import_formats/pictures.rs"]
mod pictures;
#[path = "import_formats/tangents.rs"]
mod tangents;

use std::path::{Path, PathBuf};

use stillframe::source::Diagnostic;

pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

pub fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    std::fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()))
}
