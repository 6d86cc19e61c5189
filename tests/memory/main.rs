//! Memory: a file under 1 MB with at most one picture never makes the importer hold over 256 MB, whatever it says.
//!
//! One test alone in its program, so that nobody else allocates meanwhile.

mod heavy;

use std::path::Path;

use serde_json::{Value, json};
use stillframe_asset::source::Diagnostic;
use stillframe_heap::Counting;
use stillframe_models::bake::{TangentWish, complete};
use stillframe_models::import;
use stillframe_testkit::glb::{Glb, container};

#[global_allocator]
static HEAP: Counting = Counting::new();

const FILE_BYTES: usize = 1_000_000;
const LIMIT_BYTES: usize = 256_000_000;

fn import_and_bake(bytes: &[u8]) -> String {
    let read = |path: &Path| -> Result<Vec<u8>, Diagnostic> {
        if path.ends_with("big.bin") {
            Ok(vec![0; 900_000])
        } else {
            Err(Diagnostic::error("E0301", path, "there is no such file"))
        }
    };
    match import::gltf(Path::new("folder/hostile.glb"), bytes, &read) {
        Err(diagnostics) => diagnostics[0].code.to_string(),
        Ok(model) => {
            let mut kept = Vec::new();
            for geometry in &model.geometries {
                kept.push(complete(geometry.surface.clone(), TangentWish::Uv(0)));
            }
            format!("{} nodes, {} geometries", model.nodes.len(), kept.len())
        }
    }
}

/// A document of this much repeated text.
fn filled(before: &str, unit: &str, after: &str) -> Vec<u8> {
    let count = (FILE_BYTES - 100 - before.len() - after.len()) / unit.len();
    let mut text = String::from(before);
    (0..count).for_each(|_| text.push_str(unit));
    text.push_str(after);
    text.into_bytes()
}

/// The form of JSON that takes the most memory for its length.
const NESTED: &str = r#"{"":{"":{"":{"":{"":0}}}}}"#;
const NESTED_UNIT: &str = r#"{"":{"":{"":{"":{"":0}}}}},"#;

fn documents() -> Vec<(String, Vec<u8>)> {
    let head = r#"{"asset":{"version":"2.0"},"#;
    let mut out = Vec::new();
    for list in ["nodes", "materials", "accessors", "meshes", "extras", "scenes"] {
        for unit in ["{},", "[],", "1,", "\"\",", "{\"\":0},", NESTED_UNIT, "{\"a\":0,\"b\":0,\"c\":0,\"d\":0},"] {
            let text = filled(&format!("{head}\"{list}\":["), unit, "0]}");
            out.push((format!("{list} of {unit}"), text));
        }
    }
    let many = (FILE_BYTES - 200_000) / 12;
    let children: Vec<String> = (1..many).map(|n| n.to_string()).collect();
    let nodes = vec!["{}"; many].join(",");
    let text = format!("{head}\"nodes\":[{{\"children\":[{}]}},{}]}}", children.join(","), &nodes[3..]);
    out.push(("many children".into(), text.into_bytes()));
    out
}

fn fan(mode: u32, indexed: Option<usize>, normals: bool) -> Vec<u8> {
    let mut glb = Glb::new();
    let count = if indexed.is_some() { 250 } else { 40_000 };
    let point = |i: usize| [i as f32, (i * i % 977) as f32, (i * 7 % 31) as f32];
    let rows: Vec<[f32; 3]> = (0..count).map(point).collect();
    let position = glb.floats(&rows);
    let uv = glb.floats(&rows.iter().map(|r| [r[0] * 0.1, r[1] * 0.1]).collect::<Vec<_>>());
    let mut primitive = json!({ "attributes": { "POSITION": position, "TEXCOORD_0": uv }, "mode": mode });
    if normals {
        primitive["attributes"]["NORMAL"] = json!(position);
    }
    if let Some(index_count) = indexed {
        let bytes: Vec<u8> = (0..index_count).map(|i| (i * 7 % 250) as u8).collect();
        let view = glb.view(&bytes, None);
        let accessor = json!({ "bufferView": view, "componentType": 5121, "count": bytes.len(), "type": "SCALAR" });
        primitive["indices"] = json!(glb.push("accessors", accessor));
    }
    glb.mesh(primitive);
    glb.bytes()
}

