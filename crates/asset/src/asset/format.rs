//! Kinds of model files, told apart by their endings.

use std::path::Path;

/// A format that models are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelFormat {
    Gltf,
    Fbx,
    Obj,
    Stl,
    Ply,
}

impl ModelFormat {
    /// Endings in lower case, as people list them.
    pub const ENDINGS: &[(&str, ModelFormat)] = &[
        ("glb", ModelFormat::Gltf),
        ("gltf", ModelFormat::Gltf),
        ("fbx", ModelFormat::Fbx),
        ("obj", ModelFormat::Obj),
        ("stl", ModelFormat::Stl),
        ("ply", ModelFormat::Ply),
    ];

    /// Formats of models that are not read, by their endings.
    const FOREIGN: &[(&str, &str)] = &[
        ("usd", "USD"),
        ("usda", "USD"),
        ("usdc", "USD"),
        ("usdz", "USD"),
        ("dae", "COLLADA"),
        ("abc", "Alembic"),
        ("3ds", "3D Studio"),
        ("blend", "Blender"),
        ("max", "3ds Max"),
        ("ma", "Maya"),
        ("mb", "Maya"),
    ];

    /// By the file's ending, in any case.
    pub fn of(file: &Path) -> Option<ModelFormat> {
        let ending = file.extension()?.to_string_lossy().to_ascii_lowercase();
        ModelFormat::ENDINGS.iter().find(|(word, _)| *word == ending).map(|(_, format)| *format)
    }

    /// What to say of a file of another kind, and what to do.
    pub fn refusal(file: &Path) -> (String, String) {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let ending = file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let supported = ModelFormat::endings();
        match ModelFormat::FOREIGN.iter().find(|(word, _)| *word == ending) {
            Some((_, kind)) => (
                format!("`{name}` is a {kind} file, which is not supported"),
                format!(
                    "convert it to .glb, for example in Blender (File > Export > glTF 2.0); supported are {supported}"
                ),
            ),
            None => (format!("`{name}` is not a supported model format"), format!("supported are {supported}")),
        }
    }

    /// `.glb, .gltf, ...`, for messages.
    pub fn endings() -> String {
        ModelFormat::ENDINGS.iter().map(|(word, _)| format!(".{word}")).collect::<Vec<_>>().join(", ")
    }
}
