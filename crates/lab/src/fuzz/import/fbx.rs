//! FBX in binary: trees of nodes with properties, as modelling programs write them. `fbx_form` writes the same as text
//! and as version 6.
//!
//! Source: what is publicly known of the container (Blender developers' notes on the binary format): records with an
//! end offset, a count of properties, a name; arrays raw or deflated; a record of zeros after children.

use stillframe_base::rng::Stream;

use super::draw::{Bytes, Mesh, lie, mesh};
use super::{picture, zlib};
use crate::fuzz::Case;
use crate::fuzz::mutate::{FLOATS, WHOLES, between, float, noise};

/// A record.
#[derive(Clone, Debug)]
pub struct Node {
    pub name: String,
    pub values: Vec<Value>,
    pub children: Vec<Node>,
}

#[derive(Clone, Debug)]
pub enum Value {
    Bool(bool),
    /// A bare letter among the keys of version 6.
    Letter(u8),
    I16(i16),
    I32(i32),
    I64(i64),
    F32(f32),
    F64(f64),
    Text(Vec<u8>),
    Raw(Vec<u8>),
    I32s(Vec<i32>),
    I64s(Vec<i64>),
    F32s(Vec<f32>),
    F64s(Vec<f64>),
}

impl From<i32> for Value {
    fn from(number: i32) -> Value {
        Value::I32(number)
    }
}
impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::I64(number)
    }
}
impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::F64(number)
    }
}
impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Text(text.as_bytes().to_vec())
    }
}

pub fn node(name: &str, values: Vec<Value>, children: Vec<Node>) -> Node {
    Node { name: name.to_string(), values, children }
}

pub fn leaf(name: &str, value: impl Into<Value>) -> Node {
    node(name, vec![value.into()], Vec::new())
}

/// `P: name, type, label, flags, values` under `Properties70`.
fn property(name: &str, kind: &str, values: Vec<Value>) -> Node {
    let mut all = vec![name.into(), kind.into(), "".into(), "A".into()];
    all.extend(values);
    node("P", all, Vec::new())
}

fn object(class: &str, id: i64, name: &str, kind: &str, subtype: &str, children: Vec<Node>) -> Node {
    let full = Value::Text([name.as_bytes(), b"\0\x01", kind.as_bytes()].concat());
    node(class, vec![id.into(), full, subtype.into()], children)
}

/// Objects and how they hang together, in the making.
#[derive(Default)]
struct Scene {
    objects: Vec<Node>,
    connections: Vec<Node>,
    next_id: i64,
}

impl Scene {
    fn id(&mut self) -> i64 {
        self.next_id += 1;
        1000 + self.next_id
    }
    fn add(&mut self, class: &str, name: &str, kind: &str, subtype: &str, children: Vec<Node>) -> i64 {
        let id = self.id();
        self.objects.push(object(class, id, name, kind, subtype, children));
        id
    }
    fn connect(&mut self, child: i64, parent: i64) {
        self.connections.push(node("C", vec!["OO".into(), child.into(), parent.into()], Vec::new()));
    }
    fn connect_property(&mut self, child: i64, parent: i64, name: &str) {
        self.connections.push(node("C", vec!["OP".into(), child.into(), parent.into(), name.into()], Vec::new()));
    }
}

/// A file of version 7.4 or 7.5, now and then of another.
pub fn file(stream: &mut Stream) -> Case {
    let version = if stream.one_in(40) {
        *stream.pick(&[6100, 7000, 7300, 7700, 8000, 0, u32::MAX])
    } else {
        *stream.pick(&[7400, 7500])
    };
    let mut beside = Vec::new();
    let mut top = document(stream, &mut beside);
    if stream.one_in(2) {
        damage(stream, &mut top);
    }
    Case { beside, ..Case::new("model.fbx", binary(stream, &top, version)) }
}

