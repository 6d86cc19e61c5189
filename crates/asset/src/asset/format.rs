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

    /// By the file's ending, in any case.
    pub fn of(file: &Path) -> Option<ModelFormat> {
        let ending = file.extension()?.to_string_lossy().to_ascii_lowercase();
        ModelFormat::ENDINGS.iter().find(|(word, _)| *word == ending).map(|(_, format)| *format)
    }

    /// `.glb, .gltf, ...`, for messages.
    pub fn endings() -> String {
        ModelFormat::ENDINGS.iter().map(|(word, _)| format!(".{word}")).collect::<Vec<_>>().join(", ")
    }
}
