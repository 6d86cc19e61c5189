//! `[test.matrix]`: paths, as `--set` takes them, and the values to try in turn.

use toml_edit::Key as TomlKey;

use super::Axis;
use crate::scene::code;
use crate::scene::noun::SCENE;
use crate::scene::noun::output::TABLE as OUTPUT;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{Kind, Row, Type};
use crate::scene::text::check::check_value;
use crate::scene::text::edit::same_kind;
use crate::scene::text::param::Params;
use crate::scene::text::syntax::{Kind as Written, Place, Table, Value};
use crate::scene::text::toml;
use crate::source::did_you_mean;

/// More would make more cases than anybody runs.
const AXES_MAX: usize = 32;

pub(super) fn axes(
    resolver: &mut Resolver<'_>,
    tree: &Table,
    matrix: Option<&Table>,
    params: &mut Params,
    params_kept: &mut Vec<(String, String)>,
) -> Vec<Axis> {
    let Some(table) = matrix else { return Vec::new() };
    let mut written = Vec::new();
    for entry in &table.entries {
        // A first key with dots in it, in quotes, is a path already.
        let path = if entry.key.contains(['.', '"', '\'']) { entry.key.clone() } else { toml::key(&entry.key) };
        flatten(resolver, path, entry.key_place, &entry.value, &mut written);
    }
    let mut out = Vec::new();
    if let Some((_, place, _)) = written.get(AXES_MAX) {
        resolver.complain(code::TOO_MANY, *place, format!("more than {AXES_MAX} values are varied"));
        written.truncate(AXES_MAX);
    }
    for (name, place, values) in written {
        let Some((path, target)) = target(resolver, tree, params, &name, place) else { continue };
        for value in &values {
            match &target {
                Target::Key(key) => check_value(value, key, "[test.matrix]", resolver.found),
                Target::Param(old) if !same_kind(&old.kind, &value.kind) => {
                    let message = format!("`{name}` is {} here, but {} in [param]", value.kind.name(), old.kind.name());
                    resolver.complain(code::WRONG_TYPE, value.place, message);
                }
                Target::Param(_) => {}
            }
        }
        if let Target::Param(value) = &target {
            let param = path.trim_start_matches("param.").to_string();
            params_kept.push((param.clone(), toml::value(value)));
            params.mark_used(&param);
        }
        out.push(Axis { name, path, values: values.iter().map(toml::value).collect() });
    }
    params_kept.sort();
    params_kept.dedup();
    out
}

/// Tables lead deeper, lists are the values.
fn flatten(
    resolver: &mut Resolver<'_>,
    path: String,
    place: Place,
    value: &Value,
    out: &mut Vec<(String, Place, Vec<Value>)>,
) {
    match &value.kind {
        Written::Table(table) => {
            for entry in &table.entries {
                let path = format!("{path}.{}", toml::key(&entry.key));
                flatten(resolver, path, entry.key_place, &entry.value, out);
            }
        }
        Written::List(values) if values.is_empty() => {
            resolver.complain(code::WRONG_COUNT, value.place, format!("`{path}` has no value to try"));
        }
        Written::List(values) => out.push((path, place, values.clone())),
        other => {
            let help = Some(format!("write `{path} = [{}]`", toml::value(value)));
            let message = format!("`{path}` is {}; expected a list of values to try", other.name());
            resolver.complain_with(code::WRONG_TYPE, value.place, message, help);
        }
    }
}

