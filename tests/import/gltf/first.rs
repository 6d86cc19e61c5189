//! glTF 1.0, its extensions, and earlier names of extensions: what they show is what glTF 2.0 would.

use glam::{Mat4, Vec3};
use serde_json::{Value, json};
use stillframe_asset::asset::{AlphaMode, Slot};
use stillframe_base::tick::Tick;
use stillframe_models::import::{Model, ModelLightKind};
use stillframe_testkit::glb::{Glb, TRIANGLE, triangle};
use stillframe_world::pose::{self, Playing};

use super::{import_bytes, shown};

/// Bytes of buffers in their order; places of what is appended.
#[derive(Clone, Default)]
struct Data(Vec<u8>);

impl Data {
    fn floats(&mut self, values: &[f32]) -> usize {
        let at = self.0.len();
        self.0.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        at
    }
}

fn white_png() -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let picture = image::DynamicImage::ImageRgb8(image::RgbImage::from_pixel(4, 4, image::Rgb([255; 3])));
    picture.write_to(&mut png, image::ImageFormat::Png).expect("written");
    png.into_inner()
}

/// A document as exporters of 1.0 write it, and its bytes: a mesh with interleaved vertices and a skin, a second mesh,
/// materials of three kinds, a camera, lights, a clip.
pub fn document() -> (Value, Vec<u8>) {
    let mut data = Data::default();
    let vertex = |p: [f32; 3], joint: f32| {
        [p.as_slice(), &[0.0, 0.0, 1.0], &[joint, joint, 0.0, 0.0], &[0.5, 0.5, 0.0, 0.0]].concat()
    };
    let vertices =
        data.floats(&[vertex(TRIANGLE[0], 0.0), vertex(TRIANGLE[1], 0.0), vertex(TRIANGLE[2], 1.0)].concat());
    let uvs = data.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let inverse = [Mat4::IDENTITY, Mat4::from_translation(Vec3::new(0.0, -1.0, 0.0))];
    let inverse = data.floats(&inverse.map(|m| m.to_cols_array()).concat());
    let times = data.floats(&[0.0, 2.0]);
    let places = data.floats(&[0.0, 1.0, 0.0, 0.0, 1.0, 4.0]);
    let indices = data.0.len();
    data.0.extend([0_u16, 1, 2].iter().flat_map(|v| v.to_le_bytes()));
    data.0.extend([0; 2]);
    let (png, png_bytes) = (data.0.len(), white_png());
    data.0.extend(&png_bytes);
    let vertex_view = |offset: usize, kind: &str| {
        json!({ "bufferView": "vertices", "byteOffset": offset, "byteStride": 56, "componentType": 5126, "count": 3,
                "type": kind })
    };
    let rest = |at: usize, count: usize, kind: &str| {
        json!({ "bufferView": "rest", "byteOffset": at - uvs, "byteStride": 0, "componentType": 5126, "count": count,
                "type": kind })
    };
    let json = json!({
        "asset": { "generator": "collada2gltf", "premultipliedAlpha": true, "profile": { "api": "WebGL" }, "version": "1.0" },
        "extensionsUsed": ["KHR_materials_common", "KHR_binary_glTF"],
        "glExtensionsUsed": [],
        "accessors": {
            "positions": vertex_view(0, "VEC3"), "normals": vertex_view(12, "VEC3"),
            "joints": vertex_view(24, "VEC4"), "weights": vertex_view(40, "VEC4"),
            "uvs": rest(uvs, 3, "VEC2"), "inverse": rest(inverse, 2, "MAT4"),
            "times": rest(times, 2, "SCALAR"), "places": rest(places, 2, "VEC3"),
            "indices": { "bufferView": "indices", "byteOffset": 0, "byteStride": 0, "componentType": 5123, "count": 3,
                         "type": "SCALAR" },
        },
        "bufferViews": {
            "vertices": { "buffer": "binary_glTF", "byteOffset": vertices, "byteLength": 3 * 56, "target": 34962 },
            "rest": { "buffer": "binary_glTF", "byteOffset": uvs, "byteLength": indices - uvs },
            "indices": { "buffer": "binary_glTF", "byteOffset": indices, "byteLength": 6, "target": 34963 },
            // To the end of the buffer.
            "png": { "buffer": "binary_glTF", "byteOffset": png },
        },
        "buffers": {
            "binary_glTF": { "byteLength": data.0.len(), "type": "arraybuffer", "uri": "data:," },
        },
        "images": { "white": { "uri": "data:,", "extensions": { "KHR_binary_glTF": {
            "bufferView": "png", "mimeType": "image/png", "width": 4, "height": 4 } } } },
        "samplers": { "near": { "magFilter": 9728, "minFilter": 9728, "wrapS": 33071, "wrapT": 33071 } },
        "textures": { "texture_white": { "format": 6408, "internalFormat": 6408, "sampler": "near", "source": "white",
                                         "target": 3553, "type": 5121 } },
        "techniques": { "technique0": {
            "parameters": { "shininess": { "type": 5126, "value": 30.0 }, "diffuse": { "type": 35678 } },
            "program": "program0", "states": { "enable": [2929, 2884] }, "attributes": {}, "uniforms": {} } },
        "materials": {
            "shiny": { "name": "shiny", "technique": "technique0", "values": {
                "diffuse": "texture_white", "emission": [1.0, 0.0, 0.0, 1.0], "specular": [0.2, 0.2, 0.2, 1.0] } },
            "glass": { "extensions": { "KHR_materials_common": { "technique": "LAMBERT", "doubleSided": true, "values": {
                "diffuse": [0.5, 1.0, 0.0, 1.0], "shininess": 256, "transparency": 0.25 } } } },
            "flat": { "extensions": { "KHR_materials_common": { "technique": "CONSTANT", "values": {
                "emission": [1.0, 1.0, 0.0, 1.0] } } } },
        },
        "meshes": {
            "m0": { "name": "skinned", "primitives": [{
                "attributes": { "POSITION": "positions", "NORMAL": "normals", "TEXCOORD_0": "uvs", "JOINT": "joints",
                                "WEIGHT": "weights" },
                "indices": "indices", "material": "shiny", "mode": 4 }] },
            "m1": { "primitives": [{ "attributes": { "POSITION": "positions" }, "material": "glass" }] },
            "m2": { "primitives": [{ "attributes": { "POSITION": "positions" }, "material": "flat", "primitive": 4 }] },
        },
        "cameras": { "cam": { "type": "perspective", "perspective": {
            "aspectRatio": 1.5, "yfov": 0.6, "znear": 0.1, "zfar": 100.0 } } },
        "skins": { "skin0": { "bindShapeMatrix": Mat4::from_translation(Vec3::new(0.0, 0.0, 5.0)).to_cols_array(),
                              "inverseBindMatrices": "inverse", "jointNames": ["hip", "tip"] } },
        "nodes": {
            "zebra": { "children": ["bone1", "two"], "meshes": ["m0"], "skin": "skin0", "skeletons": ["bone1"] },
            "bone1": { "jointName": "hip", "children": ["bone2"], "translation": [0.0, 0.0, 0.0],
                       "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0, 1.0, 1.0] },
            "bone2": { "jointName": "tip", "children": [], "translation": [0.0, 1.0, 0.0] },
            "two": { "name": "pair", "meshes": ["m1", "m2"], "translation": [10.0, 0.0, 0.0] },
            "eye": { "camera": "cam", "matrix": Mat4::from_translation(Vec3::Z).to_cols_array() },
            "sun": { "extensions": { "KHR_materials_common": { "light": "light1" } } },
            "lamp": { "extensions": { "KHR_materials_common": { "light": "light2" } } },
            // Of another figure.
            "other": { "jointName": "hip", "children": [] },
        },
        "extensions": { "KHR_materials_common": { "lights": {
            "light1": { "type": "directional", "directional": { "color": [1, 1, 1] } },
            "light2": { "type": "point", "point": { "color": [1, 0, 0], "constantAttenuation": 0, "quadraticAttenuation": 2 } },
            "light3": { "type": "ambient", "ambient": { "color": [1, 1, 1] } },
        } } },
        "scene": "main",
        "scenes": { "main": { "nodes": ["other", "zebra", "eye", "sun", "lamp"] } },
        "animations": { "animation_0": {
            "channels": [{ "sampler": "s", "target": { "id": "bone2", "path": "translation" } }],
            "parameters": { "TIME": "times", "translation": "places" },
            "samplers": { "s": { "input": "TIME", "interpolation": "LINEAR", "output": "translation" } } } },
    });
    (json, data.0)
}

/// KHR_binary_glTF: version 1 of the container.
pub fn container((json, body): &(Value, Vec<u8>)) -> Vec<u8> {
    let mut json = serde_json::to_vec(json).expect("JSON");
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = (20 + json.len() + body.len()) as u32;
    let head = [1, length, json.len() as u32, 0].map(u32::to_le_bytes).concat();
    [b"glTF".as_slice(), &head, &json, body].concat()
}

fn first(document: &(Value, Vec<u8>)) -> Model {
    import_bytes(&container(document)).unwrap_or_else(|d| panic!("{d:#?}"))
}

fn linear(encoded: f32) -> f32 {
    stillframe_base::math::colour::linear_from_srgb(encoded)
}

#[test]
fn gltf_1_0() {
    let model = first(&document());
    assert_eq!((model.format.name.as_str(), model.format.generator.as_deref()), ("glTF 1.0", Some("collada2gltf")));
    let warnings: Vec<String> = model.warnings.iter().map(|w| format!("{} {}", w.code, w.message)).collect();
    let path = "extensions.KHR_materials_common.lights.light3";
    assert_eq!(warnings, [format!("W0451 `{path}`: ignored a light of type \"ambient\"")]);

    // Nodes keep their order and, without a name, have their key; of two meshes each is a child.
    let names: Vec<&str> = model.nodes.iter().map(|node| node.name.as_str()).collect();
    assert_eq!(names, ["other", "zebra", "bone1", "bone2", "pair", "m1", "m2", "eye", "sun", "lamp"]);
    assert_eq!((model.nodes[1].mesh.as_deref(), model.nodes[5].mesh.as_deref()), (Some("skinned"), Some("m1")));
    assert_eq!(model.nodes[6].parent, Some(4));

    // Interleaved vertices; the bind shape comes before the joints, which are those below the skeleton.
    let surface = &model.geometries[0].surface;
    assert_eq!((surface.positions.as_slice(), surface.normals[2]), (TRIANGLE.as_slice(), [0.0, 0.0, 1.0]));
    assert_eq!((surface.uv0[1], surface.indices.as_slice()), ([1.0, 0.0], [0, 1, 2].as_slice()));
    assert_eq!(model.skins[0].joints.iter().map(|joint| joint.node).collect::<Vec<_>>(), [2, 3]);
    let bent = &shown(&model)[0].1.positions;
    assert_eq!(bent[2], [0.0, 1.0, 5.0]);
    assert_eq!(shown(&model)[1].2.w_axis.truncate(), Vec3::new(10.0, 0.0, 0.0));

    let named = |name: &str| model.materials.iter().find(|m| m.name == name).expect("a material");
    let shiny = named("shiny");
    let texture = shiny.textures.get(&Slot::BaseColor).expect("a texture");
    assert_eq!((shiny.base_color, texture.mip_filter, model.images.len()), ([1.0; 4], None, 1));
    assert_eq!((shiny.metallic, shiny.roughness, shiny.emissive), (0.0, 0.5, [1.0, 0.0, 0.0]));
    assert_eq!((shiny.double_sided, shiny.alpha_mode), (false, AlphaMode::Opaque));
    let glass = named("glass");
    assert_eq!((glass.base_color, glass.roughness), ([linear(0.5), 1.0, 0.0, 0.25], 1.0));
    assert_eq!((glass.double_sided, glass.alpha_mode), (true, AlphaMode::Blend));
    assert_eq!((named("flat").unlit, named("flat").base_color), (true, [1.0, 1.0, 0.0, 1.0]));

    let camera = &model.cameras[0];
    assert_eq!((camera.name.as_str(), camera.near_m, camera.far_m), ("eye", 0.1, Some(100.0)));
    let pi = std::f32::consts::PI;
    assert_eq!(model.lights[0].kind, ModelLightKind::Directional { illuminance_lux: pi });
    assert_eq!(model.lights[1].kind, ModelLightKind::Point { intensity_cd: pi * 0.5, range_m: None });
    assert_eq!((model.lights[1].name.as_str(), model.lights[1].color), ("lamp", [1.0, 0.0, 0.0]));

    let pose = pose::pose(&model, &[Playing { clip: 0, time: Tick::from_seconds(1.0) }]);
    assert_eq!(pose.model_from_local[3].w_axis.truncate(), Vec3::new(0.0, 1.0, 2.0));
}

/// The same as text with its data beside it, and without a version.
#[test]
fn gltf_1_0_as_text() {
    let (mut json, body) = document();
    let in_container = first(&(json.clone(), body.clone()));
    let encoded = String::from_utf8(stillframe_base::base64::base64(&body)).expect("ASCII");
    json["asset"].as_object_mut().expect("an object").remove("version");
    json["buffers"]["binary_glTF"]["uri"] = json!(format!("data:application/octet-stream;base64,{encoded}"));
    let model = import_bytes(&serde_json::to_vec(&json).expect("JSON")).unwrap_or_else(|d| panic!("{d:#?}"));
    assert_eq!(model, in_container);
}

#[test]
fn faults_of_gltf_1_0_speak_of_its_names() {
    let told = |pointer: &str, value: Value| {
        let (mut json, body) = document();
        *json.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value;
        let fault = import_bytes(&container(&(json, body))).map(|_| pointer).expect_err("a fault").remove(0);
        format!("{} {}", fault.code, fault.message)
    };
    for (pointer, value, want) in [
        (
            "/nodes/zebra/meshes/0",
            json!("no"),
            "E0406 `nodes.zebra.meshes` refers to `meshes.no`, which does not exist",
        ),
        ("/scene", json!("no"), "E0406 `the document.scene` refers to `scenes.no`, which does not exist"),
        (
            "/skins/skin0/jointNames/1",
            json!("no"),
            "E0406 `skins.skin0.jointNames[1]` names the joint \"no\", which no node is",
        ),
        (
            "/meshes/m0/primitives/0/attributes/JOINT",
            json!("inverse"),
            "E0412 `meshes.m0.primitives[0].attributes.JOINTS_0`: ",
        ),
        (
            "/accessors/joints/byteOffset",
            json!(40),
            "E0409 `accessors.joints`: 4 x F32 where VEC4 of whole numbers is needed",
        ),
        ("/accessors/positions/count", json!(9), "E0408 `accessors.positions`"),
        (
            "/materials/shiny/values/diffuse",
            json!("no"),
            "E0406 `materials.shiny.values.diffuse` refers to `textures.no`",
        ),
        (
            "/animations/animation_0/channels/0/sampler",
            json!("no"),
            "E0406 `animations.animation_0.channels[0].sampler` refers to",
        ),
        (
            "/animations/animation_0/samplers/s/input",
            json!("no"),
            "E0406 `animations.animation_0.samplers.s.input` refers to `acc",
        ),
        ("/nodes/bone2/children", json!(["bone1"]), "E0413 `nodes.bone"),
        ("/nodes/eye", json!(3), "E0405 `nodes.eye` must be an object"),
        ("/cameras/cam/type", json!("fish"), "E0405 `cameras.cam.type` must be"),
        (
            "/extensionsUsed",
            json!(["WEB3D_quantized_attributes"]),
            "E0404 the model requires the unsupported extension",
        ),
    ] {
        let told = told(pointer, value);
        assert!(told.starts_with(want), "{pointer}: {told}");
    }
    let old = json!({ "asset": { "version": "0.8" } });
    let refused = import_bytes(&serde_json::to_vec(&old).expect("JSON")).expect_err("too old").remove(0);
    assert_eq!(refused.message, "`asset.version` must be \"2.0\" or \"1.0\", found \"0.8\"");
    assert!(refused.help.is_some());
}

#[test]
fn earlier_names_of_extensions() {
    let mut glb = triangle();
    glb.json["extensionsUsed"] = json!(["KHR_lights", "EXT_texture_transform", "KHR_materials_cmnConstant"]);
    glb.json["extensionsRequired"] = json!(["KHR_quantized_geometry"]);
    glb.json["extensions"] = json!({ "KHR_lights": { "lights": [{ "type": "point", "intensity": 3.0 }] } });
    glb.json["nodes"][0]["extensions"] = json!({ "KHR_lights": { "light": 0 } });
    let picture = glb.view(&white_png(), None);
    glb.push("images", json!({ "bufferView": picture }));
    glb.push("textures", json!({ "source": 0 }));
    let transform = json!({ "EXT_texture_transform": { "offset": [0.25, 0.5] } });
    glb.push(
        "materials",
        json!({
            "pbrMetallicRoughness": { "baseColorTexture": { "index": 0, "extensions": transform } },
            "extensions": { "KHR_materials_cmnConstant": {} },
        }),
    );
    glb.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let read = |glb: &Glb| import_bytes(&glb.bytes()).unwrap_or_else(|d| panic!("{d:#?}"));
    let model = read(&glb);
    assert_eq!(model.warnings, []);
    assert_eq!(model.lights[0].kind, ModelLightKind::Point { intensity_cd: 3.0, range_m: None });
    assert!(model.materials[0].unlit);
    let texture = |model: &Model| model.materials[0].textures.get(&Slot::BaseColor).cloned().expect("a texture");
    assert_eq!(texture(&model).transform.offset, [0.25, 0.5]);
    // A name that the file does not list is nobody's.
    glb.json["extensionsUsed"] = json!(["KHR_lights", "KHR_materials_cmnConstant"]);
    assert_eq!(texture(&read(&glb)).transform.offset, [0.0, 0.0]);
}
