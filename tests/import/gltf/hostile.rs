//! Hostile files: each has its code, none panics.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use stillframe_asset::source::Severity;
use stillframe_models::import::{self};
use stillframe_testkit::glb::{Glb, TRIANGLE, container, triangle};

use super::{assets, first, import_bytes, packed};
use crate::laws::{check, cut_off, overwrite, runner};

fn code_of(bytes: &[u8]) -> (&'static str, String) {
    match import_bytes(bytes) {
        Ok(_) => ("none", String::new()),
        Err(diagnostics) => (diagnostics[0].code, diagnostics[0].message.clone()),
    }
}

/// Sets the value at a JSON pointer of a good document.
fn with(pointer: &str, value: Value) -> Vec<u8> {
    changed(everything(), &[(pointer, value)])
}

fn changed(mut glb: Glb, changes: &[(&str, Value)]) -> Vec<u8> {
    for (pointer, value) in changes {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        let parent = glb.json.pointer_mut(parent).unwrap_or_else(|| panic!("no {pointer}"));
        match parent {
            Value::Array(list) => list[key.parse::<usize>().expect("a number")] = value.clone(),
            parent => parent[key] = value.clone(),
        }
    }
    glb.bytes()
}

/// A document with some of everything: nodes, indices, sparse, skin, morph, material, texture, camera, light, clip,
/// copies.
pub fn everything() -> Glb {
    let mut glb = Glb::new();
    let quad = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let position = glb.floats(&quad);
    let normal = glb.floats(&[[0.0, 0.0, 1.0]; 4]);
    let uv = glb.floats(&[[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    let joints = glb.shorts(&[[0, 1, 0, 0]; 4]);
    let weights = glb.floats(&[[0.5, 0.5, 0.0, 0.0]; 4]);
    let indices = glb.shorts(&[[0], [1], [2], [0], [2], [3]]);
    let places = glb.view(&[1, 3], None);
    let values = glb.view(&[0; 24], None);
    let delta = glb.push(
        "accessors",
        json!({
            "componentType": 5126, "count": 4, "type": "VEC3",
            "sparse": {
                "count": 2,
                "indices": { "bufferView": places, "componentType": 5121 },
                "values": { "bufferView": values },
            },
        }),
    );
    let identity: [f32; 16] = std::array::from_fn(|i| if i % 5 == 0 { 1.0 } else { 0.0 });
    let inverse = glb.floats(&[identity, identity]);
    glb.json["accessors"][inverse]["type"] = json!("MAT4");
    glb.mesh(json!({
        "attributes": {
            "POSITION": position, "NORMAL": normal, "TEXCOORD_0": uv, "JOINTS_0": joints, "WEIGHTS_0": weights,
        },
        "indices": indices,
        "material": 0,
        "targets": [{ "POSITION": delta }],
    }));
    glb.json["meshes"][0]["weights"] = json!([0.5]);
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = image::DynamicImage::ImageRgb8(image::RgbImage::from_fn(8, 8, |x, y| {
        image::Rgb([x as u8 * 30, y as u8 * 30, 7])
    }));
    picture.write_to(&mut png, image::ImageFormat::Png).expect("written");
    let picture = glb.view(&png.into_inner(), None);
    glb.push("images", json!({ "bufferView": picture, "mimeType": "image/png" }));
    glb.push("samplers", json!({ "wrapS": 33071 }));
    glb.push("textures", json!({ "source": 0, "sampler": 0 }));
    glb.push(
        "materials",
        json!({
            "name": "skin",
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } },
            "normalTexture": { "index": 0, "scale": 0.5 },
        }),
    );
    glb.push("skins", json!({ "joints": [1, 2], "inverseBindMatrices": inverse }));
    glb.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.1, "zfar": 10.0 } }));
    glb.json["extensions"] =
        json!({ "KHR_lights_punctual": { "lights": [{ "type": "spot", "spot": {}, "intensity": 2.0 }] } });
    glb.json["nodes"] = json!([
        { "name": "body", "mesh": 0, "skin": 0, "children": [1, 3] },
        { "name": "hip", "children": [2], "translation": [0.0, 0.5, 0.0] },
        { "name": "knee", "rotation": [0.0, 0.0, 0.0, 1.0] },
        { "name": "eye", "camera": 0, "extensions": { "KHR_lights_punctual": { "light": 0 } }, "children": [4] },
        {
            "name": "copies",
            "mesh": 1,
            "extensions": {
                "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": position, "ROTATION": weights, "SCALE": normal } },
                "KHR_node_visibility": { "visible": true },
            },
        },
    ]);
    glb.mesh(json!({ "attributes": { "POSITION": position }, "material": 1 }));
    glb.push(
        "materials",
        json!({ "extensions": {
            "KHR_materials_clearcoat": { "clearcoatFactor": 0.5, "clearcoatTexture": { "index": 0 } },
            "KHR_materials_volume": { "thicknessFactor": 0.5, "attenuationDistance": 2.0 },
            "KHR_materials_iridescence": { "iridescenceFactor": 0.5 },
            "KHR_materials_pbrSpecularGlossiness": { "specularGlossinessTexture": { "index": 0 } },
        } }),
    );
    let times = glb.floats(&[[0.0], [0.25], [0.5], [2.0]]);
    let splines = glb.floats(&[[0.0, 0.0, 0.0, 1.0]; 12]);
    let pointer = "/nodes/4/extensions/KHR_node_visibility/visible";
    glb.push(
        "animations",
        json!({
            "name": "all",
            "channels": [
                { "sampler": 0, "target": { "node": 1, "path": "translation" } },
                { "sampler": 1, "target": { "node": 2, "path": "rotation" } },
                { "sampler": 2, "target": { "node": 0, "path": "weights" } },
                { "sampler": 0, "target": { "node": 3, "path": "scale" } },
                { "sampler": 2, "target": {
                    "path": "pointer", "extensions": { "KHR_animation_pointer": { "pointer": pointer } } } },
            ],
            "samplers": [
                { "input": times, "output": position, "interpolation": "LINEAR" },
                { "input": times, "output": splines, "interpolation": "CUBICSPLINE" },
                { "input": times, "output": times, "interpolation": "STEP" },
            ],
        }),
    );
    glb
}

