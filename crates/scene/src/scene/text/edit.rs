//! `--set path=value`: replaces one value of a scene file before it is checked.
//!
//! A path is the keys from the top, as TOML writes them: `camera.main.fov_y_deg=30`, `output.size_px=[64, 64]`,
//! `node.ball.radius_m=2`. Nodes and lights are found by their `name` or by their number from 0. A value that is no
//! TOML counts as a text, so that words need no quotes.

use toml_edit::Key as TomlKey;

use crate::scene::code;
use crate::scene::noun::SCENE;
use crate::scene::own_names::{OwnNames, name_of};
use crate::scene::schema::{Default, Kind, Row, Type};
use crate::scene::text::complain::Complaints;
use crate::scene::text::overlay::clear_way;
use crate::scene::text::parse::parse_value;
use crate::scene::text::syntax::{Entry, Kind as Written, Place, Table, Value};
use crate::source::did_you_mean;

/// Writes `argument`, the `source`th edit, into `scene`.
pub(crate) fn edit(scene: &mut Table, argument: &str, source: u32, found: &mut Complaints) {
    let whole = Place::new(source, 0..argument.len());
    let Some((path, text)) = argument.split_once('=') else {
        let help = Some("for example `--set camera.main.fov_y_deg=30`".to_string());
        found.add(code::SET_FORM, whole, "expected `path=value`", help);
        return;
    };
    let Some(steps) = steps(path, source) else {
        let place = Place::new(source, 0..path.len());
        found.add(code::SET_FORM, place, "a path is keys joined by dots", None);
        return;
    };
    let offset = path.len() + 1;
    let value = parse_value(text, source, offset).unwrap_or_else(|_| Value {
        kind: Written::Text(text.trim().to_string()),
        place: Place::new(source, offset..argument.len()),
    });
    if steps[0].0 == "include" {
        let message = "`include` is read before any `--set` and cannot be changed";
        found.add(code::SET_PATH, steps[0].1, message, None);
        return;
    }
    enter(scene, &SCENE, &steps, value, found);
}

/// The keys of a path with their places; `None` where it is none.
fn steps(path: &str, source: u32) -> Option<Vec<(String, Place)>> {
    let keys = TomlKey::parse(path).ok()?;
    let mut out = Vec::new();
    let mut from = 0;
    for key in &keys {
        // Keys know no places of their own; as they stand in the path in this order, each is found after the one
        // before.
        let written = [key.get().to_string(), format!("\"{}\"", key.get()), format!("'{}'", key.get())];
        let start = written.iter().filter_map(|w| path[from..].find(w.as_str()).map(|at| (from + at, w.len()))).min();
        let (start, length) = start.unwrap_or((from, path.len() - from));
        out.push((key.get().to_string(), Place::new(source, start..start + length)));
        from = (start + length).min(path.len());
    }
    Some(out)
}

/// Writes `value` where `steps` lead, seen from `table`, which is a `kind`.
fn enter(table: &mut Table, kind: &'static Kind, steps: &[(String, Place)], value: Value, found: &mut Complaints) {
    let [(name, place), rest @ ..] = steps else { unreachable!("a path has a key") };
    let Some(key) = kind.key_anywhere(name).filter(|_| !rest.is_empty()) else {
        if rest.is_empty() {
            // Whether the key is known here, the check says.
            write(table, kind, name, *place, value);
        } else {
            let names = kind.keys.iter().filter(|k| is_deep(&k.ty)).map(|k| k.name);
            no_such(name, *place, names, &format!("a table of {}", kind.title), found);
        }
        return;
    };
    match key.ty {
        Type::Table(inner) | Type::Texture(inner) | Type::FlagOr(inner) => {
            // A file's name, or a word, says one thing of a table.
            let first = inner.variants.map_or("file", |v| v.selector);
            enter(own_table_with(table, name, *place, first), inner, rest, value, found);
        }

        Type::Named(inner) => enter_named(own_table(table, name, *place), name, inner, rest, value, found),
        Type::List(inner) => enter_listed(table, name, inner, rest, value, found),
        Type::Params => enter_param(own_table(table, name, *place), rest, value, found),
        _ => {
            let place = rest[0].1;
            found.add(code::SET_PATH, place, format!("`{name}` is a value, not a table"), None);
        }
    }
}

fn is_deep(ty: &Type) -> bool {
    matches!(ty, Type::Table(_) | Type::Named(_) | Type::List(_) | Type::Texture(_) | Type::FlagOr(_) | Type::Params)
}

