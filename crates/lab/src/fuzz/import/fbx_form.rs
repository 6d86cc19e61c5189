//! FBX as text, and of version 6: what `fbx` makes, in the other forms that programs write.
//!
//! Source: files of Autodesk's SDK and of Blender, as far as their form is publicly known.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use stillframe_base::base64::base64;
use stillframe_base::rng::Stream;

use super::draw::lie;
use super::fbx::{self, Node, Value, damage, leaf, node};
use crate::fuzz::Case;
use crate::fuzz::mutate::{self, FLOATS, WHOLES, between, float};

const WORDS: &[&str] = &[
    "{",
    "}",
    "*3 {",
    "*99999999999 {",
    "a: ",
    ",",
    ":",
    ";",
    "\"",
    "&quot;",
    "&",
    "\"Model::\"",
    "Key: 0,1,U,s,1,2,n\n",
    "Key: 0,1,L,",
    "KeyVer: 4003\n",
    "KeyCount: 99\n",
    "Properties60:  {",
    "Property: \"Opacity\", \"double\", \"\",2\n",
    "P: ",
    "Vertices: ",
    "-1.#IND",
    "1e999",
    "nan",
    "*0 {\n}",
    "LayerElementTexture: 0 {",
    "TextureId: 7\n",
    "Content: ,\n\"!\"",
    "NodeAttributeName: \"Geometry::n0\"\n",
    "Connect: \"OO\", \"Model::n0\", \"Model::n0\"\n",
    "\u{0}",
    "\u{feff}",
];

/// Text of version 7.
pub fn text(stream: &mut Stream) -> Case {
    let mut beside = Vec::new();
    let mut top = fbx::document(stream, &mut beside);
    if stream.one_in(3) {
        damage(stream, &mut top);
    }
    let version = *stream.pick(&[7000, 7100, 7200, 7300, 7400, 7500, 7700]);
    Case { beside, ..Case::new("model.fbx", written(stream, &top, version)) }
}

/// Text or binary of version 6.
pub fn old(stream: &mut Stream) -> Case {
    let mut beside = Vec::new();
    let document = fbx::document(stream, &mut beside);
    let mut top = downgraded(stream, &document);
    if stream.one_in(3) {
        damage(stream, &mut top);
    }
    let bytes = if stream.one_in(2) { fbx::binary(stream, &rows(top), 6100) } else { written(stream, &top, 6100) };
    Case { beside, ..Case::new("model.fbx", bytes) }
}

fn written(stream: &mut Stream, top: &[Node], version: u32) -> Vec<u8> {
    let mut out = String::new();
    if !stream.one_in(30) {
        let _ = writeln!(out, "; FBX {}.{}.0 project file\n; ----\n", version / 1000, version % 1000 / 100);
    }
    top.iter().for_each(|record| spell(stream, &mut out, record, version, 0));
    if stream.one_in(3) {
        mutate::text(stream, &mut out, WORDS);
    }
    out.into_bytes()
}

fn spell(stream: &mut Stream, out: &mut String, record: &Node, version: u32, depth: usize) {
    let indent = "\t".repeat(depth);
    let _ = write!(out, "{indent}{}: ", record.name);
    for (place, value) in record.values.iter().enumerate() {
        out.push_str(if place == 0 { "" } else { ", " });
        spell_value(stream, out, value, version);
    }
    if !record.children.is_empty() || record.values.is_empty() {
        out.push_str(" {\n");
        if depth < 60 {
            record.children.iter().for_each(|child| spell(stream, out, child, version, depth + 1));
        }
        out.push_str(&indent);
        out.push('}');
    }
    out.push('\n');
}

