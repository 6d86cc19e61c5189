//! The schema for editors: docs/scene.schema.json, JSON Schema draft 2020-12.
//!
//! Types, ranges, words and which keys stand beside which are in it; what only the whole tells (names, orders of
//! values, files) is not. A file with `include` may leave to others what it needs itself, so what must be written is
//! asked of files without it only.

use serde_json::{Map, Value, json};

use super::curve::{Extend, Interpolation};
use super::noun::SCENE;
use super::noun::animator::condition;
use super::noun::camera::TABLE as CAMERA;
use super::noun::material::{TABLE as MATERIAL, TEXTURE_TABLE as TEXTURE};
use super::noun::model::TABLE as MODEL;
use super::noun::test::TABLE as TEST;
use super::schema::{ANY, Default, Kind, NUMBER_MAX, Range, Row, Type, Variant};
use super::text::keyed::TABLE as KEYED;
use super::word::Word;

const HEX_ALPHA: &str = "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$";

/// The whole document.
pub fn json_schema() -> String {
    let mut schema = object(&SCENE);
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".into(), json!("Stillframe scene file"));
    schema.insert("if".into(), json!({ "required": ["include"] }));
    schema.insert("else".into(), whole(&SCENE).unwrap_or(json!(true)));
    let color = |most: u32, pattern: &str, words: &str| {
        let number = json!({ "anyOf": [{ "type": "number", "minimum": 0, "maximum": NUMBER_MAX }, parameter()] });
        json!({
            "description": words,
            "anyOf": [
                { "type": "string", "pattern": pattern },
                { "type": "array", "items": number, "minItems": 3, "maxItems": most }
            ]
        })
    };
    let definitions = json!({
        "color": color(3, "^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$", "\"#rrggbb\" is sRGB, a list is linear."),
        "color_alpha": color(
            4,
            HEX_ALPHA,
            "\"#rrggbb\" and \"#rrggbbaa\" are sRGB, a list is linear."
        ),
        "link": {
            "description": "An output of a node of the material: `\"node.output\"`, or one number of it: `\"node.x\"`.",
            "type": "string",
            "pattern": "^[^#$].*\\."
        },
        "literal": {
            "description": "A number, two to four of them, or a colour in hexadecimal digits.",
            "anyOf": [
                { "$ref": "#/$defs/number" },
                { "type": "string", "pattern": HEX_ALPHA },
                { "type": "array", "items": or_parameter(number(&ANY)), "minItems": 2, "maxItems": 4 }
            ]
        },
        "number": { "type": "number", "minimum": -NUMBER_MAX, "maximum": NUMBER_MAX },
        "parameter": {
            "description": "`\"$name\"` or `\"$(name * 2)\"`: the value of a parameter, or of a formula with parameters.",
            "type": "string",
            "pattern": "^\\$([A-Za-z][A-Za-z0-9_]*|\\(.*\\)\\s*)$"
        },
        "interpolation": { "enum": Interpolation::NAMES, "description": doc_of(&KEYED, "interpolation") },
        "extend": { "enum": Extend::NAMES, "description": doc_of(&KEYED, "extend") },
        "material": object(&MATERIAL),
        "matrix": {
            "type": "object",
            "additionalProperties": { "anyOf": [{ "type": "array", "minItems": 1 }, { "$ref": "#/$defs/matrix" }] }
        },
        "texture": { "anyOf": [{ "type": "string" }, object(&TEXTURE)] },
    });
    schema.insert("$defs".into(), definitions);
    let mut text = serde_json::to_string_pretty(&Value::Object(schema)).expect("plain values");
    text.push('\n');
    text
}

/// What stands for any value.
fn parameter() -> Value {
    json!({ "$ref": "#/$defs/parameter" })
}

fn doc_of(kind: &Kind, key: &str) -> &'static str {
    kind.key_anywhere(key).map_or("", |key| key.doc)
}

