//! `include`: a scene file laid over others.
//!
//! Every file says where its own names lie and its complaints are reported in it. Chains, numbers of files and their
//! text together have limits, so that no small file unfolds to a large one.

use std::path::{Path, PathBuf};

use stillframe_base::mistaken::utf8;

use crate::scene::noun::SCENE;
use crate::scene::text::complain::Complaints;
use crate::scene::text::overlay::lay_over;
use crate::scene::text::parse::{TEXT_MAX_BYTES, parse};
use crate::scene::text::syntax::{Kind, Place, Table};
use crate::scene::{code, materialx};
use crate::source::Vfs;

/// Files that include files that include files.
const DEPTH_MAX: usize = 8;
/// Files that are read for one scene; one that is included twice counts twice.
const FILES_MAX: usize = 64;

/// A text that places point into.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// As complaints name it.
    pub name: PathBuf,
    /// Absolute: where the files it names are looked for. Arguments look where the scene file does.
    pub folder: PathBuf,
}

/// The texts of a scene: 0 is the scene file, then one for each `--set`, then those that are included.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    pub list: Vec<Source>,
    bytes_left: u64,
    weight: usize,
    file_count: usize,
}

impl Sources {
    pub fn new(list: Vec<Source>) -> Sources {
        Sources { list, bytes_left: TEXT_MAX_BYTES, weight: 0, file_count: 0 }
    }

    /// Reads `text`, which is source `source`, and lays it over what it includes. `chain` holds the files that led
    /// here, `text`'s own last; absolute.
    pub fn read(
        &mut self,
        text: &str,
        source: u32,
        chain: &mut Vec<PathBuf>,
        vfs: &Vfs,
        found: &mut Complaints,
    ) -> Table {
        self.bytes_left = self.bytes_left.saturating_sub(text.len() as u64);
        let mut own = match parse(text, source, &mut self.weight) {
            Ok(own) => own,
            Err(error) => {
                found.add(error.code, error.place, error.message, None);
                return Table::default();
            }
        };
        let mut below = Table::default();
        for (name, place) in included(&mut own, found) {
            if let Some(table) = self.include(&name, place, chain, vfs, found) {
                lay_over(&mut below, table, &SCENE);
            }
        }
        lay_over(&mut below, own, &SCENE);
        below
    }

    fn include(
        &mut self,
        name: &str,
        place: Place,
        chain: &mut Vec<PathBuf>,
        vfs: &Vfs,
        found: &mut Complaints,
    ) -> Option<Table> {
        let from = self.list[place.source as usize].clone();
        let path = match vfs.locate(&from.folder, name) {
            Ok(path) => path,
            Err(error) => {
                found.add(error.code, place, error.message, error.help);
                return None;
            }
        };
        if let Some(first) = chain.iter().position(|earlier| *earlier == path) {
            let names: Vec<String> = chain[first..].iter().chain([&path]).map(|p| format!("`{}`", last(p))).collect();
            let message = format!("a file includes itself: {}", names.join(" includes "));
            found.add(code::INCLUDE_CIRCLE, place, message, Some("remove one of these includes".into()));
            return None;
        }
        self.file_count += 1;
        if chain.len() > DEPTH_MAX || self.file_count > FILES_MAX {
            // Told once; everything that follows would say the same.
            if self.file_count <= FILES_MAX + 1 {
                let message = if self.file_count > FILES_MAX {
                    format!("more than {FILES_MAX} files are included")
                } else {
                    format!("includes are nested more than {DEPTH_MAX} deep")
                };
                found.add(code::INCLUDE_TOO_MUCH, place, message, Some("merge some of the files".into()));
            }
            return None;
        }
        let bytes = match vfs.clone().with_limit(self.bytes_left).read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.code == crate::source::code::FILE_TOO_LARGE => {
                let message = format!("the scene and its includes have more than {} MB", TEXT_MAX_BYTES / 1_000_000);
                found.add(code::INCLUDE_TOO_MUCH, place, message, None);
                return None;
            }
            Err(error) => {
                found.add(error.code, place, error.message, error.help);
                return None;
            }
        };
        let text = match utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let message = format!("`{name}`: {}", error.message);
                found.add(code::NOT_UTF8, place, message, error.help.map(str::to_string));
                return None;
            }
        };
        let source = self.list.len() as u32;
        let folder = path.parent().unwrap_or(Path::new("/")).to_path_buf();
        self.list.push(Source { name: beside(&from.name, name), folder });
        if path.extension().is_some_and(|ending| ending == "mtlx") {
            self.bytes_left = self.bytes_left.saturating_sub(text.len() as u64);
            return Some(materialx::read(&text, source, found));
        }
        chain.push(path);
        let table = self.read(&text, source, chain, vfs, found);
        chain.pop();
        Some(table)
    }
}

/// Takes the `include` key out of a file's table: the names with their places.
fn included(own: &mut Table, found: &mut Complaints) -> Vec<(String, Place)> {
    let Some(at) = own.entries.iter().position(|e| e.key == "include") else { return Vec::new() };
    let value = own.entries.remove(at).value;
    let help = || Some("write `include = [\"common.toml\"]` above the first table".to_string());
    let values = match value.kind {
        Kind::Text(name) => return vec![(name, value.place)],
        Kind::List(values) => values,
        other => {
            let message = format!("`include` is {}; expected a list of file names", other.name());
            found.add(code::WRONG_TYPE, value.place, message, help());
            return Vec::new();
        }
    };
    let mut out = Vec::new();
    for value in values {
        match value.kind {
            Kind::Text(name) => out.push((name, value.place)),
            other => {
                let message = format!("`include` contains {}; expected file names", other.name());
                found.add(code::WRONG_TYPE, value.place, message, help());
            }
        }
    }
    out
}

fn last(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What a file is called that `name` means in the file called `from`.
fn beside(from: &Path, name: &str) -> PathBuf {
    let mut out = from.parent().unwrap_or(Path::new("")).to_path_buf();
    for part in name.split('/') {
        let climbs = part == ".." && out.file_name().is_some();
        match part {
            "" | "." => {}
            ".." if climbs => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_people_write_them() {
        for (from, name, want) in [
            ("scenes/a.toml", "b.toml", "scenes/b.toml"),
            ("scenes/a.toml", "../b.toml", "b.toml"),
            ("scenes/a.toml", "./x/../b.toml", "scenes/b.toml"),
            ("a.toml", "../b.toml", "../b.toml"),
            ("../a.toml", "../b.toml", "../../b.toml"),
        ] {
            assert_eq!(beside(Path::new(from), name), Path::new(want), "{from} {name}");
        }
    }
}