/// Many primitives, each a little different, over the same bytes.
fn repeated() -> Vec<u8> {
    let mut glb = Glb::new();
    let rows: Vec<[f32; 3]> = (0..10_000).map(|i| [i as f32, (i % 7) as f32, 0.0]).collect();
    glb.floats(&rows);
    let copies: Vec<usize> = (0..2000)
        .map(|_| {
            glb.push("accessors", json!({ "bufferView": 0, "componentType": 5126, "count": 10_000, "type": "VEC3" }))
        })
        .collect();
    let primitives: Vec<Value> = copies.iter().map(|c| json!({ "attributes": { "POSITION": c } })).collect();
    glb.push("meshes", json!({ "primitives": primitives }));
    glb.bytes()
}

fn zeros(count: u64) -> Vec<u8> {
    let mut glb = Glb::new();
    glb.push("accessors", json!({ "componentType": 5126, "count": count, "type": "VEC3" }));
    glb.mesh(json!({ "attributes": { "POSITION": 0, "NORMAL": 0 } }));
    glb.bytes()
}

/// A wavy square of `side` x `side` quads with coordinates of 8 bits.
fn grid(side: usize) -> Vec<u8> {
    let mut glb = Glb::new();
    let mut bytes = Vec::new();
    for y in 0..side {
        for x in 0..side {
            bytes.extend([(x % 256) as u8, (y % 256) as u8, (x / 256 * 16 + y / 256) as u8, 0]);
        }
    }
    let view = glb.view(&bytes, Some(4));
    let accessor =
        |kind: &str| json!({ "bufferView": view, "componentType": 5121, "count": side * side, "type": kind });
    let position = glb.push("accessors", accessor("VEC3"));
    let uv = glb.push("accessors", accessor("VEC2"));
    let mut order = Vec::new();
    for y in 0..side - 1 {
        for x in 0..side {
            order.extend([(y * side + x) as u32, ((y + 1) * side + x) as u32]);
        }
    }
    order.truncate(125_000);
    let bytes: Vec<u8> = order.iter().flat_map(|i| i.to_le_bytes()).collect();
    let view = glb.view(&bytes, None);
    let indices = glb.push(
        "accessors",
        json!({ "bufferView": view, "componentType": 5125, "count": order.len(), "type": "SCALAR" }),
    );
    let attributes = json!({ "POSITION": position, "NORMAL": position, "TEXCOORD_0": uv });
    glb.mesh(json!({ "attributes": attributes, "indices": indices, "mode": 5 }));
    glb.bytes()
}

/// A picture and beside it much of something else.
fn picture_among(list: &str, unit: &str, picture: &[u8]) -> Vec<u8> {
    let mut glb = Glb::new();
    glb.json = serde_json::from_slice(&json_of(&with_picture(picture))).expect("JSON");
    // Without scenes, every node is shown.
    let root = glb.json.as_object_mut().expect("an object");
    root.remove("scenes");
    root.remove("scene");
    glb.bin = picture.to_vec();
    glb.bin.resize(picture.len().next_multiple_of(4), 0);
    let count = (FILE_BYTES - 2_000 - glb.bin.len()) / (unit.len() + 1);
    let text = serde_json::to_string(&glb.json).expect("JSON");
    let filler = vec![unit; count].join(",");
    let text = match text.find("\"nodes\":[") {
        Some(at) if list == "nodes" => format!("{}{filler},{}", &text[..at + 9], &text[at + 9..]),
        _ => format!("{{\"{list}\":[{filler}],{}", &text[1..]),
    };
    container(text.as_bytes(), &glb.bin)
}

fn json_of(glb: &[u8]) -> Vec<u8> {
    let length = u32::from_le_bytes(glb[12..16].try_into().expect("four")) as usize;
    glb[20..20 + length].to_vec()
}

fn with_picture(picture: &[u8]) -> Vec<u8> {
    let mut glb = Glb::new();
    let view = glb.view(picture, None);
    glb.push("images", json!({ "bufferView": view }));
    glb.push("textures", json!({ "source": 0 }));
    glb.push("materials", json!({ "normalTexture": { "index": 0 }, "emissiveTexture": { "index": 0 } }));
    let positions = glb.push("accessors", json!({ "componentType": 5126, "count": 3, "type": "VEC3" }));
    glb.mesh(json!({ "attributes": { "POSITION": positions }, "material": 0 }));
    glb.bytes()
}