#[test]
fn each_fault_has_its_code() {
    assert_eq!(code_of(&everything().bytes()), ("none", String::new()));
    let far = json!(4294967295_u64);
    let huge = json!(1_u64 << 62);
    let nan = |index: usize| {
        let mut glb = triangle();
        let at = index * 12;
        glb.bin[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        glb.bytes()
    };
    let wide = |changes: &[(&str, Value)]| changed(everything(), changes);
    let good = everything().bytes();
    let json_text = br#"{"asset":{"version":"2.0"},"nodes":[{"#.to_vec();
    let rows: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", Vec::new(), "E0401"),
        ("a picture", b"\x89PNG\r\n\x1a\n".to_vec(), "E0401"),
        ("half a document", json_text, "E0402"),
        ("a document that is a list", br#"[1]"#.to_vec(), "E0405"),
        ("no version", br#"{"asset":{}}"#.to_vec(), "E0405"),
        ("version 0", br#"{"asset":{"version":"0.8"}}"#.to_vec(), "E0405"),
        ("broken JSON in a container", container(b"{", b""), "E0402"),
        ("deep JSON", "[".repeat(100_000).into_bytes(), "E0401"),
        ("deep JSON in an object", [b"{\"a\":".to_vec(), "[".repeat(100_000).into_bytes()].concat(), "E0402"),
        ("header alone", good[..12].to_vec(), "E0403"),
        ("half a header", good[..7].to_vec(), "E0403"),
        ("cut off", good[..good.len() - 1].to_vec(), "E0403"),
        ("container version", [&good[..4], &[3, 0, 0, 0], &good[8..]].concat(), "E0403"),
        ("required extension", wide(&[("/extensionsRequired", json!(["EXT_unheard_of"]))]), "E0404"),
        ("count missing", with("/accessors/0/count", json!(null)), "E0405"),
        ("count negative", with("/accessors/0/count", json!(-1)), "E0405"),
        ("count a text", with("/accessors/0/count", json!("4")), "E0405"),
        ("component type", with("/accessors/0/componentType", json!(5124)), "E0405"),
        ("type", with("/accessors/0/type", json!("VEC5")), "E0405"),
        ("list expected", with("/nodes", json!({})), "E0405"),
        ("field of view", with("/cameras/0/perspective/yfov", json!(4.0)), "E0405"),
        ("far before near", with("/cameras/0/perspective/zfar", json!(0.05)), "E0405"),
        ("cone", with("/extensions/KHR_lights_punctual/lights/0/spot", json!({ "innerConeAngle": 2.0 })), "E0405"),
        ("alpha mode", with("/materials/0/alphaMode", json!("GLASS")), "E0405"),
        ("wrapping", with("/samplers/0/wrapS", json!(1)), "E0405"),
        ("mode", with("/meshes/0/primitives/0/mode", json!(7)), "E0405"),
        ("stride", with("/bufferViews/0/byteStride", json!(0)), "E0405"),
        ("matrix of 15", with("/nodes/0/matrix", json!(vec![0.0; 15])), "E0405"),
        ("number too large", with("/nodes/0/scale", json!([1e300, 1.0, 1.0])), "E0405"),
        ("no mesh", with("/nodes/0/mesh", json!(9)), "E0406"),
        ("no accessor", with("/meshes/0/primitives/0/attributes/POSITION", far.clone()), "E0406"),
        ("index of 2^32", with("/meshes/0/primitives/0/material", json!(1_u64 << 32)), "E0405"),
        ("no material", with("/meshes/0/primitives/0/material", json!(3)), "E0406"),
        ("no texture", with("/materials/0/normalTexture/index", json!(3)), "E0406"),
        ("no sampler", with("/textures/0/sampler", json!(3)), "E0406"),
        ("no image", with("/textures/0/source", json!(3)), "E0406"),
        ("no view", with("/accessors/0/bufferView", json!(99)), "E0406"),
        ("no buffer", with("/bufferViews/0/buffer", json!(1)), "E0406"),
        ("no child", with("/nodes/2/children", json!([17])), "E0406"),
        ("no scene", with("/scene", json!(1)), "E0406"),
        ("no joint", with("/skins/0/joints", json!([1, 99])), "E0406"),
        ("no camera", with("/nodes/3/camera", json!(1)), "E0406"),
        ("no light", with("/nodes/3/extensions/KHR_lights_punctual/light", json!(1)), "E0406"),
        ("buffer too short", wide(&[("/buffers", json!([{ "byteLength": 1 << 20 }]))]), "E0407"),
        (
            "buffer without bytes",
            wide(&[("/buffers", json!([{ "byteLength": 4, "uri": "data:x;base64,AA" }]))]),
            "E0407",
        ),
        ("garbage data URI", wide(&[("/buffers", json!([{ "byteLength": 4, "uri": "data:;base64,?!" }]))]), "E0407"),
        ("data URI without comma", wide(&[("/buffers", json!([{ "byteLength": 4, "uri": "data:" }]))]), "E0407"),
        ("remote", wide(&[("/buffers", json!([{ "byteLength": 4, "uri": "http://a/b" }]))]), "E0407"),
        ("absolute", wide(&[("/buffers", json!([{ "byteLength": 4, "uri": "/etc/passwd" }]))]), "E0407"),
        ("drive", wide(&[("/buffers", json!([{ "byteLength": 4, "uri": "C:\\x" }]))]), "E0407"),
        ("missing file", wide(&[("/buffers", json!([{ "byteLength": 4, "uri": "no.bin" }]))]), "E0301"),
        ("accessor past its view", with("/accessors/0/count", json!(5)), "E0408"),
        ("count of 2^32", with("/accessors/0/count", json!(1_u64 << 32)), "E0408"),
        ("count of 2^62", with("/accessors/0/count", huge.clone()), "E0408"),
        ("offset of 2^62", with("/accessors/0/byteOffset", huge.clone()), "E0408"),
        ("view past its buffer", with("/bufferViews/0/byteLength", huge.clone()), "E0408"),
        ("view offset wraps", with("/bufferViews/0/byteOffset", json!(u64::MAX)), "E0408"),
        ("sparse place past the end", with("/accessors/6/count", json!(3)), "E0408"),
        ("sparse count", with("/accessors/6/sparse/count", json!(5)), "E0405"),
        ("sparse values short", with("/accessors/6/sparse/count", json!(4)), "E0408"),
        ("positions of two", with("/accessors/0/type", json!("VEC2")), "E0409"),
        ("indices of floats", with("/accessors/5/componentType", json!(5126)), "E0408"),
        ("signed indices", with("/accessors/5/componentType", json!(5122)), "E0409"),
        ("joints of floats", with("/meshes/0/primitives/0/attributes/JOINTS_0", json!(4)), "E0409"),
        ("not a number", nan(1), "E0410"),
        (
            "transforms overflow",
            wide(&[("/nodes/1/scale", json!([3e38, 1, 1])), ("/nodes/2/scale", json!([3e38, 1, 1]))]),
            "E0410",
        ),
        ("index past the vertices", with("/accessors/5/bufferView", json!(3)), "none"),
        ("normals too few", with("/accessors/1/count", json!(3)), "E0412"),
        ("weights too few", with("/accessors/4/count", json!(3)), "E0412"),
        ("own child", with("/nodes/2/children", json!([2])), "E0413"),
        ("circle", with("/nodes/2/children", json!([0])), "E0413"),
        ("two parents", with("/nodes/3/children", json!([2])), "E0413"),
        ("child as root", with("/scenes/0/nodes", json!([1])), "none"),
        ("shown twice", with("/scenes/0/nodes", json!([0, 0])), "none"),
        (
            "zeros of 2^31",
            wide(&[("/accessors/0/bufferView", json!(null)), ("/accessors/0/count", json!(1_u64 << 31))]),
            "E0414",
        ),
        ("picture broken", with("/bufferViews/9/byteLength", json!(40)), "none"),
        ("picture of nothing", with("/images/0/bufferView", json!(0)), "none"),
        ("picture outside", with("/images/0", json!({ "uri": "data:image/png;base64,AAAA" })), "none"),
        ("no weights", with("/meshes/0/primitives/0/attributes/WEIGHTS_0", json!(null)), "E0416"),
        ("keys out of order", with("/animations/0/samplers/0/input", json!(5)), "E0417"),
        ("too few values", with("/animations/0/samplers/1/interpolation", json!("STEP")), "E0417"),
        ("interpolation", with("/animations/0/samplers/1/interpolation", json!("CURVE")), "E0405"),
        ("no sampler", with("/animations/0/channels/0/sampler", json!(7)), "E0406"),
        ("times of three", with("/animations/0/samplers/0/input", json!(1)), "E0409"),
        (
            "copies without number",
            wide(&[
                ("/accessors/1/count", json!(1_u64 << 31)),
                ("/accessors/1/bufferView", json!(null)),
                ("/nodes/4/extensions/EXT_mesh_gpu_instancing/attributes", json!({ "SCALE": 1 })),
                ("/meshes/0/primitives/0/attributes/NORMAL", json!(null)),
            ]),
            "E0414",
        ),
        (
            "copies that disagree",
            with("/nodes/4/extensions/EXT_mesh_gpu_instancing/attributes/SCALE", json!(7)),
            "E0412",
        ),
        ("scales of one", with("/nodes/4/extensions/EXT_mesh_gpu_instancing/attributes/SCALE", json!(8)), "E0409"),
        ("too few bind matrices", with("/accessors/7/count", json!(1)), "E0416"),
        ("joint past the skin", with("/skins/0", json!({ "joints": [1] })), "E0416"),
        ("joints past 16 bits", with("/skins/0", json!({ "joints": vec![1; 65_536] })), "E0416"),
    ];
    for (what, bytes, code) in rows {
        let (found, message) = code_of(&bytes);
        assert_eq!(found, code, "{what}: {message}");
    }
    let (_, message) = code_of(&with("/accessors/0/count", json!(5)));
    assert!(message.contains("`accessors[0]`") && message.contains("`bufferViews[0]`"), "{message}");
    let (_, message) = code_of(&wide(&[("/extensionsRequired", json!(["EXT_unheard_of"]))]));
    assert!(message.contains("EXT_unheard_of"), "{message}");
}

#[test]
fn indices_must_name_vertices() {
    let mut glb = Glb::new();
    let position = glb.floats(&TRIANGLE);
    let indices = glb.shorts(&[[0], [1], [3]]);
    glb.mesh(json!({ "attributes": { "POSITION": position }, "indices": indices }));
    let (code, message) = code_of(&glb.bytes());
    assert_eq!(code, "E0411", "{message}");
    assert!(message.contains("element 2 is vertex 3"), "{message}");
}

#[test]
fn broken_text_has_a_place() {
    let text = b"{\n  \"asset\": { \"version\": \"2.0\" },\n  \"nodes\": [ { ]\n}";
    let diagnostics = import_bytes(text).expect_err("broken");
    let span = diagnostics[0].span.clone().expect("a place");
    assert_eq!(&text[span], b"]");
}

#[test]
fn several_faults_are_told_at_once() {
    let mut glb = triangle();
    glb.json["nodes"] = json!([{ "mesh": 5 }, { "mesh": 0 }, { "mesh": 6 }]);
    glb.json["scenes"][0]["nodes"] = json!([0, 1, 2]);
    let diagnostics = import_bytes(&glb.bytes()).expect_err("two faults");
    assert_eq!(diagnostics.len(), 2, "{diagnostics:#?}");
    assert!(diagnostics.iter().all(|d| d.severity == Severity::Error && d.code == "E0406"));
}

#[test]
fn mutated_bytes_never_panic() {
    let sources: Vec<Vec<u8>> = vec![
        everything().bytes(),
        triangle().bytes(),
        small_strip().bytes(),
        packed::meshopt_model("EXT_meshopt_compression", 40, "TRIANGLES").bytes(),
        packed::meshopt_model("KHR_meshopt_compression", 20, "INDICES").bytes(),
        packed::draco_grid(5, 1, 11).0.bytes(),
        packed::draco_grid(4, 0, 0).0.bytes(),
    ];
    let change = (any::<prop::sample::Index>(), prop_oneof![any::<u8>(), Just(0), Just(255), Just(128)]);
    let strategy = (
        0..sources.len(),
        prop::collection::vec(change, 1..12),
        prop::option::weighted(0.2, any::<prop::sample::Index>()),
    );
    let mut good = 0;
    runner(3000)
        .run(&strategy, |(source, changes, cut)| {
            let mut bytes = sources[source].clone();
            overwrite(&mut bytes, changes);
            cut_off(&mut bytes, cut);
            match import_bytes(&bytes) {
                Ok(model) => check(&model),
                Err(diagnostics) => {
                    prop_assert!(!diagnostics.is_empty());
                    prop_assert!(diagnostics.iter().all(|d| d.code.starts_with("E0")));
                }
            }
            Ok(())
        })
        .expect("no panic");
    for bytes in &sources {
        good += usize::from(import_bytes(bytes).is_ok());
    }
    assert_eq!(good, sources.len(), "the sources themselves are good");
}

/// Numbers and structure of the document, not only its bytes.
#[test]
fn mutated_documents_never_panic() {
    let (glb, old) = (everything(), first::document());
    let mut pointers = Vec::new();
    collect(&glb.json, String::new(), &mut pointers);
    collect(&old.0, String::new(), &mut pointers);
    let values = prop::sample::select(vec![
        json!(null),
        json!(-1),
        json!(0),
        json!(1),
        json!(3),
        json!(7),
        json!(255),
        json!(65535),
        json!(1_u64 << 32),
        json!(u64::MAX),
        json!(1e38),
        json!(-1e38),
        json!(1e-45),
        json!(0.5),
        json!([]),
        json!({}),
        json!("x"),
        json!([0, 1, 2]),
        json!([1e30, 1e30, 1e30]),
        json!(true),
        json!(5120),
        json!(5121),
        json!(5126),
        json!("VEC4"),
        json!("SCALAR"),
    ]);
    let strategy = prop::collection::vec((prop::sample::select(pointers), values), 1..4);
    runner(3000)
        .run(&strategy, |changes| {
            let (mut glb, mut old) = (glb.clone(), old.clone());
            for (pointer, value) in changes {
                for json in [&mut glb.json, &mut old.0] {
                    if let Some(place) = json.pointer_mut(&pointer) {
                        *place = value.clone();
                    }
                }
            }
            for bytes in [glb.bytes(), first::container(&old)] {
                if let Ok(model) = import_bytes(&bytes) {
                    check(&model);
                }
            }
            Ok(())
        })
        .expect("no panic");
}

fn collect(value: &Value, at: String, out: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(i, v)| collect(v, format!("{at}/{i}"), out));
        }
        Value::Object(map) => map.iter().for_each(|(k, v)| collect(v, format!("{at}/{k}"), out)),
        _ => {}
    }
    if !at.is_empty() {
        out.push(at);
    }
}

