//! Extensions of glTF: layers of materials, other formats of pictures, instances, visibility, pointers, variants.

use glam::{Mat4, Vec3};
use serde_json::{Value, json};
use stillframe_asset::asset::{Material, Slot};
use stillframe_base::tick::Tick;
use stillframe_models::import::{self, Model};
use stillframe_testkit::glb::{Glb, TRIANGLE, triangle};
use stillframe_world::pose::{self, Playing};

use super::{asset, import_bytes};

fn with_material(material: Value) -> Model {
    let mut glb = triangle();
    glb.push("materials", material);
    glb.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    import_bytes(&glb.bytes()).unwrap_or_else(|d| panic!("{d:#?}"))
}

/// The text of a material's layers where an extension says `values`.
fn layered(extension: &str, values: Value) -> (Material, Vec<String>) {
    let model = with_material(json!({ "name": "m", "extensions": { extension: values } }));
    let warnings = model.warnings.iter().map(|w| format!("{} {}", w.code, w.message)).collect();
    (model.materials[0].clone(), warnings)
}

#[test]
fn layers_and_their_defaults() {
    // Extension, values, the start of what is read in Rust's words.
    let rows = [
        ("KHR_materials_ior", json!({}), "ior: Some(1.5)"),
        ("KHR_materials_ior", json!({ "ior": 1.33 }), "ior: Some(1.33)"),
        ("KHR_materials_dispersion", json!({ "dispersion": 0.1 }), "dispersion: Some(0.1)"),
        ("KHR_materials_specular", json!({}), "strength: 1.0, strength_texture: None, color: [1.0, 1.0, 1.0]"),
        (
            "KHR_materials_specular",
            json!({ "specularFactor": 0.25, "specularColorFactor": [1, 0.5, 0] }),
            "strength: 0.25, strength_texture: None, color: [1.0, 0.5, 0.0]",
        ),
        ("KHR_materials_clearcoat", json!({}), "strength: 0.0, strength_texture: None, roughness: 0.0"),
        (
            "KHR_materials_clearcoat",
            json!({ "clearcoatFactor": 1, "clearcoatRoughnessFactor": 0.5 }),
            "strength: 1.0, strength_texture: None, roughness: 0.5",
        ),
        (
            "KHR_materials_sheen",
            json!({ "sheenColorFactor": [0.5, 0, 0], "sheenRoughnessFactor": 0.3 }),
            "color: [0.5, 0.0, 0.0], color_texture: None, roughness: 0.3",
        ),
        ("KHR_materials_transmission", json!({ "transmissionFactor": 0.9 }), "strength: 0.9"),
        (
            "KHR_materials_diffuse_transmission",
            json!({ "diffuseTransmissionFactor": 0.4 }),
            "strength: 0.4, strength_texture: None, color: [1.0, 1.0, 1.0]",
        ),
        (
            "KHR_materials_volume",
            json!({ "thicknessFactor": 0.5, "attenuationColor": [1, 0, 0] }),
            "thickness_m: 0.5, thickness_texture: None, attenuation_distance_m: inf, attenuation_color: [1.0, 0.0, 0.0]",
        ),
        (
            "KHR_materials_anisotropy",
            json!({ "anisotropyStrength": 0.5, "anisotropyRotation": 1.5 }),
            "strength: 0.5, rotation_rad: 1.5",
        ),
        (
            "KHR_materials_iridescence",
            json!({ "iridescenceFactor": 1 }),
            "strength: 1.0, strength_texture: None, ior: 1.3, thickness_min_nm: 100.0, thickness_max_nm: 400.0",
        ),
    ];
    for (extension, values, wanted) in rows {
        let (material, warnings) = layered(extension, values.clone());
        let text = format!("{:?}", material.layers.expect("a layer"));
        assert!(text.contains(wanted), "{extension} {values}: {text}");
        assert_eq!(warnings, Vec::<String>::new(), "{extension} {values}");
    }
    assert_eq!(with_material(json!({})).materials[0].layers, None);
}