/// A flat grey PNG, which packs a thousandfold.
fn flat_png(width: u32, height: u32, sixteen: bool) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    let picture = if sixteen {
        image::DynamicImage::ImageRgb16(image::ImageBuffer::new(width, height))
    } else {
        image::DynamicImage::ImageRgb8(image::RgbImage::new(width, height))
    };
    picture.write_to(&mut out, image::ImageFormat::Png).expect("written");
    out.into_inner()
}

fn flat_jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    image::DynamicImage::ImageRgb8(image::RgbImage::new(width, height))
        .write_to(&mut out, image::ImageFormat::Jpeg)
        .expect("written");
    out.into_inner()
}

fn buffers() -> Vec<u8> {
    let list: Vec<Value> =
        (0..12_000).map(|n| json!({ "byteLength": 1, "uri": format!("{}big.bin", "./".repeat(n % 20)) })).collect();
    container(&serde_json::to_vec(&json!({ "asset": { "version": "2.0" }, "buffers": list })).expect("JSON"), b"")
}

/// Models of other formats, and pictures by themselves.
fn others() -> Vec<(&'static str, Vec<u8>)> {
    let lines = |before: &str, unit: &str| filled(before, unit, "");
    let vertex = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 2\n";
    let ply = |header: &str, body: Vec<u8>| [header.as_bytes(), &body].concat();
    let points = "element vertex 256\nproperty char x\nproperty char y\nproperty char z\n";
    let cloud: Vec<u8> = (0..256_u32 * 3).map(|i| (i * 37 % 127) as u8).collect();
    let faces = |count: usize, kind: &str, name: &str| {
        format!(
            "ply\nformat binary_little_endian 1.0\n{points}element {name} {count}\nproperty list {kind} uchar vertex_indices\nend_header\n"
        )
    };
    let polygons: Vec<u8> =
        (0..3900).flat_map(|n: u32| [255].into_iter().chain((0..255).map(move |i| (i * 7 + n) as u8))).collect();
    let one: Vec<u8> = 990_000_u32
        .to_le_bytes()
        .into_iter()
        .chain((0..990_000_u32).map(|i| (i.wrapping_mul(i) % 251) as u8))
        .collect();
    let mut stl = vec![0; 80];
    stl.extend(19_900_u32.to_le_bytes());
    stl.extend((0..19_900 * 50_u32).map(|i| (i * 7 % 61) as u8));
    let mut dds = b"DDS ".to_vec();
    for word in [124, 0x2_1007, 16384, 16384, 0, 0, 1_u32] {
        dds.extend(word.to_le_bytes());
    }
    dds.resize(76, 0);
    for word in [32, 4, u32::from_le_bytes(*b"DXT1"), 0, 0, 0, 0, 0, 0x1000] {
        dds.extend(word.to_le_bytes());
    }
    dds.resize(990_000, 0);
    let mut webp = Vec::new();
    let flat = image::RgbaImage::new(5000, 5000);
    image::codecs::webp::WebPEncoder::new_lossless(&mut webp)
        .encode(flat.as_raw(), 5000, 5000, image::ExtendedColorType::Rgba8)
        .expect("written");
    let mut tga = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    tga.extend([0x20, 0x4E, 0x20, 0x4E, 32, 8]);
    tga.extend([0xFF, 1, 2, 3, 4].repeat(190_000));
    vec![
        ("a.obj", lines(vertex, "f 1 2 3\n")),
        ("a.obj", lines(&format!("{vertex}s 1\n"), "f 1 2 3\n")),
        ("a.obj", lines(vertex, "s 7\nf 1 2 3 4\ns 8\n")),
        ("a.obj", lines("", "v 0 0 0\n")),
        ("a.obj", lines("", "vt 0\n")),
        ("a.obj", lines(&format!("{vertex}f"), " 1 2")),
        ("a.obj", lines(vertex, "o\nf 1 2 3\ng x\nf -1 -2 -3\n")),
        (
            "a.obj",
            (0..30_000).fold(vertex.as_bytes().to_vec(), |mut out, n| {
                out.extend(format!("g {n}\nusemtl {n}\nf 1 2 3\n").into_bytes());
                out
            }),
        ),
        ("a.stl", lines("solid\n", "vertex 0 0 1 ")),
        ("a.stl", lines("", "solid\nendsolid\n")),
        ("a.stl", stl),
        ("a.ply", ply(&faces(3900, "uchar", "face"), [cloud.clone(), polygons].concat())),
        ("a.ply", ply(&faces(1, "uint", "face"), [cloud.clone(), one.clone()].concat())),
        ("a.ply", ply(&faces(1, "uint", "tristrips"), [cloud, one].concat())),
        (
            "a.ply",
            lines(
                "ply\nformat ascii 1.0\nelement vertex 120000\nproperty float x\nproperty float y\nproperty float z\nend_header\n",
                "0 0 1 ",
            ),
        ),
        ("a.dds", dds),
        ("a.webp", webp),
        ("a.tga", tga),
        ("a.ktx2", zstd_bomb(4096)),
        ("a.ktx2", zstd_bomb(16384)),
    ]
}

