//! Discover: scene files below a folder, and files of other kinds.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use stillframe_base::bounded;
use stillframe_base::mistaken::{is_lfs_pointer, utf16};

use super::project::PROJECT_FILE;

/// Folders nested deeper are not searched: a link may lead in a circle.
const DEPTH_MAX: usize = 32;

/// Scene files below `folder`, sorted. Folders named `assets` or `target`, and hidden ones, are passed over, and so are
/// files that have no title or no table of ours: parts that scenes include.
///
/// Errors: a folder that cannot be read, with its path.
pub fn scene_files(folder: &Path) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let is_scene =
        |path: &Path, name: &str| name.ends_with(".toml") && name != PROJECT_FILE && looks_like_a_scene(path);
    let mut out = Vec::new();
    search(folder, 0, &["assets", "target"], &is_scene, &mut out)?;
    out.sort();
    Ok(out)
}

/// Files of a kind below a folder, sorted by path. Folders named `target`, and hidden ones, are passed over.
///
/// Errors: a folder that cannot be read, with its path.
pub fn files_below(folder: &Path, is_wanted: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, (PathBuf, io::Error)> {
    let mut out = Vec::new();
    search(folder, 0, &["target"], &|path, _| is_wanted(path), &mut out)?;
    out.sort();
    Ok(out)
}

fn search(
    folder: &Path,
    depth: usize,
    skipped: &[&str],
    is_wanted: &dyn Fn(&Path, &str) -> bool,
    out: &mut Vec<PathBuf>,
) -> Result<(), (PathBuf, io::Error)> {
    if depth > DEPTH_MAX {
        return Ok(());
    }
    let unreadable = |error: io::Error| (folder.to_path_buf(), error);
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // A folder that cannot be seen is not one without scenes: its references would be taken for gone.
        let is_folder = match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            known => known.map_err(unreadable)?.is_dir(),
        };
        if is_folder {
            if !skipped.contains(&name.as_str()) && !name.starts_with('.') {
                search(&path, depth + 1, skipped, is_wanted, out)?;
            }
        } else if is_wanted(&path, &name) {
            out.push(path);
        }
    }
    Ok(())
}

/// Bytes that a scene may have, and more.
const SCENE_MAX_BYTES: u64 = 4 << 20;

/// Whether a TOML file has a title and a table of ours; without a title it is a part that others include. A scene with
/// mistakes must be found too, so this reads lines, not TOML.
fn looks_like_a_scene(path: &Path) -> bool {
    let Ok(bytes) = bounded::read(path, SCENE_MAX_BYTES) else { return true };
    // Whatever it is, nobody can read it: that is told of scenes.
    if is_lfs_pointer(&bytes) || utf16(&bytes).is_some() {
        return true;
    }
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let ours = ["[output]", "[environment]", "[camera.", "[model.", "[material.", "[[node]]", "[[light]]"];
    let has = |starts: &[&str]| {
        text.split(['\n', '\r']).any(|line| starts.iter().any(|start| line.trim_start().starts_with(start)))
    };
    has(&["title"]) && (has(&ours) || has(&["include"]))
}
