//! Writes FBX files, those of version 7 in binary with `fbxcel`'s writer: records as plain values.

use std::io::Cursor;

use fbxcel::low::FbxVersion;
use fbxcel::low::v7400::ArrayAttributeEncoding;
use fbxcel::writer::v7400::binary::{FbxFooter, Writer};

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Int(i32),
    Long(i64),
    Double(f64),
    /// A bare letter, as keys of version 6 have them.
    Letter(u8),
    Text(String),
    Bytes(Vec<u8>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
}

impl From<i32> for Value {
    fn from(value: i32) -> Value {
        Value::Int(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Long(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Double(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::Text(value.to_string())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::Text(value)
    }
}

impl From<Vec<i32>> for Value {
    fn from(value: Vec<i32>) -> Value {
        Value::Ints(value)
    }
}

impl From<Vec<i64>> for Value {
    fn from(value: Vec<i64>) -> Value {
        Value::Longs(value)
    }
}

impl From<Vec<f64>> for Value {
    fn from(value: Vec<f64>) -> Value {
        Value::Doubles(value)
    }
}

impl From<Vec<f32>> for Value {
    fn from(value: Vec<f32>) -> Value {
        Value::Floats(value)
    }
}

/// A record: a name, values, records inside.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub name: String,
    pub values: Vec<Value>,
    pub inside: Vec<Record>,
}

pub fn record<const N: usize>(name: &str, values: [Value; N]) -> Record {
    Record { name: name.to_string(), values: values.to_vec(), inside: Vec::new() }
}

/// A record of one value.
pub fn one(name: &str, value: impl Into<Value>) -> Record {
    record(name, [value.into()])
}

impl Record {
    pub fn with(mut self, inside: impl IntoIterator<Item = Record>) -> Record {
        self.inside.extend(inside);
        self
    }

    /// Adds a property of one, two or three numbers.
    pub fn number<const N: usize>(self, name: &str, numbers: [f64; N]) -> Record {
        self.property(name, "Number", numbers.map(Value::Double).to_vec())
    }

    pub fn whole(self, name: &str, value: i64) -> Record {
        self.property(name, "enum", vec![Value::Int(value as i32)])
    }

    pub fn time(self, name: &str, value: i64) -> Record {
        self.property(name, "KTime", vec![Value::Long(value)])
    }

    pub fn word(self, name: &str, value: &str) -> Record {
        self.property(name, "KString", vec![Value::from(value)])
    }

    fn property(mut self, name: &str, kind: &str, values: Vec<Value>) -> Record {
        let place = self.inside.iter().position(|inside| inside.name == "Properties70").unwrap_or_else(|| {
            self.inside.push(record("Properties70", []));
            self.inside.len() - 1
        });
        let mut property = record("P", [name.into(), kind.into(), "".into(), "A".into()]);
        property.values.extend(values);
        self.inside[place].inside.push(property);
        self
    }
}

/// An object: `name`, its kind behind it as FBX packs them, and its class.
pub fn object(kind: &str, id: i64, name: &str, class: &str) -> Record {
    let packed = match kind {
        "NodeAttribute" => format!("{name}\0\x01NodeAttribute"),
        "AnimationCurveNode" => format!("{name}\0\x01AnimCurveNode"),
        "AnimationStack" => format!("{name}\0\x01AnimStack"),
        "AnimationLayer" => format!("{name}\0\x01AnimLayer"),
        "AnimationCurve" => format!("{name}\0\x01AnimCurve"),
        "Deformer" if class == "Cluster" || class == "BlendShapeChannel" => format!("{name}\0\x01SubDeformer"),
        kind => format!("{name}\0\x01{kind}"),
    };
    record(kind, [id.into(), packed.into(), class.into()])
}

/// A layer element: its name's ending, mapping and reference mode, values and second list.
pub fn layer(
    kind: &str,
    number: i32,
    [mapping, reference]: [&str; 2],
    values: (&str, Vec<f64>),
    index: Option<(&str, Vec<i32>)>,
) -> Record {
    let mut layer = record(kind, [number.into()]).with([
        one("Version", 101),
        one("Name", ""),
        one("MappingInformationType", mapping),
        one("ReferenceInformationType", reference),
        one(values.0, values.1),
    ]);
    layer.inside.extend(index.map(|(name, list)| one(name, list)));
    layer
}

/// What a file holds.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Records of `GlobalSettings`; none: left out.
    pub settings: Option<Record>,
    pub definitions: Vec<Record>,
    pub objects: Vec<Record>,
    pub connections: Vec<Record>,
    /// Further records at the top.
    pub top: Vec<Record>,
    pub creator: String,
}

/// Axes in the order right, up, front, with signs; centimetres a unit.
pub fn settings(axes: [i64; 3], signs: [i64; 3], unit_cm: f64) -> Record {
    let mut settings = record("GlobalSettings", []).with([one("Version", 1000)]);
    for (place, name) in ["CoordAxis", "UpAxis", "FrontAxis"].into_iter().enumerate() {
        settings = settings.whole(name, axes[place]).whole(&format!("{name}Sign"), signs[place]);
    }
    settings.number("UnitScaleFactor", [unit_cm])
}

impl File {
    /// Y up, metres.
    pub fn new() -> File {
        File { settings: Some(settings([0, 1, 2], [1; 3], 100.0)), creator: "tests".to_string(), ..File::default() }
    }

