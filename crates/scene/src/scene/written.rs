//! Written: where a scene's text names things, for errors that only the files it names can show.
//!
//! In: the checked tree, and the files that it names. Out: errors with a place in the text. Never here: what is wrong.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::scene::text::syntax::{Kind, Place, Table, Value};
use crate::source::{Diagnostic, Severity};

/// The text that a scene was read from. Scenes that were not read from a text (bare models) have an empty one.
#[derive(Clone, Debug, Default)]
pub struct Written(Option<Arc<Text>>);

/// A file that a scene names: as it is written, and where first.
pub(crate) type NamedFile = (String, Place);

#[derive(Debug)]
pub(crate) struct Text {
    pub tree: Table,
    /// Names of the scene file, the arguments and the included files.
    pub sources: Vec<PathBuf>,
    /// By absolute path.
    pub files: BTreeMap<PathBuf, NamedFile>,
    /// The scene's root.
    pub root: PathBuf,
}

/// Where a scene is written is no part of what it is.
impl PartialEq for Written {
    fn eq(&self, _: &Written) -> bool {
        true
    }
}

/// A table of a scene that an error is about: `node "ball"`.
#[derive(Clone, Copy, Debug)]
pub struct Owner<'a> {
    /// The key of its table or list: `node`.
    pub kind: &'static str,
    /// Empty for tables without names: `output`.
    pub name: &'a str,
}

impl fmt::Display for Owner<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.kind, self.name)
    }
}

impl Written {
    pub(crate) fn new(text: Text) -> Written {
        Written(Some(Arc::new(text)))
    }

    /// The error at the place where `owner` writes `text` under one of `keys`, the likeliest key first. Without keys
    /// it may be anywhere in the table but its name. An empty text is the whole value of a key. The error stays as it
    /// is where nothing of this is written, and where it has a place already.
    pub fn at(&self, owner: Owner<'_>, keys: &[&str], text: &str, error: Diagnostic) -> Diagnostic {
        let own = self.0.as_ref().filter(|_| error.span.is_none());
        let place = own.and_then(|own| own.find(owner, keys, text));
        self.placed(place, error)
    }

    /// An error about a file at the place where the scene names it; one about the scene as a whole gets the name of
    /// its file. Those that have a place keep it, in a file of text with the name of the scene as help.
    pub fn home(&self, error: Diagnostic) -> Diagnostic {
        let Some(text) = &self.0 else { return error };
        if error.span.is_some() {
            let place = text.files.get(&error.file).map(|(_, place)| *place).filter(|_| error.help.is_none());
            return error.help_if(place.map(|place| format!("{} names this file", text.source(place).display())));
        }
        if error.file == text.root {
            return Diagnostic { file: text.sources[0].clone(), ..error };
        }
        let place = text.files.get(&error.file).map(|(_, place)| *place);
        self.placed(place.filter(|_| error.severity == Severity::Error), error)
    }

    /// [`Written::home`] of each.
    pub fn homes(&self, errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
        errors.into_iter().map(|error| self.home(error)).collect()
    }

    /// The message still names the file that the error was about.
    fn placed(&self, place: Option<Place>, error: Diagnostic) -> Diagnostic {
        let (Some(text), Some(place)) = (&self.0, place.filter(|place| !place.span().is_empty())) else { return error };
        let message = match text.files.get(&error.file) {
            Some((name, _)) if !error.message.contains(name.as_str()) => format!("{name}: {}", error.message),
            _ => error.message,
        };
        Diagnostic { file: text.source(place).to_path_buf(), span: Some(place.span()), message, ..error }
    }
}

impl Text {
    fn source(&self, place: Place) -> &Path {
        &self.sources[place.source as usize]
    }

    fn find(&self, owner: Owner<'_>, keys: &[&str], text: &str) -> Option<Place> {
        let tables: Vec<&Table> = match &self.tree.value(owner.kind)?.kind {
            Kind::Table(table) if owner.name.is_empty() => vec![table],
            Kind::Table(table) => table.table(owner.name).into_iter().collect(),
            Kind::List(_) => self.tree.list(owner.kind).map(|(_, table)| table).collect(),
            _ => Vec::new(),
        };
        // What has no name got one that nobody wrote.
        let is_owner = |table: &&Table| table.value("name").is_none_or(|name| name.kind.text() == Some(owner.name));
        let tables: Vec<&Table> = tables.into_iter().filter(is_owner).collect();
        if keys.is_empty() {
            let mut entries = tables.iter().flat_map(|table| &table.entries).filter(|entry| entry.key != "name");
            return entries.find_map(|entry| place_in(&entry.value, text));
        }
        keys.iter().find_map(|key| tables.iter().find_map(|table| place_under(table, key, text)))
    }
}

/// Where a text is written under a key of a table, or of the tables in it.
fn place_under(table: &Table, key: &str, text: &str) -> Option<Place> {
    table.entries.iter().find_map(|entry| {
        let here = if entry.key == key { place_in(&entry.value, text) } else { None };
        here.or_else(|| match &entry.value.kind {
            Kind::Table(inner) => place_under(inner, key, text),
            Kind::List(values) => values.iter().find_map(|value| match &value.kind {
                Kind::Table(inner) => place_under(inner, key, text),
                _ => None,
            }),
            _ => None,
        })
    })
}

/// Where a text is written in a value: as a text or as a key. An empty one is the value itself.
fn place_in(value: &Value, text: &str) -> Option<Place> {
    match &value.kind {
        _ if text.is_empty() => Some(value.place),
        Kind::Text(own) => (own == text).then_some(value.place),
        Kind::List(values) => values.iter().find_map(|value| place_in(value, text)),
        Kind::Table(table) => table
            .entries
            .iter()
            .find_map(|entry| if entry.key == text { Some(entry.key_place) } else { place_in(&entry.value, text) }),
        _ => None,
    }
}