fn spell_value(stream: &mut Stream, out: &mut String, value: &Value, version: u32) {
    let mut list = |numbers: Vec<String>| {
        let numbers_in_text = numbers.join(",");
        let _ = if version >= 7000 {
            write!(out, "*{} {{\n\ta: {numbers_in_text}\n}}", lie(stream, 60, numbers.len() as u32))
        } else {
            write!(out, "{numbers_in_text}")
        };
    };
    match value {
        Value::Bool(flag) => out.push(if *flag { 'T' } else { 'F' }),
        Value::Letter(letter) => out.push(char::from(*letter)),
        Value::I16(number) => *out += &number.to_string(),
        Value::I32(number) => *out += &number.to_string(),
        Value::I64(number) => *out += &number.to_string(),
        Value::F32(number) => *out += &number.to_string(),
        Value::F64(number) => *out += &format!("{number:?}"),
        Value::Text(text) => {
            let text = String::from_utf8_lossy(text).replace('"', "&quot;");
            let _ = match text.split_once("\0\x01") {
                Some((name, class)) => write!(out, "\"{class}::{name}\""),
                None => write!(out, "\"{text}\""),
            };
        }
        Value::Raw(bytes) => {
            let _ = write!(out, ",\n\"{}\"", String::from_utf8_lossy(&base64(bytes)));
        }
        Value::I32s(numbers) => list(numbers.iter().map(i32::to_string).collect()),
        Value::I64s(numbers) => list(numbers.iter().map(i64::to_string).collect()),
        Value::F32s(numbers) => list(numbers.iter().map(f32::to_string).collect()),
        Value::F64s(numbers) => list(numbers.iter().map(|number| format!("{number:?}")).collect()),
    }
}

/// Lists as rows of values, as binary files of version 6 have them.
fn rows(top: Vec<Node>) -> Vec<Node> {
    let row = |value: Value| match value {
        Value::I32s(list) => list.into_iter().map(Value::I32).collect(),
        Value::I64s(list) => list.into_iter().map(Value::I64).collect(),
        Value::F32s(list) => list.into_iter().map(Value::F32).collect(),
        Value::F64s(list) => list.into_iter().map(Value::F64).collect(),
        value => vec![value],
    };
    let of = |record: Node| Node {
        values: record.values.into_iter().flat_map(row).collect(),
        children: rows(record.children),
        ..record
    };
    top.into_iter().map(of).collect()
}

/// The same content as version 6 has it: names for numbers, meshes in models, takes.
fn downgraded(stream: &mut Stream, top: &[Node]) -> Vec<Node> {
    let inside = |name: &str| top.iter().find(|record| record.name == name).map_or(&[][..], |list| &list.children);
    let number = |value: Option<&Value>| match value {
        Some(Value::I64(id)) => *id,
        _ => 0,
    };
    let mut names = BTreeMap::from([(0, b"Scene\0\x01Model".to_vec())]);
    for object in inside("Objects") {
        let id = number(object.values.first());
        let Some(Value::Text(packed)) = object.values.get(1) else { continue };
        let class = packed.split(|byte| *byte == 1).next_back().unwrap_or_default();
        // Now and then two objects have one name.
        let id_in_name = if stream.one_in(100) { 1001 } else { id };
        names.insert(id, [format!("o{id_in_name}").as_bytes(), b"\0\x01", class].concat());
    }
    let objects = inside("Objects");
    let links: Vec<(i64, i64)> =
        inside("Connections").iter().map(|link| (number(link.values.get(1)), number(link.values.get(2)))).collect();
    let parts = |id: i64| {
        let sources: Vec<i64> = links.iter().filter(|link| link.1 == id).map(|link| link.0).collect();
        objects.iter().filter(move |object| sources.contains(&number(object.values.first())))
    };
    let mut out = Vec::new();
    let mut models = Vec::new();
    for object in objects.iter().filter(|object| !object.name.starts_with("Animation")) {
        let id = number(object.values.first());
        if matches!(object.name.as_str(), "Geometry" | "NodeAttribute") {
            continue;
        }
        let mut object = object.clone();
        if object.name == "Model" {
            models.push(names[&id].clone());
            for part in parts(id).filter(|part| part.name == "Geometry" || part.name == "NodeAttribute") {
                object.children.extend(part.children.iter().cloned());
            }
            if stream.one_in(3) {
                object.children.push(shape(stream));
            }
            if stream.one_in(3) {
                object.children.push(laid(stream));
            }
        }
        object.values.remove(0);
        object.values[0] = Value::Text(names[&id].clone());
        object.children = object.children.into_iter().map(old_properties).collect();
        out.push(object);
    }
    out.extend(inside("GlobalSettings").iter().take(1).map(|_| {
        let settings = inside("GlobalSettings").iter().cloned().map(old_properties).collect();
        node("GlobalSettings", vec![], settings)
    }));
    let name = |id: i64| Value::Text(names.get(&id).cloned().unwrap_or_default());
    let mut connections = Vec::new();
    for link in inside("Connections") {
        let (source, destination) = (number(link.values.get(1)), number(link.values.get(2)));
        // What hangs on a mesh hangs on its model.
        let owner = links.iter().find(|(part, _)| *part == destination).map(|(_, model)| *model);
        let is_mesh = objects.iter().any(|o| o.name == "Geometry" && number(o.values.first()) == destination);
        let destination = owner.filter(|_| is_mesh).unwrap_or(destination);
        let mut values = vec![link.values[0].clone(), name(source), name(destination)];
        values.extend(link.values.get(3).cloned());
        connections.push(node("Connect", values, vec![]));
    }
    let takes = (0..between(stream, 0, 2)).map(|_| take(stream, &models)).collect();
    vec![
        node("FBXHeaderExtension", vec![], vec![leaf("FBXHeaderVersion", 1003), leaf("FBXVersion", 6100)]),
        node("Objects", vec![], out),
        node("Connections", vec![], connections),
        node("Takes", vec![], takes),
    ]
}

