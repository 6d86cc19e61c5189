//! Compressed data: meshopt's buffer views and Draco's primitives unpack to what was packed.

use std::path::Path;

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder, PointAttribute, PointIndex,
};
use glam::Vec3;
use serde_json::json;
use stillframe_models::import;
use stillframe_testkit::glb::Glb;
use stillframe_testkit::worse;

use super::import_bytes;

/// A plain encoder of meshopt's vertex streams, version 0: every byte of every delta stands for itself.
pub fn meshopt_vertices(bytes: &[u8], stride: usize) -> Vec<u8> {
    let count = bytes.len() / stride;
    let mut out = vec![0xA0];
    let mut last = bytes[..stride].to_vec();
    let first = last.clone();
    let block_count = ((8192 / stride) & !15).min(256);
    for block in bytes.chunks(block_count * stride) {
        let rows = block.len() / stride;
        let padded = rows.next_multiple_of(16);
        for place in 0..stride {
            let groups = padded / 16;
            // Two bits a group: 3 says that its 16 bytes are stored.
            let mut header = vec![0_u8; groups.div_ceil(4)];
            (0..groups).for_each(|group| header[group / 4] |= 3 << (group % 4 * 2));
            out.extend(header);
            let mut before = last[place];
            for row in 0..padded {
                let delta = if row < rows { block[row * stride + place].wrapping_sub(before) } else { 0 };
                if row < rows {
                    before = block[row * stride + place];
                }
                out.push((delta << 1) ^ (0_u8.wrapping_sub(delta >> 7)));
            }
        }
        last = block[(rows - 1) * stride..].to_vec();
    }
    assert_eq!(count * stride, bytes.len());
    out.resize(out.len() + 32_usize.saturating_sub(stride), 0);
    out.extend(first);
    out
}

fn varint(mut value: u32, out: &mut Vec<u8>) {
    while value >= 128 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}

fn zigzag(delta: u32) -> u32 {
    (delta << 1) ^ 0_u32.wrapping_sub(delta >> 31)
}

/// A plain encoder of meshopt's triangles: every corner stands for itself.
fn meshopt_triangles(indices: &[u32]) -> Vec<u8> {
    let mut out = vec![0xE1];
    out.extend(vec![0xFF; indices.len() / 3]);
    let mut last = 0_u32;
    for triangle in indices.chunks_exact(3) {
        out.push(0xFF);
        for index in triangle {
            varint(zigzag(index.wrapping_sub(last)), &mut out);
            last = *index;
        }
    }
    out.extend([0; 16]);
    out
}

/// A plain encoder of meshopt's index sequences, all on the first of the two baselines.
fn meshopt_sequence(indices: &[u32]) -> Vec<u8> {
    let mut out = vec![0xD1];
    let mut last = 0_u32;
    for index in indices {
        varint(zigzag(index.wrapping_sub(last)) << 1, &mut out);
        last = *index;
    }
    out.extend([0; 4]);
    out
}

/// Adds a packed view beside a buffer that stands in for it; its number.
pub fn packed_view(glb: &mut Glb, extension: &str, bytes: &[u8], mode: &str, count: usize, stride: usize) -> usize {
    let raw = glb.view(bytes, None);
    let mut packed = glb.json["bufferViews"][raw].clone();
    packed["mode"] = json!(mode);
    packed["count"] = json!(count);
    packed["byteStride"] = json!(stride);
    let mut view =
        json!({ "buffer": 1, "byteOffset": 0, "byteLength": count * stride, "extensions": { extension: packed } });
    if mode == "ATTRIBUTES" {
        view["byteStride"] = json!(stride);
    }
    glb.json["bufferViews"][raw] = view;
    raw
}

fn wave(count: usize) -> Vec<[f32; 3]> {
    (0..count).map(|i| [i as f32 * 0.25, (i * i % 13) as f32, -(i as f32)]).collect()
}

/// A grid's worth of triangles over points in a row.
pub fn meshopt_model(extension: &str, count: usize, mode: &str) -> Glb {
    let mut glb = Glb::new();
    let bytes: Vec<u8> = wave(count).iter().flatten().flat_map(|f| f.to_le_bytes()).collect();
    let view = packed_view(&mut glb, extension, &meshopt_vertices(&bytes, 12), "ATTRIBUTES", count, 12);
    let position =
        glb.push("accessors", json!({ "bufferView": view, "componentType": 5126, "count": count, "type": "VEC3" }));
    let order: Vec<u32> = (0..count as u32 - 2).flat_map(|i| [i, i + 1, count as u32 - 1 - i]).collect();
    let packed = if mode == "TRIANGLES" { meshopt_triangles(&order) } else { meshopt_sequence(&order) };
    let view = packed_view(&mut glb, extension, &packed, mode, order.len(), 4);
    let indices = glb.push(
        "accessors",
        json!({ "bufferView": view, "componentType": 5125, "count": order.len(), "type": "SCALAR" }),
    );
    glb.mesh(json!({ "attributes": { "POSITION": position }, "indices": indices }));
    let length = glb.bin.len();
    glb.json["buffers"] = json!([
        { "byteLength": length },
        { "byteLength": count * 12 + order.len() * 4, "extensions": { extension: { "fallback": true } } },
    ]);
    glb
}

