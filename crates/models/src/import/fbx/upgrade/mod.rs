//! Records of text and of version 6 become those of a binary file of version 7.
//!
//! In: [`Record`]s. Out: the same content as binary files of version 7 have it, so that nothing else of the importer
//! knows which form a file had. Never here: what any of it looks like.
//!
//! Text of version 7 differs in names (`Model::Cube` for `Cube\0\x01Model`), pictures (base64) and lists of 32-bit
//! numbers. In version 6, text or binary,
//!
//! - an object is known by its name, not by a number: each gets one here;
//! - a mesh, a camera or a light is part of its model, and a shape part of its mesh: `model` parts them;
//! - textures may lie on faces instead of on materials: `texture` moves them;
//! - animation stands in takes, keys in one list of times, values and letters: `take` makes curves.
//!
//! Sources: files of Autodesk's SDK, MotionBuilder and Blender of version 6.0 and 6.1, and how `ufbx` 0.11 reads them.

mod model;
mod take;
mod texture;

use std::collections::BTreeMap;

use fbxcel_dom::fbxcel::low::v7400::AttributeValue;

use super::record::{self, Record};
use crate::import::base64::base64;
use crate::import::{Budget, Fault, code};

/// How a file spells its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Binary,
    Text,
}

/// From this version on, text has the words of packed tangents as whole numbers.
const WORDS_AS_WHOLE_NUMBERS: u32 = 7200;

/// Cameras that programs put into every file of version 6 and that nobody has placed.
const PRODUCERS: [&str; 7] = [
    "Producer Back",
    "Producer Bottom",
    "Producer Front",
    "Producer Left",
    "Producer Perspective",
    "Producer Right",
    "Producer Top",
];

/// Makes records of version 7, binary, from those of a text (6.0 to 7.7) or of a binary file of version 6.
///
/// Errors: more than the budget.
pub fn upgrade(
    records: Vec<Record>,
    form: Form,
    version: u32,
    budget: &mut Budget,
    warnings: &mut Vec<Fault>,
) -> Result<Vec<Record>, Fault> {
    if version >= 7000 {
        return Ok(settled(records, version, warnings));
    }
    let mut old = Old::new(form, budget, warnings);
    let (mut objects, mut links, mut takes) = (Vec::new(), Vec::new(), Vec::new());
    let mut top = Vec::new();
    for record in records {
        match record.name.as_str() {
            "Objects" => objects.extend(record.inside),
            "Connections" => links.extend(record.inside),
            "Takes" => takes.extend(record.inside),
            "GlobalSettings" => old.settings = Some(modern_properties(record)),
            _ => top.push(record),
        }
    }
    old.objects(objects)?;
    old.links(&links)?;
    old.lay_textures()?;
    for take in takes.into_iter().filter(|record| record.name == "Take") {
        old.take(take)?;
    }
    let Old { settings, objects, links, .. } = old;
    top.extend(settings);
    top.push(Record::new("Objects", []).with(objects));
    top.push(Record::new("Connections", []).with(links.into_iter().map(Link::into_record)));
    Ok(top)
}

/// Records of a text of version 7.
fn settled(mut records: Vec<Record>, version: u32, warnings: &mut Vec<Fault>) -> Vec<Record> {
    for object in records.iter_mut().filter(|record| record.name == "Objects").flat_map(|list| &mut list.inside) {
        if let Some(AttributeValue::String(name)) = object.values.get_mut(1) {
            *name = packed(Form::Text, name);
        }
        match object.name.as_str() {
            "AnimationCurve" => settle_curve(object, version),
            "Video" => unpack_content(object, warnings),
            _ => {}
        }
    }
    records
}

/// Lists of 32-bit numbers, one of which is words as often as numbers.
fn settle_curve(curve: &mut Record, version: u32) {
    let narrow = |value: &AttributeValue| {
        record::reals(value).map(|list| AttributeValue::ArrF32(list.into_iter().map(|value| value as f32).collect()))
    };
    for inside in &mut curve.inside {
        let Some(value) = inside.values.first_mut() else { continue };
        let settled = match (inside.name.as_str(), &*value) {
            ("KeyAttrDataFloat", AttributeValue::ArrI32(_)) if version >= WORDS_AS_WHOLE_NUMBERS => None,
            ("KeyAttrDataFloat", AttributeValue::ArrI64(list)) if version >= WORDS_AS_WHOLE_NUMBERS => {
                Some(AttributeValue::ArrI32(list.iter().map(|word| *word as i32).collect()))
            }
            ("KeyValueFloat" | "KeyAttrDataFloat", value) => narrow(value),
            _ => None,
        };
        settled.into_iter().for_each(|settled| *value = settled);
    }
}

