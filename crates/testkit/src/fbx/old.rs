//! Writes content of version 7 as files of version 6.1 have it, text or binary.
//!
//! Names stand for numbers, meshes, shapes, cameras and lights lie in their models, and takes hold the animation.
//! Version 6 has no templates (their values go into objects), no instances of meshes (each model gets its own), one
//! layer an animation (the first is written), and no in-between shapes (the last of a channel is written).

use std::collections::{BTreeMap, BTreeSet};

use super::write::{File, Record, Value, one, record};

/// The records of a file of version 6.1.
pub fn records(file: &File) -> Vec<Record> {
    Old::new(file).records()
}

/// The same content with a mesh for each model, which version 6 cannot do without. Meshes that are copied may have
/// nothing that bends them.
pub fn without_instances(file: &File) -> File {
    let mut out = file.clone();
    let mut last = file.objects.iter().map(|object| long(&object.values[0])).max().unwrap_or(0);
    let mut shown = BTreeSet::new();
    for link in &mut out.connections {
        let mesh = long(&link.values[1]);
        let object = |id: i64| file.objects.iter().find(|object| long(&object.values[0]) == id);
        let Some(geometry) = object(mesh).filter(|object| object.name == "Geometry") else { continue };
        let is_model = object(long(&link.values[2])).is_some_and(|object| object.name == "Model");
        if !is_model || shown.insert(mesh) {
            continue;
        }
        assert!(file.connections.iter().all(|link| long(&link.values[2]) != mesh), "a mesh that bends is shown twice");
        last += 1;
        let mut copy = geometry.clone();
        copy.values[0] = Value::Long(last);
        out.objects.push(copy);
        link.values[1] = Value::Long(last);
    }
    out
}

/// A binary file of version 6.1.
pub fn bytes_of(top: &[Record]) -> Vec<u8> {
    let mut out = b"Kaydara FBX Binary  \0\x1a\0".to_vec();
    out.extend(6100_u32.to_le_bytes());
    top.iter().for_each(|record| put(&mut out, record));
    out.extend([0; 13]);
    out
}

fn put(out: &mut Vec<u8>, record: &Record) {
    let mut values = Vec::new();
    let count: usize = record.values.iter().map(|value| put_value(&mut values, value)).sum();
    let start = out.len();
    out.extend([0; 4]);
    out.extend((count as u32).to_le_bytes());
    out.extend((values.len() as u32).to_le_bytes());
    out.push(record.name.len() as u8);
    out.extend(record.name.as_bytes());
    out.extend(values);
    if !record.inside.is_empty() || record.values.is_empty() {
        record.inside.iter().for_each(|inside| put(out, inside));
        out.extend([0; 13]);
    }
    let end = out.len() as u32;
    out[start..start + 4].copy_from_slice(&end.to_le_bytes());
}

/// Out: how many values of the file it takes.
fn put_value(out: &mut Vec<u8>, value: &Value) -> usize {
    let mut one = |kind: u8, bytes: &[u8]| {
        out.push(kind);
        out.extend(bytes);
    };
    match value {
        Value::Int(value) => one(b'I', &value.to_le_bytes()),
        Value::Long(value) => one(b'L', &value.to_le_bytes()),
        Value::Double(value) => one(b'D', &value.to_le_bytes()),
        Value::Letter(letter) => one(b'C', &[*letter]),
        Value::Text(text) => {
            one(b'S', &(text.len() as u32).to_le_bytes());
            out.extend(text.as_bytes());
        }
        Value::Bytes(bytes) => {
            one(b'R', &(bytes.len() as u32).to_le_bytes());
            out.extend(bytes);
        }
        Value::Ints(list) => list.iter().for_each(|value| one(b'I', &value.to_le_bytes())),
        Value::Longs(list) => list.iter().for_each(|value| one(b'L', &value.to_le_bytes())),
        Value::Floats(list) => list.iter().for_each(|value| one(b'F', &value.to_le_bytes())),
        Value::Doubles(list) => list.iter().for_each(|value| one(b'D', &value.to_le_bytes())),
    }
    match value {
        Value::Ints(list) => list.len(),
        Value::Longs(list) => list.len(),
        Value::Floats(list) => list.len(),
        Value::Doubles(list) => list.len(),
        _ => 1,
    }
}

