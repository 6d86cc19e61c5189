//! Names of the things in a list: those that are written, and one for each of the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::super::code;
use super::super::syntax::Table;
use super::{Resolver, ask};

/// Hands out names, each once.
pub(super) struct OwnNames {
    taken: BTreeSet<String>,
    /// The next number to try behind a default name.
    next: BTreeMap<String, u32>,
}

impl OwnNames {
    /// All written names are taken from the start, so that none collides with a default one before it. Complains about names
    /// that stand twice.
    pub fn new<'a>(resolver: &mut Resolver<'_>, tables: impl Iterator<Item = &'a Table>, what: &str) -> OwnNames {
        let mut taken = BTreeSet::new();
        for table in tables {
            let Some((name, place)) = ask::placed_text(table, "name") else { continue };
            if !taken.insert(name.to_string()) {
                let help = Some(format!("every {what} has a name of its own"));
                resolver.complain_with(code::NAME_TWICE, place, format!("a second {what} `{name}`"), help);
            }
        }
        OwnNames { taken, next: BTreeMap::new() }
    }

    /// The written name, or the default one, with a number behind it where that is taken.
    pub fn name(&mut self, table: &Table, default: &str) -> String {
        if let Some(name) = ask::text(table, "name") {
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
