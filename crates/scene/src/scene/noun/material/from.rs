//! `from`: a material that begins as another one, of the scene or of a model.
//!
//! A material of the scene is laid below as text, so every key and node of it can be replaced. What a model's material
//! is like is known when its file is read.

use std::collections::BTreeMap;

use super::TABLE;
use crate::scene::code;
use crate::scene::key::{Key, optional};
use crate::scene::resolver::{Names, Resolver};
use crate::scene::schema::Type;
use crate::scene::text::complain::Complaints;
use crate::scene::text::overlay::lay_over;
use crate::scene::text::syntax::{Entry, Kind, Table};
use crate::source::did_you_mean;

pub(super) const FROM: Key<Option<String>> = optional(
    "from",
    Type::Name("material"),
    "none",
    "The material that this one begins as: one of the scene or, with `from_model`, one of a model. What is written here replaces its values, key by key; a node replaces values of the one with its name.",
);
pub(super) const FROM_MODEL: Key<Option<String>> =
    optional("from_model", Type::Name("model"), "none", "The `[model.NAME]` whose material is meant by `from`.");

/// Entries that are copied for all materials together, so that no small file unfolds to a large one.
const COPIED_MAX: usize = 1 << 20;

/// A material of a model's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FromModel {
    /// Position in `Scene::models`.
    pub model: usize,
    pub material: String,
}

/// Lays every material of the tree over the one of the scene that it begins as.
pub(crate) fn lay_materials(tree: &mut Table, found: &mut Complaints) {
    let Some(Kind::Table(materials)) =
        tree.entries.iter_mut().find(|entry| entry.key == "material").map(|entry| &mut entry.value.kind)
    else {
        return;
    };
    let at: BTreeMap<String, usize> =
        (materials.entries.iter().enumerate()).map(|(at, e)| (e.key.clone(), at)).collect();
    let mut is_laid = vec![false; at.len()];
    let mut left = COPIED_MAX;
    for start in 0..materials.entries.len() {
        let mut chain = Vec::new();
        let mut next = Some(start);
        while let Some(here) = next.filter(|here| !is_laid[*here]) {
            is_laid[here] = true;
            chain.push(here);
            next = below(&mut materials.entries[here], &chain, &at, found);
        }
        // What the last one of the chain begins as is whole already.
        let mut base = next;
        for above in chain.into_iter().rev() {
            if let Some(base) = base {
                lay(materials, base, above, &mut left, found);
            }
            base = Some(above);
        }
    }
}

/// The material of the scene that one begins as; its key is taken away.
fn below(entry: &mut Entry, chain: &[usize], at: &BTreeMap<String, usize>, found: &mut Complaints) -> Option<usize> {
    let own = entry.key.clone();
    let Kind::Table(table) = &mut entry.value.kind else { return None };
    if table.entry(FROM_MODEL.name()).is_some() {
        return None;
    }
    let from = table.entries.iter().position(|entry| entry.key == FROM.name())?;
    let Entry { value, .. } = table.entries.remove(from);
    let name = value.kind.text()?;
    let Some(base) = at.get(name).copied() else {
        let near = did_you_mean(name, at.keys().map(String::as_str));
        let help = near.map_or_else(
            || "a material of a model also needs `from_model`".to_string(),
            |near| format!("did you mean `{near}`?"),
        );
        found.add(code::UNKNOWN_MATERIAL, value.place, format!("unknown material `{name}`"), Some(help));
        return None;
    };
    if chain.contains(&base) {
        let message = format!("material `{own}` begins as itself");
        found.add(code::FROM_CIRCLE, value.place, message, Some("let one of them begin as none".to_string()));
        return None;
    }
    Some(base)
}

fn lay(materials: &mut Table, base: usize, above: usize, left: &mut usize, found: &mut Complaints) {
    let Kind::Table(below) = &materials.entries[base].value.kind else { return };
    let Some(rest) = left.checked_sub(size(below)) else {
        let message = format!("materials that begin as others have more than {COPIED_MAX} values");
        if *left > 0 {
            found.add(code::TOO_MANY, materials.entries[above].key_place, message, None);
        }
        *left = 0;
        return;
    };
    *left = rest;
    let mut whole = below.clone();
    let Kind::Table(own) = &mut materials.entries[above].value.kind else { return };
    lay_over(&mut whole, std::mem::take(own), &TABLE);
    *own = whole;
}

/// Entries of a table and of all in it.
fn size(table: &Table) -> usize {
    let inner = |kind: &Kind| match kind {
        Kind::Table(table) => size(table),
        Kind::List(values) => {
            values.iter().map(|value| if let Kind::Table(table) = &value.kind { size(table) } else { 1 }).sum()
        }
        _ => 0,
    };
    table.entries.iter().map(|entry| 1 + inner(&entry.value.kind)).sum()
}

/// The material of a model that one begins as.
pub(super) fn from_model(resolver: &mut Resolver<'_>, table: &Table, models: &Names) -> Option<FromModel> {
    let model = resolver.name(table, FROM_MODEL, models);
    let material = table.written(FROM).flatten();
    if material.is_none() {
        resolver.without_effect(table, FROM_MODEL, "without `from`", Some("name the material of the model, too"));
    }
    Some(FromModel { model: model?, material: material? })
}