fn long(value: &Value) -> i64 {
    match value {
        Value::Int(value) => i64::from(*value),
        Value::Long(value) => *value,
        Value::Double(value) => *value as i64,
        other => panic!("no whole number: {other:?}"),
    }
}

fn word(value: Option<&Value>) -> &str {
    match value {
        Some(Value::Text(text)) => text,
        _ => "",
    }
}

fn child<'r>(record: &'r Record, name: &str) -> Option<&'r Record> {
    record.inside.iter().find(|inside| inside.name == name)
}

/// `P: name, type, label, flags, values` as `Property: name, type, flags, values`.
fn old_property(property: &Record) -> Record {
    let values = property.values.iter().enumerate().filter(|(place, _)| *place != 2).map(|(_, value)| value.clone());
    Record { name: "Property".to_string(), values: values.collect(), inside: Vec::new() }
}

fn old_properties(mut record: Record) -> Record {
    for list in record.inside.iter_mut().filter(|inside| inside.name == "Properties70") {
        list.name = "Properties60".to_string();
        list.inside = list.inside.iter().map(old_property).collect();
    }
    record
}

struct Link<'f> {
    source: i64,
    destination: i64,
    property: Option<&'f str>,
}

struct Old<'f> {
    file: &'f File,
    objects: BTreeMap<i64, &'f Record>,
    /// Packed names, by which version 6 knows objects: no two alike.
    names: BTreeMap<i64, String>,
    links: Vec<Link<'f>>,
}

impl<'f> Old<'f> {
    fn new(file: &'f File) -> Old<'f> {
        let objects = file.objects.iter().map(|object| (long(&object.values[0]), object)).collect();
        let mut names = BTreeMap::from([(0, "Scene\0\x01Model".to_string())]);
        let mut seen = BTreeSet::new();
        for object in &file.objects {
            let wanted = word(object.values.get(1));
            let (own, class) = wanted.split_once("\0\x01").unwrap_or((wanted, ""));
            let again = (2..).map(|number| format!("{own} {number}\0\x01{class}"));
            let name = std::iter::once(wanted.to_string()).chain(again).find(|name| !seen.contains(name));
            let name = name.expect("numbers do not end");
            seen.insert(name.clone());
            names.insert(long(&object.values[0]), name);
        }
        let link = |link: &'f Record| {
            let property = (word(link.values.first()) == "OP").then(|| word(link.values.get(3)));
            Link { source: long(&link.values[1]), destination: long(&link.values[2]), property }
        };
        Old { file, objects, names, links: file.connections.iter().map(link).collect() }
    }

