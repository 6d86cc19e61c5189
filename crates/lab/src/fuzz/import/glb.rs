//! glTF documents with their buffers, as GLB or as text with data beside or inside.
//!
//! Source: Khronos glTF 2.0 and the extensions that the importer names.

use serde_json::{Value, json};
use stillframe_base::base64::base64;
use stillframe_base::rng::Stream;

use super::draw::{lie, mesh};
use super::picture;
use crate::fuzz::Case;
use crate::fuzz::mutate::{FLOATS, WHOLES, between, float};

/// A document in the making.
struct Gltf {
    json: Value,
    bin: Vec<u8>,
}

impl Gltf {
    fn push(&mut self, list: &str, value: Value) -> usize {
        if !self.json[list].is_array() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().expect("made above");
        list.push(value);
        list.len() - 1
    }

    fn view(&mut self, bytes: &[u8], stride: Option<usize>) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0xAA);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() });
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        self.bin.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize, stride: Option<usize>) -> usize {
        let view = self.view(bytes, stride);
        self.push("accessors", json!({ "bufferView": view, "componentType": component, "count": count, "type": kind }))
    }

    fn floats(&mut self, values: &[f32], kind: &str) -> usize {
        let rows = match kind {
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => 1,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|f| f.to_le_bytes()).collect();
        self.accessor(&bytes, 5126, kind, values.len() / rows, None)
    }
}

fn floats(stream: &mut Stream, count: usize) -> Vec<f32> {
    (0..count).map(|_| float(stream)).collect()
}

/// An attribute, mostly of floats, else of small whole numbers.
fn attribute(stream: &mut Stream, gltf: &mut Gltf, kind: &str, rows: usize, count: usize) -> usize {
    if !stream.one_in(4) {
        let values = floats(stream, count * rows);
        return gltf.floats(&values, kind);
    }
    let (component, size) = *stream.pick(&[(5120, 1), (5121, 1), (5122, 2), (5123, 2)]);
    let stride = (rows * size).next_multiple_of(4);
    let bytes: Vec<u8> = (0..count * stride).map(|_| stream.next_u32() as u8).collect();
    let accessor = gltf.accessor(&bytes, component, kind, count, Some(stride));
    gltf.json["accessors"][accessor]["normalized"] = json!(!stream.one_in(4));
    accessor
}

fn primitive(stream: &mut Stream, gltf: &mut Gltf, materials: usize, joints: usize) -> Value {
    let mesh = mesh(stream);
    let count = mesh.points.len();
    let position = gltf.floats(&mesh.points.concat(), "VEC3");
    let mut attributes = json!({ "POSITION": position });
    for (name, kind, rows) in [
        ("NORMAL", "VEC3", 3),
        ("TANGENT", "VEC4", 4),
        ("TEXCOORD_0", "VEC2", 2),
        ("TEXCOORD_1", "VEC2", 2),
        ("COLOR_0", "VEC4", 4),
    ] {
        if stream.one_in(3) {
            let count = lie(stream, 60, count as u32).min(1000) as usize;
            attributes[name] = json!(attribute(stream, gltf, kind, rows, count));
        }
    }
    if joints > 0 && !stream.one_in(4) {
        let bytes: Vec<u8> =
            (0..count * 4).map(|_| lie(stream, 400, 0).wrapping_add(stream.below(joints as u32)) as u8).collect();
        attributes["JOINTS_0"] = json!(gltf.accessor(&bytes, 5121, "VEC4", count, None));
        let weights: Vec<f32> =
            (0..count * 4).map(|_| if stream.one_in(100) { float(stream) } else { stream.unit_f32() }).collect();
        attributes["WEIGHTS_0"] = json!(gltf.floats(&weights, "VEC4"));
    }
    let mut primitive = json!({ "attributes": attributes });
    if !stream.one_in(4) {
        let corners: Vec<u32> = mesh.faces.concat();
        let accessor = match stream.below(3) {
            0 => {
                let bytes: Vec<u8> = corners.iter().map(|i| *i as u8).collect();
                gltf.accessor(&bytes, 5121, "SCALAR", corners.len(), None)
            }
            1 => {
                let bytes: Vec<u8> = corners.iter().flat_map(|i| (*i as u16).to_le_bytes()).collect();
                gltf.accessor(&bytes, 5123, "SCALAR", corners.len(), None)
            }
            _ => {
                let bytes: Vec<u8> = corners.iter().flat_map(|i| i.to_le_bytes()).collect();
                gltf.accessor(&bytes, 5125, "SCALAR", corners.len(), None)
            }
        };
        primitive["indices"] = json!(accessor);
    }
    if stream.one_in(3) {
        primitive["mode"] = json!(stream.below(7));
    }
    if materials > 0 && !stream.one_in(3) {
        primitive["material"] = json!(stream.below(materials as u32));
    }
    if stream.one_in(3) {
        let target =
            if stream.one_in(2) { sparse(stream, gltf, count) } else { attribute(stream, gltf, "VEC3", 3, count) };
        primitive["targets"] = json!([{ "POSITION": target }]);
    }
    if stream.one_in(12) {
        let extension =
            *stream.pick(&["KHR_draco_mesh_compression", "KHR_materials_variants", "EXT_mesh_gpu_instancing"]);
        primitive["extensions"] =
            json!({ extension: { "bufferView": stream.below(3), "attributes": { "POSITION": 0 } } });
        gltf.push("extensionsUsed", json!(extension));
    }
    primitive
}