#[test]
fn a_file_of_every_layer_is_shown_without_a_warning() {
    let model = asset("materials.glb");
    assert!(model.warnings.is_empty(), "{:?}", model.warnings);
    let lighting =
        |name: &str| &model.materials.iter().find(|material| material.name.contains(name)).expect(name).lighting;
    assert!(lighting("transmission").value("transmission")[0] > 0.0);
}

#[test]
fn layers_that_are_shown_are_parameters_of_the_lighting_model() {
    for (extension, values, wanted) in [
        (
            "KHR_materials_clearcoat",
            json!({ "clearcoatFactor": 0.75, "clearcoatRoughnessFactor": 0.5 }),
            [("clearcoat", [0.75, 0.0, 0.0]), ("clearcoat_roughness", [0.5, 0.0, 0.0])],
        ),
        (
            "KHR_materials_sheen",
            json!({ "sheenColorFactor": [0.5, 0, 1], "sheenRoughnessFactor": 0.25 }),
            [("sheen_color", [0.5, 0.0, 1.0]), ("sheen_roughness", [0.25, 0.0, 0.0])],
        ),
        (
            "KHR_materials_anisotropy",
            json!({ "anisotropyStrength": 0.5, "anisotropyRotation": 0 }),
            [("anisotropy", [0.5, 0.0, 0.0]), ("anisotropy_rotation_deg", [0.0; 3])],
        ),
        (
            "KHR_materials_iridescence",
            json!({ "iridescenceFactor": 1, "iridescenceIor": 1.5, "iridescenceThicknessMaximum": 300 }),
            [("iridescence_ior", [1.5, 0.0, 0.0]), ("iridescence_thickness_nm", [300.0, 0.0, 0.0])],
        ),
        ("KHR_materials_ior", json!({ "ior": 2 }), [("ior", [2.0, 0.0, 0.0]), ("specular", [1.0, 0.0, 0.0])]),
    ] {
        let (material, warnings) = layered(extension, values);
        assert_eq!(warnings, Vec::<String>::new(), "{extension}");
        for (name, value) in wanted {
            assert_eq!(material.lighting.value(name), value, "{extension}: {name}");
        }
    }
    // A weight of 0 is no layer.
    let (material, _) = layered("KHR_materials_clearcoat", json!({ "clearcoatRoughnessFactor": 0.5 }));
    assert_eq!(material.lighting.layers(Default::default()), 0);
}

/// A PNG of one texel.
fn png(color: [u8; 4]) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    let picture = image::RgbaImage::from_pixel(1, 1, image::Rgba(color));
    picture.write_to(&mut out, image::ImageFormat::Png).expect("written");
    out.into_inner()
}

#[test]
fn layers_keep_their_textures() {
    let mut glb = triangle();
    let view = glb.view(&png([1, 2, 3, 4]), None);
    glb.push("images", json!({ "bufferView": view }));
    glb.push("textures", json!({ "source": 0 }));
    let texture = json!({ "index": 0, "texCoord": 1 });
    glb.push(
        "materials",
        json!({ "extensions": {
            "KHR_materials_clearcoat": { "clearcoatFactor": 1, "clearcoatNormalTexture": { "index": 0, "scale": 0.5 } },
            "KHR_materials_sheen": { "sheenColorTexture": texture },
            "KHR_materials_specular": { "specularTexture": texture },
        } }),
    );
    glb.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let model = import_bytes(&glb.bytes()).expect("good");
    let missing: Vec<&str> = model.warnings.iter().map(|w| w.message.split(" of ").next().expect("words")).collect();
    assert_eq!(missing, Vec::<&str>::new(), "all are shown");
    let slots: Vec<Slot> = model.materials[0].textures.keys().copied().collect();
    assert_eq!(slots, [Slot::Specular, Slot::ClearcoatNormal, Slot::SheenColor]);
    let layers = model.materials[0].layers.as_ref().expect("layers");
    let clearcoat = layers.clearcoat.as_ref().expect("a clearcoat");
    assert_eq!(clearcoat.normal_texture.as_ref().map(|t| (t.image.index(), t.uv_set)), Some((0, 0)));
    assert_eq!(clearcoat.normal_scale, 0.5);
    let sheen = layers.sheen.as_ref().expect("a sheen");
    assert_eq!(sheen.color_texture.as_ref().map(|t| (t.image.index(), t.uv_set)), Some((0, 1)));
    assert_eq!(model.images.len(), 1, "one picture, read once");
}

