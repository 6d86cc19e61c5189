//! Forms that programs write and that a reader of the specification alone would refuse or misread. Each test is named
//! as its file in `tests/data/models`.

use std::path::{Path, PathBuf};

use stillframe_asset::source::Diagnostic;
use stillframe_models::import::{self, Model};

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models")
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    std::fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()))
}

fn model(name: &str) -> Model {
    import::model(&models().join(name), &read).unwrap_or_else(|d| panic!("{name}: {d:#?}"))
}

fn triangle_count(model: &Model) -> usize {
    let parts = model.nodes.iter().flat_map(|node| &node.parts);
    parts.map(|part| model.geometries[part.geometry].surface.indices.len() / 3).sum()
}

/// A square, and an audio object with a value of one byte (`Z`), which no picture needs.
#[test]
fn fbx_byte_property() {
    let model = model("fbx_byte_property.fbx");
    assert_eq!(triangle_count(&model), 2);
    assert_eq!(model.warnings, []);
}