#[test]
fn meshopt_views_unpack() {
    for extension in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        for mode in ["TRIANGLES", "INDICES"] {
            for count in [3, 17, 300, 1000] {
                let glb = meshopt_model(extension, count, mode);
                let model = import_bytes(&glb.bytes()).unwrap_or_else(|d| panic!("{mode} {count}: {d:#?}"));
                let surface = &model.geometries[0].surface;
                assert_eq!(surface.positions, wave(count), "{mode} {count}");
                let last = count as u32 - 1;
                let order: Vec<u32> = (0..last - 1).flat_map(|i| [i, i + 1, last - i]).collect();
                assert_eq!(surface.indices, order, "{mode} {count}");
            }
        }
    }
}

/// The filter's own arithmetic: octahedral normals of 8 bits, as the extension's appendix has it.
#[test]
fn meshopt_filters_are_applied() {
    let mut glb = Glb::new();
    let position = glb.floats(&stillframe_testkit::glb::TRIANGLE);
    // Encoded: x, y, one, and a last component that stays as it is.
    let rows: [[i8; 4]; 3] = [[0, 0, 127, 5], [127, 0, 127, 6], [0, -127, 127, 7]];
    let bytes: Vec<u8> = rows.iter().flatten().map(|b| *b as u8).collect();
    let packed = meshopt_vertices(&bytes, 4);
    let view = packed_view(&mut glb, "EXT_meshopt_compression", &packed, "ATTRIBUTES", 3, 4);
    glb.json["bufferViews"][view]["extensions"]["EXT_meshopt_compression"]["filter"] = json!("OCTAHEDRAL");
    let normal = glb.push(
        "accessors",
        json!({ "bufferView": view, "componentType": 5120, "normalized": true, "count": 3, "type": "VEC3" }),
    );
    glb.mesh(json!({ "attributes": { "POSITION": position, "NORMAL": normal } }));
    let length = glb.bin.len();
    glb.json["buffers"] = json!([
        { "byteLength": length },
        { "byteLength": 12, "extensions": { "EXT_meshopt_compression": { "fallback": true } } },
    ]);
    let model = import_bytes(&glb.bytes()).unwrap_or_else(|d| panic!("{d:#?}"));
    assert_eq!(model.geometries[0].surface.normals, [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
}

#[test]
fn meshopt_faults_have_their_codes() {
    let good = meshopt_model("EXT_meshopt_compression", 17, "TRIANGLES");
    let huge = json!(1_u64 << 40);
    for (pointer, value, code) in [
        ("mode", json!("POINTS"), "E0405"),
        ("filter", json!("BLUR"), "E0405"),
        ("byteStride", json!(300), "E0405"),
        ("byteStride", json!(8), "E0418"),
        ("byteStride", json!(7), "E0418"),
        ("count", json!(100), "E0418"),
        ("count", huge.clone(), "E0414"),
        ("byteLength", json!(40), "E0418"),
        ("byteLength", huge, "E0408"),
        ("buffer", json!(9), "E0406"),
        // The buffer that stands in holds nothing.
        ("buffer", json!(1), "E0408"),
    ] {
        let mut glb = good.clone();
        glb.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"][pointer] = value.clone();
        let found = import_bytes(&glb.bytes()).map(|_| "none").unwrap_or_else(|d| d[0].code);
        assert_eq!(found, code, "{pointer} {value}");
    }
    // Without the extension, the view lies in a buffer without bytes.
    let mut glb = good.clone();
    glb.json["bufferViews"][0].as_object_mut().expect("an object").remove("extensions");
    assert_eq!(import_bytes(&glb.bytes()).expect_err("no bytes")[0].code, "E0408");
}

fn attribute<const N: usize>(kind: GeometryAttributeType, rows: &[[f32; N]]) -> PointAttribute {
    let mut out = PointAttribute::new();
    out.init(kind, N as u8, DataType::Float32, false, rows.len());
    out.buffer_mut().update_f32s_le(0, rows.as_flattened());
    out
}

/// A wavy grid, packed by Draco: positions and coordinates as floats, numbers of points. Out: also what went in.
pub fn draco_grid(side: usize, method: i32, bits: i32) -> (Glb, Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let at = |i: usize| (i % side, i / side);
    let positions: Vec<[f32; 3]> = (0..side * side)
        .map(|i| [at(i).0 as f32, ((at(i).0 * 3 + at(i).1) % 5) as f32 * 0.5, at(i).1 as f32])
        .collect();
    let uv: Vec<[f32; 2]> = positions.iter().map(|p| [p[0] / side as f32, p[2] / side as f32]).collect();
    let mut faces = Vec::new();
    for y in 0..side as u32 - 1 {
        for x in 0..side as u32 - 1 {
            let corner = y * side as u32 + x;
            faces.push([corner, corner + side as u32, corner + 1]);
            faces.push([corner + 1, corner + side as u32, corner + side as u32 + 1]);
        }
    }
    let mut mesh = Mesh::new();
    mesh.set_num_points(positions.len());
    let mut points = PointAttribute::new();
    points.init(GeometryAttributeType::Generic, 1, DataType::Uint16, false, positions.len());
    let numbers: Vec<u8> = (0..positions.len() as u16).flat_map(u16::to_le_bytes).collect();
    points.buffer_mut().write(0, &numbers);
    let ids = [
        mesh.add_attribute(attribute(GeometryAttributeType::Position, &positions)),
        mesh.add_attribute(attribute(GeometryAttributeType::TexCoord, &uv)),
        mesh.add_attribute(points),
    ]
    .map(|id| mesh.attribute(id).unique_id());
    faces.iter().for_each(|face| mesh.add_face(face.map(PointIndex)));
    let mut options = EncoderOptions::new();
    options.set_encoding_method(method);
    if bits > 0 {
        (0..2).for_each(|id| options.set_attribute_quantization(id, bits));
    }
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).expect("encoded");
    let mut glb = Glb::new();
    let view = glb.view(out.data(), None);
    let count = positions.len();
    let accessor = |kind: &str, component: u32| json!({ "componentType": component, "count": count, "type": kind });
    let position = glb.push("accessors", accessor("VEC3", 5126));
    let coordinates = glb.push("accessors", accessor("VEC2", 5126));
    let points = glb.push("accessors", accessor("SCALAR", 5123));
    let indices = glb.push("accessors", json!({ "componentType": 5125, "count": faces.len() * 3, "type": "SCALAR" }));
    glb.mesh(json!({
        "attributes": { "POSITION": position, "TEXCOORD_0": coordinates, "_VID": points },
        "indices": indices,
        "extensions": { "KHR_draco_mesh_compression": {
            "bufferView": view,
            "attributes": { "POSITION": ids[0], "TEXCOORD_0": ids[1], "_VID": ids[2] },
        } },
    }));
    glb.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    (glb, positions, faces)
}

/// Triangles as points, sorted: Draco may number points anew.
fn corners(positions: &[[f32; 3]], faces: impl Iterator<Item = [u32; 3]>) -> Vec<Vec<[i64; 3]>> {
    let fixed = |p: [f32; 3]| p.map(|x| (f64::from(x) * 64.0).round() as i64);
    let mut out: Vec<Vec<[i64; 3]>> = faces
        .map(|face| {
            let mut corners = face.map(|i| fixed(positions[i as usize])).to_vec();
            // The order around stays; which corner is first does not.
            let least = (0..3).min_by_key(|i| corners[*i]).expect("three");
            corners.rotate_left(least);
            corners
        })
        .collect();
    out.sort();
    out
}

#[test]
fn draco_primitives_unpack() {
    // Sequential and edge-breaker, exact floats and 14 bits.
    for (method, bits) in [(0, 0), (1, 0), (0, 14), (1, 14)] {
        for side in [2, 3, 20] {
            let (glb, positions, faces) = draco_grid(side, method, bits);
            let model = import_bytes(&glb.bytes()).unwrap_or_else(|d| panic!("{method} {bits} {side}: {d:#?}"));
            let geometry = &model.geometries[0];
            let surface = &geometry.surface;
            let triangles = surface.indices.chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
            let wanted = corners(&positions, faces.into_iter());
            assert_eq!(corners(&surface.positions, triangles), wanted, "{method} {bits} {side}");
            assert_eq!(surface.uv0.len(), surface.positions.len());
            assert_eq!(geometry.sources.len(), surface.positions.len());
            for ((position, uv), point) in surface.positions.iter().zip(&surface.uv0).zip(&geometry.sources) {
                assert!((uv[0] - position[0] / side as f32).abs() < 1e-3, "{method} {bits} {side}");
                let from = positions[*point as usize];
                assert!((0..3).all(|c| (from[c] - position[c]).abs() < 2e-3), "{method} {bits} {side}: point {point}");
            }
        }
    }
}

#[test]
fn draco_faults_have_their_codes() {
    let (good, ..) = draco_grid(6, 1, 12);
    let pointer = "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression";
    for (key, value, code) in [
        ("bufferView", json!(9), "E0406"),
        ("bufferView", json!(null), "E0405"),
        ("attributes", json!({ "POSITION": 77 }), "E0418"),
        // Coordinates have two numbers.
        ("attributes", json!({ "POSITION": 1 }), "E0409"),
    ] {
        let mut glb = good.clone();
        glb.json.pointer_mut(pointer).expect("there")[key] = value.clone();
        let found = import_bytes(&glb.bytes()).map(|_| "none").unwrap_or_else(|d| d[0].code);
        assert_eq!(found, code, "{key} {value}");
    }
    for cut in [0, 1, 11, 40] {
        let mut glb = good.clone();
        glb.json["bufferViews"][0]["byteLength"] = json!(cut);
        assert_eq!(import_bytes(&glb.bytes()).expect_err("cut off")[0].code, import::code::PACKED, "{cut} bytes");
    }
}

/// Files that real encoders packed show what the plain file shows, as far as their bits go.
/// What `fuzz` damages: small files of each packing.
#[expect(clippy::disallowed_methods, reason = "the environment says whether files are written anew")]
#[test]
fn small_packed_files_are_what_was_packed() {
    for (name, model) in [
        ("sequential", draco_grid(4, 0, 0).0),
        ("edgebreaker", draco_grid(5, 1, 11).0),
        ("triangles", meshopt_model("EXT_meshopt_compression", 20, "TRIANGLES")),
        ("indices", meshopt_model("KHR_meshopt_compression", 20, "INDICES")),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/packed/{name}.glb"));
        let bytes = model.bytes();
        if std::env::var_os("STILLFRAME_UPDATE").is_some_and(|v| v != "no") {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            std::fs::write(&path, &bytes).expect("writable");
        }
        let stale = "STILLFRAME_UPDATE=all cargo test --test import packed";
        assert!(std::fs::read(&path).is_ok_and(|stored| stored == bytes), "{} is stale: {stale}", path.display());
        import_bytes(&bytes).expect("whole files are good");
    }
}

#[test]
fn packed_teapots_are_the_teapot() {
    let plain = super::asset("teapot.glb");
    let plain = &plain.geometries[0].surface;
    for name in ["teapot_draco.glb", "teapot_meshopt.glb"] {
        let model = super::asset(name);
        assert_eq!(model.warnings, [], "{name}");
        let (_, packed, model_from_parts) = super::shown(&model).remove(0);
        assert_eq!(packed.indices.len(), plain.indices.len(), "{name}");
        let mut worst_m = 0.0_f32;
        for vertex in 0..packed.positions.len() {
            let position = model_from_parts.transform_point3(Vec3::from(packed.positions[vertex]));
            let normal = Vec3::from(packed.normals[vertex]).normalize();
            let near = |other: &usize| {
                let uv = [0, 1].map(|c| (packed.uv0[vertex][c] - plain.uv0[*other][c]).abs());
                uv[0].max(uv[1]) < 3e-4 && normal.dot(Vec3::from(plain.normals[*other])) > 0.999
            };
            let away_m = (0..plain.positions.len())
                .filter(near)
                .map(|other| (position - Vec3::from(plain.positions[other])).length())
                .fold(f32::INFINITY, f32::min);
            worst_m = worse(worst_m, away_m);
        }
        println!("{name}: {worst_m:.2e} m");
        // Half a step of 14 bits over 0.36 m along each axis.
        assert!(worst_m < 2.2e-5, "{name}: {worst_m} m");
        let area = |positions: &dyn Fn(u32) -> Vec3, indices: &[u32]| -> f32 {
            let corner = |t: &[u32]| [t[0], t[1], t[2]].map(positions);
            indices.chunks_exact(3).map(corner).map(|[a, b, c]| (b - a).cross(c - a).length() * 0.5).sum()
        };
        let wanted = area(&|i| Vec3::from(plain.positions[i as usize]), &plain.indices);
        let found =
            area(&|i| model_from_parts.transform_point3(Vec3::from(packed.positions[i as usize])), &packed.indices);
        assert!((found / wanted - 1.0).abs() < 1e-3, "{name}: {found} m2 for {wanted}");
    }
}