    fn kind(&self, id: i64) -> &'f str {
        self.objects.get(&id).map_or("", |object| object.name.as_str())
    }

    fn class(&self, id: i64) -> &'f str {
        self.objects.get(&id).map_or("", |object| word(object.values.get(2)))
    }

    fn name(&self, id: i64) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }

    fn own_name(&self, id: i64) -> &str {
        self.name(id).split('\0').next().expect("the first part")
    }

    /// What hangs on an object as a whole, of a kind.
    fn parts<'s>(&'s self, id: i64, kind: &'s str) -> impl Iterator<Item = i64> + use<'s, 'f> {
        let whole = self.links.iter().filter(move |link| link.destination == id && link.property.is_none());
        whole.map(|link| link.source).filter(move |source| self.kind(*source) == kind)
    }

    /// Objects of a kind that an object hangs on.
    fn owners<'s>(&'s self, id: i64, kind: &'s str) -> impl Iterator<Item = i64> + use<'s, 'f> {
        let from = self.links.iter().filter(move |link| link.source == id);
        from.map(|link| link.destination).filter(move |owner| self.kind(*owner) == kind)
    }

    /// An object with the values of its template as its own.
    fn completed(&self, object: &Record) -> Record {
        let mut object = object.clone();
        let class = match (object.name.as_str(), word(object.values.get(2))) {
            ("NodeAttribute", "Camera") => Some("FbxCamera"),
            ("NodeAttribute", "Light") => Some("FbxLight"),
            ("NodeAttribute", _) => return object,
            _ => None,
        };
        let kinds = self.file.definitions.iter().filter(|kind| word(kind.values.first()) == object.name);
        let templates = kinds.flat_map(|kind| kind.inside.iter().filter(|inside| inside.name == "PropertyTemplate"));
        let fits = |t: &&Record| class.is_none_or(|class| word(t.values.first()) == class);
        let Some(template) = templates.into_iter().find(fits).and_then(|t| child(t, "Properties70")) else {
            return object;
        };
        if child(&object, "Properties70").is_none() {
            object.inside.insert(0, record("Properties70", []));
        }
        let list = object.inside.iter_mut().find(|inside| inside.name == "Properties70").expect("just made");
        for property in &template.inside {
            if !list.inside.iter().any(|own| own.values.first() == property.values.first()) {
                list.inside.push(property.clone());
            }
        }
        object
    }

    fn records(&self) -> Vec<Record> {
        let header = record("FBXHeaderExtension", []).with([
            one("FBXHeaderVersion", 1003),
            one("FBXVersion", 6100),
            one("Creator", self.file.creator.as_str()),
        ]);
        let mut objects = Vec::new();
        for object in &self.file.objects {
            let id = long(&object.values[0]);
            let mut object = self.completed(object);
            match object.name.as_str() {
                "Model" => self.fill(id, &mut object),
                "Pose" => self.name_pose(&mut object),
                "Deformer" if matches!(self.class(id), "BlendShape" | "BlendShapeChannel") => continue,
                "Geometry" | "NodeAttribute" => continue,
                kind if kind.starts_with("Animation") => continue,
                _ => {}
            }
            object.values = vec![self.name(id).into(), self.class(id).into()];
            objects.push(old_properties(object));
        }
        objects.extend(self.file.settings.clone().map(old_properties));
        vec![
            header,
            record("Objects", []).with(objects),
            record("Connections", []).with(self.connections()),
            record("Takes", []).with(self.takes()),
        ]
    }

    /// Puts into a model what hangs on it.
    fn fill(&self, id: i64, model: &mut Record) {
        for attribute in self.parts(id, "NodeAttribute") {
            if matches!(self.class(attribute), "Camera" | "Light") {
                let attribute = self.completed(self.objects[&attribute]);
                let properties = child(&attribute, "Properties70").map(|list| list.inside.clone()).unwrap_or_default();
                self.add_properties(model, properties);
            }
        }
        for geometry in self.parts(id, "Geometry") {
            let mesh = self.objects[&geometry];
            model.inside.extend(mesh.inside.iter().filter(|inside| inside.name != "Properties70").cloned());
            // Nothing refers to this name, so that it may be that of another mesh, too.
            model.inside.push(one("NodeAttributeName", word(mesh.values.get(1))));
            for blend in self.parts(geometry, "Deformer").filter(|deformer| self.class(*deformer) == "BlendShape") {
                for channel in self.parts(blend, "Deformer") {
                    let Some(shape) = self.parts(channel, "Geometry").last() else { continue };
                    let name = self.own_name(channel);
                    let shape = self.objects[&shape].inside.iter();
                    let shape =
                        shape.filter(|inside| matches!(inside.name.as_str(), "Indexes" | "Vertices" | "Normals"));
                    model.inside.push(one("Shape", name).with(shape.cloned()));
                    let percent = self.percent(channel);
                    let property = [name.into(), "Number".into(), "".into(), "A".into(), percent.into()];
                    self.add_properties(model, vec![record("P", property)]);
                }
            }
        }
    }

    /// The weight of a channel, which may stand in two ways.
    fn percent(&self, channel: i64) -> f64 {
        let object = self.objects[&channel];
        let number = |value: &Value| match value {
            Value::Double(value) => *value,
            other => long(other) as f64,
        };
        let properties = child(object, "Properties70").map(|list| &list.inside[..]).unwrap_or_default();
        let own = properties.iter().find(|property| word(property.values.first()) == "DeformPercent");
        let own = own.map(|property| number(&property.values[4]));
        own.or(child(object, "DeformPercent").map(|record| number(&record.values[0]))).unwrap_or(0.0)
    }

    fn add_properties(&self, model: &mut Record, properties: Vec<Record>) {
        match model.inside.iter_mut().find(|inside| inside.name == "Properties70") {
            Some(list) => list.inside.extend(properties),
            None => model.inside.push(record("Properties70", []).with(properties)),
        }
    }

    fn name_pose(&self, pose: &mut Record) {
        for node in pose.inside.iter_mut().flat_map(|node| &mut node.inside).filter(|inside| inside.name == "Node") {
            node.values = vec![self.name(long(&node.values[0])).into()];
        }
    }

    fn connections(&self) -> Vec<Record> {
        let mut out = Vec::new();
        let stays = |id: i64| {
            let gone = matches!(self.kind(id), "Geometry" | "NodeAttribute" | "")
                || self.kind(id).starts_with("Animation")
                || matches!(self.class(id), "BlendShape" | "BlendShapeChannel");
            id == 0 || !gone
        };
        for link in &self.links {
            if !stays(link.source) {
                continue;
            }
            let destinations: Vec<i64> = match self.kind(link.destination) {
                "Geometry" => self.owners(link.destination, "Model").collect(),
                _ if stays(link.destination) => vec![link.destination],
                _ => continue,
            };
            for destination in destinations {
                let kind = if link.property.is_some() { "OP" } else { "OO" };
                let mut connect =
                    record("Connect", [kind.into(), self.name(link.source).into(), self.name(destination).into()]);
                connect.values.extend(link.property.map(Value::from));
                out.push(connect);
            }
        }
        out
    }

    fn takes(&self) -> Vec<Record> {
        let stacks = self.objects.iter().filter(|(_, object)| object.name == "AnimationStack");
        // In the order of the file.
        let mut stacks: Vec<i64> = stacks.map(|(id, _)| *id).collect();
        stacks.sort_by_key(|id| self.file.objects.iter().position(|object| long(&object.values[0]) == *id));
        stacks.into_iter().map(|stack| self.take(stack)).collect()
    }

    fn take(&self, stack: i64) -> Record {
        let mut take = one("Take", self.own_name(stack));
        let properties = child(self.objects[&stack], "Properties70").map(|list| &list.inside[..]).unwrap_or_default();
        for (name, ends) in
            [("LocalTime", ["LocalStart", "LocalStop"]), ("ReferenceTime", ["ReferenceStart", "ReferenceStop"])]
        {
            let end =
                |name: &str| properties.iter().find(|p| word(p.values.first()) == name).map(|p| p.values[4].clone());
            let [start, stop] = ends.map(end);
            if let (Some(start), Some(stop)) = (start, stop) {
                take.inside.push(record(name, [start, stop]));
            }
        }
        let Some(layer) = self.parts(stack, "AnimationLayer").next() else { return take };
        // Channels by model, in the order in which models move first.
        let mut moved: Vec<(i64, Vec<Record>)> = Vec::new();
        for node in self.parts(layer, "AnimationCurveNode") {
            for link in self.links.iter().filter(|link| link.source == node && link.property.is_some()) {
                let property = link.property.expect("just looked at");
                for (model, name) in self.targets(link.destination, property) {
                    let place = moved.iter().position(|(known, _)| *known == model).unwrap_or_else(|| {
                        moved.push((model, Vec::new()));
                        moved.len() - 1
                    });
                    add_channel(&mut moved[place].1, &name, self.components(node));
                }
            }
        }
        for (model, channels) in moved {
            take.inside.push(one("Model", self.name(model)).with([one("Version", 1.1)]).with(channels));
        }
        take
    }

    /// Models and names of channels for what a curve node moves.
    fn targets(&self, id: i64, property: &str) -> Vec<(i64, String)> {
        match self.kind(id) {
            "NodeAttribute" => self.owners(id, "Model").map(|model| (model, property.to_string())).collect(),
            "Deformer" => {
                let meshes = self.owners(id, "Deformer").flat_map(|blend| self.owners(blend, "Geometry"));
                let models: Vec<i64> = meshes.flat_map(|mesh| self.owners(mesh, "Model")).collect();
                models.into_iter().map(|model| (model, self.own_name(id).to_string())).collect()
            }
            "Model" => vec![(id, property.to_string())],
            _ => Vec::new(),
        }
    }

    /// What a channel holds: keys itself, or channels for its components.
    fn components(&self, node: i64) -> Vec<Record> {
        let properties = child(self.objects[&node], "Properties70").map(|list| &list.inside[..]).unwrap_or_default();
        let mut out = Vec::new();
        for own in properties {
            let Some(name) = word(own.values.first()).strip_prefix("d|") else { continue };
            let on = self.links.iter().find(|link| {
                link.destination == node && link.property.and_then(|property| property.strip_prefix("d|")) == Some(name)
            });
            let mut inside = vec![one("Default", own.values[4].clone())];
            inside.extend(on.and_then(|link| self.objects.get(&link.source)).into_iter().flat_map(|curve| keys(curve)));
            if matches!(name, "X" | "Y" | "Z") {
                out.push(one("Channel", name).with(inside));
            } else {
                return inside;
            }
        }
        out
    }
}

