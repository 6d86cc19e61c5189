//! Values: what a scene file says, value by value, as `--set` addresses them; for those who ask what changed.
//!
//! In: a scene file and `--set` arguments. Out: paths and texts. Never here: defaults, what a value means.

use std::path::{Path, PathBuf};

use stillframe_base::mistaken::utf8;

use crate::scene::read::{existing_file, root_of};
use crate::scene::text::complain::Complaints;
use crate::scene::text::edit::edit;
use crate::scene::text::include::{Source, Sources};
use crate::scene::text::parse::TEXT_MAX_BYTES;
use crate::scene::text::syntax::{Kind, Table, Value};
use crate::scene::text::toml;
use crate::source::{Vfs, read_plain};

/// What a scene file and those that it includes say of its picture, with `--set` arguments written into it. Title, test
/// and other shots are left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    pub values: Vec<WrittenValue>,
    /// Lists of entries with names: the list's path, and the names in order.
    pub orders: Vec<(String, Vec<String>)>,
}

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenValue {
    /// Keys from the top: `node.ball.radius_m`.
    pub path: String,
    /// As TOML, on one line.
    pub text: String,
    /// The file that it stands in, as [`read_values`] was given it or beside that; the scene's own for arguments.
    pub file: PathBuf,
}

/// Keys of a scene that no picture of its own depends on.
const OTHERS: [&str; 3] = ["title", "test", "shot"];

/// Reads the values of a scene file. `None`: it cannot be read.
pub fn read_values(file: &Path, edits: &[String]) -> Option<Values> {
    let absolute = existing_file(file).ok()?;
    let text = utf8(read_plain(&absolute, TEXT_MAX_BYTES).ok()?).ok()?;
    let vfs = Vfs::open(&root_of(&absolute)).ok()?;
    let folder = absolute.parent().unwrap_or(Path::new("/")).to_path_buf();
    let source = Source { name: file.to_path_buf(), folder };
    // Arguments are told as the scene's own.
    let mut sources = Sources::new(vec![source; edits.len() + 1]);
    let mut found = Complaints::default();
    let mut tree = sources.read(&text, 0, &mut vec![absolute.clone()], &vfs, &mut found);
    for (index, argument) in edits.iter().enumerate() {
        edit(&mut tree, argument, index as u32 + 1, &mut found);
    }
    if !found.list.is_empty() {
        return None;
    }
    let mut out = Values::default();
    for entry in tree.entries.iter().filter(|entry| !OTHERS.contains(&entry.key.as_str())) {
        walk(toml::key(&entry.key), &entry.value, &sources, &mut out);
    }
    Some(out)
}

/// Recursion ends: deeply nested text is refused before.
fn walk(path: String, value: &Value, sources: &Sources, out: &mut Values) {
    match &value.kind {
        Kind::Table(table) if !table.entries.is_empty() => walk_table(&path, table, None, sources, out),
        Kind::List(values) if values.iter().any(|value| matches!(value.kind, Kind::Table(_))) => {
            let mut names = Vec::new();
            for (index, value) in values.iter().enumerate() {
                let Kind::Table(table) = &value.kind else {
                    walk(format!("{path}.{index}"), value, sources, out);
                    continue;
                };
                let name = table.value("name").and_then(|name| name.kind.text()).filter(|name| !name.is_empty());
                names.extend(name.map(str::to_string));
                let below = format!("{path}.{}", name.map_or(index.to_string(), toml::key));
                walk_table(&below, table, name, sources, out);
                let is_bare = table.entries.iter().all(|entry| name.is_some() && entry.key == "name");
                if is_bare {
                    out.values.push(written(below, value, "{}".into(), sources));
                }
            }
            if names.len() > 1 {
                out.orders.push((path, names));
            }
        }
        _ => out.values.push(written(path, value, text_of(value), sources)),
    }
}

/// `named`: the name that its path has already.
fn walk_table(path: &str, table: &Table, named: Option<&str>, sources: &Sources, out: &mut Values) {
    for entry in table.entries.iter().filter(|entry| named.is_none() || entry.key != "name") {
        walk(format!("{path}.{}", toml::key(&entry.key)), &entry.value, sources, out);
    }
}

/// A value as it is written: a text that begins with a dollar sign names a parameter here.
fn text_of(value: &Value) -> String {
    match &value.kind {
        Kind::Text(text) => toml::text(text),
        Kind::List(values) => toml::list(values.iter().map(text_of)),
        _ => toml::value(value),
    }
}

fn written(path: String, value: &Value, text: String, sources: &Sources) -> WrittenValue {
    let file = sources.list[value.place.source as usize].name.clone();
    WrittenValue { path, text, file }
}
