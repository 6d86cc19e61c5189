//! Records in memory, on their way to the tree: what text and files of version 6 are read into.
//!
//! In: values, one after the other. Out: [`Record`]s. Never here: how a file spells them, what they mean.

use fbxcel_dom::fbxcel::low::v7400::AttributeValue;

use crate::import::{Budget, Fault};

/// Records within records. Real files have about eight.
pub const DEPTH_MAX: usize = 100;

/// What a record takes, here and in the tree, with the room that growing lists keep.
const RECORD_BYTES: u64 = 600;
const VALUE_BYTES: u64 = 48;
/// What the values of a file take for each of its bytes, at most: `0,` is a number of eight bytes in a list that
/// doubles.
const VALUE_BYTES_PER_BYTE: u64 = 16;

/// A name, values, records inside.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    pub name: String,
    pub values: Vec<AttributeValue>,
    pub inside: Vec<Record>,
}

/// Records whose numbers are one list, however many there are. Before version 7 no file marks them.
const LISTS: [&str; 31] = [
    "BinormalsIndex",
    "Binormals",
    "BlendWeights",
    "ColorIndex",
    "Colors",
    "Edges",
    "FullWeights",
    "Indexes",
    "Key",
    "KeyAttrDataFloat",
    "KeyAttrFlags",
    "KeyAttrRefCount",
    "KeyTime",
    "KeyValueFloat",
    "Materials",
    "Matrix",
    "Normals",
    "NormalsIndex",
    "PolygonVertexIndex",
    "Smoothing",
    "Tangents",
    "TangentsIndex",
    "TextureAlpha",
    "TextureId",
    "Transform",
    "TransformAssociateModel",
    "TransformLink",
    "UV",
    "UVIndex",
    "Vertices",
    "Weights",
];

pub fn is_list(name: &str) -> bool {
    LISTS.contains(&name)
}

/// Counts the bytes that values of a file may take, before they are read.
pub fn spend_values(file_bytes: usize, budget: &mut Budget) -> Result<(), Fault> {
    budget.spend(file_bytes as u64 * VALUE_BYTES_PER_BYTE, "the values of records")
}

impl Record {
    pub fn new<const N: usize>(name: &str, values: [AttributeValue; N]) -> Record {
        Record { name: name.to_string(), values: values.into(), inside: Vec::new() }
    }

    pub fn with(mut self, inside: impl IntoIterator<Item = Record>) -> Record {
        self.inside.extend(inside);
        self
    }

    /// Counts the record itself, without those inside and without what its values hold.
    pub fn spend(&self, budget: &mut Budget) -> Result<(), Fault> {
        let bytes = RECORD_BYTES + self.name.len() as u64 + self.values.capacity() as u64 * VALUE_BYTES;
        budget.spend(bytes, "the tree of records")
    }

    /// Counts a copy of the record, with everything inside.
    pub fn spend_copy(&self, budget: &mut Budget) -> Result<(), Fault> {
        self.spend(budget)?;
        budget.spend(self.values.iter().map(held_bytes).sum(), "the tree of records")?;
        self.inside.iter().try_for_each(|inside| inside.spend_copy(budget))
    }

    /// The first record of this name inside.
    pub fn child(&self, name: &str) -> Option<&Record> {
        self.inside.iter().find(|inside| inside.name == name)
    }

    /// Takes the first record of this name out.
    pub fn take(&mut self, name: &str) -> Option<Record> {
        let place = self.inside.iter().position(|inside| inside.name == name)?;
        Some(self.inside.remove(place))
    }

    /// Takes out the records that are chosen, in their order.
    pub fn take_all(&mut self, chosen: impl Fn(&Record) -> bool) -> Vec<Record> {
        let (taken, kept) = std::mem::take(&mut self.inside).into_iter().partition(|inside| chosen(inside));
        self.inside = kept;
        taken
    }

    pub fn text(&self, place: usize) -> Option<&str> {
        self.values.get(place)?.get_string()
    }

    pub fn integer(&self, place: usize) -> Option<i64> {
        integer(self.values.get(place)?)
    }

