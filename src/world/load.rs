//! Loading: every file once, by path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::asset::{Image, ImageId, Store};
use crate::import;
use crate::source::{Diagnostic, Severity};

use super::code;

/// Endings that are known but come later.
const LATER: [&str; 4] = ["fbx", "obj", "stl", "ply"];

/// Reads the model at `file`, whatever its kind.
pub fn model(file: &Path, read: &import::Read<'_>) -> Result<import::Model, Vec<Diagnostic>> {
    let ending = file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let fault = |message: String, help: &str| {
        vec![Diagnostic {
            code: code::MODEL_KIND,
            severity: Severity::Error,
            file: file.to_path_buf(),
            span: None,
            message,
            help: Some(help.to_string()),
        }]
    };
    match ending.as_str() {
        "glb" | "gltf" => {
            let bytes = read(file).map_err(|d| vec![d])?;
            import::gltf(file, &bytes, read)
        }
        later if LATER.contains(&later) => {
            Err(fault(format!(".{later} models are not yet supported"), "convert it to .glb"))
        }
        _ => Err(fault("this is no model that can be read".to_string(), "models end in .glb or .gltf")),
    }
}

/// Pictures that the scene names, each decoded once.
#[derive(Default)]
pub struct Pictures {
    ids: BTreeMap<PathBuf, ImageId>,
}

impl Pictures {
    pub fn load(&mut self, file: &Path, store: &mut Store, read: &import::Read<'_>) -> Result<ImageId, Diagnostic> {
        if let Some(id) = self.ids.get(file) {
            return Ok(*id);
        }
        let id = store.add_image(picture(file, read)?);
        self.ids.insert(file.to_path_buf(), id);
        Ok(id)
    }
}

/// Reads and decodes one picture: PNG, JPEG, EXR or HDR.
pub fn picture(file: &Path, read: &import::Read<'_>) -> Result<Image, Diagnostic> {
    let bytes = read(file)?;
    import::picture(file, &bytes)
}
