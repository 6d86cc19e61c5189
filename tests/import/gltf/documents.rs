//! Documents: modes, materials, textures, nodes, cameras, lights, extensions, buffers.

use glam::{Mat4, Quat, Vec3};
use serde_json::{Value, json};
use stillframe_asset::asset::{AlphaMode, Filter, Slot, Texels, Wrap};
use stillframe_models::import::{self, ModelLightKind, ModelProjection};
use stillframe_testkit::glb::{Glb, TRIANGLE, triangle};
use stillframe_world::pose;

use super::import_bytes;

/// One custom float attribute of each primitive of mesh 0, read by hand.
pub fn custom_attribute(bytes: &[u8], name: &str) -> Vec<Vec<f32>> {
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four")) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + length]).expect("JSON");
    let bin = &bytes[20 + length + 8..];
    let primitives = json["meshes"][0]["primitives"].as_array().expect("primitives");
    primitives
        .iter()
        .map(|primitive| {
            let accessor = &json["accessors"][primitive["attributes"][name].as_u64().expect(name) as usize];
            assert_eq!((&accessor["type"], &accessor["componentType"]), (&json!("SCALAR"), &json!(5126)));
            let view = &json["bufferViews"][accessor["bufferView"].as_u64().expect("a view") as usize];
            let start = view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0);
            let count = accessor["count"].as_u64().expect("a count") as usize;
            let bytes = &bin[start as usize..start as usize + count * 4];
            bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().expect("four"))).collect()
        })
        .collect()
}

#[test]
fn strips_and_fans_keep_their_facing() {
    let positions: Vec<[f32; 3]> = (0..5).map(|i| [i as f32, (i * i) as f32, 0.0]).collect();
    for (mode, indexed, wanted) in [
        (4, false, vec![0, 1, 2]),
        (5, false, vec![0, 1, 2, 1, 3, 2, 2, 3, 4]),
        (6, false, vec![1, 2, 0, 2, 3, 0, 3, 4, 0]),
        (5, true, vec![4, 3, 2, 3, 1, 2, 2, 1, 0]),
        (6, true, vec![3, 2, 4, 2, 1, 4, 1, 0, 4]),
    ] {
        let mut glb = Glb::new();
        let position = glb.floats(&positions);
        let mut primitive = json!({ "attributes": { "POSITION": position }, "mode": mode });
        if indexed {
            primitive["indices"] = json!(glb.shorts(&[[4], [3], [2], [1], [0]]));
        }
        glb.mesh(primitive);
        let model = import_bytes(&glb.bytes()).expect("good");
        assert_eq!(model.geometries[0].surface.indices, wanted, "mode {mode} indexed {indexed}");
        // Two corners too many for whole triangles are told.
        assert_eq!(model.warnings.len(), usize::from(mode == 4), "{:?}", model.warnings);
    }
}

#[test]
fn strips_fans_and_lists_begin_anew_at_the_largest_index() {
    let positions: Vec<[f32; 3]> = (0..8).map(|i| [i as f32, (i * i) as f32, 0.0]).collect();
    for (mode, wanted) in
        [(4, vec![0, 1, 2, 5, 6, 7]), (5, vec![0, 1, 2, 1, 3, 2, 5, 6, 7]), (6, vec![1, 2, 0, 2, 3, 0, 6, 7, 5])]
    {
        for (component, size) in [(5121, 1), (5123, 2), (5125, 4)] {
            let mut glb = Glb::new();
            let position = glb.floats(&positions);
            let order = [0, 1, 2, 3, u32::MAX, 5, 6, 7, u32::MAX];
            let order = if mode == 4 { [0, 1, 2, u32::MAX, 5, 6, 7, u32::MAX, u32::MAX] } else { order };
            let bytes: Vec<u8> = order.iter().flat_map(|i| i.to_le_bytes()[..size].to_vec()).collect();
            let view = glb.view(&bytes, None);
            let indices = glb.push(
                "accessors",
                json!({ "bufferView": view, "componentType": component, "count": 9, "type": "SCALAR" }),
            );
            glb.mesh(json!({ "attributes": { "POSITION": position }, "mode": mode, "indices": indices }));
            let model = import_bytes(&glb.bytes()).unwrap_or_else(|d| panic!("mode {mode}: {d:#?}"));
            assert_eq!(model.geometries[0].surface.indices, wanted, "mode {mode}, {size} bytes");
            assert_eq!(model.warnings, [], "mode {mode}");
        }
    }
    // Where there are so many vertices, the largest index is one of them.
    let mut glb = Glb::new();
    let position = glb.floats(&(0..256).map(|i| [i as f32, 0.0, 0.0]).collect::<Vec<_>>());
    let view = glb.view(&[0, 1, 255], None);
    let indices =
        glb.push("accessors", json!({ "bufferView": view, "componentType": 5121, "count": 3, "type": "SCALAR" }));
    glb.mesh(json!({ "attributes": { "POSITION": position }, "indices": indices }));
    assert_eq!(import_bytes(&glb.bytes()).expect("good").geometries[0].surface.indices, [0, 1, 255]);
}