    /// Adds an object. Out: its number.
    pub fn add(&mut self, object: Record) -> i64 {
        let Value::Long(id) = object.values[0] else { panic!("an object without a number") };
        self.objects.push(object);
        id
    }

    pub fn connect(&mut self, source: i64, destination: i64) {
        self.connections.push(record("C", ["OO".into(), source.into(), destination.into()]));
    }

    pub fn connect_property(&mut self, source: i64, destination: i64, property: &str) {
        self.connections.push(record("C", ["OP".into(), source.into(), destination.into(), property.into()]));
    }

    /// Binary, of a version (7400 or 7500), lists packed or not.
    pub fn bytes(&self, version: u32, packed: bool) -> Vec<u8> {
        bytes_of(&self.top(version), version, packed)
    }

    /// Its records in version 7.
    pub fn top(&self, version: u32) -> Vec<Record> {
        let header = record("FBXHeaderExtension", []).with([
            one("FBXHeaderVersion", 1003),
            one("FBXVersion", version as i32),
            one("Creator", self.creator.as_str()),
        ]);
        let mut top = vec![header];
        top.extend(self.settings.clone());
        top.push(record("Definitions", []).with(self.definitions.iter().cloned()));
        top.push(record("Objects", []).with(self.objects.iter().cloned()));
        top.push(record("Connections", []).with(self.connections.iter().cloned()));
        top.extend(self.top.iter().cloned());
        top
    }
}

pub fn bytes_of(top: &[Record], version: u32, packed: bool) -> Vec<u8> {
    let version = if version == 7500 { FbxVersion::V7_5 } else { FbxVersion::V7_4 };
    let mut writer = Writer::new(Cursor::new(Vec::new()), version).expect("a writer");
    top.iter().for_each(|record| put(&mut writer, record, packed));
    writer.finalize_and_flush(&FbxFooter::default()).expect("a footer").into_inner()
}

fn put(writer: &mut Writer<Cursor<Vec<u8>>>, record: &Record, packed: bool) {
    let encoding = packed.then_some(ArrayAttributeEncoding::Zlib);
    let mut values = writer.new_node(&record.name).expect("a record");
    for value in &record.values {
        match value {
            Value::Int(value) => values.append_i32(*value),
            Value::Long(value) => values.append_i64(*value),
            Value::Double(value) => values.append_f64(*value),
            Value::Letter(letter) => values.append_i32(i32::from(*letter)),
            Value::Text(text) => values.append_string_direct(text),
            Value::Bytes(bytes) => values.append_binary_direct(bytes),
            Value::Ints(list) => values.append_arr_i32_from_iter(encoding, list.iter().copied()),
            Value::Longs(list) => values.append_arr_i64_from_iter(encoding, list.iter().copied()),
            Value::Floats(list) => values.append_arr_f32_from_iter(encoding, list.iter().copied()),
            Value::Doubles(list) => values.append_arr_f64_from_iter(encoding, list.iter().copied()),
        }
        .expect("a value");
    }
    record.inside.iter().for_each(|inside| put(writer, inside, packed));
    writer.close_node().expect("the end of a record");
}
