//! Laying one syntax tree over another: what the upper one says holds, key by key.
//!
//! Tables and named tables are laid over each other; entries of `[[node]]`, `[[light]]` and other lists of things with
//! names are, too, where the names are the same, and others are appended. Every other value replaces the one below.
//! Keys below that cannot stand beside a key above give way.

use std::collections::BTreeMap;

use crate::scene::schema::{Kind, Type, kind};
use crate::scene::text::syntax::{Entry, Kind as Written, Table, Value};

/// Lays `above`, which is a `kind` as `below` is, over `below`.
pub(crate) fn lay_over(below: &mut Table, above: Table, kind: &'static Kind) {
    clear_way(below, &above, kind);
    let mut at: BTreeMap<String, usize> =
        below.entries.iter().enumerate().map(|(index, entry)| (entry.key.clone(), index)).collect();
    for entry in above.entries {
        match at.get(&entry.key) {
            Some(index) => {
                let old = &mut below.entries[*index];
                old.key_place = entry.key_place;
                lay_value(&mut old.value, entry.value, kind.key_anywhere(&entry.key).map(|key| &key.ty));
            }
            None => {
                at.insert(entry.key.clone(), below.entries.len());
                below.entries.push(entry);
            }
        }
    }
}

fn lay_value(below: &mut Value, above: Value, ty: Option<&Type>) {
    let inner = match ty {
        Some(Type::Table(inner) | Type::Texture(inner) | Type::FlagOr(inner)) => Some(*inner),
        Some(Type::Params) => Some(&FREE),
        _ => None,
    };
    match (ty, inner, &mut below.kind, above.kind) {
        (_, Some(inner), Written::Table(old), Written::Table(new)) => {
            lay_over(old, new, inner);
            below.place = above.place;
        }
        (Some(Type::Named(inner)), _, Written::Table(old), Written::Table(new)) => {
            lay_named(old, new, inner);
        }
        // Entries without names cannot be told apart: such a list is replaced as a whole.
        (Some(Type::List(inner)), _, Written::List(old), Written::List(new))
            if inner.key_anywhere("name").is_some() =>
        {
            lay_list(old, new, inner);
        }
        (_, _, _, kind) => *below = Value { kind, place: above.place },
    }
}

/// A table of any keys, each replaced as it is.
static FREE: Kind = kind("", "", &[]);

fn lay_named(below: &mut Table, above: Table, kind: &'static Kind) {
    let mut at: BTreeMap<String, usize> =
        below.entries.iter().enumerate().map(|(index, entry)| (entry.key.clone(), index)).collect();
    for entry in above.entries {
        let Some(index) = at.get(&entry.key) else {
            at.insert(entry.key.clone(), below.entries.len());
            below.entries.push(entry);
            continue;
        };
        let old = &mut below.entries[*index];
        match (&mut old.value.kind, entry.value.kind) {
            (Written::Table(old_table), Written::Table(new)) => {
                lay_over(old_table, new, kind);
                old.key_place = entry.key_place;
                old.value.place = entry.value.place;
            }
            (_, kind) => *old = Entry { value: Value { kind, place: entry.value.place }, ..entry },
        }
    }
}

fn lay_list(below: &mut Vec<Value>, above: Vec<Value>, kind: &'static Kind) {
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    for (index, value) in below.iter().enumerate() {
        if let Some(name) = own_name(value) {
            // Of two with one name, which is a mistake that is reported later, the first.
            at.entry(name.to_string()).or_insert(index);
        }
    }
    let mut is_laid = vec![false; below.len()];
    for value in above {
        let place = value.place;
        match own_name(&value).and_then(|name| at.get(name).copied()) {
            // A second entry above with this name is a mistake, which is reported later.
            Some(index) if !is_laid[index] => {
                is_laid[index] = true;
                match (&mut below[index].kind, value.kind) {
                    (Written::Table(old), Written::Table(new)) => {
                        lay_over(old, new, kind);
                        below[index].place = place;
                    }
                    (_, kind) => below[index] = Value { kind, place },
                }
            }
            _ => below.push(value),
        }
    }
}