/// Zeros but for a few elements.
fn sparse(stream: &mut Stream, gltf: &mut Gltf, count: usize) -> usize {
    let changed = between(stream, 1, count);
    let places: Vec<u8> = (0..changed as u8).collect();
    let (places, values) = (gltf.view(&places, None), floats(stream, changed * 3));
    let bytes: Vec<u8> = values.iter().flat_map(|f| f.to_le_bytes()).collect();
    let values = gltf.view(&bytes, None);
    gltf.push(
        "accessors",
        json!({
            "componentType": 5126, "count": count, "type": "VEC3",
            "sparse": { "count": changed, "indices": { "bufferView": places, "componentType": 5121 },
                        "values": { "bufferView": values } },
        }),
    )
}

fn material(stream: &mut Stream, gltf: &mut Gltf, textures: usize) -> Value {
    let mut out = json!({ "name": "m", "pbrMetallicRoughness": { "roughnessFactor": stream.unit_f32() } });
    let texture = |stream: &mut Stream| {
        let mut slot = json!({ "index": stream.below(textures as u32) });
        if stream.one_in(3) {
            slot["texCoord"] = json!(stream.below(3));
            slot["extensions"] =
                json!({ "KHR_texture_transform": { "offset": [0.1, float(stream)], "rotation": 1.5 } });
        }
        slot
    };
    if textures > 0 {
        for pointer in ["normalTexture", "occlusionTexture", "emissiveTexture"] {
            if stream.one_in(3) {
                out[pointer] = texture(stream);
            }
        }
        out["pbrMetallicRoughness"]["baseColorTexture"] = texture(stream);
    }
    if stream.one_in(3) {
        out["alphaMode"] = json!(stream.pick(&["OPAQUE", "MASK", "BLEND"]));
    }
    for (name, value) in [
        ("KHR_materials_ior", json!({ "ior": 1.4 })),
        ("KHR_materials_clearcoat", json!({ "clearcoatFactor": 0.5, "clearcoatTexture": { "index": 0 } })),
        ("KHR_materials_sheen", json!({ "sheenColorFactor": [0.1, 0.2, 0.3] })),
        ("KHR_materials_transmission", json!({ "transmissionFactor": 1.0 })),
        ("KHR_materials_volume", json!({ "thicknessFactor": 1.0, "attenuationDistance": 0.5 })),
        ("KHR_materials_unlit", json!({})),
        ("KHR_materials_emissive_strength", json!({ "emissiveStrength": float(stream) })),
    ] {
        if stream.one_in(8) {
            out["extensions"][name] = value;
            gltf.push("extensionsUsed", json!(name));
        }
    }
    out
}