/// An embedded picture, which text holds in base64, maybe in several parts.
fn unpack_content(video: &mut Record, warnings: &mut Vec<Fault>) {
    let Some(content) = video.inside.iter_mut().find(|inside| inside.name == "Content") else { return };
    let parts: Result<Vec<Vec<u8>>, String> =
        content.values.iter().filter_map(|part| part.get_string()).map(|part| base64(part.as_bytes())).collect();
    let values = std::mem::take(&mut content.values);
    match parts {
        Ok(parts) if parts.is_empty() => content.values = values,
        Ok(parts) => content.values.push(AttributeValue::Binary(parts.concat())),
        Err(words) => {
            let name = video.text(1).unwrap_or_default();
            let name = super::document::short(name.split('\0').next().unwrap_or_default());
            let message = format!("ignored the embedded picture of {name:?}: {words}");
            warnings.push(Fault::new(code::TEXTURE_SKIPPED, message).help("export the model again"));
        }
    }
}

/// `Model::Cube`, as text has it, becomes `Cube\0\x01Model`.
fn packed(form: Form, name: &str) -> String {
    match name.split_once("::").filter(|_| form == Form::Text) {
        Some((class, name)) => format!("{name}\0\x01{class}"),
        None => name.to_string(),
    }
}

/// A packed name without its class.
fn own_name(packed: &str) -> &str {
    packed.split_once("\0\x01").map_or(packed, |(name, _)| name)
}

/// `Property: name, type, flags, values` becomes `P: name, type, label, flags, values`.
fn modern_properties(mut record: Record) -> Record {
    for list in record.inside.iter_mut().filter(|inside| inside.name == "Properties60") {
        list.name = "Properties70".to_string();
        for property in list.inside.iter_mut().filter(|inside| inside.name == "Property") {
            property.name = "P".to_string();
            let place = property.values.len().min(2);
            property.values.insert(place, text(""));
        }
    }
    record
}

fn text(text: &str) -> AttributeValue {
    AttributeValue::String(text.to_string())
}

/// A property of version 7.
fn property(name: &str, kind: &str, value: AttributeValue) -> Record {
    Record::new("P", [text(name), text(kind), text(""), text("A"), value])
}

/// The record of an object's property.
fn property_of<'r>(object: &'r Record, name: &str) -> Option<&'r Record> {
    object.child("Properties70")?.inside.iter().find(|property| property.text(0) == Some(name))
}

/// What hangs on what.
#[derive(Debug)]
struct Link {
    source: i64,
    destination: i64,
    property: Option<String>,
}

impl Link {
    fn into_record(self) -> Record {
        let kind = if self.property.is_some() { "OP" } else { "OO" };
        let mut record =
            Record::new("C", [text(kind), AttributeValue::I64(self.source), AttributeValue::I64(self.destination)]);
        record.values.extend(self.property.map(AttributeValue::String));
        record
    }
}

/// A file of version 6 under way.
struct Old<'b> {
    form: Form,
    budget: &'b mut Budget,
    warnings: &'b mut Vec<Fault>,
    /// Numbers of objects by their packed names. Of two with one name, the first is meant.
    ids: BTreeMap<String, i64>,
    last_id: i64,
    settings: Option<Record>,
    objects: Vec<Record>,
    /// Positions in `objects`, by number.
    places: BTreeMap<i64, usize>,
    links: Vec<Link>,
    /// Numbers of meshes by those of their models.
    bodies: BTreeMap<i64, i64>,
    /// Numbers of shapes' channels, by the model and the shape's name.
    sliders: BTreeMap<(i64, String), i64>,
}

