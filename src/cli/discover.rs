//! Scenes in folders.

use std::path::{Path, PathBuf};

use super::status::Failure;
use crate::harness::scene_files;

/// A scene or model to work on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Input {
    /// As the user named it, with `/` on every machine.
    pub name: String,
    /// Below the folder that was searched; of a file that was named, its own name alone.
    pub short: String,
    pub path: PathBuf,
}

/// The scenes and models that the arguments mean, sorted by name, each once. Folders are searched for scenes.
///
/// Errors: a folder that cannot be read, or without any scene.
pub fn inputs(arguments: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let mut out = inputs_as_given(arguments)?;
    out.sort();
    out.dedup_by(|a, b| a.path == b.path);
    Ok(out)
}

/// The same in the order of the arguments, those of a folder sorted; what is named twice comes twice.
pub fn inputs_as_given(arguments: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let mut out = Vec::new();
    for argument in arguments {
        if !argument.is_dir() {
            out.push(input(argument, argument.parent().unwrap_or(Path::new(""))));
            continue;
        }
        let found = scene_files(argument)
            .map_err(|(folder, error)| Failure::Environment(format!("{} cannot be read: {error}", folder.display())))?;
        if found.is_empty() {
            return Err(Failure::usage(format!("no scene in {}", argument.display())));
        }
        out.extend(found.iter().map(|path| input(path, argument)));
    }
    Ok(out)
}

fn input(path: &Path, folder: &Path) -> Input {
    let text = |path: &Path| {
        let parts: Vec<_> = path.components().map(|c| c.as_os_str().to_string_lossy()).collect();
        parts.join("/").replace("//", "/")
    };
    Input { name: text(path), short: text(path.strip_prefix(folder).unwrap_or(path)), path: path.to_path_buf() }
}