fn old_properties(mut record: Node) -> Node {
    if record.name == "Properties70" {
        record.name = "Properties60".to_string();
        for property in &mut record.children {
            property.name = "Property".to_string();
            if property.values.len() > 2 {
                property.values.remove(2);
            }
        }
    }
    record
}

fn shape(stream: &mut Stream) -> Node {
    let count = between(stream, 0, 5);
    let places = (0..count).map(|place| lie(stream, 50, place as u32) as i32).collect();
    let deltas = (0..count * 3).map(|_| f64::from(float(stream))).collect();
    node(
        "Shape",
        vec!["smile".into()],
        vec![leaf("Indexes", Value::I32s(places)), leaf("Vertices", Value::F64s(deltas))],
    )
}

/// Textures on faces.
fn laid(stream: &mut Stream) -> Node {
    let ids = (0..between(stream, 0, 6)).map(|_| stream.below(3) as i32 - 1).collect();
    let name = *stream.pick(&["LayerElementTexture", "LayerElementBumpTextures", "LayerElementEmissive_Textures"]);
    let mapping = *stream.pick(&["AllSame", "ByPolygon", "NoMappingInformation"]);
    node(name, vec![0.into()], vec![leaf("MappingInformationType", mapping), leaf("TextureId", Value::I32s(ids))])
}

fn take(stream: &mut Stream, models: &[Vec<u8>]) -> Node {
    let mut children = vec![node("LocalTime", vec![0_i64.into(), 46_186_158_000_i64.into()], vec![])];
    for model in models {
        if stream.one_in(2) {
            continue;
        }
        let axes = |stream: &mut Stream| -> Vec<Node> {
            ["X", "Y", "Z"].into_iter().map(|axis| node("Channel", vec![axis.into()], keys(stream))).collect()
        };
        let mut transform = Vec::new();
        for letter in ["T", "R", "S"] {
            transform.push(node("Channel", vec![letter.into()], axes(stream)));
        }
        let other = *stream.pick(&["Visibility", "smile", "FieldOfView", "Color"]);
        let channels = vec![
            node("Channel", vec!["Transform".into()], transform),
            node("Channel", vec![other.into()], keys(stream)),
        ];
        children.push(node("Model", vec![Value::Text(model.clone())], channels));
    }
    node("Take", vec!["take".into()], children)
}

/// Keys of every letter, now and then with a number too many or too few.
fn keys(stream: &mut Stream) -> Vec<Node> {
    let count = between(stream, 0, 5);
    let mut time = 0_i64;
    let mut values = Vec::new();
    for _ in 0..count {
        time = time.wrapping_add(if stream.one_in(30) { *stream.pick(WHOLES) } else { 1_924_423_250 });
        let value = if stream.one_in(40) { *stream.pick(FLOATS) } else { f64::from(float(stream)) };
        values.extend([Value::I64(time), Value::F64(value)]);
        let letters =
            *stream.pick(&["L", "Cs", "Cn", "Us12n", "Us12a34", "Ub12r3", "Us12l3", "Uan", "Ud1n", "Up12nn", "Ut123"]);
        for letter in letters.bytes() {
            values.push(match letter {
                b'0'..=b'9' => Value::F64(f64::from(float(stream))),
                letter => Value::Letter(letter),
            });
        }
        if stream.one_in(40) {
            values.pop();
        }
    }
    let version = if stream.one_in(4) { *stream.pick(&[4001, 4002, 4003, 4004, -1]) } else { 4005 };
    vec![
        leaf("Default", f64::from(float(stream))),
        leaf("KeyVer", version),
        leaf("KeyCount", lie(stream, 20, count as u32) as i32),
        node("Key", values, vec![]),
    ]
}