/// Points, lines, a loop and a strip of three vertices: so many strokes of six vertices each.
#[test]
fn lines_and_points_are_solids() {
    for (mode, strokes) in [(0, 3), (1, 1), (2, 3), (3, 2)] {
        let mut glb = triangle();
        glb.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        let model = import_bytes(&glb.bytes()).expect("good");
        let surface = &model.geometries[0].surface;
        assert_eq!((surface.positions.len(), surface.indices.len()), (6 * strokes, 24 * strokes), "mode {mode}");
        assert!(model.materials[model.nodes[0].parts[0].material].unlit, "mode {mode}: there are no normals");
        assert_eq!(model.warnings, []);
    }
}

/// Strokes are as wide in a node that is scaled.
#[test]
fn strokes_are_as_wide_at_any_scale() {
    let radius_m = |scale: f64| {
        let mut glb = triangle();
        glb.json["meshes"][0]["primitives"][0]["mode"] = json!(3);
        glb.json["nodes"][0]["scale"] = json!([scale, scale, scale]);
        let surface = import_bytes(&glb.bytes()).expect("good").geometries[0].surface.clone();
        let [_, y, z] = surface.positions[0];
        f64::from((y * y + z * z).sqrt()) * scale
    };
    let (plain, large) = (radius_m(1.0), radius_m(50.0));
    assert!((large / plain / 50.0 - 1.0).abs() < 1e-4, "{plain} {large}");
}

/// A PNG of 2 x 1 texels.
fn png(sixteen: bool) -> Vec<u8> {
    let picture = if sixteen {
        let words = vec![0x0001, 0x0203, 0x0405, 0x0607, 0x0809, 0x0A0B];
        image::DynamicImage::ImageRgb16(image::ImageBuffer::from_raw(2, 1, words).expect("six"))
    } else {
        image::DynamicImage::ImageRgb8(image::RgbImage::from_raw(2, 1, vec![10, 20, 30, 40, 50, 60]).expect("six"))
    };
    let mut out = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut out, image::ImageFormat::Png).expect("written");
    out.into_inner()
}

fn base64(bytes: &[u8]) -> String {
    const CODE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bytes
        .chunks(3)
        .map(|c| {
            let word =
                u32::from(c[0]) << 16 | u32::from(*c.get(1).unwrap_or(&0)) << 8 | u32::from(*c.get(2).unwrap_or(&0));
            let text: String = (0..4).map(|i| CODE[(word >> (18 - 6 * i) & 63) as usize] as char).collect();
            text[..c.len() + 1].to_string() + &"=="[..3 - c.len()]
        })
        .collect()
}

fn textured(image: Value, texture: Value) -> Glb {
    let mut glb = triangle();
    glb.push("images", image);
    glb.push("textures", json!({ "source": 0 }));
    glb.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": texture } }));
    glb.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    glb
}