/// A KTX2 file of `side` squared texels whose zstd level repeats one byte.
fn zstd_bomb(side: u32) -> Vec<u8> {
    let bytes = u64::from(side) * u64::from(side) * 4;
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0xE0];
    frame.extend(bytes.to_le_bytes());
    let count = bytes / (128 << 10);
    for block in 0..count {
        let word = (128 << 10) << 3 | 2 | u32::from(block + 1 == count);
        frame.extend(&word.to_le_bytes()[..3]);
        frame.push(9);
    }
    let mut out = b"\xABKTX 20\xBB\r\n\x1A\n".to_vec();
    for word in [37, 1, side, side, 0, 0, 1, 1, 2, 0, 0, 0, 0] {
        out.extend(u32::to_le_bytes(word));
    }
    out.extend([0; 16]);
    for word in [104, frame.len() as u64, bytes] {
        out.extend(word.to_le_bytes());
    }
    out.extend(frame);
    out
}

/// A model, or else a picture, read and baked.
fn import_other(name: &str, bytes: &[u8]) -> String {
    let file = Path::new("folder").join(name);
    let is_picture = ["dds", "webp", "tga", "ktx2"].iter().any(|ending| name.ends_with(ending));
    if is_picture {
        return match import::picture(&file, bytes) {
            Ok(image) => format!("{} x {}", image.width_px, image.height_px),
            Err(diagnostic) => diagnostic.code.to_string(),
        };
    }
    let read = |path: &Path| -> Result<Vec<u8>, Diagnostic> {
        if path == file { Ok(bytes.to_vec()) } else { Err(Diagnostic::error("E0301", path, "there is no such file")) }
    };
    match import::model(&file, &read) {
        Err(diagnostics) => diagnostics[0].code.to_string(),
        Ok(model) => {
            let baked: Vec<_> =
                model.geometries.iter().map(|g| complete(g.surface.clone(), TangentWish::Uv(0))).collect();
            format!("{} nodes, {} geometries", model.nodes.len(), baked.len())
        }
    }
}

/// A stream of meshopt's vertex codec, version 1, in which every plane of bytes is told to be zeros: a byte or so for
/// 1024.
fn packed_zeros(count: usize, stride: usize) -> Vec<u8> {
    let mut stream = vec![0xA1];
    let block_count = ((8192 / stride) & !15).min(256);
    stream.resize(1 + count.div_ceil(block_count) * (stride / 4), 0b1010_1010);
    stream.resize(stream.len() + (stride + stride / 4).max(24), 0);
    let mut glb = Glb::new();
    let view = glb.view(&stream, None);
    let mut packed = glb.json["bufferViews"][view].clone();
    packed["mode"] = json!("ATTRIBUTES");
    packed["count"] = json!(count);
    packed["byteStride"] = json!(stride);
    glb.json["bufferViews"][view]["extensions"] = json!({ "EXT_meshopt_compression": packed });
    let accessor = json!({ "bufferView": view, "componentType": 5121, "count": count, "type": "VEC3" });
    let position = glb.push("accessors", accessor);
    glb.json["bufferViews"][view]["byteStride"] = json!(stride);
    glb.mesh(json!({ "attributes": { "POSITION": position, "NORMAL": position } }));
    glb.bytes()
}

