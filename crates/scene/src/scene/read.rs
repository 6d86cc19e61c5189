//! From a file to a [`Scene`]: text, syntax tree, included files, edits, parameters, check, resolution; the complaints
//! of all of them together.

use std::ops::Range;
use std::path::{Path, PathBuf};

use stillframe_base::mistaken::utf8;

use crate::scene::noun::animator::unread::Space;
use crate::scene::text::check::check;
use crate::scene::text::complain::Complaints;
use crate::scene::text::edit::edit;
use crate::scene::text::include::{Source, Sources};
use crate::scene::text::param::Params;
use crate::scene::text::parse::TEXT_MAX_BYTES;
use crate::scene::text::toml;
use crate::scene::written::{Text, Written};
use crate::scene::{Scene, code, resolve};
use crate::source::{Diagnostic, Severity, Vfs, read_plain, sort};

/// A scene without mistakes.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    pub scene: Scene,
    pub warnings: Vec<Diagnostic>,
    /// Spaces whose clips have clocks of their own: whether that makes a difference, the clips' lengths say.
    pub free_spaces: Vec<FreeSpace>,
}

/// A node of an animator that mixes clips with clocks of their own, and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeSpace {
    /// Position in `Scene::animators`.
    pub animator: usize,
    /// Position in the nodes of its graph.
    pub node: usize,
    pub file: PathBuf,
    pub span: Range<usize>,
}

/// Reads and resolves a scene file, with `--set` arguments written into it.
///
/// Errors: all mistakes of the file at once, in the order of the text. Complaints about the `n`th argument name the
///         file
/// `--set` (or `--set (n)` if there are several), their spans are places in the argument.
pub fn read(file: &Path, edits: &[String]) -> Result<Resolved, Vec<Diagnostic>> {
    let one = |d: Diagnostic| vec![Diagnostic { file: file.to_path_buf(), ..d }];
    let absolute = existing_file(file).map_err(one)?;
    let bytes = read_plain(&absolute, TEXT_MAX_BYTES).map_err(one)?;
    let text = utf8(bytes)
        .map_err(|error| vec![Diagnostic::error(code::NOT_UTF8, file, error.message).help_if(error.help)])?;
    let vfs = Vfs::open(&root_of(&absolute)).map_err(|d| vec![d])?;
    let folder = absolute.parent().unwrap_or(Path::new("/"));
    resolve_text(&text, file, folder, &vfs, edits)
}

/// Reads a scene's text about `file`, which lies anywhere: `text_of` its name as a value of TOML. Other files that the
/// text names are looked for beside it.
///
/// Errors: as [`read`].
pub fn read_around(
    file: &Path,
    text_of: &dyn Fn(&str) -> String,
    edits: &[String],
) -> Result<Resolved, Vec<Diagnostic>> {
    let absolute = existing_file(file).map_err(|d| vec![Diagnostic { file: file.to_path_buf(), ..d }])?;
    let vfs = Vfs::open(&root_of(&absolute)).map_err(|d| vec![d])?;
    let name = absolute.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = text_of(&toml::scene_text(&name));
    let folder = absolute.parent().unwrap_or(Path::new("/"));
    resolve_text(&text, &file.with_file_name("materials.toml"), folder, &vfs, edits)
}

/// Resolves a scene's text. `file` is its name in complaints, `folder` (absolute) is where the files it names are
/// looked for.
///
/// Errors: as [`read`].
pub fn resolve_text(
    text: &str,
    file: &Path,
    folder: &Path,
    vfs: &Vfs,
    edits: &[String],
) -> Result<Resolved, Vec<Diagnostic>> {
    let mut list = vec![Source { name: file.to_path_buf(), folder: folder.to_path_buf() }];
    for index in 0..edits.len() {
        let name = if edits.len() == 1 { "--set".to_string() } else { format!("--set ({})", index + 1) };
        list.push(Source { name: PathBuf::from(name), folder: folder.to_path_buf() });
    }
    let mut sources = Sources::new(list);
    let mut found = Complaints::default();
    let own = folder.join(file.file_name().unwrap_or_default());
    let mut tree = sources.read(text, 0, &mut vec![own], vfs, &mut found);
    if found.list.iter().any(|complaint| !complaint.code.starts_with('W')) {
        // What stands in a file that cannot be read, nobody knows: anything more would be a guess.
        return Err(diagnostics(found, &sources.list, edits.len()));
    }
    for (index, argument) in edits.iter().enumerate() {
        edit(&mut tree, argument, index as u32 + 1, &mut found);
    }
    let mut params = Params::fill_in(&mut tree, &mut found);
    let told = found.list.len();
    check(&tree, &mut found);
    let (scene, spaces, files) = resolve::resolve(&mut tree, &sources.list, vfs, &mut params, &mut found);
    params.tell_unused(&mut found);
    params.explain(&mut found, told);
    let diagnostics = diagnostics(found, &sources.list, edits.len());
    match diagnostics.iter().any(|d| d.severity == Severity::Error) {
        true => Err(diagnostics),
        false => {
            let free = |Space { animator, node, place }| FreeSpace {
                animator,
                node,
                file: sources.list[place.source as usize].name.clone(),
                span: place.span(),
            };
            let warnings = diagnostics.into_iter().chain(vfs.notes()).collect();
            let free_spaces = spaces.into_iter().map(free).collect();
            let sources = sources.list.iter().map(|source| source.name.clone()).collect();
            let written = Written::new(Text { tree, sources, files, root: scene.root.clone() });
            let scene = Scene { written, ..scene };
            Ok(Resolved { scene, warnings, free_spaces })
        }
    }
}

/// Complaints in the order in which people read them: the scene file, the arguments, the included files.
fn diagnostics(found: Complaints, sources: &[Source], edit_count: usize) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = found
        .list
        .into_iter()
        .map(|complaint| {
            let make = if complaint.code.starts_with('W') { Diagnostic::warning } else { Diagnostic::error };
            let span = complaint.place.span();
            let is_edit = (1..=edit_count as u32).contains(&complaint.place.source);
            let file = &sources[complaint.place.source as usize].name;
            let span = (!span.is_empty() || is_edit || complaint.code == code::SYNTAX).then_some(span);
            let told = Diagnostic { span, ..make(complaint.code, file, complaint.message) };
            told.help_if(complaint.help)
        })
        .collect();
    sort(&mut out);
    out.sort_by_key(|d| sources.iter().position(|source| source.name == d.file));
    out
}

/// The folder that every file of the scene or model `file` (absolute) must lie under: that of the nearest
/// `stillframe.toml` above, else its own.
pub fn root_of(file: &Path) -> PathBuf {
    let own = file.parent().unwrap_or(Path::new("/"));
    let marked = own.ancestors().find(|folder| folder.join("stillframe.toml").is_file());
    marked.unwrap_or(own).to_path_buf()
}

/// The absolute path of a file that the user named, links in it not followed.
pub(crate) fn existing_file(file: &Path) -> Result<PathBuf, Diagnostic> {
    crate::source::find_plain(file)
}