impl<'b> Old<'b> {
    fn new(form: Form, budget: &'b mut Budget, warnings: &'b mut Vec<Fault>) -> Old<'b> {
        Old {
            form,
            budget,
            warnings,
            ids: BTreeMap::from([("Scene\0\x01Model".to_string(), 0)]),
            last_id: 0,
            settings: None,
            objects: Vec::new(),
            places: BTreeMap::new(),
            links: Vec::new(),
            bodies: BTreeMap::new(),
            sliders: BTreeMap::new(),
        }
    }

    fn fresh(&mut self) -> i64 {
        self.last_id += 1;
        self.last_id
    }

    /// The number of what the file calls so.
    fn id(&self, name: &str) -> Option<i64> {
        self.ids.get(&packed(self.form, name)).copied()
    }

    fn place(&mut self, object: Record) -> Result<(), Fault> {
        let id = object.integer(0).expect("every object has its number by now");
        self.budget.spend(object.text(1).unwrap_or_default().len() as u64, "the names of objects")?;
        self.places.insert(id, self.objects.len());
        self.objects.push(object);
        Ok(())
    }

    /// An object that the file has as a part of another, or not at all.
    fn make(&mut self, kind: &str, id: i64, packed_name: &str, class: &str) -> Result<Record, Fault> {
        let object = Record::new(kind, [AttributeValue::I64(id), text(packed_name), text(class)]);
        object.spend(self.budget)?;
        Ok(object)
    }

    fn link(&mut self, source: i64, destination: i64, property: Option<&str>) -> Result<(), Fault> {
        let link = Link { source, destination, property: property.map(str::to_string) };
        self.budget.spend(4 * size_of::<Link>() as u64 + 600, "the connections")?;
        self.links.push(link);
        Ok(())
    }

    fn objects(&mut self, objects: Vec<Record>) -> Result<(), Fault> {
        let mut numbered = Vec::new();
        for mut object in objects {
            if object.name == "GlobalSettings" {
                self.settings.get_or_insert_with(|| modern_properties(object));
                continue;
            }
            let Some(name) = object.text(0).map(|name| packed(self.form, name)) else { continue };
            let class = object.text(1).unwrap_or_default().to_string();
            let unplaced = class == "CameraSwitcher" || class == "Camera" && PRODUCERS.contains(&own_name(&name));
            if object.name == "Model" && unplaced {
                continue;
            }
            let id = self.fresh();
            self.budget.spend(name.len() as u64 * 2, "the names of objects")?;
            self.ids.entry(name.clone()).or_insert(id);
            object.values = vec![AttributeValue::I64(id), AttributeValue::String(name), AttributeValue::String(class)];
            numbered.push((id, object));
        }
        for (id, object) in numbered {
            let mut object = modern_properties(object);
            match object.name.as_str() {
                "Model" => self.model(id, object)?,
                other => {
                    match other {
                        "Video" if self.form == Form::Text => unpack_content(&mut object, self.warnings),
                        "Material" => say_transparency(&mut object),
                        "Pose" => self.number_pose(&mut object),
                        _ => {}
                    }
                    self.place(object)?;
                }
            }
        }
        Ok(())
    }

    /// Nodes of a pose name their models.
    fn number_pose(&self, pose: &mut Record) {
        for node in pose.inside.iter_mut().flat_map(|pose_node| &mut pose_node.inside).filter(|r| r.name == "Node") {
            let id = node.text(0).and_then(|name| self.id(name));
            id.into_iter().for_each(|id| node.values = vec![AttributeValue::I64(id)]);
        }
    }

    /// Connections of known objects as wholes and on properties.
    fn links(&mut self, links: &[Record]) -> Result<(), Fault> {
        for link in links.iter().filter(|link| link.name == "Connect") {
            let id = |place: usize| link.text(place).and_then(|name| self.id(name));
            let (Some(source), Some(destination)) = (id(1), id(2)) else { continue };
            match link.text(0) {
                Some("OO") => {
                    // What bends a model bends its mesh.
                    let bends = self.places.get(&source).is_some_and(|at| self.objects[*at].name == "Deformer");
                    let body = self.bodies.get(&destination).filter(|_| bends).copied();
                    self.link(source, body.unwrap_or(destination), None)?;
                }
                Some("OP") => self.link(source, destination, Some(link.text(3).unwrap_or_default()))?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// Materials that say how opaque they are, and not how transparent.
fn say_transparency(material: &mut Record) {
    let opacity = property_of(material, "Opacity").and_then(|property| property.float(4));
    let Some(opacity) = opacity.filter(|_| property_of(material, "TransparencyFactor").is_none()) else { return };
    let is_colored = property_of(material, "TransparentColor").is_some();
    let Some(list) = material.inside.iter_mut().find(|inside| inside.name == "Properties70") else { return };
    list.inside.push(property("TransparencyFactor", "double", AttributeValue::F64(1.0 - opacity)));
    if !is_colored {
        let mut white = property("TransparentColor", "ColorRGB", AttributeValue::F64(1.0));
        white.values.extend([AttributeValue::F64(1.0), AttributeValue::F64(1.0)]);
        list.inside.push(white);
    }
}