/// The records of a file in binary.
pub fn binary(stream: &mut Stream, top: &[Node], version: u32) -> Vec<u8> {
    let wide = version >= 7500;
    let mut out = Bytes::default();
    out.raw(b"Kaydara FBX Binary  \0\x1A\0").u32(version);
    for record in top {
        write(stream, record, wide, &mut out, 0);
    }
    out.raw(&vec![0; if wide { 25 } else { 13 }]);
    // The footer: an id, padding to 16 bytes, the version, zeros, a mark.
    out.raw(&[
        0xFA, 0xBC, 0xAB, 0x09, 0xD0, 0xC8, 0xD4, 0x66, 0xB1, 0x76, 0xFB, 0x83, 0x1C, 0xF7, 0x26, 0x7E, 0, 0, 0, 0,
    ]);
    let padding = 16 - out.bytes.len() % 16;
    out.raw(&vec![0; padding]).u32(version).raw(&[0; 120]);
    out.raw(&[0xF8, 0x5A, 0x8C, 0x6A, 0xDE, 0xF5, 0xD9, 0x7E, 0xEC, 0xE9, 0x0C, 0xE3, 0x75, 0x8F, 0x29, 0x0B]);
    out.bytes
}

pub fn document(stream: &mut Stream, beside: &mut Vec<(String, Vec<u8>)>) -> Vec<Node> {
    let mut scene = Scene::default();
    let mut models = Vec::new();
    for index in 0..between(stream, 1, 4) {
        let kind = *stream.pick(&["Mesh", "Mesh", "Null", "Camera", "Light", "LimbNode"]);
        let properties = transform(stream);
        let model = scene.add("Model", &format!("n{index}"), "Model", kind, vec![leaf("Version", 232), properties]);
        let parent = if models.is_empty() || stream.one_in(3) { 0 } else { *stream.pick(&models) };
        scene.connect(model, parent);
        models.push(model);
        match kind {
            "Mesh" => mesh_of(stream, &mut scene, model, beside),
            "Camera" | "Light" => {
                let values = vec![
                    property("FieldOfView", "Number", vec![40.0.into()]),
                    property("Intensity", "Number", vec![100.0.into()]),
                ];
                let attribute =
                    scene.add("NodeAttribute", "", "NodeAttribute", kind, vec![node("Properties70", vec![], values)]);
                scene.connect(attribute, model);
            }
            _ => {}
        }
    }
    for _ in 0..between(stream, 0, 2) {
        animation(stream, &mut scene, &models);
    }
    let up = |name: &str, number: i32| property(name, "int", vec![number.into()]);
    let settings = vec![
        up("UpAxis", lie(stream, 12, 1) as i32),
        up("UpAxisSign", lie(stream, 12, 1) as i32),
        up("FrontAxis", lie(stream, 12, 2) as i32),
        up("FrontAxisSign", 1),
        up("CoordAxis", lie(stream, 12, 0) as i32),
        up("CoordAxisSign", 1),
        property(
            "UnitScaleFactor",
            "double",
            vec![(if stream.one_in(12) { *stream.pick(FLOATS) } else { 1.0 }).into()],
        ),
    ];
    vec![
        node(
            "FBXHeaderExtension",
            vec![],
            vec![leaf("FBXHeaderVersion", 1003), leaf("FBXVersion", 7400), leaf("Creator", "made")],
        ),
        node("GlobalSettings", vec![], vec![leaf("Version", 1000), node("Properties70", vec![], settings)]),
        node("Documents", vec![], vec![leaf("Count", 1)]),
        node("Definitions", vec![], vec![leaf("Version", 100), leaf("Count", 1)]),
        node("Objects", vec![], scene.objects),
        node("Connections", vec![], scene.connections),
    ]
}

