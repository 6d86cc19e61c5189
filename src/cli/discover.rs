//! Scenes and models in folders.

use std::io;
use std::path::{Path, PathBuf};

use super::status::Failure;
use crate::asset::ModelFormat;
use crate::harness::{files_below, scene_files};

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
    Ok(sorted(found(arguments, &[("scene", &scene_files)])?))
}

/// The same, but a folder without scenes stands for the models in it.
pub fn inputs_with_models(arguments: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    Ok(sorted(inputs_as_given(arguments)?))
}

/// The same in the order of the arguments, those of a folder sorted; what is named twice comes twice.
pub fn inputs_as_given(arguments: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    found(arguments, &[("scene", &scene_files), ("model", &model_files)])
}

/// Models in the order of the arguments; a folder stands for all models in it.
///
/// Errors: a folder that cannot be read, or without any model.
pub fn models_as_given(arguments: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    found(arguments, &[("model", &model_files)])
}

fn sorted(mut inputs: Vec<Input>) -> Vec<Input> {
    inputs.sort();
    inputs.dedup_by(|a, b| a.path == b.path);
    inputs
}

fn model_files(folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    files_below(folder, &|path| ModelFormat::of(path).is_some())
}

/// Looks for the files of one kind in a folder.
type Search<'a> = &'a dyn Fn(&Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)>;

/// Of a folder all files of the first kind that it has.
fn found(arguments: &[PathBuf], kinds: &[(&str, Search<'_>)]) -> Result<Vec<Input>, Failure> {
    let mut out = Vec::new();
    for argument in arguments {
        if !argument.is_dir() {
            out.push(input(argument, argument.parent().unwrap_or(Path::new(""))));
            continue;
        }
        let mut found = Vec::new();
        for (_, search) in kinds {
            found = search(argument).map_err(|(folder, error)| {
                Failure::Environment(format!("{} cannot be read: {error}", folder.display()))
            })?;
            if !found.is_empty() {
                break;
            }
        }
        if found.is_empty() {
            let words: Vec<String> = kinds.iter().map(|(kind, _)| format!("no {kind}")).collect();
            return Err(Failure::usage(format!("{} in {}", words.join(" and "), argument.display())));
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
