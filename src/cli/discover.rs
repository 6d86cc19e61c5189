//! Scenes in folders.

use std::fs;
use std::path::{Path, PathBuf};

use super::status::Failure;

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
        let before = out.len();
        search(argument, argument, 0, &mut out)?;
        if out.len() == before {
            return Err(Failure::usage(format!("there is no scene in {}", argument.display())));
        }
        out[before..].sort();
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

/// Folders nested deeper are not searched: a link may lead in a circle.
const DEPTH_MAX: usize = 32;

fn search(top: &Path, folder: &Path, depth: usize, out: &mut Vec<Input>) -> Result<(), Failure> {
    if depth > DEPTH_MAX {
        return Ok(());
    }
    let unreadable =
        |error: std::io::Error| Failure::Environment(format!("{} cannot be read: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "assets" && name != "target" && !name.starts_with('.') {
                search(top, &path, depth + 1, out)?;
            }
        } else if name.ends_with(".toml") && name != "stillframe.toml" && looks_like_a_scene(&path) {
            out.push(input(&path, top));
        }
    }
    Ok(())
}

/// Whether a TOML file has a title and a table of ours; without a title it is a part that others include. A scene with mistakes
/// must be found too, so this reads lines, not TOML.
fn looks_like_a_scene(path: &Path) -> bool {
    let Ok(bytes) = fs::read(path) else { return true };
    let text = String::from_utf8_lossy(&bytes);
    let ours = ["[output]", "[environment]", "[camera.", "[model.", "[material.", "[[node]]", "[[light]]"];
    let has =
        |starts: &[&str]| text.lines().any(|line| starts.iter().any(|start| line.trim_start().starts_with(start)));
    has(&["title"]) && (has(&ours) || has(&["include"]))
}