/// A flat grid packed by Draco, which takes next to nothing for a point.
fn draco_grid(side: usize) -> Vec<u8> {
    use draco_core::{
        DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder, PointAttribute, PointIndex,
    };
    let mut mesh = Mesh::new();
    mesh.set_num_points(side * side);
    let mut positions = PointAttribute::new();
    positions.init(GeometryAttributeType::Position, 3, DataType::Float32, false, side * side);
    let rows: Vec<f32> = (0..side * side).flat_map(|i| [(i % side) as f32, 0.0, (i / side) as f32]).collect();
    positions.buffer_mut().update_f32s_le(0, &rows);
    let id = mesh.add_attribute(positions);
    let id = mesh.attribute(id).unique_id();
    for y in 0..side as u32 - 1 {
        for x in 0..side as u32 - 1 {
            let corner = y * side as u32 + x;
            mesh.add_face([corner, corner + side as u32, corner + 1].map(PointIndex));
            mesh.add_face([corner + 1, corner + side as u32, corner + side as u32 + 1].map(PointIndex));
        }
    }
    let mut options = EncoderOptions::new();
    options.set_encoding_method(1);
    options.set_attribute_quantization(0, 10);
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).expect("encoded");
    let mut glb = Glb::new();
    let view = glb.view(out.data(), None);
    let accessor = json!({ "componentType": 5126, "count": side * side, "type": "VEC3" });
    let position = glb.push("accessors", accessor);
    let packed = json!({ "bufferView": view, "attributes": { "POSITION": id } });
    let extensions = json!({ "KHR_draco_mesh_compression": packed });
    glb.mesh(json!({ "attributes": { "POSITION": position }, "extensions": extensions }));
    glb.bytes()
}