fn no_such<'a>(name: &str, place: Place, names: impl Iterator<Item = &'a str>, what: &str, found: &mut Complaints) {
    let names: Vec<&str> = names.collect();
    let help = match did_you_mean(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => "there are none".to_string(),
        None => format!("known are {}", names.iter().take(20).map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")),
    };
    found.add(code::SET_PATH, place, format!("`{name}` is not {what}"), Some(help));
}

/// The table under `name`, made where there is none.
fn own_table<'a>(table: &'a mut Table, name: &str, place: Place) -> &'a mut Table {
    own_table_with(table, name, place, "file")
}

/// The same; a text in its place is what stands under `first`.
fn own_table_with<'a>(table: &'a mut Table, name: &str, place: Place, first: &str) -> &'a mut Table {
    let at = table.entries.iter().position(|e| e.key == name).unwrap_or_else(|| {
        let value = Value { kind: Written::Table(Table::default()), place };
        table.entries.push(Entry { key: name.to_string(), key_place: place, value });
        table.entries.len() - 1
    });
    let value = &mut table.entries[at].value;
    if !matches!(value.kind, Written::Table(_)) {
        // Anything but a text the edit replaces.
        let mut inner = Table::default();
        if matches!(value.kind, Written::Text(_)) {
            let text = value.clone();
            inner.entries.push(Entry { key: first.into(), key_place: text.place, value: text });
        }
        *value = Value { kind: Written::Table(inner), place: value.place };
    }
    match &mut value.kind {
        Written::Table(inner) => inner,
        _ => unreachable!("made a table just above"),
    }
}

/// `[kind.NAME]`: only names that are there; a new camera is written in the file. A model's materials are not the
/// scene's to know: an override is made where there is none, and the model has its say when it is loaded.
fn enter_named(
    names: &mut Table,
    kind_name: &str,
    kind: &'static Kind,
    steps: &[(String, Place)],
    value: Value,
    found: &mut Complaints,
) {
    let (name, place) = &steps[0];
    if kind_name == "override" {
        own_table(names, name, *place);
    }
    let Some(at) = names.entries.iter().position(|e| e.key == *name) else {
        no_such(
            name,
            *place,
            names.entries.iter().map(|e| e.key.as_str()),
            &format!("a {kind_name} of the scene"),
            found,
        );
        return;
    };
    if steps.len() == 1 {
        names.entries[at].value = value;
        return;
    }
    if let Written::Table(inner) = &mut names.entries[at].value.kind {
        enter(inner, kind, &steps[1..], value, found);
    }
}

/// `[[kind]]`: by name or by number.
fn enter_listed(
    table: &mut Table,
    list_name: &str,
    kind: &'static Kind,
    steps: &[(String, Place)],
    value: Value,
    found: &mut Complaints,
) {
    let (name, place) = &steps[0];
    let mut empty = Vec::new();
    let values = match table.entries.iter_mut().find(|e| e.key == list_name).map(|e| &mut e.value.kind) {
        Some(Written::List(values)) => values,
        _ => &mut empty,
    };
    let names = names_of(values, kind);
    let by_name = names.iter().position(|own| own.as_ref() == Some(name));
    let at = by_name.or_else(|| name.parse::<usize>().ok().filter(|n| *n < values.len()));
    let Some(at) = at else {
        let what = format!("among the scene's tables `{list_name}` ({} in all, counted from 0)", values.len());
        no_such(name, *place, names.iter().flatten().map(String::as_str), &what, found);
        return;
    };
    if steps.len() == 1 {
        values[at] = value;
        return;
    }
    if let Written::Table(inner) = &mut values[at].kind {
        enter(inner, kind, &steps[1..], value, found);
    }
}

/// What tables of a list are called, written or by default.
fn names_of(values: &[Value], kind: &Kind) -> Vec<Option<String>> {
    let tables = values.iter().map(|value| if let Written::Table(table) = &value.kind { Some(table) } else { None });
    let mut own = OwnNames::of(tables.clone().flatten());
    let is_by_kind = |row: &Row| row.name == "name" && matches!(row.default, Default::Words("its kind"));
    let variants = kind.variants.filter(|_| kind.keys.iter().any(is_by_kind));
    let name = |table: Option<&Table>| {
        let table = table?;
        let word = variants.and_then(|of| Some(table.value(of.selector)?.kind.text()?).or(of.default));
        match word {
            Some(word) => Some(own.name(table, word)),
            None => name_of(table).map(|(name, _)| name.to_string()),
        }
    };
    tables.map(name).collect()
}