#[test]
fn specular_glossiness_becomes_metallic_roughness() {
    let gloss = |values: Value| {
        let extensions = json!({ "KHR_materials_pbrSpecularGlossiness": values });
        with_material(json!({ "extensions": extensions })).materials.remove(0)
    };
    let plastic = gloss(json!({ "diffuseFactor": [0.5, 0.25, 0.125, 0.75], "specularFactor": [0.04, 0.04, 0.04] }));
    let near = |a: f32, b: f32| (a - b).abs() < 1e-3;
    assert!(near(plastic.metallic, 0.0) && near(plastic.base_color[0], 0.5) && near(plastic.roughness, 0.0));
    assert_eq!(plastic.base_color[3], 0.75);
    let mirror = gloss(json!({ "diffuseFactor": [0, 0, 0, 1], "specularFactor": [1, 1, 1], "glossinessFactor": 0.5 }));
    assert!(near(mirror.metallic, 1.0) && near(mirror.base_color[0], 1.0) && near(mirror.roughness, 0.5));
    // A picture of specular colour and glossiness: base colour, metallic and roughness become pictures too.
    let mut glb = triangle();
    let view = glb.view(&png([255, 255, 255, 51]), None);
    glb.push("images", json!({ "bufferView": view }));
    glb.push("textures", json!({ "source": 0 }));
    let values = json!({ "diffuseFactor": [0, 0, 0, 1], "specularGlossinessTexture": { "index": 0 } });
    glb.push("materials", json!({ "extensions": { "KHR_materials_pbrSpecularGlossiness": values } }));
    glb.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let model = import_bytes(&glb.bytes()).expect("good");
    let slot = model.materials[0].textures.get(&Slot::MetallicRoughness).expect("made");
    let stillframe_asset::asset::Texels::Rgba8(texels) = &model.images[slot.image.index()].texels else {
        panic!("8 bits")
    };
    assert_eq!(texels[1..3], [204, 255], "roughness 0.8, metallic 1");
    assert_eq!(model.materials[0].base_color, [1.0; 4]);
}

#[test]
fn other_formats_of_a_picture_come_first_and_fall_back() {
    let good = png([9, 9, 9, 255]);
    let plain = png([7, 7, 7, 255]);
    for (extension, other, taken, warned) in [
        ("EXT_texture_webp", &good, 9, false),
        ("KHR_texture_basisu", &good, 9, false),
        ("MSFT_texture_dds", &good, 9, false),
        ("KHR_texture_basisu", &b"broken".to_vec(), 7, true),
        ("EXT_texture_avif", &good, 7, false),
    ] {
        let mut glb = triangle();
        for picture in [&plain, other] {
            let view = glb.view(picture, None);
            glb.push("images", json!({ "bufferView": view }));
        }
        glb.push("textures", json!({ "source": 0, "extensions": { extension: { "source": 1 } } }));
        glb.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }));
        glb.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        let model = import_bytes(&glb.bytes()).expect("good");
        let slot = model.materials[0].textures.get(&Slot::BaseColor).expect("a texture");
        let stillframe_asset::asset::Texels::Rgba8(texels) = &model.images[slot.image.index()].texels else { panic!() };
        assert_eq!(texels[0], taken, "{extension}");
        let codes: Vec<&str> = model.warnings.iter().map(|w| w.code).collect();
        assert_eq!(codes, if warned { vec![import::code::TEXTURE_SKIPPED] } else { vec![] }, "{extension}");
        // Without a plain picture to fall back to, what cannot be read or is not known has a stand-in.
        glb.json["textures"][0].as_object_mut().expect("an object").remove("source");
        let model = import_bytes(&glb.bytes()).expect("good");
        let codes: Vec<&str> = model.warnings.iter().map(|w| w.code).collect();
        let lost = warned || extension == "EXT_texture_avif";
        assert_eq!(codes, if lost { vec![import::code::PICTURE_MISSING] } else { vec![] }, "{extension}");
        assert!(model.materials[0].textures.contains_key(&Slot::BaseColor), "{extension}");
    }
}