fn textures(stream: &mut Stream, gltf: &mut Gltf, beside: &mut Vec<(String, Vec<u8>)>) -> usize {
    if !stream.one_in(3) {
        return 0;
    }
    let picture = picture::small(stream);
    if stream.one_in(2) {
        let view = gltf.view(&picture.bytes, None);
        gltf.push("images", json!({ "bufferView": view, "mimeType": "image/png" }));
    } else {
        gltf.push("images", json!({ "uri": picture.name }));
        beside.push((picture.name, picture.bytes));
    }
    gltf.push("samplers", json!({ "wrapS": 33071, "minFilter": 9984 + stream.below(4) }));
    gltf.push("textures", json!({ "source": 0, "sampler": 0 }));
    if stream.one_in(6) {
        let name = *stream.pick(&["EXT_texture_webp", "KHR_texture_basisu", "MSFT_texture_dds"]);
        gltf.json["textures"][0]["extensions"] = json!({ name: { "source": stream.below(2) } });
        gltf.push("extensionsUsed", json!(name));
    }
    1
}

fn animation(stream: &mut Stream, gltf: &mut Gltf, nodes: usize) {
    let count = between(stream, 1, 6);
    let mut time = 0.0;
    let times: Vec<f32> = (0..count)
        .map(|_| {
            time += if stream.one_in(30) { float(stream) } else { stream.unit_f32() + 0.01 };
            time
        })
        .collect();
    let input = gltf.floats(&times, "SCALAR");
    let (path, rows, kind) = *stream.pick(&[
        ("translation", 3, "VEC3"),
        ("rotation", 4, "VEC4"),
        ("scale", 3, "VEC3"),
        ("weights", 1, "SCALAR"),
    ]);
    let interpolation = *stream.pick(&["LINEAR", "STEP", "CUBICSPLINE"]);
    let each = if interpolation == "CUBICSPLINE" { 3 } else { 1 };
    let values = floats(stream, count * rows * each);
    let output = gltf.floats(&values, kind);
    gltf.push(
        "animations",
        json!({
            "name": "clip",
            "samplers": [{ "input": input, "output": output, "interpolation": interpolation }],
            "channels": [{ "sampler": 0, "target": { "node": stream.below(nodes as u32), "path": path } }],
        }),
    );
}

/// A document, its binary chunk and the files beside it.
fn document(stream: &mut Stream) -> (Gltf, Vec<(String, Vec<u8>)>) {
    let mut gltf = Gltf { json: json!({ "asset": { "version": "2.0" } }), bin: Vec::new() };
    let mut beside = Vec::new();
    let texture_count = textures(stream, &mut gltf, &mut beside);
    let material_count = between(stream, 0, 2);
    for _ in 0..material_count {
        let material = material(stream, &mut gltf, texture_count);
        gltf.push("materials", material);
    }
    let node_count = between(stream, 1, 7);
    let joints = if stream.one_in(3) { between(stream, 1, node_count) } else { 0 };
    if joints > 0 {
        let mut skin = json!({ "joints": (0..joints).collect::<Vec<_>>() });
        if stream.one_in(2) {
            let matrix = |_| (0..16).map(|i| if i % 5 == 0 { 1.0 } else { 0.0 }).collect::<Vec<f32>>();
            let values = (0..joints).flat_map(matrix).collect::<Vec<f32>>();
            skin["inverseBindMatrices"] = json!(gltf.floats(&values, "MAT4"));
        }
        gltf.push("skins", skin);
    }
    let mesh_count = between(stream, 1, 2);
    for _ in 0..mesh_count {
        let primitives: Vec<Value> =
            (0..between(stream, 1, 2)).map(|_| primitive(stream, &mut gltf, material_count, joints)).collect();
        gltf.push("meshes", json!({ "primitives": primitives }));
    }
    gltf.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.1 } }));
    gltf.json["extensions"]["KHR_lights_punctual"] = json!({ "lights": [{ "type": "point", "range": 2.0 }] });
    nodes(stream, &mut gltf, node_count, mesh_count, joints);
    for _ in 0..between(stream, 0, 2) {
        animation(stream, &mut gltf, node_count);
    }
    if stream.one_in(2) {
        damage(stream, &mut gltf.json);
    }
    (gltf, beside)
}

