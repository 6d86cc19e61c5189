//! What an FBX file is made of: objects, properties with their defaults, and connections.
//!
//! In: a [`Tree`]. Out: objects by id, who hangs on whom. Never here: what an object means.

use std::collections::BTreeMap;

use super::tree::{At, Tree};
use crate::import::{Fault, code};

/// Objects and connections of a file.
#[derive(Debug)]
pub struct Document<'t> {
    /// In the order of the file.
    pub objects: Vec<Object<'t>>,
    /// Positions in `objects`, by id, ascending.
    by_id: Vec<(i64, usize)>,
    /// By destination, then in the order of the file.
    connections: Vec<Connection<'t>>,
    /// Positions in `connections`, by source, then in the order of the file.
    by_source: Vec<usize>,
    /// Defaults: `(kind of object, name of the template) -> properties`.
    templates: Vec<Template<'t>>,
}

#[derive(Debug)]
struct Template<'t> {
    kind: &'t [u8],
    name: &'t [u8],
    properties: BTreeMap<&'t [u8], At<'t>>,
}

/// A geometry, model, material, curve ...
#[derive(Clone, Copy, Debug)]
pub struct Object<'t> {
    pub id: i64,
    /// `Model`, `Geometry`, ...
    pub kind: &'t [u8],
    /// `Mesh`, `LimbNode`, ...
    pub class: &'t [u8],
    name: &'t [u8],
    pub at: At<'t>,
}

/// `source` hangs on `destination`: whole, or on one of its properties.
#[derive(Clone, Copy, Debug)]
pub struct Connection<'t> {
    pub source: i64,
    pub destination: i64,
    /// Of the destination.
    pub property: Option<&'t [u8]>,
}

impl Object<'_> {
    /// The name people gave; empty where there is none.
    pub fn name(&self) -> String {
        text(self.name)
    }

    pub fn is(&self, kind: &str) -> bool {
        self.kind == kind.as_bytes()
    }
}

/// Text of a file; what is no UTF-8 is replaced.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `name\0\x01Class` without the class.
fn own_name(bytes: &[u8]) -> &[u8] {
    bytes.windows(2).position(|pair| pair == b"\0\x01").map_or(bytes, |end| &bytes[..end])
}

/// Enough of a name for a message.
pub fn short(name: &str) -> String {
    let mut out: String = name.chars().take(60).collect();
    if out.len() < name.len() {
        out.push_str("...");
    }
    out
}

impl<'t> Document<'t> {
    /// Errors: no objects at all, or two with one id.
    pub fn read(tree: &'t Tree) -> Result<Document<'t>, Fault> {
        let Some(list) = tree.find("Objects") else {
            return Err(Fault::new(code::CONTAINER, "broken FBX file: it has no list of objects")
                .help("export the model again"));
        };
        let mut objects = Vec::new();
        for at in list.inside() {
            let Some(id) = at.integer(0) else { continue };
            let name = own_name(at.text(1).unwrap_or_default());
            objects.push(Object { id, kind: at.name(), class: at.text(2).unwrap_or_default(), name, at });
        }
        let mut by_id: Vec<(i64, usize)> = objects.iter().enumerate().map(|(place, o)| (o.id, place)).collect();
        by_id.sort_unstable();
        if let Some(pair) = by_id.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let names = [pair[0].1, pair[1].1].map(|place| short(&objects[place].name()));
            let message = format!("two objects have the ID {}: {:?} and {:?}", pair[0].0, names[0], names[1]);
            return Err(Fault::new(code::REFERENCE, message).help("export the model again"));
        }
        let mut connections = Vec::new();
        for at in tree.find("Connections").into_iter().flat_map(|list| list.children("C")) {
            let (Some(kind), Some(source), Some(destination)) = (at.text(0), at.integer(1), at.integer(2)) else {
                continue;
            };
            // "OP": an object on a property. "PO" and "PP" start at a property of the source; no importer plays them.
            match kind {
                b"OO" => connections.push(Connection { source, destination, property: None }),
                b"OP" => connections.push(Connection { source, destination, property: at.text(3) }),
                _ => {}
            }
        }
        connections.sort_by_key(|c| c.destination);
        let mut by_source: Vec<usize> = (0..connections.len()).collect();
        by_source.sort_by_key(|place| connections[*place].source);
        Ok(Document { objects, by_id, connections, by_source, templates: read_templates(tree) })
    }