#[test]
fn pictures_from_views_data_and_files() {
    let plain = Texels::Rgba8(vec![10, 20, 30, 255, 40, 50, 60, 255]);
    let deep = Texels::Rgba16(vec![0x0001, 0x0203, 0x0405, 65535, 0x0607, 0x0809, 0x0A0B, 65535]);
    for (sixteen, wanted) in [(false, &plain), (true, &deep)] {
        let uri = format!("data:image/png;base64,{}", base64(&png(sixteen)));
        let model = import_bytes(&textured(json!({ "uri": uri }), json!({ "index": 0 })).bytes()).expect("good");
        assert_eq!((&model.images[0].texels, model.images[0].width_px), (wanted, 2));

        let mut glb = textured(json!({}), json!({ "index": 0 }));
        let view = glb.view(&png(sixteen), None);
        glb.json["images"][0] = json!({ "bufferView": view, "mimeType": "image/png", "name": "pic" });
        let model = import_bytes(&glb.bytes()).expect("good");
        assert_eq!((&model.images[0].texels, model.images[0].name.as_str()), (wanted, "pic"));
    }
    let model = import_bytes(&textured(json!({ "uri": "crate%5Fbase.png" }), json!({ "index": 0 })).bytes());
    assert_eq!(model.expect("good").images[0].name, "crate%5Fbase.png");
}

#[test]
fn texture_transforms_are_multiplied_out() {
    // Turned by 90 degrees counter-clockwise as seen on the picture: u of a point (1, 0) ends at v = -1, since v points
    // down.
    let half_pi = std::f32::consts::FRAC_PI_2;
    for (transform, uv, wanted) in [
        (json!({}), [0.3, 0.7], [0.3, 0.7]),
        (json!({ "offset": [0.5, -0.25] }), [0.3, 0.7], [0.8, 0.45]),
        (json!({ "scale": [2.0, 3.0] }), [0.3, 0.7], [0.6, 2.1]),
        (json!({ "rotation": half_pi }), [1.0, 0.0], [0.0, -1.0]),
        (json!({ "rotation": half_pi }), [0.0, 1.0], [1.0, 0.0]),
        // Scale first, then turn, then move.
        (json!({ "rotation": half_pi, "scale": [2.0, 3.0], "offset": [10.0, 20.0] }), [1.0, 1.0], [13.0, 18.0]),
    ] {
        let texture = json!({ "index": 0, "extensions": { "KHR_texture_transform": transform } });
        let uri = format!("data:image/png;base64,{}", base64(&png(false)));
        let model = import_bytes(&textured(json!({ "uri": uri }), texture).bytes()).expect("good");
        let slot = model.materials[0].textures.get(&Slot::BaseColor).expect("a texture");
        let dot = |row: [f32; 2]| row[0] * uv[0] + row[1] * uv[1];
        let found =
            [dot(slot.transform.x) + slot.transform.offset[0], dot(slot.transform.y) + slot.transform.offset[1]];
        for axis in 0..2 {
            assert!((found[axis] - wanted[axis]).abs() < 1e-6, "{transform}: {found:?}");
        }
    }
    let texture = json!({ "index": 0, "texCoord": 0, "extensions": { "KHR_texture_transform": { "texCoord": 1 } } });
    let uri = format!("data:image/png;base64,{}", base64(&png(false)));
    let model = import_bytes(&textured(json!({ "uri": uri }), texture).bytes()).expect("good");
    assert_eq!(model.materials[0].textures.get(&Slot::BaseColor).expect("a texture").uv_set, 1);
}

#[test]
fn samplers() {
    let linear = Some(Filter::Linear);
    for (sampler, wrap, mag, min, mip) in [
        (json!({}), [Wrap::Repeat; 2], Filter::Linear, Filter::Linear, linear),
        (
            json!({ "wrapS": 33071, "wrapT": 33648 }),
            [Wrap::Clamp, Wrap::Mirror],
            Filter::Linear,
            Filter::Linear,
            linear,
        ),
        (json!({ "magFilter": 9728, "minFilter": 9728 }), [Wrap::Repeat; 2], Filter::Nearest, Filter::Nearest, None),
        (json!({ "minFilter": 9729 }), [Wrap::Repeat; 2], Filter::Linear, Filter::Linear, None),
        (json!({ "minFilter": 9984 }), [Wrap::Repeat; 2], Filter::Linear, Filter::Nearest, Some(Filter::Nearest)),
        (json!({ "minFilter": 9985 }), [Wrap::Repeat; 2], Filter::Linear, Filter::Linear, Some(Filter::Nearest)),
        (json!({ "minFilter": 9986 }), [Wrap::Repeat; 2], Filter::Linear, Filter::Nearest, linear),
        (json!({ "minFilter": 9987 }), [Wrap::Repeat; 2], Filter::Linear, Filter::Linear, linear),
    ] {
        let uri = format!("data:image/png;base64,{}", base64(&png(false)));
        let mut glb = textured(json!({ "uri": uri }), json!({ "index": 0 }));
        glb.push("samplers", sampler.clone());
        glb.json["textures"][0]["sampler"] = json!(0);
        let model = import_bytes(&glb.bytes()).expect("good");
        let slot = model.materials[0].textures.get(&Slot::BaseColor).expect("a texture");
        assert_eq!((slot.wrap, slot.mag_filter, slot.min_filter, slot.mip_filter), (wrap, mag, min, mip), "{sampler}");
    }
}

