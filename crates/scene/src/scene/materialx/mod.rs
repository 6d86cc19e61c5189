//! MaterialX: a `.mtlx` file as the tables of materials that a scene file would have.
//!
//! In: XML text. Out: `material` tables with their nodes, each value at its place in the `.mtlx` file; complaints. The
//! check, the resolver and all that follows never learn of MaterialX. Never here: what nodes compute.
//!
//! `document` reads XML, `term` is a value of a graph that is being made, `maker` follows connections, `node` and
//! `color` have a row for each kind of node and `surface` one for each surface shader.

mod color;
mod document;
mod maker;
mod node;
mod pattern;
mod surface;
mod term;

use std::collections::BTreeSet;

use crate::scene::code;
use crate::scene::text::complain::Complaints;
use crate::scene::text::syntax::{Entry, Kind, Table, Value};

use document::File;
use maker::{Maker, Row};

/// Every kind of node.
const ROWS: &[&[Row]] = &[node::ROWS, color::ROWS, pattern::ROWS];

/// The materials of a MaterialX file. `source` is its number.
pub(crate) fn read(text: &str, source: u32, found: &mut Complaints) -> Table {
    let xml = match document::parse(text, source, found) {
        Some(xml) => xml,
        None => return Table::default(),
    };
    let file = File { root: xml.root_element(), source };
    let mut materials = Vec::new();
    let mut names = BTreeSet::new();
    for (name, shader) in file.materials(found) {
        if !names.insert(name.text) {
            let message = format!("material `{}` is defined twice", name.text);
            found.add(code::NAME_TWICE, name.place, message, Some("rename one of them".into()));
            continue;
        }
        let table = surface::table(&mut Maker::new(file, ROWS, found), shader);
        let value = Value { kind: Kind::Table(table), place: name.place };
        materials.push(Entry { key: name.text.to_string(), key_place: name.place, value });
    }
    let Some(first) = materials.first() else { return Table::default() };
    let place = first.key_place;
    let value = Value { kind: Kind::Table(Table { entries: materials }), place };
    Table { entries: vec![Entry { key: "material".to_string(), key_place: place, value }] }
}

/// Kinds of nodes that are read, in order.
pub fn nodes() -> Vec<&'static str> {
    ROWS.iter().copied().flatten().map(|row| row.name).collect()
}

/// Surface shaders that are read, with their inputs.
pub fn surfaces() -> Vec<(&'static str, Vec<&'static str>)> {
    surface::ROWS.iter().map(|row| (row.name, row.inputs.iter().map(|input| input.name).collect())).collect()
}
