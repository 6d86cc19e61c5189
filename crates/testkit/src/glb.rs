//! A small GLB writer for tests: says exactly what a test needs, right or wrong.

use serde_json::{Value, json};

/// A document and its binary chunk.
#[derive(Clone, Debug)]
pub struct Glb {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl Glb {
    /// One scene that shows node 0, which shows mesh 0.
    pub fn new() -> Glb {
        let json = json!({
            "asset": { "version": "2.0" },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": [{ "name": "thing", "mesh": 0 }],
            "bufferViews": [],
            "accessors": [],
            "meshes": [],
        });
        Glb { json, bin: Vec::new() }
    }

    /// Appends to one of the document's lists; its position.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        let root = self.json.as_object_mut().expect("an object");
        let list = root.entry(list).or_insert_with(|| json!([])).as_array_mut().expect("a list");
        list.push(value);
        list.len() - 1
    }

    /// Appends bytes as a buffer view; its number.
    pub fn view(&mut self, bytes: &[u8], stride: Option<usize>) -> usize {
        while !self.bin.len().is_multiple_of(4) {
            self.bin.push(0xAA);
        }
        let mut view = json!({ "buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len() });
        if let Some(stride) = stride {
            view["byteStride"] = json!(stride);
        }
        self.bin.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    /// A tight accessor of floats.
    pub fn floats<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|f| f.to_le_bytes()).collect();
        let view = self.view(&bytes, None);
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"].get(N - 1).copied().unwrap_or("MAT4");
        self.push("accessors", json!({ "bufferView": view, "componentType": 5126, "count": rows.len(), "type": kind }))
    }

    /// A tight accessor of 16-bit whole numbers.
    pub fn shorts<const N: usize>(&mut self, rows: &[[u16; N]]) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|f| f.to_le_bytes()).collect();
        let view = self.view(&bytes, None);
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        self.push("accessors", json!({ "bufferView": view, "componentType": 5123, "count": rows.len(), "type": kind }))
    }

    /// The mesh of one primitive; its number.
    pub fn mesh(&mut self, primitive: Value) -> usize {
        self.push("meshes", json!({ "primitives": [primitive] }))
    }

    /// The container's bytes, with a buffer for the chunk unless the document lists buffers itself.
    pub fn bytes(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if json.get("buffers").is_none() {
            json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        }
        container(&serde_json::to_vec(&json).expect("JSON"), &self.bin)
    }
}

/// A GLB of any two chunks.
pub fn container(json: &[u8], bin: &[u8]) -> Vec<u8> {
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bin = bin.to_vec();
    bin.resize(bin.len().next_multiple_of(4), 0);
    let length = 12 + 8 + json.len() + 8 + bin.len();
    let mut out = Vec::with_capacity(length);
    out.extend(b"glTF");
    out.extend(2_u32.to_le_bytes());
    out.extend((length as u32).to_le_bytes());
    out.extend((json.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(json);
    out.extend((bin.len() as u32).to_le_bytes());
    out.extend(b"BIN\0");
    out.extend(bin);
    out
}

pub const TRIANGLE: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// One triangle.
pub fn triangle() -> Glb {
    let mut glb = Glb::new();
    let positions = glb.floats(&TRIANGLE);
    glb.mesh(json!({ "attributes": { "POSITION": positions } }));
    glb
}
