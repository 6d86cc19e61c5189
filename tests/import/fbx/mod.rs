//! FBX: what files written rule by rule become, what real files become, and that nothing in a file can break the
//! importer.

mod deform;
mod forms;
mod hostile;
mod layers;
mod materials;
mod old;
mod pictures;
mod placed;
mod programs;
mod reshape;

use std::path::{Path, PathBuf};

use stillframe_asset::source::Diagnostic;
use stillframe_models::import::{self, Model};

use stillframe_testkit::fbx::write::{File, Record, object, one};

pub fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets")
}

pub fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    std::fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()))
}

pub fn asset(name: &str) -> Model {
    import::model(&assets().join(name), &read).unwrap_or_else(|d| panic!("{name}: {d:#?}"))
}

/// Imports bytes as if they stood beside the assets.
pub fn import_bytes(bytes: &[u8]) -> Result<Model, Vec<Diagnostic>> {
    import::fbx(&assets().join("test.fbx"), bytes, &read)
}

pub fn imported(file: &File) -> Model {
    import_bytes(&file.bytes(7400, true)).unwrap_or_else(|d| panic!("{d:#?}"))
}

/// A square in the XY plane, corners counter-clockwise from the origin.
pub fn square(id: i64) -> Record {
    let points = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    object("Geometry", id, "square", "Mesh")
        .with([one("Vertices", points), one("PolygonVertexIndex", vec![0, 1, 2, -4])])
}

/// A file with one model, 10, that shows a mesh, 20.
pub fn showing(mesh: Record) -> File {
    let mut file = File::new();
    file.add(object("Model", 10, "node", "Mesh"));
    file.add(mesh);
    file.connect(10, 0);
    file.connect(20, 10);
    file
}