    pub fn object(&self, id: i64) -> Option<&Object<'t>> {
        let place = self.by_id.binary_search_by_key(&id, |(id, _)| *id).ok()?;
        Some(&self.objects[self.by_id[place].1])
    }

    /// Connections that end at an object.
    pub fn onto(&self, id: i64) -> &[Connection<'t>] {
        let first = self.connections.partition_point(|c| c.destination < id);
        let end = self.connections.partition_point(|c| c.destination <= id);
        &self.connections[first..end]
    }

    /// Connections that start at an object.
    pub fn from(&self, id: i64) -> impl Iterator<Item = &Connection<'t>> {
        let first = self.by_source.partition_point(|place| self.connections[*place].source < id);
        let end = self.by_source.partition_point(|place| self.connections[*place].source <= id);
        self.by_source[first..end].iter().map(|place| &self.connections[*place])
    }

    /// Objects of a kind that hang on an object as a whole, in the order of the file.
    pub fn parts<'d>(&'d self, id: i64, kind: &'static str) -> impl Iterator<Item = &'d Object<'t>> {
        let whole = self.onto(id).iter().filter(|c| c.property.is_none());
        whole.filter_map(|c| self.object(c.source)).filter(move |o| o.is(kind))
    }

    /// Objects of a kind that an object hangs on.
    pub fn owners<'d>(&'d self, id: i64, kind: &'static str) -> impl Iterator<Item = &'d Object<'t>> {
        self.from(id).filter_map(|c| self.object(c.destination)).filter(move |o| o.is(kind))
    }

    /// An object's properties, and the defaults behind them.
    pub fn properties(&self, object: &Object<'t>) -> Properties<'t, '_> {
        // A kind of object can have a template for each of its classes.
        let class: Option<&[u8]> = match (object.kind, object.class) {
            (b"NodeAttribute", b"Camera") => Some(b"FbxCamera"),
            (b"NodeAttribute", b"Light") => Some(b"FbxLight"),
            (b"NodeAttribute", _) => Some(b""),
            _ => None,
        };
        let fits = |t: &&Template<'t>| t.kind == object.kind && class.is_none_or(|class| t.name == class);
        let template = self.templates.iter().find(fits).map(|t| &t.properties);
        Properties { own: table(object.at), template }
    }
}

/// Properties of an object by name.
pub struct Properties<'t, 'd> {
    own: BTreeMap<&'t [u8], At<'t>>,
    template: Option<&'d BTreeMap<&'t [u8], At<'t>>>,
}

/// Places of the first value of a property: name, type, label and flags come before.
const VALUE: usize = 4;

fn table(at: At<'_>) -> BTreeMap<&[u8], At<'_>> {
    let mut table = BTreeMap::new();
    for property in at.child("Properties70").into_iter().flat_map(|list| list.children("P")) {
        if let Some(name) = property.text(0) {
            table.entry(name).or_insert(property);
        }
    }
    table
}

fn read_templates(tree: &Tree) -> Vec<Template<'_>> {
    let mut templates = Vec::new();
    for kind in tree.find("Definitions").into_iter().flat_map(|list| list.children("ObjectType")) {
        for template in kind.children("PropertyTemplate") {
            templates.push(Template {
                kind: kind.text(0).unwrap_or_default(),
                name: template.text(0).unwrap_or_default(),
                properties: table(template),
            });
        }
    }
    templates
}

impl<'t> Properties<'t, '_> {
    /// Properties that stand alone, without defaults.
    pub fn of(at: At<'t>) -> Properties<'t, 't> {
        Properties { own: table(at), template: None }
    }

    /// Set by the object itself.
    pub fn own(&self, name: &str) -> Option<At<'t>> {
        self.own.get(name.as_bytes()).copied()
    }

    /// Names of the object's own properties, ascending.
    pub fn names(&self) -> impl Iterator<Item = &'t [u8]> {
        self.own.keys().copied()
    }

    fn find(&self, name: &str) -> Option<At<'t>> {
        self.own(name).or_else(|| self.template?.get(name.as_bytes()).copied())
    }

    /// Finite, else `None`.
    pub fn float(&self, name: &str) -> Option<f64> {
        self.find(name)?.float(VALUE).filter(|value| value.is_finite())
    }

    pub fn integer(&self, name: &str) -> Option<i64> {
        self.find(name)?.integer(VALUE)
    }

    pub fn bool_or(&self, name: &str, other: bool) -> bool {
        self.integer(name).map_or(other, |value| value != 0)
    }

    pub fn vector(&self, name: &str) -> Option<[f64; 3]> {
        let at = self.find(name)?;
        let vector = [at.float(VALUE)?, at.float(VALUE + 1)?, at.float(VALUE + 2)?];
        vector.iter().all(|value| value.is_finite()).then_some(vector)
    }

    /// A colour; a single number is a grey.
    pub fn color(&self, name: &str) -> Option<[f64; 3]> {
        self.vector(name).or_else(|| self.float(name).map(|grey| [grey; 3]))
    }

    pub fn text(&self, name: &str) -> Option<&'t [u8]> {
        self.find(name)?.text(VALUE)
    }
}