    pub fn float(&self, place: usize) -> Option<f64> {
        float(self.values.get(place)?)
    }

    /// The first value of the record of this name inside.
    pub fn child_text(&self, name: &str) -> Option<&str> {
        self.child(name)?.text(0)
    }
}

/// The whole number of a value; a fraction is cut off.
pub fn integer(value: &AttributeValue) -> Option<i64> {
    match *value {
        AttributeValue::Bool(value) => Some(i64::from(value)),
        AttributeValue::I16(value) => Some(i64::from(value)),
        AttributeValue::I32(value) => Some(i64::from(value)),
        AttributeValue::I64(value) => Some(value),
        AttributeValue::F32(value) => Some(value as i64),
        AttributeValue::F64(value) => Some(value as i64),
        _ => None,
    }
}

pub fn float(value: &AttributeValue) -> Option<f64> {
    match *value {
        AttributeValue::F32(value) => Some(f64::from(value)),
        AttributeValue::F64(value) => Some(value),
        _ => integer(value).map(|whole| whole as f64),
    }
}

fn held_bytes(value: &AttributeValue) -> u64 {
    match value {
        AttributeValue::ArrBool(list) => list.len() as u64,
        AttributeValue::ArrI32(list) => list.len() as u64 * 4,
        AttributeValue::ArrI64(list) => list.len() as u64 * 8,
        AttributeValue::ArrF32(list) => list.len() as u64 * 4,
        AttributeValue::ArrF64(list) => list.len() as u64 * 8,
        AttributeValue::String(text) => text.len() as u64,
        AttributeValue::Binary(bytes) => bytes.len() as u64,
        _ => 0,
    }
}

/// A whole number in the narrowest value that holds it.
pub fn whole(value: i64) -> AttributeValue {
    i32::try_from(value).map_or(AttributeValue::I64(value), AttributeValue::I32)
}

/// A list under way, of the narrowest kind that holds what came.
#[derive(Debug)]
pub enum Numbers {
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Reals(Vec<f64>),
}

impl Numbers {
    pub fn new() -> Numbers {
        Numbers::Ints(Vec::new())
    }

    pub fn whole(&mut self, value: i64) {
        match self {
            Numbers::Ints(list) => match i32::try_from(value) {
                Ok(value) => list.push(value),
                Err(_) => {
                    let mut longs: Vec<i64> = list.iter().map(|value| i64::from(*value)).collect();
                    longs.push(value);
                    *self = Numbers::Longs(longs);
                }
            },
            Numbers::Longs(list) => list.push(value),
            Numbers::Reals(list) => list.push(value as f64),
        }
    }

    pub fn real(&mut self, value: f64) {
        match self {
            Numbers::Reals(list) => list.push(value),
            Numbers::Ints(list) => {
                let mut reals: Vec<f64> = list.iter().map(|value| f64::from(*value)).collect();
                reals.push(value);
                *self = Numbers::Reals(reals);
            }
            Numbers::Longs(list) => {
                let mut reals: Vec<f64> = list.iter().map(|value| *value as f64).collect();
                reals.push(value);
                *self = Numbers::Reals(reals);
            }
        }
    }

    pub fn into_value(self) -> AttributeValue {
        match self {
            Numbers::Ints(list) => AttributeValue::ArrI32(list),
            Numbers::Longs(list) => AttributeValue::ArrI64(list),
            Numbers::Reals(list) => AttributeValue::ArrF64(list),
        }
    }
}

/// Numbers of a list value as doubles; `None` for what is no list.
pub fn reals(value: &AttributeValue) -> Option<Vec<f64>> {
    Some(match value {
        AttributeValue::ArrBool(list) => list.iter().map(|value| f64::from(u8::from(*value))).collect(),
        AttributeValue::ArrI32(list) => list.iter().map(|value| f64::from(*value)).collect(),
        AttributeValue::ArrI64(list) => list.iter().map(|value| *value as f64).collect(),
        AttributeValue::ArrF32(list) => list.iter().map(|value| f64::from(*value)).collect(),
        AttributeValue::ArrF64(list) => list.clone(),
        _ => return None,
    })
}
