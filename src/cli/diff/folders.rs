//! Folders: pictures of two folders beside each other, by their paths within.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stillframe_base::par::Pool;
use stillframe_frames::run::Status;

use super::page::Page;
use super::told::{Told, Wanted, compare_files};
use super::{DiffArgs, all_within, fields, is_same};
use crate::cli::status::{self, Failure};
use crate::cli::{Surroundings, json as words, messages, stdout};

/// Endings of files that are taken for pictures.
const ENDINGS: [&str; 12] = ["apng", "bmp", "dds", "exr", "hdr", "jpeg", "jpg", "ktx2", "npy", "png", "tga", "webp"];
/// Files that are looked at below one folder.
const FILES_MAX: usize = 1_000_000;
/// Folders nested deeper are not looked at.
const DEPTH_MAX: usize = 64;

/// What became of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Same,
    Within,
    Changed,
    Added,
    Removed,
    Unreadable,
}

impl Kind {
    const ALL: [Kind; 6] = [Kind::Same, Kind::Within, Kind::Changed, Kind::Added, Kind::Removed, Kind::Unreadable];

    fn word(self) -> &'static str {
        match self {
            Kind::Same => "same",
            Kind::Within => "within",
            Kind::Changed => "changed",
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Unreadable => "unreadable",
        }
    }

    fn exit_status(self) -> u8 {
        match self {
            Kind::Same | Kind::Within => status::OK,
            Kind::Changed | Kind::Added | Kind::Removed => status::FINDING,
            Kind::Unreadable => status::USAGE,
        }
    }
}

/// Compares two folders; a line for each picture that is not as before, in the order of paths, and a line of counts.
pub fn run(args: &DiffArgs, folders: [&Path; 2], pool: &Pool, surroundings: &Surroundings) -> Result<(), Failure> {
    let [old, new] = [pictures(folders[0])?, pictures(folders[1])?];
    if old.is_empty() && new.is_empty() {
        let help = Some(format!("pictures are files that end in {}", ENDINGS.join(", ")));
        let message = format!("no picture in {} or in {}", folders[0].display(), folders[1].display());
        return Err(Failure::Usage(message, help));
    }
    let mut page = args.output.as_deref().map(|out| Page::begin(out, folders)).transpose()?;
    let mut names: Vec<&PathBuf> = old.keys().chain(new.keys()).collect();
    names.sort();
    names.dedup();
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for path in names {
        let name = shown(path);
        let pair = [old.get(path), new.get(path)];
        let found = match one(args, &name, pair, page.as_mut(), pool) {
            Ok(found) => found,
            Err(failure @ (Failure::ReaderGone | Failure::Environment(_))) => return Err(failure),
            Err(failure) => unreadable(&name, &failure, page.as_mut(), surroundings),
        };
        *counts.entry(found.kind).or_default() += 1;
        tell(&name, &found, surroundings)?;
    }
    let count = |kind: &Kind| counts.get(kind).copied().unwrap_or(0);
    if surroundings.json.is_some() {
        let counted: serde_json::Map<String, Value> =
            Kind::ALL.iter().map(|kind| (kind.word().into(), count(kind).into())).collect();
        words::line("diff-end/1", Value::Object(counted), surroundings)?;
    } else {
        let always = [Kind::Same, Kind::Changed, Kind::Added, Kind::Removed];
        let told = Kind::ALL.iter().filter(|kind| always.contains(kind) || count(kind) > 0);
        stdout::line(&told.map(|kind| format!("{} {}", count(kind), kind.word())).collect::<Vec<_>>().join(", "))?;
    }
    if let Some(page) = page {
        page.end(surroundings)?;
    }
    // Trouble is worse than a difference.
    match counts.keys().map(|kind| kind.exit_status()).max() {
        None | Some(status::OK) => Ok(()),
        Some(worst) => Err(Failure::Several(worst)),
    }
}

/// What was found of one picture.
struct Found {
    kind: Kind,
    layers: Vec<Told>,
    fields: Value,
}