fn own_name(value: &Value) -> Option<&str> {
    match &value.kind {
        Written::Table(table) => table.value("name")?.kind.text(),
        _ => None,
    }
}

/// Removes from `below` what cannot stand beside the keys of `above`: other keys of their exclusive groups, and keys of
/// another variant than the one `above` chooses.
pub(crate) fn clear_way(below: &mut Table, above: &Table, kind: &'static Kind) {
    let new = |name: &str| above.entry(name).is_some();
    for group in kind.exclusive.iter().filter(|group| group.iter().any(|name| new(name))) {
        below.entries.retain(|entry| new(&entry.key) || !group.contains(&entry.key.as_str()));
    }
    let Some(variants) = kind.variants else { return };
    let group_has = |group: &[&str]| group.contains(&variants.selector);
    let unchosen = kind.exclusive.iter().any(|group| group_has(group) && group.iter().any(|name| new(name)));
    if !new(variants.selector) && !unchosen {
        return;
    }
    let word = above.value(variants.selector).and_then(|v| v.kind.text());
    let known: Vec<&str> = kind.keys_beside(word).map(|key| key.name).collect();
    below.entries.retain(|e| known.contains(&e.key.as_str()) || kind.key_anywhere(&e.key).is_none());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::noun::SCENE;
    use crate::scene::text::parse::parse;

    fn laid(below: &str, above: &str) -> Table {
        let mut out = parse(below, 1, &mut 0).unwrap();
        lay_over(&mut out, parse(above, 0, &mut 0).unwrap(), &SCENE);
        out
    }

    fn keys(table: &Table) -> Vec<&str> {
        table.entries.iter().map(|e| e.key.as_str()).collect()
    }

    #[test]
    fn key_by_key() {
        let out = laid(
            "title='a'\n[output]\nsamples=1\nsize_px=[1,2]\n[camera.a]\nlook_at=[0,0,0]\nnear_m=1\n",
            "title='b'\n[output]\nsize_px=[3,4]\n[camera.a]\nrotation_deg=[1,2,3]\n[camera.b]\n",
        );
        assert_eq!(out.value("title").unwrap().kind.text(), Some("b"));
        assert_eq!(keys(out.table("output").unwrap()), ["samples", "size_px"]);
        assert_eq!(out.table("output").unwrap().value("size_px").unwrap().place.source, 0);
        let cameras = out.table("camera").unwrap();
        assert_eq!(keys(cameras), ["a", "b"]);
        assert_eq!(keys(cameras.table("a").unwrap()), ["near_m", "rotation_deg"], "the other direction gives way");
    }

    #[test]
    fn lists_by_name() {
        let below = "[[node]]\nname='a'\nshape='sphere'\nradius_m=2\nposition=[1,1,1]\n[[node]]\nname='b'\n";
        let out = laid(below, "[[node]]\nname='a'\nshape='box'\n[[node]]\nname='c'\n[[node]]\nshape='cone'\n");
        let nodes: Vec<&Table> = out.list("node").map(|(_, t)| t).collect();
        assert_eq!(nodes.len(), 4);
        assert_eq!(keys(nodes[0]), ["name", "shape", "position"], "a box has no radius");
        assert_eq!(nodes[2].value("name").unwrap().kind.text(), Some("c"));
        let out = laid(below, "[[node]]\nname='a'\nmodel='m'\n");
        assert_eq!(keys(out.list("node").next().unwrap().1), ["name", "position", "model"]);
    }

    #[test]
    fn twice_in_one_file_stays_twice() {
        let out = laid("[[node]]\nname='a'\n", "[[node]]\nname='a'\n[[node]]\nname='a'\n");
        assert_eq!(out.list("node").count(), 2);
    }
}