fn transform(stream: &mut Stream) -> Node {
    let mut out = Vec::new();
    for name in [
        "Lcl Translation",
        "Lcl Rotation",
        "Lcl Scaling",
        "RotationOffset",
        "RotationPivot",
        "ScalingOffset",
        "ScalingPivot",
        "PreRotation",
        "PostRotation",
        "GeometricTranslation",
        "GeometricRotation",
        "GeometricScaling",
    ] {
        if stream.one_in(3) {
            let mut values: Vec<Value> = (0..3).map(|_| f64::from(float(stream)).into()).collect();
            values.truncate(if stream.one_in(40) { 2 } else { 3 });
            out.push(property(name, name, values));
        }
    }
    for name in ["RotationOrder", "InheritType", "RotationActive"] {
        if stream.one_in(3) {
            out.push(property(name, "enum", vec![(stream.below(7) as i32).into()]));
        }
    }
    node("Properties70", vec![], out)
}

/// A layer of normals, coordinates or the like: every mapping and reference, now and then of the wrong length.
fn layer(stream: &mut Stream, class: &str, array: &str, rows: usize, mesh: &Mesh) -> Node {
    let corner_count: usize = mesh.faces.iter().map(Vec::len).sum();
    let mapping = *stream.pick(&[
        "ByPolygonVertex",
        "ByPolygonVertex",
        "ByVertice",
        "ByVertex",
        "ByPolygon",
        "AllSame",
        "ByEdge",
    ]);
    let reference = *stream.pick(&["Direct", "IndexToDirect", "Index"]);
    let count = match mapping {
        "ByPolygonVertex" => corner_count,
        "ByPolygon" => mesh.faces.len(),
        "AllSame" => 1,
        _ => mesh.points.len(),
    };
    let count = lie(stream, 40, count as u32).min(100) as usize;
    let direct = if reference == "Direct" { count } else { between(stream, 1, count.max(1)) };
    let mut children = vec![
        leaf("Version", 101),
        leaf("Name", ""),
        leaf("MappingInformationType", mapping),
        leaf("ReferenceInformationType", reference),
    ];
    if array == "Materials" || array == "Smoothing" {
        let values = (0..count).map(|_| stream.below(3) as i32).collect();
        children.push(leaf(array, Value::I32s(values)));
    } else {
        let values = (0..direct * rows).map(|_| f64::from(float(stream))).collect();
        children.push(leaf(array, Value::F64s(values)));
        if reference != "Direct" {
            let places =
                (0..count).map(|_| if stream.one_in(60) { -1 } else { stream.below(direct as u32) as i32 }).collect();
            let name = if array == "UV" { "UVIndex".to_string() } else { format!("{array}Index") };
            children.push(leaf(&name, Value::I32s(places)));
        }
    }
    node(class, vec![0.into()], children)
}

fn mesh_of(stream: &mut Stream, scene: &mut Scene, model: i64, beside: &mut Vec<(String, Vec<u8>)>) {
    let mesh = mesh(stream);
    let points = mesh.points.iter().flatten().map(|x| f64::from(*x)).collect();
    let mut corners = Vec::new();
    for face in &mesh.faces {
        corners.extend(face.iter().map(|corner| *corner as i32));
        // The last corner of a face is its complement.
        if let Some(last) = corners.last_mut().filter(|_| !stream.one_in(100)) {
            *last = !*last;
        }
    }
    let mut children = vec![
        leaf("Vertices", Value::F64s(points)),
        leaf("PolygonVertexIndex", Value::I32s(corners)),
        leaf("GeometryVersion", 124),
    ];
    for (class, array, rows) in [
        ("LayerElementNormal", "Normals", 3),
        ("LayerElementUV", "UV", 2),
        ("LayerElementColor", "Colors", 4),
        ("LayerElementMaterial", "Materials", 1),
        ("LayerElementSmoothing", "Smoothing", 1),
        ("LayerElementTangent", "Tangents", 3),
    ] {
        if stream.one_in(2) {
            children.push(layer(stream, class, array, rows, &mesh));
        }
    }
    let geometry = scene.add("Geometry", "", "Geometry", "Mesh", children);
    scene.connect(geometry, model);
    if stream.one_in(2) {
        material(stream, scene, model, beside);
    }
    if stream.one_in(3) {
        skin(stream, scene, geometry, &mesh);
    }
    if stream.one_in(4) {
        shapes(stream, scene, geometry, &mesh);
    }
}