/// Packed bytes alone, under heavy mutation: what unpacks them is other people's.
#[test]
fn mutated_packed_data_never_panics() {
    let sources = [
        packed::meshopt_model("EXT_meshopt_compression", 300, "TRIANGLES"),
        packed::meshopt_model("EXT_meshopt_compression", 33, "INDICES"),
        packed::draco_grid(9, 1, 11).0,
        packed::draco_grid(9, 1, 0).0,
        packed::draco_grid(7, 0, 14).0,
    ];
    let change = (any::<prop::sample::Index>(), any::<u8>(), any::<bool>());
    let strategy = (0..sources.len(), prop::collection::vec(change, 1..8), prop::option::weighted(0.2, 0..2000_usize));
    runner(3000)
        .run(&strategy, |(source, changes, cut)| {
            let mut glb = sources[source].clone();
            for (place, byte, early) in changes {
                // Headers are where the danger is.
                let end = if early { glb.bin.len().min(60) } else { glb.bin.len() };
                glb.bin[place.index(end)] = byte;
            }
            if let Some(cut) = cut {
                glb.json["bufferViews"][0]["byteLength"] = json!(cut);
            }
            if let Ok(model) = import_bytes(&glb.bytes()) {
                check(&model);
            }
            Ok(())
        })
        .expect("no panic");
}