/// What a path leads to.
enum Target {
    Key(&'static Row),
    Param(Value),
}

/// The whole path, and what is there.
fn target(
    resolver: &mut Resolver<'_>,
    tree: &Table,
    params: &Params,
    path: &str,
    place: Place,
) -> Option<(String, Target)> {
    let Ok(keys) = TomlKey::parse(path) else {
        resolver.complain(code::SET_FORM, place, format!("`{path}` is not a path: expected keys joined by dots"));
        return None;
    };
    let mut steps: Vec<String> = keys.iter().map(|key| key.get().to_string()).collect();
    if let [single] = steps.as_slice() {
        let first = if OUTPUT.key_anywhere(single).is_some() {
            "output"
        } else if params.value(single).is_some() {
            "param"
        } else {
            let near = did_you_mean(single, OUTPUT.keys.iter().map(|k| k.name)).map(|n| format!("did you mean `{n}`?"));
            let help =
                near.unwrap_or_else(|| "write the whole path, as `--set` takes it: `camera.main.fov_y_deg`".into());
            let message = format!("`{single}` is neither a key of [output] nor a parameter");
            resolver.complain_with(code::SET_PATH, place, message, Some(help));
            return None;
        };
        steps.insert(0, first.to_string());
    }
    let whole = steps.iter().map(|step| toml::key(step)).collect::<Vec<_>>().join(".");
    let found = match steps.as_slice() {
        [first, name] if first == "param" => params.value(name).cloned().map(Target::Param).ok_or(Lost::at(name)),
        [first, ..] if ["test", "include", "param"].contains(&first.as_str()) => Err(Lost::at(first)),
        steps => key_at(tree, &SCENE, steps).map(Target::Key),
    };
    match found {
        Ok(target) => Some((whole, target)),
        Err(Lost { step, known }) => {
            let message = format!("`{path}` does not exist: no `{step}` that can be varied");
            let near = did_you_mean(&step, known.iter().map(String::as_str)).map(|n| format!("did you mean `{n}`?"));
            resolver.complain_with(code::SET_PATH, place, message, near);
            None
        }
    }
}

/// Where a path leads nowhere, and what it could have been.
struct Lost {
    step: String,
    known: Vec<String>,
}

impl Lost {
    fn at(step: &str) -> Lost {
        Lost { step: step.to_string(), known: Vec::new() }
    }

    fn among<'a>(step: &str, known: impl Iterator<Item = &'a str>) -> Lost {
        Lost { step: step.to_string(), known: known.take(1000).map(str::to_string).collect() }
    }
}

/// The row of the schema that `steps` lead to, through names that the scene has.
fn key_at(tree: &Table, kind: &'static Kind, steps: &[String]) -> Result<&'static Row, Lost> {
    let [name, rest @ ..] = steps else { unreachable!("a path has a step, and names are followed by one") };
    let names = || kind.keys.iter().map(|key| key.name);
    let key = kind.key_anywhere(name).ok_or_else(|| Lost::among(name, names()))?;
    let empty = Table::default();
    match (&key.ty, rest) {
        (Type::Table(_) | Type::Named(_) | Type::List(_), []) => Err(Lost::at(name)),
        (Type::Named(_) | Type::List(_), [own]) => Err(Lost::at(own)),
        (_, []) => Ok(key),
        (Type::Table(inner) | Type::Texture(inner) | Type::FlagOr(inner), rest) => {
            key_at(tree.table(name).unwrap_or(&empty), inner, rest)
        }
        (Type::Named(inner), [own, rest @ ..]) => {
            let table = tree.table(name).and_then(|names| names.table(own));
            let table = table.ok_or_else(|| Lost::among(own, tree.named(name).map(|(name, _, _)| name)))?;
            key_at(table, inner, rest)
        }
        (Type::List(inner), [own, rest @ ..]) => {
            fn name_of(table: &Table) -> Option<&str> {
                table.value("name")?.kind.text()
            }
            let found = tree.list(name).find(|(_, t)| name_of(t) == Some(own));
            let found = found.or_else(|| tree.list(name).nth(own.parse().ok()?));
            let (_, table) = found.ok_or_else(|| Lost::among(own, tree.list(name).filter_map(|(_, t)| name_of(t))))?;
            key_at(table, inner, rest)
        }
        (_, [below, ..]) => Err(Lost::at(below)),
    }
}