fn material(stream: &mut Stream, scene: &mut Scene, model: i64, beside: &mut Vec<(String, Vec<u8>)>) {
    let mut values = Vec::new();
    for name in ["DiffuseColor", "SpecularColor", "EmissiveColor", "Maya|baseColor", "3dsMax|Parameters|base_color"] {
        if stream.one_in(3) {
            values.push(property(name, "Color", (0..3).map(|_| f64::from(float(stream)).into()).collect()));
        }
    }
    for name in [
        "Shininess",
        "ShininessExponent",
        "ReflectionFactor",
        "TransparencyFactor",
        "Opacity",
        "Roughness",
        "Maya|metalness",
    ] {
        if stream.one_in(3) {
            values.push(property(name, "Number", vec![f64::from(float(stream)).into()]));
        }
    }
    let shading = *stream.pick(&["phong", "lambert", "unknown", ""]);
    let children = vec![leaf("ShadingModel", shading), node("Properties70", vec![], values)];
    let material = scene.add("Material", "m", "Material", "", children);
    scene.connect(material, model);
    if stream.one_in(2) {
        let picture = picture::small(stream);
        let children = vec![leaf("FileName", picture.name.as_str()), leaf("RelativeFilename", picture.name.as_str())];
        let texture = scene.add("Texture", "t", "Texture", "", children.clone());
        let slot = *stream.pick(&["DiffuseColor", "NormalMap", "Bump", "TransparentColor", "EmissiveColor"]);
        scene.connect_property(texture, material, slot);
        let mut video = children;
        if stream.one_in(2) {
            video.push(leaf("Content", Value::Raw(picture.bytes.clone())));
        } else {
            beside.push((picture.name, picture.bytes));
        }
        let video = scene.add("Video", "v", "Video", "Clip", video);
        scene.connect(video, texture);
    }
}

