//! The records of a file, as `fbxcel-dom` reads them.
//!
//! In: a file's bytes, or records from elsewhere. Out: a [`Tree`] of records with values. Never here: what a record
//! means.
//!
//! The bytes pass the [`guard`](super::guard) first. Of the crate this is the tree: its typed layer above knows neither
//! curves nor layers, wants records that many programs do not write, and lists objects in no order. Text and files of
//! version 6 come as [`Record`]s, which become the same tree.

use std::borrow::Cow;
use std::io::BufReader;

use fbxcel_dom::fbxcel::low::v7400::AttributeValue;
use fbxcel_dom::fbxcel::tree::any::AnyTree;
use fbxcel_dom::fbxcel::tree::v7400::{self, NodeHandle};

use super::guard::Plain;
use super::record::{self, Record};
use crate::import::{Budget, Fault, code};

/// What is read at a time.
const READ_BYTES: usize = 1 << 16;

/// Every record of a file.
#[derive(Debug)]
pub struct Tree {
    records: v7400::Tree,
}

impl Tree {
    /// Reads the records of a file of version 7.x; 7400 is 7.4.
    ///
    /// Shapes: `bytes` starts with the magic word and a version. Errors: broken structure, more than the budget.
    pub fn read(bytes: &[u8], version: u32, budget: &mut Budget) -> Result<Tree, Fault> {
        let plain = Plain::of(bytes, version)?;
        budget.spend(plain.tree_bytes(), "the tree of records")?;
        let mut reader = plain.reader();
        let read = AnyTree::from_reader(BufReader::with_capacity(READ_BYTES, &mut reader));
        match (read, reader.broken()) {
            (_, Some(fault)) => Err(fault),
            (Ok(AnyTree::V7400(_, records, _)), None) => Ok(Tree { records }),
            (Ok(_), None) => Err(Fault::new(code::CONTAINER, "broken FBX file: unknown version")),
            (Err(error), None) => Err(Fault::new(code::CONTAINER, format!("broken FBX file: {error}"))
                .help("export the model again, or copy the file again")),
        }
    }

    /// The tree of records that were read in another way.
    pub fn of(records: Vec<Record>) -> Tree {
        fn append(tree: &mut v7400::Tree, parent: v7400::NodeId, records: Vec<Record>) {
            for record in records {
                let node = tree.append_new(parent, &record.name);
                tree.set_attributes_vec(node, record.values);
                append(tree, node, record.inside);
            }
        }
        let mut tree = v7400::Tree::default();
        let root = tree.root().node_id();
        append(&mut tree, root, records);
        Tree { records: tree }
    }

    /// The crate's own tree, to be compared.
    #[cfg(test)]
    pub fn into_records(self) -> v7400::Tree {
        self.records
    }

    fn root(&self) -> At<'_> {
        At { record: self.records.root() }
    }

    /// The first record at the top of this name.
    pub fn find(&self, name: &str) -> Option<At<'_>> {
        self.root().child(name)
    }
}

/// A record.
#[derive(Clone, Copy, Debug)]
pub struct At<'t> {
    record: NodeHandle<'t>,
}

impl<'t> At<'t> {
    pub fn name(self) -> &'t [u8] {
        self.record.name().as_bytes()
    }

    /// The records inside.
    pub fn inside(self) -> impl Iterator<Item = At<'t>> {
        self.record.children().map(|record| At { record })
    }

    /// The first record of this name inside.
    pub fn child(self, name: &str) -> Option<At<'t>> {
        self.children(name).next()
    }

    /// Every record of this name inside.
    pub fn children(self, name: &str) -> impl Iterator<Item = At<'t>> + use<'t> {
        self.record.children_by_name(name).map(|record| At { record })
    }

    fn value(self, place: usize) -> Option<&'t AttributeValue> {
        self.record.attributes().get(place)
    }

    /// The whole number at a place; a fraction is cut off.
    pub fn integer(self, place: usize) -> Option<i64> {
        record::integer(self.value(place)?)
    }

    pub fn float(self, place: usize) -> Option<f64> {
        record::float(self.value(place)?)
    }

    pub fn text(self, place: usize) -> Option<&'t [u8]> {
        self.value(place)?.get_string().map(str::as_bytes)
    }

    pub fn bytes(self, place: usize) -> Option<&'t [u8]> {
        self.value(place)?.get_binary()
    }

    /// The first value of the record of this name inside.
    pub fn child_text(self, name: &str) -> Option<&'t [u8]> {
        self.child(name)?.text(0)
    }

    pub fn child_integer(self, name: &str) -> Option<i64> {
        self.child(name)?.integer(0)
    }

    /// The list in the record of this name inside; `None` where there is no such record, or no list in it.
    pub fn list(self, name: &str) -> Option<List<'t>> {
        use AttributeValue::{ArrBool, ArrF32, ArrF64, ArrI32, ArrI64};
        let is_list =
            |value: &&AttributeValue| matches!(value, ArrBool(_) | ArrI32(_) | ArrI64(_) | ArrF32(_) | ArrF64(_));
        self.child(name)?.record.attributes().iter().find(is_list).map(List)
    }
}

