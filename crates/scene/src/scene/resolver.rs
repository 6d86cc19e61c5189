//! What the resolution of every noun needs: names are found, files located, complaints collected.
//!
//! In: tables that the check has seen. Out: positions, paths, complaints. Never here: what a kind or a key means.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::code;
use super::key::Key;
use super::own_names::name_of;
use super::schema::Type;
use super::text::complain::Complaints;
use super::text::include::Source;
use super::text::syntax::{Place, Table};
use super::text::toml;
use super::written::NamedFile;
use crate::source::{Vfs, did_you_mean};

pub(crate) use super::own_names::OwnNames;

/// Most nodes and lights of a file; what each costs is small, but not nothing.
pub(crate) const NODES_MAX: usize = 65_536;
pub(crate) const LIGHTS_MAX: usize = 4096;
/// Every lit pixel asks each of them.
pub(crate) const LIGHT_PROBES_MAX: usize = 16;
/// Each is a picture of its own.
pub(crate) const EFFECTS_MAX: usize = 64;
/// Each is a picture of its own.
pub(crate) const VIEWS_MAX: usize = 64;
/// Each holds all of `[output]`.
pub(crate) const SHOTS_MAX: usize = 128;
/// Shapes (morph targets) of a node or an animator.
pub(crate) const MORPHS_MAX: usize = 4096;
/// Of all different shapes together: some 100 MB of vertices and indices.
pub(crate) const SHAPE_VERTICES_MAX: u64 = 1_000_000;

/// Positions by name.
pub(crate) type Names = BTreeMap<String, usize>;

/// What every part of the resolution needs.
pub(crate) struct Resolver<'a> {
    pub vfs: &'a Vfs,
    pub sources: &'a [Source],
    pub found: &'a mut Complaints,
    /// Files that were named, by absolute path.
    pub files: BTreeMap<PathBuf, NamedFile>,
    /// Views by their names.
    pub views: Names,
}