fn skin(stream: &mut Stream, scene: &mut Scene, geometry: i64, mesh: &Mesh) {
    let skin = scene.add("Deformer", "", "Deformer", "Skin", vec![leaf("Version", 101)]);
    scene.connect(skin, geometry);
    let matrix = || Value::F64s((0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect());
    for _ in 0..between(stream, 1, 3) {
        let count = between(stream, 0, mesh.points.len());
        let places = (0..count).map(|i| lie(stream, 100, i as u32) as i32).collect();
        let weights = (0..lie(stream, 60, count as u32).min(50)).map(|_| f64::from(float(stream))).collect();
        let children = vec![
            leaf("Indexes", Value::I32s(places)),
            leaf("Weights", Value::F64s(weights)),
            leaf("Transform", matrix()),
            leaf("TransformLink", matrix()),
        ];
        let cluster = scene.add("Deformer", "", "SubDeformer", "Cluster", children);
        scene.connect(cluster, skin);
        let joint = scene.add("Model", "joint", "Model", "LimbNode", vec![]);
        scene.connect(joint, 0);
        scene.connect(joint, cluster);
    }
}

fn shapes(stream: &mut Stream, scene: &mut Scene, geometry: i64, mesh: &Mesh) {
    let blend = scene.add("Deformer", "", "Deformer", "BlendShape", vec![leaf("Version", 100)]);
    scene.connect(blend, geometry);
    let count = between(stream, 1, 3);
    let full = (1..=count)
        .map(|i| if stream.one_in(20) { f64::from(float(stream)) } else { i as f64 * 100.0 / count as f64 })
        .collect();
    let children = vec![leaf("DeformPercent", f64::from(float(stream))), leaf("FullWeights", Value::F64s(full))];
    let channel = scene.add("Deformer", "c", "SubDeformer", "BlendShapeChannel", children);
    scene.connect(channel, blend);
    for _ in 0..count {
        let moved = between(stream, 1, mesh.points.len());
        let places = (0..moved).map(|i| lie(stream, 100, i as u32) as i32).collect();
        let deltas = (0..moved * 3).map(|_| f64::from(float(stream))).collect();
        let children = vec![leaf("Indexes", Value::I32s(places)), leaf("Vertices", Value::F64s(deltas))];
        let shape = scene.add("Geometry", "s", "Geometry", "Shape", children);
        scene.connect(shape, channel);
    }
}

fn animation(stream: &mut Stream, scene: &mut Scene, models: &[i64]) {
    let span = vec![
        property("LocalStart", "KTime", vec![0_i64.into()]),
        property("LocalStop", "KTime", vec![46_186_158_000_i64.into()]),
    ];
    let stack = scene.add("AnimationStack", "take", "AnimStack", "", vec![node("Properties70", vec![], span)]);
    let layer = scene.add("AnimationLayer", "base", "AnimLayer", "", vec![]);
    scene.connect(layer, stack);
    let name = *stream.pick(&["Lcl Translation", "Lcl Rotation", "Lcl Scaling", "DeformPercent", "FieldOfView"]);
    let curves = scene.add("AnimationCurveNode", "T", "AnimCurveNode", "", vec![]);
    scene.connect(curves, layer);
    scene.connect_property(curves, *stream.pick(models), name);
    for axis in ["d|X", "d|Y", "d|Z"] {
        if stream.one_in(3) {
            continue;
        }
        let count = between(stream, 1, 5);
        let mut time = 0;
        let times = (0..count)
            .map(|_| {
                let step = if stream.one_in(30) { *stream.pick(WHOLES) } else { 1_924_423_250 };
                time = i64::wrapping_add(time, step);
                time
            })
            .collect();
        let values = (0..lie(stream, 40, count as u32).min(50)).map(|_| float(stream)).collect();
        let flags = *stream.pick(&[2, 4, 8, 0x108, 0x408, 0x2008, 0x4000_0108]);
        let children = vec![
            leaf("Default", 0.0),
            leaf("KeyVer", 4009),
            leaf("KeyTime", Value::I64s(times)),
            leaf("KeyValueFloat", Value::F32s(values)),
            leaf("KeyAttrFlags", Value::I32s(vec![flags])),
            leaf("KeyAttrDataFloat", Value::F32s(vec![0.1, 0.2, 0.0, 0.0])),
            leaf("KeyAttrRefCount", Value::I32s(vec![lie(stream, 30, count as u32) as i32])),
        ];
        let curve = scene.add("AnimationCurve", "", "AnimCurve", "", children);
        scene.connect_property(curve, curves, axis);
    }
}

/// One to three records are doubled, emptied, renamed, moved into another or given another value.
pub fn damage(stream: &mut Stream, top: &mut Vec<Node>) {
    for _ in 0..between(stream, 1, 3) {
        let mut list: &mut Vec<Node> = top;
        // Down a random way.
        loop {
            if list.is_empty() {
                break;
            }
            let at = stream.below(list.len() as u32) as usize;
            if !list[at].children.is_empty() && !stream.one_in(4) {
                list = &mut list[at].children;
                continue;
            }
            match stream.below(7) {
                0 => drop(list.remove(at)),
                1 => {
                    let copy = list[at].clone();
                    list.push(copy);
                }
                2 => list[at].values.clear(),
                3 => list[at].children.clear(),
                4 => {
                    let copy = list[at].clone();
                    list[at].children.push(copy);
                }
                _ => {
                    let new = other_value(stream);
                    let count = list[at].values.len() as u32;
                    match count {
                        0 => list[at].values.push(new),
                        _ => list[at].values[stream.below(count) as usize] = new,
                    }
                }
            }
            break;
        }
    }
}

fn other_value(stream: &mut Stream) -> Value {
    match stream.below(9) {
        0 => Value::Bool(stream.one_in(2)),
        1 => Value::I16(*stream.pick(WHOLES) as i16),
        2 => Value::I32(*stream.pick(WHOLES) as i32),
        3 => Value::I64(i64::from(stream.below(12)) + 1000),
        4 => Value::F32(*stream.pick(FLOATS) as f32),
        5 => Value::F64(*stream.pick(FLOATS)),
        6 => Value::Text(noise(stream, 6)),
        7 => Value::F64s(vec![*stream.pick(FLOATS); between(stream, 0, 6)]),
        _ => Value::I32s(vec![*stream.pick(WHOLES) as i32; between(stream, 0, 6)]),
    }
}

/// Writes a record; its end is known afterwards.
fn write(stream: &mut Stream, node: &Node, wide: bool, out: &mut Bytes, depth: usize) {
    let start = out.bytes.len();
    let word = |out: &mut Bytes, number: u64| {
        if wide {
            out.u64(number)
        } else {
            out.u32(number as u32)
        };
    };
    let mut values = Bytes::default();
    node.values.iter().for_each(|v| value(stream, v, &mut values));
    word(out, 0);
    word(out, u64::from(lie(stream, 2000, node.values.len() as u32)));
    word(out, u64::from(lie(stream, 2000, values.bytes.len() as u32)));
    out.u8(node.name.len() as u8).raw(node.name.as_bytes()).raw(&values.bytes);
    if !node.children.is_empty() || node.values.is_empty() {
        if depth < 60 {
            node.children.iter().for_each(|child| write(stream, child, wide, out, depth + 1));
        }
        out.raw(&vec![0; if wide { 25 } else { 13 }]);
    }
    let end = lie(stream, 2000, out.bytes.len() as u32);
    let size = if wide { 8 } else { 4 };
    out.bytes[start..start + size].copy_from_slice(&u64::from(end).to_le_bytes()[..size]);
}

fn value(stream: &mut Stream, value: &Value, out: &mut Bytes) {
    let mut list = |letter: u8, count: usize, raw: Vec<u8>| {
        out.u8(letter).u32(lie(stream, 300, count as u32));
        if stream.one_in(40) {
            // A bomb: zeros, whatever was wanted.
            let packed = zlib::zeros(between(stream, 1, 100));
            out.u32(1).u32(packed.len() as u32).raw(&packed);
        } else if stream.one_in(3) {
            let packed = zlib::stored(&raw);
            out.u32(1).u32(lie(stream, 300, packed.len() as u32)).raw(&packed);
        } else {
            out.u32(lie(stream, 300, 0)).u32(lie(stream, 300, raw.len() as u32)).raw(&raw);
        }
    };
    match value {
        Value::Bool(flag) => {
            out.u8(b'C').u8(u8::from(*flag));
        }
        Value::Letter(letter) => {
            out.u8(b'C').u8(*letter);
        }
        Value::I16(number) => {
            out.u8(b'Y').u16(*number as u16);
        }
        Value::I32(number) => {
            out.u8(b'I').u32(*number as u32);
        }
        Value::I64(number) => {
            out.u8(b'L').u64(*number as u64);
        }
        Value::F32(number) => {
            out.u8(b'F').f32(*number);
        }
        Value::F64(number) => {
            out.u8(b'D').f64(*number);
        }
        Value::Text(text) => {
            out.u8(b'S').u32(text.len() as u32).raw(text);
        }
        Value::Raw(bytes) => {
            out.u8(b'R').u32(bytes.len() as u32).raw(bytes);
        }
        Value::I32s(numbers) => list(b'i', numbers.len(), numbers.iter().flat_map(|n| n.to_le_bytes()).collect()),
        Value::I64s(numbers) => list(b'l', numbers.len(), numbers.iter().flat_map(|n| n.to_le_bytes()).collect()),
        Value::F32s(numbers) => list(b'f', numbers.len(), numbers.iter().flat_map(|n| n.to_le_bytes()).collect()),
        Value::F64s(numbers) => list(b'd', numbers.len(), numbers.iter().flat_map(|n| n.to_le_bytes()).collect()),
    }
}
