//! Own names: what tables of a list are called where they have no name.

use std::collections::{BTreeMap, BTreeSet};

use super::text::syntax::{Place, Table};

/// Hands out names, each once.
pub(crate) struct OwnNames {
    taken: BTreeSet<String>,
    /// The next number to try behind a default name.
    next: BTreeMap<String, u32>,
}

impl OwnNames {
    /// All written names are taken from the start, so that none collides with a default one before it.
    pub fn of<'a>(tables: impl Iterator<Item = &'a Table>) -> OwnNames {
        let taken = tables.filter_map(|table| Some(name_of(table)?.0.to_string())).collect();
        OwnNames { taken, next: BTreeMap::new() }
    }

    /// The written name, or the default one, with a number behind it where that is taken.
    pub fn name(&mut self, table: &Table, default: &str) -> String {
        if let Some(name) = name_of(table).map(|(name, _)| name) {
            return name.to_string();
        }
        if self.taken.insert(default.to_string()) {
            return default.to_string();
        }
        let number = self.next.entry(default.to_string()).or_insert(2);
        loop {
            let name = format!("{default}.{number}");
            *number += 1;
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

pub(crate) fn name_of(table: &Table) -> Option<(&str, Place)> {
    let value = table.value("name")?;
    Some((value.kind.text()?, value.place))
}