#[test]
fn instances_become_nodes() {
    let mut glb = triangle();
    let places = glb.floats(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    let scales = glb.floats(&[[1.0; 3], [2.0; 3], [-1.0, 1.0, 1.0]]);
    let turns = glb.view(&[0, 0, 0, 127, 0, 0, 127, 0, 0, 0, 0, 127].map(|b: u8| b), None);
    let turns = glb.push(
        "accessors",
        json!({ "bufferView": turns, "componentType": 5120, "normalized": true, "count": 3, "type": "VEC4" }),
    );
    let attributes = json!({ "TRANSLATION": places, "SCALE": scales, "ROTATION": turns, "_ID": places });
    let node = json!({ "name": "tree", "mesh": 0, "children": [1], "translation": [0, 0, 5],
        "extensions": { "EXT_mesh_gpu_instancing": { "attributes": attributes } } });
    glb.json["nodes"] = json!([node, { "name": "below", "mesh": 0 }]);
    let model = import_bytes(&glb.bytes()).expect("good");
    let names: Vec<&str> = model.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["tree", "tree[0]", "tree[1]", "tree[2]", "below"]);
    assert_eq!(model.nodes.iter().map(|n| n.parts.len()).collect::<Vec<_>>(), [0, 1, 1, 1, 1]);
    assert_eq!(model.geometries.len(), 1);
    let pose = pose::pose(&model, &[]);
    let at = |node: usize, point: Vec3| pose.model_from_parts[node].transform_point3(point);
    assert_eq!(at(1, Vec3::X), Vec3::new(1.0, 0.0, 5.0));
    // Half a turn about z, twice as large, one to the right.
    assert!((at(2, Vec3::X) - Vec3::new(-1.0, 0.0, 5.0)).length() < 1e-6);
    assert_eq!(at(3, Vec3::X), Vec3::new(-1.0, 2.0, 5.0));
    assert_eq!(at(4, Vec3::X), Vec3::new(1.0, 0.0, 5.0));
    glb.json["accessors"][scales]["count"] = json!(2);
    assert_eq!(import_bytes(&glb.bytes()).expect_err("two and three")[0].code, import::code::VERTEX_COUNT);
}

#[test]
fn hidden_nodes_hide_what_is_below_them_until_a_pointer_shows_them() {
    let mut glb = triangle();
    glb.json["nodes"] = json!([
        { "children": [1, 2], "extensions": { "KHR_node_visibility": { "visible": false } } },
        { "mesh": 0 },
        { "mesh": 0, "extensions": { "KHR_node_visibility": { "visible": true } } },
    ]);
    let times = glb.floats(&[[0.0], [1.0]]);
    let shown = glb.view(&[0, 1], None);
    let shown =
        glb.push("accessors", json!({ "bufferView": shown, "componentType": 5121, "count": 2, "type": "SCALAR" }));
    let target = json!({ "path": "pointer", "extensions": {
        "KHR_animation_pointer": { "pointer": "/nodes/0/extensions/KHR_node_visibility/visible" } } });
    glb.push(
        "animations",
        json!({
            "channels": [{ "sampler": 0, "target": target }],
            "samplers": [{ "input": times, "output": shown, "interpolation": "STEP" }],
        }),
    );
    let model = import_bytes(&glb.bytes()).expect("good");
    assert_eq!(pose::pose(&model, &[]).seen, [false; 3]);
    for (time_s, seen) in [(0.0, false), (0.99, false), (1.0, true)] {
        let playing = Playing { clip: 0, time: Tick::from_seconds(time_s) };
        assert_eq!(pose::pose(&model, &[playing]).seen, [seen; 3], "{time_s}");
    }
}

