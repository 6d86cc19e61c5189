//! From a file to a [`Scene`]: text, syntax tree, edits, check, resolution; the complaints of all of them together.

use std::path::{Path, PathBuf};

use super::check::{Complaints, check};
use super::edit::edit;
use super::parse::{TEXT_MAX_BYTES, parse};
use super::{Scene, code, resolve};
use crate::source::{Diagnostic, Severity, Vfs, read_plain, sort};

/// A scene without mistakes.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    pub scene: Scene,
    pub warnings: Vec<Diagnostic>,
}

/// Reads and resolves a scene file, with `--set` arguments written into it.
///
/// Errors: all mistakes of the file at once, in the order of the text. Complaints about the `n`th argument name the file
/// `--set` (or `--set (n)` if there are several), their spans are places in the argument.
pub fn read(file: &Path, edits: &[String]) -> Result<Resolved, Vec<Diagnostic>> {
    let one = |d: Diagnostic| vec![Diagnostic { file: file.to_path_buf(), ..d }];
    let absolute = existing_file(file).map_err(one)?;
    let bytes = read_plain(&absolute, TEXT_MAX_BYTES).map_err(one)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let message = format!("the file is no text: byte {at} is not UTF-8");
        vec![Diagnostic::error(code::NOT_UTF8, file, message)]
    })?;
    let vfs = Vfs::open(&root_of(&absolute)).map_err(|d| vec![d])?;
    let folder = absolute.parent().unwrap_or(Path::new("/"));
    resolve_text(&text, file, folder, &vfs, edits)
}

/// Resolves a scene's text. `file` is its name in complaints, `folder` (absolute) is where the files it names are looked for.
///
/// Errors: as [`read`].
pub fn resolve_text(
    text: &str,
    file: &Path,
    folder: &Path,
    vfs: &Vfs,
    edits: &[String],
) -> Result<Resolved, Vec<Diagnostic>> {
    let mut names = vec![file.to_path_buf()];
    for index in 0..edits.len() {
        let name = if edits.len() == 1 { "--set".to_string() } else { format!("--set ({})", index + 1) };
        names.push(PathBuf::from(name));
    }
    let mut found = Complaints::default();
    let mut tree = match parse(text, 0) {
        Ok(tree) => tree,
        Err(error) => return Err(vec![Diagnostic::error(error.code, file, error.message).at(error.place.span())]),
    };
    for (index, argument) in edits.iter().enumerate() {
        edit(&mut tree, argument, index as u32 + 1, &mut found);
    }
    check(&tree, &mut found);
    let scene = resolve::resolve(&tree, folder, vfs, &mut found);
    let mut diagnostics: Vec<Diagnostic> = found
        .list
        .into_iter()
        .map(|complaint| {
            let warning = complaint.code.starts_with('W');
            let span = complaint.place.span();
            Diagnostic {
                code: complaint.code,
                severity: if warning { Severity::Warning } else { Severity::Error },
                file: names[complaint.place.source as usize].clone(),
                span: (!span.is_empty() || complaint.place.source > 0).then_some(span),
                message: complaint.message,
                help: complaint.help,
            }
        })
        .collect();
    sort(&mut diagnostics);
    // The scene file first, then the arguments.
    diagnostics.sort_by_key(|d| names.iter().position(|n| *n == d.file));
    match diagnostics.iter().any(|d| d.severity == Severity::Error) {
        true => Err(diagnostics),
        false => Ok(Resolved { scene, warnings: diagnostics }),
    }
}

/// The folder that every file of the scene or model `file` (absolute) must lie under: that of the nearest `stillframe.toml` above,
/// else its own.
pub fn root_of(file: &Path) -> PathBuf {
    let own = file.parent().unwrap_or(Path::new("/"));
    let marked = own.ancestors().find(|folder| folder.join("stillframe.toml").is_file());
    marked.unwrap_or(own).to_path_buf()
}

/// The absolute path of a file that the user named, links in it not followed.
pub(super) fn existing_file(file: &Path) -> Result<PathBuf, Diagnostic> {
    crate::source::find_plain(file)
}