fn one(
    args: &DiffArgs,
    name: &str,
    pair: [Option<&PathBuf>; 2],
    page: Option<&mut Page>,
    pool: &Pool,
) -> Result<Found, Failure> {
    let alone = |kind: Kind| Found { kind, layers: Vec::new(), fields: json!({}) };
    match pair {
        [Some(old), Some(new)] => {
            let unreadable = |error: io::Error| Failure::usage(format!("{name}: cannot be read: {error}"));
            // Files that are equal need not be opened as pictures.
            if have_equal_bytes(old, new).map_err(unreadable)? {
                page.into_iter().for_each(|page| page.same(name));
                return Ok(alone(Kind::Same));
            }
            let wanted = Wanted { difference: false, pairs: page.is_some() };
            let layers = compare_files(args, old, new, wanted, pool)?;
            let kind = match (is_same(&layers), all_within(&layers)) {
                (true, _) => Kind::Same,
                (_, true) => Kind::Within,
                _ => Kind::Changed,
            };
            if let Some(page) = page {
                page.pair(name, &layers, pool)?;
            }
            let fields = fields(old, new, &layers);
            Ok(Found { kind, layers, fields })
        }
        [Some(old), None] => {
            page.map_or(Ok(()), |page| page.alone(name, old, Status::Gone, pool))?;
            Ok(alone(Kind::Removed))
        }
        [None, Some(new)] => {
            page.map_or(Ok(()), |page| page.alone(name, new, Status::New, pool))?;
            Ok(alone(Kind::Added))
        }
        [None, None] => unreachable!("a name is that of a file"),
    }
}

fn unreadable(name: &str, failure: &Failure, page: Option<&mut Page>, surroundings: &Surroundings) -> Found {
    let words = failure.words();
    page.into_iter().for_each(|page| page.unreadable(name, &words));
    if surroundings.json.is_none() {
        messages::failure(failure, surroundings);
    }
    Found { kind: Kind::Unreadable, layers: Vec::new(), fields: json!({ "error": words }) }
}

fn tell(name: &str, found: &Found, surroundings: &Surroundings) -> Result<(), Failure> {
    let word = found.kind.word();
    if surroundings.json.is_some() {
        let mut fields = found.fields.clone();
        fields["name"] = name.into();
        fields["status"] = word.into();
        return words::line("diff/1", fields, surroundings);
    }
    match found.kind {
        Kind::Same | Kind::Within => Ok(()),
        Kind::Changed => {
            let lines = found.layers.iter().flat_map(Told::lines);
            lines.into_iter().try_for_each(|line| stdout::line(&format!("{word:<8} {name}: {line}")))
        }
        Kind::Added | Kind::Removed | Kind::Unreadable => stdout::line(&format!("{word:<8} {name}")),
    }
}

/// A path within a folder as it is written everywhere.
fn shown(path: &Path) -> String {
    path.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// Pictures below a folder by their paths within it. Hidden files and folders are passed over, and so are links to
/// folders, which may lead in a circle.
fn pictures(root: &Path) -> Result<BTreeMap<PathBuf, PathBuf>, Failure> {
    let mut out = BTreeMap::new();
    let mut open = vec![(PathBuf::new(), 0)];
    let mut seen = 0;
    while let Some((within, depth)) = open.pop() {
        let folder = root.join(&within);
        let unreadable = |error: io::Error| Failure::usage(format!("{}: cannot be read: {error}", folder.display()));
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name();
            seen += 1;
            if seen > FILES_MAX {
                return Err(Failure::usage(format!("{}: more than {FILES_MAX} files", root.display())));
            }
            if name.to_string_lossy().starts_with('.') {
                continue;
            }
            let path = within.join(&name);
            if entry.file_type().map_err(unreadable)?.is_dir() {
                if depth == DEPTH_MAX {
                    let message = format!("{}: folders are nested deeper than {DEPTH_MAX}", folder.display());
                    return Err(Failure::usage(message));
                }
                open.push((path, depth + 1));
            } else if is_picture(&path) && entry.path().is_file() {
                out.insert(path, entry.path());
            }
        }
    }
    Ok(out)
}

fn is_picture(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str()))
}

/// Whether two files hold the same bytes, read piece by piece.
fn have_equal_bytes(old: &Path, new: &Path) -> io::Result<bool> {
    let (mut old, mut new) = (File::open(old)?, File::open(new)?);
    if old.metadata()?.len() != new.metadata()?.len() {
        return Ok(false);
    }
    let (mut a, mut b) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let (count, other) = (fill(&mut old, &mut a)?, fill(&mut new, &mut b)?);
        if a[..count] != b[..other] {
            return Ok(false);
        }
        if count == 0 {
            return Ok(true);
        }
    }
}

/// Reads until the piece is full or the file ends.
fn fill(file: &mut File, piece: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < piece.len() {
        match file.read(&mut piece[length..])? {
            0 => break,
            count => length += count,
        }
    }
    Ok(length)
}