#[test]
fn pointers_move_what_can_move_and_tell_of_the_rest() {
    for (pointer, width, known) in [
        ("/nodes/0/translation", 3, true),
        ("/nodes/0/rotation", 4, true),
        ("/nodes/0/scale", 3, true),
        ("/nodes/0/weights/0", 1, true),
        ("/materials/0/pbrMetallicRoughness/baseColorFactor", 4, false),
        ("/nodes/0/extensions/KHR_lights_punctual/light", 1, false),
        ("/nodes/x/translation", 3, false),
    ] {
        let mut glb = Glb::new();
        let position = glb.floats(&TRIANGLE);
        glb.mesh(json!({ "attributes": { "POSITION": position }, "targets": [{ "POSITION": position }] }));
        let times = glb.floats(&[[0.0], [1.0]]);
        let values = match width {
            1 => glb.floats(&[[0.0], [1.0]]),
            3 => glb.floats(&[[1.0, 2.0, 3.0]; 2]),
            _ => glb.floats(&[[0.0, 0.0, 0.0, 1.0]; 2]),
        };
        let extensions = json!({ "KHR_animation_pointer": { "pointer": pointer } });
        glb.push(
            "animations",
            json!({
                "channels": [{ "sampler": 0, "target": { "path": "pointer", "extensions": extensions } }],
                "samplers": [{ "input": times, "output": values }],
            }),
        );
        let model = import_bytes(&glb.bytes()).expect("good");
        assert_eq!(model.clips[0].layers[0].tracks.len(), usize::from(known), "{pointer}");
        let codes: Vec<&str> = model.warnings.iter().map(|w| w.code).collect();
        assert_eq!(codes, if known { vec![] } else { vec![import::code::TRACK_SKIPPED] }, "{pointer}");
    }
}

#[test]
fn variants_have_their_materials() {
    let mut glb = triangle();
    for name in ["beach", "street", "snow"] {
        glb.push("materials", json!({ "name": name }));
    }
    glb.json["extensionsUsed"] = json!(["KHR_materials_variants"]);
    glb.json["extensions"] =
        json!({ "KHR_materials_variants": { "variants": [{ "name": "summer" }, { "name": "winter" }, {}] } });
    let primitive = &mut glb.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(0);
    primitive["extensions"] = json!({ "KHR_materials_variants": { "mappings": [
        { "material": 2, "variants": [1] }, { "material": 1, "variants": [2] },
    ] } });
    // Copies of an instanced mesh wear them, too.
    let places = glb.floats(&[[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]]);
    let copies = json!({ "EXT_mesh_gpu_instancing": { "attributes": { "TRANSLATION": places } } });
    glb.push("nodes", json!({ "mesh": 0, "extensions": copies }));
    glb.json["scenes"][0]["nodes"] = json!([1, 0]);
    let model = import_bytes(&glb.bytes()).expect("good");
    assert_eq!(model.warnings, []);
    assert_eq!(model.variants.iter().map(|v| v.name.as_str()).collect::<Vec<_>>(), ["summer", "winter", ""]);
    let shows = |text: Option<&str>| -> Vec<&str> {
        let variant = text.map(|text| model.variant(text).expect("a variant"));
        let shown = (0..model.nodes.len()).filter(|node| !model.nodes[*node].parts.is_empty());
        shown.map(|node| model.materials[model.material_of(node, 0, variant)].name.as_str()).collect()
    };
    assert_eq!(shows(None), ["beach"; 3]);
    assert_eq!(shows(Some("summer")), ["beach"; 3]);
    assert_eq!((shows(Some("winter")), shows(Some("#1"))), (vec!["snow"; 3], vec!["snow"; 3]));
    assert_eq!(shows(Some("#2")), ["street"; 3]);
    assert_eq!((model.variant("#3"), model.variant("autumn")), (None, None));
    glb.json["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"]["mappings"][0]["variants"] =
        json!([3]);
    assert_eq!(import_bytes(&glb.bytes()).expect_err("no such variant")[0].code, "E0406");
}

#[test]
fn what_shows_nothing_is_passed_over() {
    for (extension, warned) in
        [("KHR_xmp_json_ld", false), ("KHR_xmp", false), ("EXT_mesh_features", false), ("MSFT_lod", true)]
    {
        let mut glb = triangle();
        glb.json["extensionsUsed"] = json!([extension]);
        let model = import_bytes(&glb.bytes()).expect("good");
        assert_eq!(model.warnings.len(), usize::from(warned), "{extension}");
        assert_eq!(pose::pose(&model, &[]).model_from_local, [Mat4::IDENTITY]);
    }
}