fn add_channel(channels: &mut Vec<Record>, property: &str, inside: Vec<Record>) {
    let letter = match property {
        "Lcl Translation" => "T",
        "Lcl Rotation" => "R",
        "Lcl Scaling" => "S",
        other => return channels.push(one("Channel", other).with(inside)),
    };
    let place = channels.iter().position(|channel| word(channel.values.first()) == "Transform").unwrap_or_else(|| {
        channels.push(one("Channel", "Transform"));
        channels.len() - 1
    });
    channels[place].inside.push(one("Channel", letter).with(inside));
}

/// The keys of a curve as one list; nothing of one that lacks a list.
fn keys(curve: &Record) -> Vec<Record> {
    let list = |name: &str| child(curve, name).and_then(|list| list.values.first());
    let (Some(Value::Longs(times)), Some(Value::Floats(values))) = (list("KeyTime"), list("KeyValueFloat")) else {
        return Vec::new();
    };
    let (Some(Value::Ints(flags)), Some(Value::Floats(data))) = (list("KeyAttrFlags"), list("KeyAttrDataFloat")) else {
        return Vec::new();
    };
    let Some(Value::Ints(counts)) = list("KeyAttrRefCount") else { return Vec::new() };
    let of_keys = counts.iter().enumerate().flat_map(|(entry, count)| (0..*count).map(move |_| entry));
    let mut out = record("Key", []);
    for ((time, value), entry) in times.iter().zip(values).zip(of_keys) {
        let data = &data[entry * 4..entry * 4 + 4];
        out.values.extend([Value::Long(*time), Value::Double(f64::from(*value))]);
        let mut letter = |letters: &str| out.values.extend(letters.bytes().map(Value::Letter));
        let flags = flags[entry];
        match flags & 0xe {
            0x2 => letter(if flags & 0x100 != 0 { "Cn" } else { "Cs" }),
            0x4 => letter("L"),
            _ if flags & 0x200 != 0 => {
                letter("Ut");
                out.values.extend(data[..3].iter().map(|number| Value::Double(f64::from(*number))));
            }
            _ if flags & 0x400 == 0 => {
                assert_eq!(flags & 0x7f00, 0x6100, "version 6 has one automatic tangent");
                letter("Uan");
            }
            _ => {
                letter("Us");
                out.values.extend(data[..2].iter().map(|number| Value::Double(f64::from(*number))));
                let (right, left) = (flags & 0x100_0000 != 0, flags & 0x200_0000 != 0);
                out.values.push(Value::Letter(match (right, left) {
                    (true, true) => b'a',
                    (true, false) => b'r',
                    (false, true) => b'l',
                    (false, false) => b'n',
                }));
                let word = data[2].to_bits();
                let weight = |bits: u32| Value::Double(f64::from(bits) / 10_000.0);
                out.values.extend(right.then(|| weight(word & 0xffff)));
                out.values.extend(left.then(|| weight(word >> 16)));
            }
        }
    }
    let count = times.len() as i32;
    let mut ends: Vec<Record> =
        curve.inside.iter().filter(|inside| inside.name.ends_with("-Extrapolation")).cloned().collect();
    for kind in ends.iter_mut().flat_map(|end| &mut end.inside).filter(|inside| inside.name == "Type") {
        kind.values = vec![Value::Letter(long(&kind.values[0]) as u8)];
    }
    [one("KeyVer", 4005), one("KeyCount", count), out].into_iter().chain(ends).collect()
}