fn small_strip() -> Glb {
    let mut glb = Glb::new();
    let rows: Vec<[f32; 3]> = (0..8).map(|i| [i as f32, (i % 2) as f32, (i * i) as f32 * 0.1]).collect();
    let position = glb.floats(&rows);
    let uv = glb.floats(&rows.iter().map(|r| [r[0], r[1]]).collect::<Vec<_>>());
    let color = glb.shorts(&rows.iter().map(|_| [65535_u16, 7, 9, 65535]).collect::<Vec<_>>());
    glb.json["accessors"][color]["normalized"] = json!(true);
    glb.mesh(json!({ "attributes": { "POSITION": position, "TEXCOORD_0": uv, "COLOR_0": color }, "mode": 5 }));
    glb
}

#[test]
fn pictures_under_mutation_never_panic() {
    let files = ["env_white.exr", "leaf_card_base.png", "env_axes.exr"];
    let mut sources: Vec<Vec<u8>> = files.iter().map(|f| std::fs::read(assets().join(f)).expect("readable")).collect();
    let picture = image::DynamicImage::ImageRgb8(image::RgbImage::from_fn(19, 17, |x, y| {
        image::Rgb([x as u8 * 9, y as u8 * 9, (x * y) as u8])
    }));
    let mut jpeg = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut jpeg, image::ImageFormat::Jpeg).expect("written");
    sources.push(jpeg.into_inner());
    let mut hdr = Vec::new();
    let floats: Vec<image::Rgb<f32>> = (0..20).map(|i| image::Rgb([i as f32, 0.5, 100.0])).collect();
    image::codecs::hdr::HdrEncoder::new(&mut hdr).encode(&floats, 5, 4).expect("written");
    sources.push(hdr);
    for bytes in &sources {
        import::picture(Path::new("x"), bytes).expect("a good picture");
    }
    let change = (any::<prop::sample::Index>(), any::<u8>(), any::<bool>());
    let strategy = (
        0..sources.len(),
        prop::collection::vec(change, 1..6),
        prop::option::weighted(0.2, any::<prop::sample::Index>()),
    );
    runner(1500)
        .run(&strategy, |(source, changes, cut)| {
            let mut bytes = sources[source].clone();
            for (place, byte, early) in changes {
                // Headers are where the danger is.
                let end = if early { bytes.len().min(200) } else { bytes.len() };
                bytes[place.index(end)] = byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            if let Ok(image) = import::picture(Path::new("x"), &bytes) {
                prop_assert!(image.width_px > 0 && image.height_px > 0);
            }
            Ok(())
        })
        .expect("no panic");
}
