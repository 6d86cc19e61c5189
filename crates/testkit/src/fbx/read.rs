//! Reads a sound binary file of version 7 with `fbxcel`, so that tests can write its content in other forms.

use std::io::Cursor;

use fbxcel::low::v7400::AttributeValue;
use fbxcel::tree::any::AnyTree;
use fbxcel::tree::v7400::NodeHandle;

use super::write::{File, Record, Value};

/// The content of a file. Panics on one that is not sound.
pub fn file(bytes: &[u8]) -> File {
    let tree = match AnyTree::from_seekable_reader(Cursor::new(bytes)) {
        Ok(AnyTree::V7400(_, tree, _)) => tree,
        other => panic!("not a file of version 7: {:?}", other.err()),
    };
    let mut file = File::default();
    for record in tree.root().children().map(record) {
        match record.name.as_str() {
            "FBXHeaderExtension" => {
                let creator = record.inside.iter().find(|inside| inside.name == "Creator");
                if let Some(Value::Text(creator)) = creator.and_then(|creator| creator.values.first()) {
                    file.creator.clone_from(creator);
                }
            }
            "GlobalSettings" => file.settings = Some(record),
            "Definitions" => file.definitions = record.inside,
            "Objects" => file.objects = record.inside,
            "Connections" => file.connections = record.inside,
            _ => {}
        }
    }
    file
}

fn record(node: NodeHandle<'_>) -> Record {
    Record {
        name: node.name().to_string(),
        values: node.attributes().iter().map(value).collect(),
        inside: node.children().map(record).collect(),
    }
}

fn value(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::Bool(value) => Value::Int(i32::from(*value)),
        AttributeValue::I16(value) => Value::Int(i32::from(*value)),
        AttributeValue::I32(value) => Value::Int(*value),
        AttributeValue::I64(value) => Value::Long(*value),
        AttributeValue::F32(value) => Value::Double(f64::from(*value)),
        AttributeValue::F64(value) => Value::Double(*value),
        AttributeValue::ArrBool(list) => Value::Ints(list.iter().map(|value| i32::from(*value)).collect()),
        AttributeValue::ArrI32(list) => Value::Ints(list.clone()),
        AttributeValue::ArrI64(list) => Value::Longs(list.clone()),
        AttributeValue::ArrF32(list) => Value::Floats(list.clone()),
        AttributeValue::ArrF64(list) => Value::Doubles(list.clone()),
        AttributeValue::String(text) => Value::Text(text.clone()),
        AttributeValue::Binary(bytes) => Value::Bytes(bytes.clone()),
    }
}