/// Copies of one triangle at places that nothing backs.
fn copies(count: usize) -> Vec<u8> {
    let mut glb = Glb::new();
    let position = glb.floats(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    glb.mesh(json!({ "attributes": { "POSITION": position }, "targets": [{ "POSITION": position }] }));
    let places = glb.push("accessors", json!({ "componentType": 5126, "count": count, "type": "VEC3" }));
    glb.json["nodes"][0]["extensions"] =
        json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": places, "SCALE": places } } });
    glb.bytes()
}

/// Many channels, skins or morph targets over the same long accessors.
fn shared(what: &str, list_count: usize, row_count: usize) -> Vec<u8> {
    let mut glb = Glb::new();
    let rows: Vec<[f32; 1]> = (0..row_count).map(|i| [i as f32]).collect();
    let times = glb.floats(&rows);
    let zeros = |glb: &mut Glb, kind: &str| {
        glb.push("accessors", json!({ "componentType": 5126, "count": row_count, "type": kind }))
    };
    let position = zeros(&mut glb, "VEC3");
    let mut primitive = json!({ "attributes": { "POSITION": position } });
    match what {
        "channels" => {
            let nodes: Vec<Value> = (0..list_count).map(|_| json!({ "mesh": 0 })).collect();
            glb.json["nodes"] = json!(nodes);
            glb.json["scenes"][0]["nodes"] = json!((0..list_count).collect::<Vec<_>>());
            let channel = |n| json!({ "sampler": 0, "target": { "node": n, "path": "scale" } });
            let channels: Vec<Value> = (0..list_count).map(channel).collect();
            let sampler = json!({ "input": times, "output": position });
            glb.push("animations", json!({ "channels": channels, "samplers": [sampler] }));
            primitive["attributes"]["POSITION"] = json!(glb.floats(&[[0.0; 3]; 3]));
        }
        "skins" => {
            let matrices = zeros(&mut glb, "MAT4");
            primitive["attributes"]["JOINTS_0"] = json!(glb.shorts(&vec![[0_u16; 4]; row_count]));
            primitive["attributes"]["WEIGHTS_0"] = json!(zeros(&mut glb, "VEC4"));
            for _ in 0..list_count {
                glb.push("skins", json!({ "joints": [0], "inverseBindMatrices": matrices }));
            }
            let nodes: Vec<Value> = (0..list_count).map(|n| json!({ "mesh": 0, "skin": n })).collect();
            glb.json["nodes"] = json!(nodes);
            glb.json["scenes"][0]["nodes"] = json!((0..list_count).collect::<Vec<_>>());
        }
        "targets" => primitive["targets"] = json!(vec![json!({ "POSITION": position }); list_count]),
        _ => unreachable!("{what}"),
    }
    glb.mesh(primitive);
    glb.bytes()
}

#[test]
fn small_files_stay_small() {
    for (what, bytes) in heavy::files() {
        assert!(bytes.len() < FILE_BYTES, "{what}: {} bytes", bytes.len());
        let (outcome, peak) = HEAP.watch(|| import_other("a.fbx", &bytes));
        println!("{:>6.1} MB  FBX, {what}: {outcome}", peak as f64 / 1e6);
        assert!(peak < LIMIT_BYTES, "FBX, {what}: {peak} bytes held, then {outcome}");
    }
    let mut files = documents();
    files.extend([
        ("a fan".to_string(), fan(6, Some(940_000), true)),
        ("a fan without normals".to_string(), fan(6, Some(940_000), false)),
        ("triangles without normals".to_string(), fan(4, Some(940_000), false)),
        ("triangles".to_string(), fan(4, Some(940_000), true)),
        ("a strip".to_string(), fan(5, None, true)),
        ("a strip without normals".to_string(), fan(5, None, false)),
        ("as large a fan as may be".to_string(), fan(6, Some(130_000), true)),
        ("as many triangles as may be".to_string(), fan(4, Some(390_000), true)),
        ("as many flat triangles as may be".to_string(), fan(4, Some(300_000), false)),
        ("as large a grid as may be".to_string(), grid(340)),
        ("the same bytes again and again".to_string(), repeated()),
        ("zeros: 2^20".to_string(), zeros(1 << 20)),
        ("zeros: 2^22".to_string(), zeros(1 << 22)),
        ("zeros: 2^31".to_string(), zeros(1 << 31)),
        ("one file named by many".to_string(), buffers()),
        ("packed zeros".to_string(), packed_zeros(400_000, 4)),
        ("packed zeros of 256".to_string(), packed_zeros(300_000, 256)),
        ("as many packed zeros as may be".to_string(), packed_zeros(25_000_000, 4)),
        ("too many packed zeros".to_string(), packed_zeros(60_000_000, 4)),
        ("a packed grid".to_string(), draco_grid(200)),
        ("as large a packed grid as may be".to_string(), draco_grid(260)),
        ("too large a packed grid".to_string(), draco_grid(500)),
        ("copies".to_string(), copies(80_000)),
        ("too many copies".to_string(), copies(1 << 30)),
        ("channels over the same keys".to_string(), shared("channels", 5_000, 1_000)),
        ("channels over very many keys".to_string(), shared("channels", 5_000, 100_000)),
        ("skins over the same matrices".to_string(), shared("skins", 5_000, 1_000)),
        ("targets over the same positions".to_string(), shared("targets", 10_000, 1_000)),
        ("targets of very many".to_string(), shared("targets", 10_000, 200_000)),
        ("png 4096".to_string(), with_picture(&flat_png(4096, 4096, false))),
        ("png 8192".to_string(), with_picture(&flat_png(8192, 8192, false))),
        ("png 16-bit".to_string(), with_picture(&flat_png(3000, 3000, true))),
        ("png 16-bit 4096".to_string(), with_picture(&flat_png(4096, 4096, true))),
        ("png 4096 among extras".to_string(), picture_among("extras", NESTED, &flat_png(4096, 4096, false))),
        ("png 4096 among nodes".to_string(), picture_among("nodes", "{}", &flat_png(4096, 4096, false))),
        ("png 2048 among nodes".to_string(), picture_among("nodes", "{}", &flat_png(2048, 2048, false))),
        ("jpeg 3000".to_string(), with_picture(&flat_jpeg(3000, 3000))),
        ("jpeg".to_string(), with_picture(&flat_jpeg(4000, 4000))),
        ("jpeg 5000".to_string(), with_picture(&flat_jpeg(5000, 5000))),
    ]);
    for (what, bytes) in files {
        if !what.starts_with("jpeg") {
            assert!(bytes.len() < FILE_BYTES, "{what}: {} bytes", bytes.len());
        }
        let (outcome, peak) = HEAP.watch(|| import_and_bake(&bytes));
        println!("{:>6.1} MB  {what}: {outcome}", peak as f64 / 1e6);
        assert!(peak < LIMIT_BYTES, "{what}: {peak} bytes held, then {outcome}");
    }
    for (number, (name, bytes)) in others().into_iter().enumerate() {
        assert!(bytes.len() < FILE_BYTES + 100_000, "{name} {number}: {} bytes", bytes.len());
        let (outcome, peak) = HEAP.watch(|| import_other(name, &bytes));
        println!("{:>6.1} MB  {name} {number}: {outcome}", peak as f64 / 1e6);
        assert!(peak < LIMIT_BYTES, "{name} {number}: {peak} bytes held, then {outcome}");
    }
}