/// A list of numbers, of whatever kind the file has them.
#[derive(Clone, Copy, Debug)]
pub struct List<'t>(&'t AttributeValue);

/// The list itself where it is of the kind that is asked for, else a copy.
macro_rules! numbers {
    ($list:expr, $budget:expr, $what:expr, $own:ident, $whole:expr, $real:expr) => {{
        use AttributeValue::{ArrBool, ArrF32, ArrF64, ArrI32, ArrI64};
        if let AttributeValue::$own(list) = $list.0 {
            return Ok(Cow::Borrowed(&list[..]));
        }
        $budget.allow($list.len() as u64 * 8, $what)?;
        $budget.unpack($list.len() as u64 * 8, $what)?;
        let (whole, real) = ($whole, $real);
        Ok(Cow::Owned(match $list.0 {
            ArrBool(list) => list.iter().map(|v| whole(i64::from(*v))).collect(),
            ArrI32(list) => list.iter().map(|v| whole(i64::from(*v))).collect(),
            ArrI64(list) => list.iter().map(|v| whole(*v)).collect(),
            ArrF32(list) => list.iter().map(|v| real(f64::from(*v))).collect(),
            ArrF64(list) => list.iter().map(|v| real(*v)).collect(),
            _ => unreachable!("only lists become a `List`"),
        }))
    }};
}

impl<'t> List<'t> {
    pub fn len(self) -> usize {
        match self.0 {
            AttributeValue::ArrBool(list) => list.len(),
            AttributeValue::ArrI32(list) => list.len(),
            AttributeValue::ArrI64(list) => list.len(),
            AttributeValue::ArrF32(list) => list.len(),
            AttributeValue::ArrF64(list) => list.len(),
            _ => unreachable!("only lists become a `List`"),
        }
    }

    /// As numbers with fractions.
    pub fn floats(self, budget: &Budget, what: &str) -> Result<Cow<'t, [f64]>, Fault> {
        numbers!(self, budget, what, ArrF64, |whole: i64| whole as f64, |real: f64| real)
    }

    /// As whole numbers of 32 bits; what does not fit becomes the nearest that does.
    pub fn integers(self, budget: &Budget, what: &str) -> Result<Cow<'t, [i32]>, Fault> {
        let fit = |whole: i64| whole.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        numbers!(self, budget, what, ArrI32, fit, |real: f64| real as i32)
    }

    /// As whole numbers of 64 bits.
    pub fn longs(self, budget: &Budget, what: &str) -> Result<Cow<'t, [i64]>, Fault> {
        numbers!(self, budget, what, ArrI64, |whole: i64| whole, |real: f64| real as i64)
    }

    /// The bits of 32-bit numbers, whatever they mean: FBX packs tangent weights into what it calls floats.
    pub fn words(self, budget: &Budget, what: &str) -> Result<Vec<u32>, Fault> {
        budget.allow(self.len() as u64 * 4, what)?;
        budget.unpack(self.len() as u64 * 4, what)?;
        match self.0 {
            AttributeValue::ArrF32(list) => Ok(list.iter().map(|value| value.to_bits()).collect()),
            AttributeValue::ArrI32(list) => Ok(list.iter().map(|value| *value as u32).collect()),
            _ => Err(Fault::new(code::CONTAINER, format!("{what}: a list of 32-bit numbers is expected"))),
        }
    }
}