/// One table: its keys, what they hold, and which exclude each other.
fn object(kind: &'static Kind) -> Map<String, Value> {
    let mut properties = Map::new();
    let cases = cases(kind);
    for key in kind.keys {
        properties.insert(key.name.into(), property(key));
    }
    // Editors show every key with all it can mean; which types it has beside which word stands below.
    for (case, key) in cases.iter().flat_map(|case| case.keys.iter().map(move |key| (case, key))) {
        let owner = kind.variants.map_or("", |v| v.selector);
        let doc = format!("With {owner} = \"{}\": {}", case.word, key.doc);
        let known = properties.entry(key.name).or_insert_with(|| json!({ "description": "" }));
        let before = known["description"].as_str().unwrap_or_default();
        known["description"] = json!(format!("{before} {doc}").trim());
    }
    let mut rules: Vec<Value> = Vec::new();
    for group in kind.exclusive {
        for (at, first) in group.iter().enumerate() {
            rules.extend(group[at + 1..].iter().map(|second| json!({ "not": { "required": [first, second] } })));
        }
    }
    for case in cases {
        let selector = kind.variants.map_or("", |v| v.selector);
        let mut then = without(cases, case);
        case.keys.iter().for_each(|key| {
            then.insert(key.name.into(), plain_property(key));
        });
        rules.push(json!({
            "if": { "required": [selector], "properties": { selector: { "const": case.word } } },
            "then": { "properties": then }
        }));
    }
    let mut out = Map::new();
    out.insert("type".into(), json!("object"));
    out.insert("description".into(), json!(kind.doc));
    out.insert("additionalProperties".into(), json!(false));
    out.insert("properties".into(), Value::Object(properties));
    if !rules.is_empty() {
        out.insert("allOf".into(), json!(rules));
    }
    out
}