/// `param.NAME`: one that the file has, with a value of the same kind.
fn enter_param(params: &mut Table, steps: &[(String, Place)], value: Value, found: &mut Complaints) {
    let (name, place) = &steps[0];
    let Some(entry) = params.entries.iter_mut().find(|e| e.key == *name) else {
        no_such(name, *place, params.entries.iter().map(|e| e.key.as_str()), "a parameter of the scene", found);
        return;
    };
    if let Some((_, place)) = steps.get(1) {
        found.add(code::SET_PATH, *place, format!("`{name}` is a value, not a table"), None);
        return;
    }
    if !same_kind(&entry.value.kind, &value.kind) {
        let want = if entry.value.kind.number().is_some() { "a number" } else { entry.value.kind.name() };
        let message = format!("the parameter `{name}` is {} here, but {want} in the file", value.kind.name());
        found.add(code::WRONG_TYPE, value.place, message, None);
        return;
    }
    entry.value = value;
}

/// Whether one value may stand in for another: both numbers, both texts, both lists. What a formula gives is known
/// later.
pub(crate) fn same_kind(old: &Written, new: &Written) -> bool {
    let formula = |kind: &Written| kind.text().is_some_and(|text| text.starts_with('$'));
    let number = |kind: &Written| kind.number().is_some();
    formula(old)
        || formula(new)
        || (number(old) && number(new))
        || std::mem::discriminant(old) == std::mem::discriminant(new)
}

/// Writes a key, in the place of the one that stands there and of those that cannot stand beside it.
fn write(table: &mut Table, kind: &'static Kind, name: &str, place: Place, value: Value) {
    let entry = Entry { key: name.to_string(), key_place: place, value };
    let above = Table { entries: vec![entry.clone()] };
    clear_way(table, &above, kind);
    match table.entries.iter_mut().find(|e| e.key == name) {
        Some(old) => *old = entry,
        None => table.entries.push(entry),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::text::parse::parse;

    const TEXT: &str = "title = 'x'\n[camera.main]\nlook_at = [0, 0, 0]\n[[node]]\nname = 'ball'\nshape = 'sphere'\n\
                        [material.m]\nbase_color_texture = 'a.png'\n";

    fn edited(argument: &str) -> (Table, Complaints) {
        let mut table = parse(TEXT, 0, &mut 0).unwrap();
        let mut found = Complaints::default();
        edit(&mut table, argument, 1, &mut found);
        (table, found)
    }

    #[test]
    fn values_are_written() {
        let (table, found) = edited("camera.main.rotation_deg=[1, 2, 3]");
        assert!(found.list.is_empty(), "{found:?}");
        let camera = table.table("camera").unwrap().table("main").unwrap();
        assert!(camera.value("look_at").is_none() && camera.value("rotation_deg").is_some());

        let (table, _) = edited("output.tonemap=aces");
        assert_eq!(table.table("output").unwrap().value("tonemap").unwrap().kind.text(), Some("aces"));

        for path in ["node.ball.radius_m=2", "node.0.radius_m=2", "node.\"ball\".radius_m = 2"] {
            let (table, found) = edited(path);
            assert!(found.list.is_empty(), "{path}: {found:?}");
            let (_, node) = table.list("node").next().unwrap();
            assert_eq!(node.value("radius_m").unwrap().kind, Written::Whole(2), "{path}");
        }

        let (table, _) = edited("material.m.base_color_texture.wrap=clamp");
        let texture = table.table("material").unwrap().table("m").unwrap().table("base_color_texture").unwrap();
        assert_eq!(texture.value("file").unwrap().kind.text(), Some("a.png"));
    }

    #[test]
    fn paths_that_lead_nowhere_say_where_they_end() {
        for (argument, code, at, help) in [
            ("output", code::SET_FORM, "output", "for example"),
            ("=1", code::SET_FORM, "", ""),
            ("a..b=1", code::SET_FORM, "a..b", ""),
            ("outptu.samples=1", code::SET_PATH, "outptu", "output"),
            ("camera.mian.fov_y_deg=1", code::SET_PATH, "mian", "main"),
            ("node.bal.radius_m=1", code::SET_PATH, "bal", "ball"),
            ("node.7.radius_m=1", code::SET_PATH, "7", "ball"),
            ("title.x=1", code::SET_PATH, "x", ""),
            ("light.0.shadow=false", code::SET_PATH, "0", "none"),
        ] {
            let (_, found) = edited(argument);
            assert_eq!(found.list.len(), 1, "{argument}");
            let complaint = &found.list[0];
            assert_eq!((complaint.code, &argument[complaint.place.span()]), (code, at), "{argument}");
            assert!(complaint.help.as_deref().unwrap_or("").contains(help), "{argument}: {complaint:?}");
        }
    }
}