impl Resolver<'_> {
    pub fn complain(&mut self, code: &'static str, place: Place, message: impl Into<String>) {
        self.found.add(code, place, message, None);
    }

    pub fn complain_with(
        &mut self,
        code: &'static str,
        place: Place,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        self.found.add(code, place, message, help);
    }

    /// Complains about a key that does nothing, where it is written. `why`: `without `model``.
    pub fn without_effect<T>(&mut self, table: &Table, key: Key<T>, why: &str, help: Option<&str>) {
        self.without_effect_of(table, key.name(), why, help);
    }

    /// The same by the key's name.
    pub fn without_effect_of(&mut self, table: &Table, key: &str, why: &str, help: Option<&str>) {
        if let Some(entry) = table.entry(key) {
            let message = format!("`{key}` has no effect {why}");
            self.complain_with(code::WITHOUT_EFFECT, entry.key_place, message, help.map(str::to_string));
        }
    }

    /// Complains about the value under the first of `keys` that is written.
    pub fn complain_of(&mut self, table: &Table, keys: &[&str], code: &'static str, message: impl Into<String>) {
        if let Some(entry) = keys.iter().find_map(|key| table.entry(key)) {
            self.complain(code, entry.value.place, message);
        }
    }

    /// Complains where `far_m` of a camera is not beyond its `near_m`.
    pub fn far_beyond_near(&mut self, table: &Table, near_m: f32, far_m: Option<f32>) {
        if let Some(far_m) = far_m.filter(|far_m| *far_m <= near_m) {
            let message = format!("`far_m` is {far_m:?}, but must be more than `near_m`, which is {near_m:?}");
            self.complain_of(table, &["far_m", "near_m"], code::WRONG_ORDER, message);
        }
    }

    /// The absolute path of the file under `key`.
    pub fn file<T>(&mut self, table: &Table, key: Key<T>) -> PathBuf {
        let Some((name, place)) = table.placed(key) else { return PathBuf::new() };
        self.file_named(name, place)
    }

    pub fn file_named(&mut self, name: &str, place: Place) -> PathBuf {
        // A name in an included file is meant from where that file lies.
        match self.vfs.locate(&self.sources[place.source as usize].folder, name) {
            Ok(path) => {
                self.files.entry(path.clone()).or_insert_with(|| (name.to_string(), place));
                path
            }
            Err(error) => {
                self.complain_with(error.code, place, error.message, error.help);
                PathBuf::new()
            }
        }
    }

    /// The position of the thing whose name is under `key`, if one is written.
    pub fn name<T>(&mut self, table: &Table, key: Key<T>, names: &Names) -> Option<usize> {
        let (name, place) = table.placed(key).filter(|(name, _)| !name.is_empty())?;
        let Type::Name(what) = key.row.ty else { unreachable!("`{}` is a name", key.name()) };
        let code = match what {
            "node" => code::UNKNOWN_NODE,
            "animator" => code::UNKNOWN_ANIMATOR,
            "model" => code::UNKNOWN_MODEL,
            "view" => code::UNKNOWN_VIEW,
            "effect" => code::UNKNOWN_EFFECT,
            _ => code::UNKNOWN_MATERIAL,
        };
        let none = || match what {
            "node" => "no node has a name".to_string(),
            "effect" => "no effect comes before it; `scene` is the picture itself".to_string(),
            "animator" | "view" => format!("the scene has none; add [[{what}]]"),
            _ => format!("the scene has none; add [{what}.{}]", toml::key(name)),
        };
        self.find(name, place, &format!("{what} `{name}`"), code, names, &none)
    }

    /// The position of a part of an animator.
    pub fn part(&mut self, name: &str, place: Place, what: &str, names: &Names, animator: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        let none = || format!("animator `{animator}` has no {what}");
        self.find(name, place, &format!("{what} `{name}` here"), code::UNKNOWN_PART, names, &none)
    }

    /// `thing`: what is looked for, in words. `none` helps where there is none of its kind.
    pub fn find(
        &mut self,
        name: &str,
        place: Place,
        thing: &str,
        code: &'static str,
        names: &Names,
        none: &dyn Fn() -> String,
    ) -> Option<usize> {
        let at = names.get(name).copied();
        if at.is_none() && !self.found.is_full() {
            let near = did_you_mean(name, names.keys().take(1000).map(String::as_str));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.is_empty() => none(),
                None => format!("known are {}", some_of(names)),
            };
            self.complain_with(code, place, format!("unknown {thing}"), Some(help));
        }
        at
    }

    /// The first `max` of a list; more are reported.
    pub fn few<'a>(
        &mut self,
        list: impl Iterator<Item = (Place, &'a Table)>,
        max: usize,
        what: &str,
    ) -> Vec<(Place, &'a Table)> {
        let mut list: Vec<(Place, &Table)> = list.collect();
        if let Some((place, _)) = list.get(max) {
            self.complain(code::TOO_MANY, *place, format!("more than {max} {what}"));
            list.truncate(max);
        }
        list
    }

    /// Complains about texts under `key` that stand twice in a list of tables.
    pub fn each_once<T>(&mut self, list: &[(Place, &Table)], key: Key<T>) {
        let mut seen = BTreeSet::new();
        for (_, table) in list {
            if let Some((text, place)) = table.placed(key)
                && !seen.insert(text)
            {
                self.complain(code::NAME_TWICE, place, format!("`{text}` appears twice in one list"));
            }
        }
    }
}

/// The first names, for helps.
pub(crate) fn some_of(names: &Names) -> String {
    names.keys().take(20).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

impl OwnNames {
    /// Complains about names that stand twice.
    pub fn new<'a>(resolver: &mut Resolver<'_>, tables: impl Iterator<Item = &'a Table>, what: &str) -> OwnNames {
        let mut taken = BTreeSet::new();
        let tables: Vec<&Table> = tables.collect();
        for table in &tables {
            let Some((name, place)) = name_of(table) else { continue };
            if !taken.insert(name.to_string()) {
                let help = Some(format!("give each {what} a unique name"));
                resolver.complain_with(code::NAME_TWICE, place, format!("duplicate {what} `{name}`"), help);
            }
        }
        OwnNames::of(tables.into_iter())
    }
}