fn cases(kind: &'static Kind) -> &'static [Variant] {
    kind.variants.map_or(&[], |v| v.cases)
}

/// `false` for every key of another case than `own`.
fn without(cases: &[Variant], own: &Variant) -> Map<String, Value> {
    let others = cases.iter().flat_map(|case| case.keys).filter(|key| own.keys.iter().all(|k| k.name != key.name));
    others.map(|key| (key.name.to_string(), json!(false))).collect()
}

/// What a table must hold if no other file adds to it; `None` where that is nothing.
fn whole(kind: &'static Kind) -> Option<Value> {
    let mut out = whole_keys(kind.keys);
    let is = |other: &'static Kind| std::ptr::eq(kind, other);
    let mut rules: Vec<Value> = Vec::new();
    // Groups of keys that stand beside no selector, or beside its word `case`.
    let needs = |case: Option<&Variant>| {
        let known =
            |name: &&str| kind.keys.iter().chain(case.map_or(&[][..], |case| case.keys)).any(|key| key.name == *name);
        let groups = kind.needs.iter().filter(move |group| group.iter().all(known));
        groups
            .map(|group| {
                let each: Vec<Value> = group.iter().map(|name| json!({ "required": [name] })).collect();
                json!({ "anyOf": each })
            })
            .collect::<Vec<Value>>()
    };
    if kind.variants.is_none() {
        rules.extend(needs(None));
    }
    for case in cases(kind) {
        let selector = kind.variants.map_or("", |v| v.selector);
        let mut then = whole_keys(case.keys);
        let groups = needs(Some(case));
        if !groups.is_empty() {
            then.insert("allOf".into(), json!(groups));
        }
        if !then.is_empty() {
            rules.push(json!({
                "if": { "required": [selector], "properties": { selector: { "const": case.word } } },
                "then": then
            }));
        }
    }
    if let Some(variants) = kind.variants {
        let counted = variants.cases.iter().find(|case| Some(case.word) == variants.default);
        let nothing = Variant { word: "", doc: "", keys: &[] };
        rules.push(json!({
            "if": { "not": { "required": [variants.selector] } },
            "then": { "properties": without(variants.cases, counted.unwrap_or(&nothing)) }
        }));
    }
    if is(&MATERIAL) {
        let mask = json!({ "anyOf": [{ "const": "mask" }, parameter()] });
        rules.push(json!({
            "if": { "required": ["alpha_cutoff"] },
            "then": { "required": ["alpha_mode"], "properties": { "alpha_mode": mask } }
        }));
    }
    if is(&MODEL) {
        out.insert("dependentRequired".into(), json!({ "clip_time_s": ["clip"], "clip_speed": ["clip"] }));
    }
    if is(&TEST) {
        out.insert("dependentRequired".into(), json!({ "reason": ["tolerance"] }));
        rules.push(json!({
            "if": { "required": ["tolerance"], "properties": { "tolerance": { "not": { "const": 0 } } } },
            "then": { "required": ["reason"] }
        }));
    }
    if is(&SCENE) {
        let chosen = json!({ "anyOf": [{ "required": ["camera"] }, { "required": ["look"] }] });
        rules.push(json!({ "anyOf": [
            { "required": ["camera"] },
            { "required": ["output"], "properties": { "output": chosen } }
        ] }));
    }
    if !rules.is_empty() {
        out.insert("allOf".into(), json!(rules));
    }
    (!out.is_empty()).then_some(Value::Object(out))
}

/// Which of `keys` must stand, and what must stand in their tables.
fn whole_keys(keys: &'static [Row]) -> Map<String, Value> {
    let mut out = Map::new();
    let required: Vec<&str> = keys.iter().filter(|k| k.default == Default::Required).map(|k| k.name).collect();
    if !required.is_empty() {
        out.insert("required".into(), json!(required));
    }
    let mut properties = Map::new();
    for key in keys {
        let inner = match &key.ty {
            Type::Table(inner) => whole(inner),
            Type::Named(inner) => whole(inner).map(|rule| json!({ "additionalProperties": rule })),
            Type::List(inner) => whole(inner).map(|rule| json!({ "items": rule })),
            Type::Texture(inner) => whole(inner).map(|rule| json!({ "if": { "type": "object" }, "then": rule })),
            Type::FlagOr(inner) => whole(inner).map(|rule| json!({ "if": { "type": "object" }, "then": rule })),
            Type::NumberOr(_, inner) => whole(inner).map(|rule| json!({ "if": { "type": "object" }, "then": rule })),
            _ => None,
        };
        properties.extend(inner.map(|rule| (key.name.to_string(), rule)));
    }
    if !properties.is_empty() {
        out.insert("properties".into(), Value::Object(properties));
    }
    out
}

/// A key's value with its sentence and its default.
fn property(key: &Row) -> Value {
    let mut out = plain_property(key);
    if let Value::Object(fields) = &mut out {
        fields.insert("description".into(), json!(key.doc));
        if let Default::Value(default) = key.default {
            let default: Value = serde_json::from_str(&default.text()).expect("defaults are JSON too");
            fields.insert("default".into(), default);
        }
    }
    out
}

/// A key's value, a parameter in its place, or key frames of it.
fn plain_property(key: &Row) -> Value {
    let value = type_schema(&key.ty);
    let table = matches!(
        key.ty,
        Type::Table(_) | Type::Named(_) | Type::List(_) | Type::Params | Type::Matrix | Type::Files | Type::Texts
    );
    // What is any text already.
    let texts = matches!(
        key.ty,
        Type::Text
            | Type::Name(_)
            | Type::File
            | Type::Texture(_)
            | Type::Value(_)
            | Type::ClipSource
            | Type::Condition
    );
    let mut forms = vec![value.clone()];
    if !table && !texts {
        forms.push(parameter());
    }
    if key.moves {
        let pair = json!({
            "type": "array",
            "prefixItems": [or_parameter(json!({ "type": "number", "minimum": -1e6, "maximum": 1e6 })), or_parameter(type_schema(key.ty.unlinked()))],
            "minItems": 2,
            "maxItems": 2
        });
        forms.push(json!({
            "type": "object",
            "additionalProperties": false,
            "required": ["keys"],
            "properties": {
                "keys": { "type": "array", "items": pair, "minItems": 1, "description": doc_of(&KEYED, "keys") },
                "interpolation": { "$ref": "#/$defs/interpolation" },
                "extend": { "$ref": "#/$defs/extend" }
            }
        }));
    }
    if forms.len() == 1 { forms.remove(0) } else { json!({ "anyOf": forms }) }
}

fn or_parameter(value: Value) -> Value {
    json!({ "anyOf": [value, parameter()] })
}

fn number(range: &Range) -> Value {
    if range.min <= -NUMBER_MAX && range.max >= NUMBER_MAX {
        return json!({ "$ref": "#/$defs/number" });
    }
    let low = if range.open { "exclusiveMinimum" } else { "minimum" };
    json!({ "type": "number", low: range.min, "maximum": range.max })
}

fn array(items: Value, count: usize) -> Value {
    json!({ "type": "array", "items": or_parameter(items), "minItems": count, "maxItems": count })
}

/// A number, or the name of a parameter of an animator.
fn value_or_name(range: &Range) -> Value {
    json!({ "anyOf": [number(range), { "type": "string", "minLength": 1 }] })
}

fn up_to(items: Value, max: usize) -> Value {
    json!({ "type": "array", "items": items, "minItems": 1, "maxItems": max })
}

fn type_schema(ty: &Type) -> Value {
    let any = Range { min: -NUMBER_MAX, max: NUMBER_MAX, open: false };
    let whole = |min: &i64, max: &i64| json!({ "type": "integer", "minimum": min, "maximum": max });
    let texts = |once: bool| {
        let text = json!({ "type": "string", "minLength": 1 });
        let list = json!({ "type": "array", "items": text, "minItems": u32::from(once), "uniqueItems": once });
        json!({ "anyOf": [text, list] })
    };
    match ty {
        Type::Text | Type::Name(_) => json!({ "type": "string", "minLength": 1 }),
        Type::File => json!({ "type": "string", "minLength": 1 }),
        Type::Look => json!({ "type": "string", "pattern": "^[^:]+:[^:]+(:[^:]+)?$" }),
        Type::Bool => json!({ "type": "boolean" }),
        Type::Number(range) => number(range),
        Type::Whole { min, max } => whole(min, max),
        Type::Numbers { count, range } => array(number(range), *count),
        Type::Wholes { count, min, max } => array(whole(min, max), *count),
        Type::Rows { rows, columns } => array(array(number(&any), *columns), *rows),
        Type::Scale => {
            // Smaller ones cannot be inverted in single precision.
            let own = json!({
                "$ref": "#/$defs/number",
                "not": { "exclusiveMinimum": -1e-6, "exclusiveMaximum": 1e-6 }
            });
            json!({ "anyOf": [own, array(own, 3)] })
        }
        Type::Color { alpha: false, max } if *max <= 1.0 => {
            json!({ "$ref": "#/$defs/color", "items": or_parameter(json!({ "type": "number", "maximum": max })) })
        }
        Type::Color { alpha: false, .. } => json!({ "$ref": "#/$defs/color" }),
        Type::Color { alpha: true, max } => {
            json!({ "$ref": "#/$defs/color_alpha", "items": or_parameter(json!({ "type": "number", "maximum": max })) })
        }
        Type::ColorOr(words) => json!({ "anyOf": [{ "enum": words }, { "$ref": "#/$defs/color" }] }),
        Type::Choice(words) => json!({ "enum": words }),
        Type::ChoiceOf(numbers) => json!({ "enum": numbers }),
        Type::Choices(words) => {
            let (open, plain): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.contains('.'));
            let patterns = open.iter().map(|word| {
                let pattern = match word.split_once('.') {
                    Some((word, "NAME")) => format!("^{word}\\.[^/\\\\#,\"]+$"),
                    Some((word, _)) => format!("^{word}\\.(0|[1-9][0-9]*)$"),
                    None => unreachable!("only words with a dot are open"),
                };
                json!({ "pattern": pattern, "type": "string" })
            });
            let mut any = vec![json!({ "enum": plain })];
            any.extend(patterns);
            let item = if any.len() == 1 { any.remove(0) } else { json!({ "anyOf": any }) };
            json!({ "type": "array", "items": or_parameter(item), "uniqueItems": true })
        }
        Type::ChoicePair(words) => json!({ "anyOf": [{ "enum": words }, array(json!({ "enum": words }), 2)] }),
        Type::Texture(_) => json!({ "$ref": "#/$defs/texture" }),
        Type::Table(kind) => Value::Object(object(kind)),
        Type::Named(kind) => {
            let is_camera = std::ptr::eq(*kind, &CAMERA);
            let is_material = std::ptr::eq(*kind, &MATERIAL);
            let inner = if is_material { json!({ "$ref": "#/$defs/material" }) } else { json!(object(kind)) };
            // What these names mean elsewhere.
            let names = if is_camera {
                json!({ "minLength": 1, "pattern": "^[^#]", "not": { "const": "auto" } })
            } else {
                json!({ "minLength": 1 })
            };
            json!({ "type": "object", "propertyNames": names, "additionalProperties": inner })
        }
        Type::List(kind) => json!({ "type": "array", "items": Value::Object(object(kind)) }),
        Type::Files => texts(false),
        Type::Texts => texts(true),
        Type::Rising(range) => json!({ "type": "array", "items": or_parameter(number(range)), "minItems": 1 }),
        Type::RisingWholes { min, max } => {
            json!({ "type": "array", "items": or_parameter(whole(min, max)), "minItems": 1 })
        }
        Type::Frames => json!({ "type": "string", "pattern": "^\\s*-?[0-9]+\\s*\\.\\.\\s*-?[0-9]+\\s*$" }),
        Type::Clip => json!({
            "type": "string",
            "minLength": 1,
            "not": { "pattern": "^#($|[^0-9]|[0-9]+[^0-9])" }
        }),
        Type::Params => json!({
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z][A-Za-z0-9_]*$" },
            "additionalProperties": { "type": ["number", "string", "boolean", "array"] }
        }),
        Type::Matrix => json!({ "$ref": "#/$defs/matrix" }),
        Type::NumberOr(range, kind) => json!({ "anyOf": [number(range), object(kind)] }),
        Type::FlagOr(kind) => json!({ "anyOf": [{ "type": "boolean" }, { "enum": kind.words() }, object(kind)] }),
        Type::Identifier => json!({
            "type": "string",
            "pattern": "^[A-Za-z][A-Za-z0-9_]*$",
            "not": { "enum": condition::WORDS }
        }),
        Type::Value(range) => value_or_name(range),
        Type::Values { count, range } => array(value_or_name(range), *count),
        Type::Names { max, .. } => up_to(json!({ "type": "string", "minLength": 1 }), *max),
        Type::NumbersUpTo { max, range } => up_to(or_parameter(number(range)), *max),
        Type::PairsUpTo { max, range } => up_to(or_parameter(array(number(range), 2)), *max),
        Type::RowsUpTo { max, range } => up_to(or_parameter(up_to(or_parameter(number(range)), *max)), *max),
        Type::ClipSource => json!({
            "type": "string",
            "minLength": 1,
            "not": { "pattern": "^#($|[^0-9]|[0-9]+[^0-9])" }
        }),
        Type::Condition => json!({ "type": "string" }),
        Type::Literal => json!({ "$ref": "#/$defs/literal" }),
        Type::Pin => json!({ "anyOf": [{ "$ref": "#/$defs/literal" }, { "$ref": "#/$defs/link" }] }),
        Type::Link => json!({ "$ref": "#/$defs/link" }),
        Type::OrLink(inner) => json!({ "anyOf": [type_schema(inner), { "$ref": "#/$defs/link" }] }),
        Type::KeyFrames => unreachable!("a keyed value is written out where it may stand"),
    }
}
