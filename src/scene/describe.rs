//! The schema for people and for editors: the tables of docs/scene.md and docs/scene.schema.json.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::schema::{
    CAMERA, Default, ENVIRONMENT, GRADIENT, Key, Kind, LIGHT, MATERIAL, MODEL, NODE, NUMBER_MAX, OUTPUT, Range, SCENE,
    SKY, TEST, TEXTURE, Type,
};

/// In the order of the page.
const KINDS: &[&Kind] =
    &[&SCENE, &OUTPUT, &ENVIRONMENT, &SKY, &GRADIENT, &CAMERA, &MODEL, &MATERIAL, &TEXTURE, &NODE, &LIGHT, &TEST];

/// Every kind and key as Markdown tables.
pub fn markdown() -> String {
    let mut out = String::new();
    for kind in KINDS {
        let title = if std::ptr::eq(*kind, &SCENE) { "A scene file".to_string() } else { format!("`{}`", kind.title) };
        let _ = write!(out, "## {title}\n\n{}\n\n", kind.doc);
        table(&mut out, kind.keys);
        for group in kind.exclusive {
            let names: Vec<String> = group.iter().map(|n| format!("`{n}`")).collect();
            let _ = write!(out, "At most one of {}.\n\n", names.join(", "));
        }
        for case in kind.variants.map_or(&[][..], |v| v.cases) {
            let selector = kind.variants.map_or("", |v| v.selector);
            let _ = write!(out, "### `{selector} = \"{}\"`\n\n{}\n\n", case.word, case.doc);
            table(&mut out, case.keys);
        }
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn table(out: &mut String, keys: &[Key]) {
    out.push_str("| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
    for key in keys {
        let default = match key.default {
            Default::Required => "must be written".to_string(),
            Default::Words(words) => words.to_string(),
            Default::Toml(value) => format!("`{value}`"),
        };
        let _ = writeln!(out, "| `{}` | {} | {default} | {} |", key.name, type_words(&key.ty), key.doc);
    }
    out.push('\n');
}

fn type_words(ty: &Type) -> String {
    let ticked = |words: &[&str]| words.iter().map(|w| format!("`\"{w}\"`")).collect::<Vec<_>>().join(", ");
    let any = |range: &Range| range.max >= NUMBER_MAX && range.min <= -NUMBER_MAX;
    match ty {
        Type::Text => "text".into(),
        Type::Bool => "`true`, `false`".into(),
        Type::Number(range) if any(range) => "number".into(),
        Type::Number(range) => format!("number {}", range.words()),
        Type::Whole { min, max } => format!("whole number {min} to {max}"),
        Type::Numbers { count, range } if any(range) => format!("{count} numbers"),
        Type::Numbers { count, range } => format!("{count} numbers {}", range.words()),
        Type::Wholes { count, min, max } => format!("{count} whole numbers {min} to {max}"),
        Type::Rows { rows, columns } => format!("{rows} lists of {columns} numbers"),
        Type::Scale => "number, or 3 numbers; not 0".into(),
        Type::Color { alpha: false, max } if *max <= 1.0 => "colour, at most 1".into(),
        Type::Color { alpha: false, .. } => "colour".into(),
        Type::Color { alpha: true, .. } => "colour, with or without alpha".into(),
        Type::ColorOr(words) => format!("colour, {}", ticked(words)),
        Type::Choice(words) => ticked(words),
        Type::ChoiceOf(numbers) => numbers.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "),
        Type::Choices(words) => format!("list of {}", ticked(words)),
        Type::ChoicePair(words) => format!("{}, or a list of two", ticked(words)),
        Type::File => "file".into(),
        Type::Name(what) => format!("name of a {what}"),
        Type::Look => "text".into(),
        Type::Texture => "texture".into(),
        Type::Table(kind) => format!("table `{}`", kind.title),
        Type::Named(_) => "named tables".into(),
        Type::List(kind) => format!("tables `{}`", kind.title),
        Type::NotYet => "not yet supported".into(),
    }
}

/// A JSON schema (draft 2020-12) of scene files, for editors.
pub fn json_schema() -> String {
    let mut schema = object(&SCENE);
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".into(), json!("Stillframe scene file"));
    let definitions = json!({
        "color": {
            "description": "\"#rrggbb\" is sRGB, a list is linear.",
            "anyOf": [
                { "type": "string", "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$" },
                { "type": "array", "items": { "type": "number", "minimum": 0 }, "minItems": 3, "maxItems": 3 }
            ]
        },
        "color_alpha": {
            "description": "\"#rrggbb\" and \"#rrggbbaa\" are sRGB, a list is linear.",
            "anyOf": [
                { "type": "string", "pattern": "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$" },
                { "type": "array", "items": { "type": "number", "minimum": 0 }, "minItems": 3, "maxItems": 4 }
            ]
        },
        "material": Value::Object(object(&MATERIAL)),
        "texture": { "anyOf": [{ "type": "string" }, Value::Object(object(&TEXTURE))] },
    });
    schema.insert("$defs".into(), definitions);
    let mut text = serde_json::to_string_pretty(&Value::Object(schema)).expect("plain values");
    text.push('\n');
    text
}

/// One table. With variants, all their keys are allowed together; the program itself tells them apart.
fn object(kind: &Kind) -> Map<String, Value> {
    let mut properties = Map::new();
    let cases = kind.variants.map_or(&[][..], |v| v.cases);
    for key in kind.keys {
        properties.insert(key.name.into(), property(key));
    }
    for case in cases {
        for key in case.keys {
            let owner = kind.variants.map_or("", |v| v.selector);
            let doc = format!("With {owner} = \"{}\": {}", case.word, key.doc);
            match properties.get_mut(key.name) {
                None => {
                    let mut value = property(key);
                    value["description"] = json!(doc);
                    properties.insert(key.name.into(), value);
                }
                // The same name with another meaning beside another word: any of the types, each with its own sentence.
                Some(known) => {
                    let before = known["description"].as_str().unwrap_or_default().to_string();
                    let mut other = property(key);
                    strip(&mut other);
                    let mut types = match known.get("anyOf") {
                        Some(Value::Array(types)) => types.clone(),
                        _ => {
                            let mut first = known.clone();
                            strip(&mut first);
                            vec![first]
                        }
                    };
                    if !types.contains(&other) {
                        types.push(other);
                    }
                    *known = if types.len() == 1 { types.remove(0) } else { json!({ "anyOf": types }) };
                    known["description"] = json!(format!("{before} {doc}"));
                }
            }
        }
    }
    let required: Vec<&str> = kind.keys.iter().filter(|k| k.default == Default::Required).map(|k| k.name).collect();
    let mut out = Map::new();
    out.insert("type".into(), json!("object"));
    out.insert("description".into(), json!(kind.doc));
    out.insert("additionalProperties".into(), json!(false));
    out.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        out.insert("required".into(), json!(required));
    }
    out
}

fn strip(value: &mut Value) {
    if let Value::Object(fields) = value {
        fields.remove("description");
        fields.remove("default");
    }
}

fn property(key: &Key) -> Value {
    let mut out = type_schema(&key.ty);
    if let Value::Object(fields) = &mut out {
        fields.insert("description".into(), json!(key.doc));
        if let Default::Toml(default) = key.default {
            // Numbers, texts, lists and flags are written alike in TOML and in JSON.
            let default: Value = serde_json::from_str(default).expect("defaults are JSON too");
            fields.insert("default".into(), default);
        }
    }
    out
}

fn number(range: &Range) -> Value {
    let mut out = Map::new();
    out.insert("type".into(), json!("number"));
    if range.min > -NUMBER_MAX {
        out.insert(if range.open { "exclusiveMinimum" } else { "minimum" }.into(), json!(range.min));
    }
    if range.max < NUMBER_MAX {
        out.insert("maximum".into(), json!(range.max));
    }
    Value::Object(out)
}

fn array(items: Value, count: usize) -> Value {
    json!({ "type": "array", "items": items, "minItems": count, "maxItems": count })
}

fn type_schema(ty: &Type) -> Value {
    let any = Range { min: -NUMBER_MAX, max: NUMBER_MAX, open: false };
    match ty {
        Type::Text | Type::Name(_) => json!({ "type": "string", "minLength": 1 }),
        Type::File | Type::Look => json!({ "type": "string" }),
        Type::Bool => json!({ "type": "boolean" }),
        Type::Number(range) => number(range),
        Type::Whole { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        Type::Numbers { count, range } => array(number(range), *count),
        Type::Wholes { count, min, max } => array(json!({ "type": "integer", "minimum": min, "maximum": max }), *count),
        Type::Rows { rows, columns } => array(array(number(&any), *columns), *rows),
        Type::Scale => json!({ "anyOf": [number(&any), array(number(&any), 3)] }),
        Type::Color { alpha: false, .. } => json!({ "$ref": "#/$defs/color" }),
        Type::Color { alpha: true, .. } => json!({ "$ref": "#/$defs/color_alpha" }),
        Type::ColorOr(words) => json!({ "anyOf": [{ "enum": words }, { "$ref": "#/$defs/color" }] }),
        Type::Choice(words) => json!({ "enum": words }),
        Type::ChoiceOf(numbers) => json!({ "enum": numbers }),
        Type::Choices(words) => json!({ "type": "array", "items": { "enum": words }, "uniqueItems": true }),
        Type::ChoicePair(words) => json!({ "anyOf": [{ "enum": words }, array(json!({ "enum": words }), 2)] }),
        Type::Texture => json!({ "$ref": "#/$defs/texture" }),
        Type::Table(kind) => Value::Object(object(kind)),
        Type::Named(kind) if std::ptr::eq(*kind, &MATERIAL) => {
            json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/material" } })
        }
        Type::Named(kind) => json!({ "type": "object", "additionalProperties": Value::Object(object(kind)) }),
        Type::List(kind) => json!({ "type": "array", "items": Value::Object(object(kind)) }),
        Type::NotYet => json!({}),
    }
}