fn nodes(stream: &mut Stream, gltf: &mut Gltf, count: usize, mesh_count: usize, joints: usize) {
    let mut roots = Vec::new();
    for index in 0..count {
        let mut node = json!({ "name": format!("n{index}") });
        match stream.below(5) {
            0 | 1 => {
                node["mesh"] = json!(stream.below(mesh_count as u32));
                if joints > 0 && stream.one_in(2) {
                    node["skin"] = json!(0);
                }
            }
            2 => node["camera"] = json!(0),
            3 => node["extensions"] = json!({ "KHR_lights_punctual": { "light": 0 } }),
            _ => {}
        }
        match stream.below(4) {
            0 => node["matrix"] = json!(floats(stream, 16)),
            1 => node["translation"] = json!(floats(stream, 3)),
            2 => {
                node["rotation"] = json!(floats(stream, 4));
                node["scale"] = json!(floats(stream, 3));
            }
            _ => {}
        }
        gltf.push("nodes", node);
        // Parents come earlier, so that there is a tree.
        match index.checked_sub(1).filter(|_| !stream.one_in(3)) {
            Some(_) => {
                let parent = stream.below(index as u32) as usize;
                let node = &mut gltf.json["nodes"][parent];
                if !node["children"].is_array() {
                    node["children"] = json!([]);
                }
                node["children"].as_array_mut().expect("made above").push(json!(index));
            }
            None => roots.push(index),
        }
    }
    gltf.push("scenes", json!({ "nodes": roots }));
}

/// One to three values become others.
fn damage(stream: &mut Stream, document: &mut Value) {
    let mut pointers = Vec::new();
    collect(document, String::new(), &mut pointers);
    for _ in 0..between(stream, 1, 3) {
        let pointer = stream.pick(&pointers).clone();
        let new = match stream.below(10) {
            0 => json!(null),
            1 => json!([]),
            2 => json!({}),
            3 => json!("x"),
            4 => json!(stream.pick(FLOATS)),
            5 => json!([1e30, 1e30, 1e30]),
            6 => document.pointer(stream.pick::<String>(&pointers)).cloned().unwrap_or_default(),
            7 => json!(stream.pick(WHOLES)),
            _ => json!(stream.below(12)),
        };
        if let Some(place) = document.pointer_mut(&pointer) {
            *place = new;
        }
    }
}

fn collect(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().enumerate().for_each(|(i, v)| collect(v, format!("{at}/{i}"), out)),
        Value::Object(map) => map.iter().for_each(|(k, v)| collect(v, format!("{at}/{k}"), out)),
        _ => {}
    }
    if !at.is_empty() {
        out.push(at);
    }
}

fn with_buffer(stream: &mut Stream, gltf: &Gltf) -> Value {
    let mut json = gltf.json.clone();
    json["buffers"] = json!([{ "byteLength": lie(stream, 60, gltf.bin.len() as u32) }]);
    json
}

/// A GLB container.
pub fn binary(stream: &mut Stream) -> Case {
    let (gltf, beside) = document(stream);
    let mut json = serde_json::to_vec(&with_buffer(stream, &gltf)).unwrap_or_default();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = 12 + 8 + json.len() + 8 + gltf.bin.len();
    let mut out = super::draw::Bytes::default();
    out.raw(b"glTF").u32(lie(stream, 200, 2)).u32(lie(stream, 100, length as u32));
    out.u32(lie(stream, 100, json.len() as u32)).raw(b"JSON").raw(&json);
    out.u32(lie(stream, 100, gltf.bin.len() as u32)).raw(b"BIN\0").raw(&gltf.bin);
    Case { beside, ..Case::new("model.glb", out.bytes) }
}

/// A document as text, its bytes in a data URI or in a file beside.
pub fn text(stream: &mut Stream) -> Case {
    let (gltf, mut beside) = document(stream);
    let mut json = with_buffer(stream, &gltf);
    if stream.one_in(2) {
        json["buffers"][0]["uri"] =
            json!(format!("data:application/octet-stream;base64,{}", String::from_utf8_lossy(&base64(&gltf.bin))));
    } else {
        json["buffers"][0]["uri"] = json!("model.bin");
        beside.push(("model.bin".into(), gltf.bin));
    }
    let text = if stream.one_in(2) { serde_json::to_vec(&json) } else { serde_json::to_vec_pretty(&json) };
    Case { beside, ..Case::new("model.gltf", text.unwrap_or_default()) }
}