#[test]
fn materials_and_their_defaults() {
    let material = |material: Value| {
        let mut glb = triangle();
        glb.push("materials", material);
        glb.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        import_bytes(&glb.bytes()).expect("good").materials.remove(0)
    };
    let plain = material(json!({}));
    assert_eq!((plain.base_color, plain.metallic, plain.roughness), ([1.0; 4], 1.0, 1.0));
    assert_eq!((plain.alpha_mode, plain.double_sided, plain.unlit), (AlphaMode::Opaque, false, false));
    assert_eq!(plain.name, "material 0");
    let full = material(json!({
        "name": "full",
        "pbrMetallicRoughness": { "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "metallicFactor": 0.5, "roughnessFactor": 0.6 },
        "emissiveFactor": [1.0, 0.5, 0.25],
        "alphaMode": "MASK", "alphaCutoff": 0.3, "doubleSided": true,
        "extensions": { "KHR_materials_unlit": {}, "KHR_materials_emissive_strength": { "emissiveStrength": 8.0 } },
    }));
    assert_eq!((full.base_color, full.metallic, full.roughness), ([0.1, 0.2, 0.3, 0.4], 0.5, 0.6));
    assert_eq!((full.emissive, full.alpha_mode), ([8.0, 4.0, 2.0], AlphaMode::Mask { cutoff: 0.3 }));
    assert!(full.double_sided && full.unlit && full.name == "full");
    assert_eq!(material(json!({ "alphaMode": "BLEND" })).alpha_mode, AlphaMode::Blend);
    // A primitive without a material gets glTF's default.
    assert_eq!(import_bytes(&triangle().bytes()).expect("good").materials[0].metallic, 1.0);
}

#[test]
fn nodes_multiply_and_mirror() {
    let mut glb = triangle();
    glb.json["scenes"] = json!([{ "nodes": [2] }]);
    let turn = Quat::from_xyzw(0.0, std::f32::consts::FRAC_1_SQRT_2, 0.0, std::f32::consts::FRAC_1_SQRT_2);
    glb.json["nodes"] = json!([
        { "name": "leaf", "mesh": 0, "scale": [-1.0, 2.0, 1.0] },
        { "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1], "children": [0] },
        // Twice the unit length: rotations are made unit.
        { "name": "root", "rotation": (turn * 2.0).to_array(), "children": [3, 1] },
        { "mesh": 0 },
        { "name": "stray", "mesh": 0 },
    ]);
    let model = import_bytes(&glb.bytes()).expect("good");
    let names: Vec<&str> = model.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["root", "node 3", "node 1", "leaf"]);
    assert_eq!(model.nodes.iter().map(|n| n.parent).collect::<Vec<_>>(), [None, Some(0), Some(0), Some(2)]);
    let wanted = Mat4::from_quat(turn)
        * Mat4::from_translation(Vec3::new(5.0, 6.0, 7.0))
        * Mat4::from_scale(Vec3::new(-1.0, 2.0, 1.0));
    let placed = pose::pose(&model, &[]).model_from_local[3];
    assert!(placed.abs_diff_eq(wanted, 1e-5), "{placed}");
    // Three nodes show one mesh: its triangles are there once.
    assert_eq!(model.geometries.len(), 1);
    // Without scenes, everything without a parent is shown.
    glb.json.as_object_mut().expect("object").remove("scenes");
    glb.json.as_object_mut().expect("object").remove("scene");
    assert_eq!(import_bytes(&glb.bytes()).expect("good").nodes.len(), 5);
    // A scene may be empty, and a file may have no nodes at all.
    assert!(
        import_bytes(&stillframe_testkit::glb::container(br#"{"asset":{"version":"2.0"},"scenes":[{}]}"#, b"")).is_ok()
    );
    assert!(import_bytes(br#"{"asset":{"version":"2.0"}}"#).expect("good").nodes.is_empty());
}

#[test]
fn a_deep_tree_is_no_recursion() {
    let mut glb = triangle();
    let depth = 60_000;
    let nodes: Vec<Value> =
        (0..depth).map(|n| if n + 1 < depth { json!({ "children": [n + 1] }) } else { json!({ "mesh": 0 }) }).collect();
    glb.json["nodes"] = json!(nodes);
    let model = import_bytes(&glb.bytes()).expect("good");
    assert_eq!(model.nodes.len(), depth);
    assert_eq!(model.nodes[depth - 1].parts.len(), 1);
}

#[test]
fn cameras_and_lights() {
    let mut glb = triangle();
    glb.json["extensions"] = json!({ "KHR_lights_punctual": { "lights": [
        { "type": "directional", "intensity": 3.0, "color": [1.0, 0.5, 0.25] },
        { "type": "point", "range": 9.0 },
        { "type": "spot", "intensity": 7.0, "spot": { "innerConeAngle": 0.1, "outerConeAngle": 0.2 } },
        { "type": "spot", "spot": {} },
    ] } });
    let light =
        |n: u32| json!({ "name": format!("light{n}"), "extensions": { "KHR_lights_punctual": { "light": n } } });
    glb.push("cameras", json!({ "type": "perspective", "name": "wide", "perspective": { "yfov": 1.0, "znear": 0.1 } }));
    glb.push(
        "cameras",
        json!({ "type": "orthographic", "orthographic": { "xmag": 9.0, "ymag": 2.0, "znear": 0.0, "zfar": 5.0 } }),
    );
    glb.json["nodes"] = json!([
        { "children": [1, 2, 3, 4, 5, 6] },
        light(0), light(1), light(2), light(3),
        { "camera": 0 }, { "name": "eye", "camera": 1 },
    ]);
    let model = import_bytes(&glb.bytes()).expect("good");
    let kinds: Vec<ModelLightKind> = model.lights.iter().map(|l| l.kind).collect();
    assert_eq!(
        kinds,
        [
            ModelLightKind::Directional { illuminance_lux: 3.0 },
            ModelLightKind::Point { intensity_cd: 1.0, range_m: Some(9.0) },
            ModelLightKind::Spot { intensity_cd: 7.0, range_m: None, inner_rad: 0.1, outer_rad: 0.2 },
            ModelLightKind::Spot {
                intensity_cd: 1.0,
                range_m: None,
                inner_rad: 0.0,
                outer_rad: std::f32::consts::FRAC_PI_4
            },
        ]
    );
    assert_eq!((model.lights[0].color, model.lights[0].name.as_str()), ([1.0, 0.5, 0.25], "light0"));
    assert_eq!(model.cameras.len(), 2);
    assert_eq!((model.cameras[0].name.as_str(), model.cameras[0].far_m), ("wide", None));
    assert_eq!(model.cameras[0].projection, ModelProjection::Perspective { fov_y_rad: 1.0 });
    assert_eq!((model.cameras[1].name.as_str(), model.cameras[1].far_m), ("eye", Some(5.0)));
    assert_eq!(model.cameras[1].projection, ModelProjection::Orthographic { height_m: 4.0 });
}

#[test]
fn quantised_positions_and_extensions() {
    let mut glb = Glb::new();
    glb.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    glb.json["extensionsUsed"] = json!(["KHR_mesh_quantization", "EXT_something"]);
    glb.json["nodes"][0]["scale"] = json!([2.0, 2.0, 2.0]);
    glb.json["nodes"][0]["translation"] = json!([1.0, 0.0, 0.0]);
    let rows: [[i16; 3]; 3] = [[0, 0, 0], [32767, 0, 0], [0, -32768, 0]];
    let bytes: Vec<u8> = rows.iter().flat_map(|r| r.iter().flat_map(|v| v.to_le_bytes()).chain([0, 0])).collect();
    let view = glb.view(&bytes, Some(8));
    let position = glb.push(
        "accessors",
        json!({ "bufferView": view, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC3" }),
    );
    glb.mesh(json!({ "attributes": { "POSITION": position } }));
    let model = import_bytes(&glb.bytes()).expect("good");
    assert_eq!(model.geometries[0].surface.positions, [[0.0; 3], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
    let placed = super::shown(&model)[0].2.transform_point3(Vec3::X);
    assert_eq!(placed, Vec3::new(3.0, 0.0, 0.0));
    assert_eq!(model.warnings.len(), 1);
    assert!(model.warnings[0].message.contains("EXT_something"));
}

#[test]
fn morph_weights_as_stored() {
    for (node, mesh, wanted_x) in [(None, None, 1.0), (None, Some([0.5]), 3.0), (Some([0.25]), Some([0.5]), 2.0)] {
        let mut glb = Glb::new();
        let position = glb.floats(&TRIANGLE);
        let delta = glb.floats(&[[0.0; 3], [4.0, 0.0, 0.0], [0.0; 3]]);
        glb.mesh(json!({ "attributes": { "POSITION": position }, "targets": [{ "POSITION": delta }] }));
        if let Some(weights) = mesh {
            glb.json["meshes"][0]["weights"] = json!(weights);
        }
        if let Some(weights) = node {
            glb.json["nodes"][0]["weights"] = json!(weights);
        }
        let model = import_bytes(&glb.bytes()).expect("good");
        assert_eq!(super::shown(&model)[0].1.positions[1][0], wanted_x, "{node:?} {mesh:?}");
    }
}

#[test]
fn text_documents_and_data_buffers() {
    let bytes: Vec<u8> = TRIANGLE.iter().flatten().flat_map(|f| f.to_le_bytes()).collect();
    let mut glb = triangle();
    glb.json["buffers"] = json!([{
        "byteLength": bytes.len(),
        "uri": format!("data:application/octet-stream;base64,{}", base64(&bytes)),
    }]);
    let mut text = b"\xEF\xBB\xBF".to_vec();
    text.extend(serde_json::to_vec_pretty(&glb.json).expect("JSON"));
    assert_eq!(import_bytes(&text).expect("good").geometries[0].surface.positions, TRIANGLE);
}

#[test]
fn the_named_scene_else_the_first_is_shown() {
    let mut glb = triangle();
    glb.json["nodes"] =
        json!([{ "name": "a", "mesh": 0 }, { "name": "b", "mesh": 0 }, { "name": "c", "children": [0] }]);
    glb.json["scenes"] = json!([{ "nodes": [1] }, { "nodes": [2] }]);
    for (scene, wanted) in [(json!(1), vec!["c", "a"]), (json!(0), vec!["b"]), (json!(null), vec!["b"])] {
        glb.json["scene"] = scene.clone();
        let model = import_bytes(&glb.bytes()).expect("good");
        assert_eq!(model.nodes.iter().map(|n| n.name.as_str()).collect::<Vec<_>>(), wanted, "{scene}");
    }
}

#[test]
fn containers_with_more_than_they_need() {
    let glb = triangle();
    let plain = import_bytes(&glb.bytes()).expect("good");
    let mut json = glb.json.clone();
    json["buffers"] = json!([{ "byteLength": glb.bin.len() }]);
    let mut text = b"\xEF\xBB\xBF".to_vec();
    text.extend(serde_json::to_vec(&json).expect("JSON"));
    // Zeros behind the document instead of spaces, as some writers have it.
    text.extend([0; 7]);
    let mut bytes = stillframe_testkit::glb::container(&text, &glb.bin);
    // A chunk of a kind that nobody knows, and bytes behind the end.
    bytes.extend([4, 0, 0, 0, b'X', b'T', b'R', b'A', 1, 2, 3, 4]);
    let length = bytes.len() as u32;
    bytes[8..12].copy_from_slice(&length.to_le_bytes());
    bytes.extend(b"more");
    assert_eq!(import_bytes(&bytes).expect("good"), plain);
}

#[test]
fn names_of_files_as_people_write_them() {
    let bytes: Vec<u8> = TRIANGLE.iter().flatten().flat_map(|f| f.to_le_bytes()).collect();
    for (uri, on_disk) in [
        ("my%20data/a.BIN", "my data/a.BIN"),
        ("my data/a.BIN", "my data/a.BIN"),
        ("my data\\a.BIN", "my data/a.BIN"),
        ("my%20data%5Ca.BIN", "my data/a.BIN"),
        ("./x/../my data/a.BIN", "./x/../my data/a.BIN"),
        ("100%.bin", "100%.bin"),
        ("codes%20stay.bin", "codes%20stay.bin"),
        ("gr%C3%BCn.bin", "grün.bin"),
    ] {
        let mut glb = triangle();
        glb.json["buffers"] = json!([{ "byteLength": bytes.len(), "uri": uri }]);
        let text = serde_json::to_vec(&glb.json).expect("JSON");
        let read = |path: &std::path::Path| {
            if path == std::path::Path::new("folder").join(on_disk) {
                Ok(bytes.clone())
            } else {
                Err(stillframe_asset::source::Diagnostic::error("E0301", path, "there is no such file"))
            }
        };
        let model = import::gltf(std::path::Path::new("folder/model.gltf"), &text, &read);
        assert_eq!(model.unwrap_or_else(|d| panic!("{uri}: {d:#?}")).geometries[0].surface.positions, TRIANGLE);
    }
    // Broken lines in base64 are no fault.
    let mut glb = triangle();
    let code = base64(&bytes);
    let uri = format!("data:application/gltf-buffer;base64,{}\r\n {}", &code[..10], &code[10..]);
    glb.json["buffers"] = json!([{ "byteLength": bytes.len(), "uri": uri }]);
    assert!(import_bytes(&serde_json::to_vec(&glb.json).expect("JSON")).is_ok());
}

/// Without normals of its own a shape is flat, and stays so when morph targets move it.
#[test]
fn morphs_without_normals_are_lit_flat() {
    let mut glb = Glb::new();
    let position = glb.floats(&TRIANGLE);
    let delta = glb.floats(&[[0.0; 3], [0.0; 3], [0.0, -1.0, 1.0]]);
    glb.mesh(json!({ "attributes": { "POSITION": position }, "targets": [{ "POSITION": delta }] }));
    for (weight, normal) in [(0.0, Vec3::Z), (1.0, Vec3::NEG_Y)] {
        glb.json["nodes"][0]["weights"] = json!([weight]);
        let model = import_bytes(&glb.bytes()).expect("good");
        let bent = super::shown(&model).remove(0).1;
        let baked = stillframe_models::bake::complete(bent, stillframe_models::bake::TangentWish::Any).geometry;
        assert!(baked.normals.iter().all(|n| (Vec3::from(*n) - normal).length() < 1e-6), "{:?}", baked.normals);
    }
}

/// Positions and normals of targets are read; what they do to colours and texture coordinates is told, once a mesh.
#[test]
fn what_targets_do_to_colours_is_told() {
    let of = |targets: serde_json::Value| {
        let mut glb = Glb::new();
        let (position, delta) = (glb.floats(&TRIANGLE), glb.floats(&[[0.0; 3], [0.0; 3], [0.0, -1.0, 1.0]]));
        let targets = targets.to_string().replace("\"DELTA\"", &delta.to_string());
        let targets: serde_json::Value = serde_json::from_str(&targets).expect("JSON");
        glb.mesh(json!({ "attributes": { "POSITION": position }, "targets": targets }));
        let model = import_bytes(&glb.bytes()).expect("good");
        assert_eq!(model.geometries[0].targets.len(), 2);
        model.warnings
    };
    let told = of(json!([{ "POSITION": "DELTA", "COLOR_0": "DELTA" }, { "COLOR_0": "DELTA", "TEXCOORD_0": "DELTA" }]));
    let codes: Vec<&str> = told.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["W0457", "W0457"], "{told:#?}");
    assert!(told[1].message.contains("targets[0]") && told[1].message.contains("COLOR_0"), "{told:#?}");
    assert!(told[0].message.contains("targets[1]") && told[0].message.contains("TEXCOORD_0"), "{told:#?}");
    assert!(told[0].help.is_some());
    let none = of(json!([{ "POSITION": "DELTA", "_OWN": "DELTA" }, { "NORMAL": "DELTA" }]));
    assert!(none.is_empty(), "{none:#?}");
}
