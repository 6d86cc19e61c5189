//! Forms that programs write and that a reader of the specification alone would refuse or misread. Each test is named
//! as its file in `tests/data/models`.

use std::path::{Path, PathBuf};

use glam::DVec3;
use serde_json::{Value, json};
use stillframe_asset::asset::{AlphaMode, Slot, Texels};
use stillframe_asset::source::{Diagnostic, Vfs};
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_models::import::{self, Model, ModelLightKind};
use stillframe_scene::scene::{Lighting, Scene, Style, Wishes, resolve_text};
use stillframe_testkit::fbx::write;
use stillframe_testkit::glb::{Glb, triangle};
use stillframe_world::pose::{Playing, pose};

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models")
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    std::fs::read(path).map_err(|e| Diagnostic::error("E0301", path, e.to_string()))
}

fn model(name: &str) -> Model {
    import::model(&models().join(name), &read).unwrap_or_else(|d| panic!("{name}: {d:#?}"))
}

fn triangle_count(model: &Model) -> usize {
    let parts = model.nodes.iter().flat_map(|node| &node.parts);
    parts.map(|part| model.geometries[part.geometry].surface.indices.len() / 3).sum()
}

/// A square, and an audio object with a value of one byte (`Z`), which no picture needs.
#[test]
fn fbx_byte_property() {
    let model = model("fbx_byte_property.fbx");
    assert_eq!(triangle_count(&model), 2);
    assert_eq!(model.warnings, []);
}

/// The scene lists a child, as UniGLTF wrote it: a root, without what its parent says.
#[test]
fn gltf_scene_names_child() {
    let model = model("gltf_scene_names_child.gltf");
    assert_eq!(triangle_count(&model), 2);
    let [ship] = &model.nodes[..] else { panic!("{:?}", model.nodes) };
    assert_eq!((ship.name.as_str(), ship.parent, ship.shown), ("ship", None, true));
    let codes: Vec<_> = model.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["W0458"], "{:#?}", model.warnings);
}

fn codes(model: &Model) -> Vec<&str> {
    model.warnings.iter().map(|warning| warning.code).collect()
}

/// The texels of a model's first material at its upper left corner, and one square to the right.
fn first_squares(model: &Model) -> [[u8; 4]; 2] {
    let slot = model.materials[0].textures.get(&Slot::BaseColor).expect("a texture");
    let image = &model.images[slot.image.index()];
    let Texels::Rgba8(texels) = &image.texels else { panic!("8 bits") };
    [0, 8].map(|x: usize| texels[x * 4..x * 4 + 4].try_into().expect("four"))
}

const SQUARES: [[u8; 4]; 2] = [[255, 0, 255, 255], [0, 0, 0, 255]];

/// A picture that was not delivered: a warning, and squares of magenta and black in its place.
#[test]
fn gltf_missing_picture() {
    let model = model("gltf_missing_picture.gltf");
    assert_eq!(triangle_count(&model), 2);
    assert_eq!(codes(&model), ["W0459"], "{:#?}", model.warnings);
    assert!(model.warnings[0].message.contains("images[0]"), "{}", model.warnings[0].message);
    assert_eq!(first_squares(&model), SQUARES);
}

/// The same in every format; and pictures that hold no colour are left out.
#[test]
fn missing_pictures_have_one_rule() {
    let read_here = |bytes: &[u8], library: &str, path: &Path| match path.extension().and_then(|e| e.to_str()) {
        Some("mtl") => Ok(library.as_bytes().to_vec()),
        Some("png") if path.ends_with("broken.png") => Ok(b"\x89PNG\r\n\x1A\nnot at all".to_vec()),
        Some("png") => Err(Diagnostic::error("E0301", path, "there is no such file")),
        _ => Ok(bytes.to_vec()),
    };
    for picture in ["lost.png", "broken.png", "../out.png"] {
        let obj = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl a\nf 1/1 2/1 3/1\n";
        let mtl =
            format!("newmtl a\nKe 1 1 1\nd 1\nmap_Kd {picture}\nmap_Ke {picture}\nmap_d {picture}\nnorm {picture}\n");
        let ply = format!(
            "ply\nformat ascii 1.0\ncomment TextureFile {picture}\nelement vertex 3\nproperty float x\n\
             property float y\nproperty float z\nproperty float s\nproperty float t\nelement face 1\n\
             property list uchar int vertex_indices\nend_header\n0 0 0 0 0\n1 0 0 0 0\n0 1 0 0 0\n3 0 1 2\n"
        );
        let texture = json!({ "index": 0 });
        let mut glb = triangle();
        glb.push("images", json!({ "uri": picture }));
        glb.push("textures", json!({ "source": 0 }));
        glb.push(
            "materials",
            json!({
                "pbrMetallicRoughness": { "baseColorTexture": texture, "metallicRoughnessTexture": texture },
                "normalTexture": texture,
                "occlusionTexture": texture,
                "emissiveTexture": texture,
                "emissiveFactor": [1, 1, 1],
            }),
        );
        glb.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        let mut fbx = write::File::new();
        fbx.add(write::object("Model", 10, "node", "Mesh"));
        let mesh = write::object("Geometry", 20, "m", "Mesh").with([
            write::one("Vertices", vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
            write::one("PolygonVertexIndex", vec![0, 1, -3]),
        ]);
        fbx.add(mesh);
        fbx.add(write::object("Material", 30, "a", "").number("EmissiveColor", [1.0; 3]));
        fbx.add(write::object("Texture", 41, "t", "").with([write::one("RelativeFilename", picture)]));
        [(10, 0), (20, 10), (30, 10)].into_iter().for_each(|(of, to)| fbx.connect(of, to));
        for property in ["DiffuseColor", "EmissiveColor", "NormalMap", "TransparentColor"] {
            fbx.connect_property(41, 30, property);
        }
        for (file, bytes) in [
            ("a.obj", obj.as_bytes().to_vec()),
            ("a.ply", ply.into_bytes()),
            ("a.glb", glb.bytes()),
            ("a.fbx", fbx.bytes(7400, true)),
        ] {
            let model = import::model(Path::new(file), &|path| read_here(&bytes, &mtl, path));
            let model = model.unwrap_or_else(|d| panic!("{file}: {d:#?}"));
            assert_eq!(codes(&model), ["W0459"], "{file}: {:#?}", model.warnings);
            assert_eq!(first_squares(&model), SQUARES, "{file}");
            let material = &model.materials[0];
            assert_eq!((material.emissive, material.metallic, material.base_color[3]), ([0.0; 3], 0.0, 1.0), "{file}");
            assert_eq!(material.alpha_mode, AlphaMode::Opaque, "{file}");
            assert!(
                !material.textures.contains_key(&Slot::Normal) && !material.textures.contains_key(&Slot::Emissive),
                "{file}"
            );
        }
    }
}

/// A library in other case is found on every machine, and a warning says so.
#[test]
fn obj_case_of_names() {
    let vfs = Vfs::open(&models()).expect("a root");
    let model = import::model(&models().join("obj_case_of_names.obj"), &|path| vfs.read(path)).expect("a model");
    assert_eq!(model.warnings, []);
    assert_eq!(model.materials[0].base_color, [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(vfs.notes().iter().map(|note| note.code).collect::<Vec<_>>(), ["W0351"]);
}

/// `d -halo`, and options behind a picture's name.
#[test]
fn mtl_forms() {
    let model = model("mtl_forms.obj");
    assert_eq!(model.warnings, []);
    let glass = &model.materials[0];
    assert_eq!((glass.base_color, glass.alpha_mode), ([1.0, 1.0, 1.0, 0.5], AlphaMode::Blend));
    let slot = glass.textures.get(&Slot::BaseColor).expect("a texture");
    assert_eq!(model.images[slot.image.index()].name, "ply_face_uv.png");
}

/// Forms of one material that programs write.
#[test]
fn mtl_forms_are_alike() {
    let import = |library: &str| {
        let obj = "mtllib my library.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl my glass\nf 1/1 2/1 3/1\n";
        let read_here = |path: &Path| match path.file_name().and_then(|name| name.to_str()) {
            Some("a.obj") => Ok(obj.as_bytes().to_vec()),
            Some("my library.mtl") => Ok(library.as_bytes().to_vec()),
            Some("my picture.png") => read(&models().join("ply_face_uv.png")),
            _ => Err(Diagnostic::error("E0301", path, "there is no such file")),
        };
        let model = import::model(Path::new("a.obj"), &read_here).expect("a model");
        (model.materials, model.images, codes(&Model { warnings: model.warnings, ..Model::default() }).len())
    };
    let plain =
        "newmtl my glass\nKd 1 0.5 0\nd 0.25\nNs 96\nnorm -bm 0.5 my picture.png\nmap_Kd -s 2 2 my picture.png\n";
    let want = import(plain);
    assert_eq!((want.0[0].base_color[3], want.0[0].normal_scale, want.1.len(), want.2), (0.25, 0.5, 1, 0));
    for (was, is) in [
        ("d 0.25", "d -halo 0.25"),
        ("d 0.25", "Tr 0.75"),
        ("d 0.25", "Tr 0.5\n\td 0.25"),
        ("Kd", "kd"),
        ("Ns", "NS"),
        ("newmtl my", "  newmtl   my"),
        ("norm", "map_Bump"),
        ("norm", "bump"),
        ("norm -bm 0.5 my picture.png", "norm my picture.png -bm 0.5"),
        ("map_Kd -s 2 2 my picture.png", "map_Kd my picture.png -s 2 2 1"),
        ("map_Kd -s 2 2 my picture.png", "map_kd -s 2 2 -blendu on \"my picture.png\" -clamp off"),
        ("my picture.png", "textures\\old\\my picture.png"),
        ("my picture.png", "C:\\work\\my picture.png"),
    ] {
        let other = plain.replace(was, is);
        assert!(other != plain, "{was}");
        assert_eq!(import(&other), want, "{is}");
    }
}

/// Corners of a part in the order of its triangles: position, texture coordinates (v down) and colour.
fn corners(model: &Model, part: usize) -> Vec<([f32; 3], Option<[f32; 2]>, Option<[f32; 4]>)> {
    let surface = &model.geometries[model.nodes[0].parts[part].geometry].surface;
    let of = |vertex: &u32| {
        let at = *vertex as usize;
        (surface.positions[at], surface.uv0.get(at).copied(), surface.colors.get(at).copied())
    };
    surface.indices.iter().map(of).collect()
}

/// Texture coordinates by face and a `TextureFile`, as MeshLab and OpenMVS write them.
#[test]
fn ply_face_uv() {
    let model = model("ply_face_uv.ply");
    assert_eq!(model.warnings, []);
    let slot = model.materials[0].textures.get(&Slot::BaseColor).expect("a texture");
    assert_eq!((slot.image.index(), model.images[0].name.as_str()), (0, "ply_face_uv.png"));
    let found = corners(&model, 0);
    assert_eq!(found.len(), 6);
    for ([x, y, _], uv, _) in found {
        assert_eq!(uv, Some([(x + 1.0) / 2.0, 1.0 - (y + 1.0) / 2.0]));
    }
    assert_eq!(model.geometries[0].surface.positions.len(), 4, "corners that are alike are one vertex");
}

/// Several pictures, faces without one, colours by face, seams that stay smooth, in every encoding.
#[test]
fn ply_faces_of_several_pictures() {
    let header = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\ncomment made by hand\ncomment TextureFile one.png\ncomment\ttexturefile \"two.png\"\n\
             obj_info num_cols 3\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n\
             property uchar flags\nproperty list uint8 int32 vertex_index\nproperty list uint8 float32 texcoord\n\
             property int texnumber\nproperty uint8 red\nproperty uint8 green\nproperty uint8 blue\nend_header\n"
        )
    };
    let points = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let uvs = [0.0_f32, 0.0, 1.0, 0.0, 0.0, 1.0];
    // Corners, texture coordinates, picture, red.
    let faces: [([i32; 3], &[f32], i32, u8); 4] =
        [([0, 1, 2], &uvs, 1, 255), ([0, 3, 1], &uvs, 0, 0), ([0, 2, 3], &[], -1, 255), ([1, 3, 2], &uvs, 7, 255)];
    let mut text = header("ascii");
    points.iter().for_each(|[x, y, z]| text += &format!("{x} {y} {z}\n"));
    for ([a, b, c], uv, picture, red) in &faces {
        let list: String = uv.iter().map(|v| format!(" {v}")).collect();
        text += &format!("0 3 {a} {b} {c} {}{list} {picture} {red} 255 255\n", uv.len());
    }
    let binary = |format: &str, word: fn(u32) -> [u8; 4]| {
        let mut out = header(format).into_bytes();
        out.extend(points.iter().flatten().flat_map(|v| word(v.to_bits())));
        for (corners, uv, picture, red) in &faces {
            out.extend([0, 3]);
            out.extend(corners.iter().flat_map(|v| word(*v as u32)));
            out.push(uv.len() as u8);
            out.extend(uv.iter().flat_map(|v| word(v.to_bits())));
            out.extend(word(*picture as u32));
            out.extend([*red, 255, 255]);
        }
        out
    };
    let picture = read(&models().join("ply_face_uv.png")).expect("there");
    let import = |bytes: &[u8]| {
        let read_here = |path: &Path| match path.file_name().and_then(|name| name.to_str()) {
            Some("one.png") => Ok(picture.clone()),
            // Another file, so another picture.
            Some("two.png") => Ok([&picture[..], b"."].concat()),
            _ => Ok(bytes.to_vec()),
        };
        import::model(Path::new("a.ply"), &read_here).unwrap_or_else(|d| panic!("{d:#?}"))
    };
    let model = import(text.as_bytes());
    for other in [binary("binary_little_endian", u32::to_le_bytes), binary("binary_big_endian", u32::to_be_bytes)] {
        let other = import(&other);
        assert_eq!((&other.geometries, &other.materials), (&model.geometries, &model.materials));
    }
    assert_eq!((model.warnings.len(), model.format.generator.as_deref()), (0, Some("made by hand")));
    // By the number of the picture: -1, 0, 1, 7.
    let named: Vec<Option<&str>> = model.nodes[0]
        .parts
        .iter()
        .map(|part| {
            let slot = model.materials[part.material].textures.get(&Slot::BaseColor)?;
            Some(model.images[slot.image.index()].name.as_str())
        })
        .collect();
    assert_eq!(named, [None, Some("one.png"), Some("two.png"), None]);
    let [x, y, z] = [points[1], points[2], points[3]];
    let (white, cyan) = (Some([1.0; 4]), Some([0.0, 1.0, 1.0, 1.0]));
    let [a, b, c] = [Some([0.0, 1.0]), Some([1.0, 1.0]), Some([0.0, 0.0])];
    assert_eq!(
        corners(&model, 0),
        [([0.0; 3], Some([0.0; 2]), white), (y, Some([0.0; 2]), white), (z, Some([0.0; 2]), white)]
    );
    assert_eq!(corners(&model, 1), [([0.0; 3], a, cyan), (z, b, cyan), (x, c, cyan)]);
    assert_eq!(corners(&model, 2), [([0.0; 3], a, white), (x, b, white), (y, c, white)]);
    // Normals are those of the vertices, whatever part a face is in.
    let mut normals = Vec::new();
    for geometry in &model.geometries {
        for (position, normal) in geometry.surface.positions.iter().zip(&geometry.surface.normals) {
            normals.push((position.map(f32::to_bits), normal.map(f32::to_bits)));
        }
    }
    normals.sort_unstable();
    normals.dedup();
    assert_eq!(normals.len(), 4);
}

/// A picture that nothing lays on is told.
#[test]
fn ply_picture_without_coordinates() {
    let text = String::from_utf8(read(&models().join("ply_face_uv.ply")).expect("there")).expect("text");
    let bare = text.replace("property list uchar float texcoord\n", "").replace(" 8 0 0 1 0 1 1 0 1", "");
    let model = import::ply(&models().join("a.ply"), bare.as_bytes(), &read).expect("a model");
    assert_eq!((codes(&model), model.images.len()), (vec!["W0454"], 0));
}

/// STEP keys at frames of 1/30 s: each holds from its own frame on.
#[test]
fn step_on_frames() {
    let model = model("step_on_frames.gltf");
    let [frames, places] = [[3, 6, 9, 12, 18, 21, 27], [1, 2, 3, 4, 5, 6, 7]];
    let at = |frame: i64| {
        let time = Tick::of_frame(frame, FrameRate::whole(30));
        let playing = [Playing { clip: 0, time }];
        pose(&model, &playing).model_from_parts[0].w_axis.x
    };
    assert_eq!(frames.map(at), places.map(|place| place as f32));
    assert_eq!(frames[1..].iter().map(|frame| at(frame - 1)).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
}

/// `f 1/1/1` in a file without `vt` or `vn`, or with too few.
#[test]
fn obj_faces_without_what_they_name() {
    let import =
        |text: &str| import::obj(Path::new("a.obj"), text.as_bytes(), &read).unwrap_or_else(|d| panic!("{d:#?}"));
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n";
    let bare = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    for (text, like, warned) in [
        (format!("{bare}f 1/1/1 2/2/2 3/3/3\n"), format!("{bare}f 1 2 3\n"), 2),
        (format!("{bare}f 1/1 2/2 3/3\n"), format!("{bare}f 1 2 3\n"), 1),
        (format!("{bare}f 1//1 2//-1 3//7\n"), format!("{bare}f 1 2 3\n"), 1),
        (format!("{points}f 1/1/1 2/2/9 3/3/1\n"), format!("{points}f 1/1/1 2/2 3/3/1\n"), 1),
        (format!("{points}f 1/1/1 2/-9/1 3/3/1\n"), format!("{points}f 1/1/1 2//1 3/3/1\n"), 1),
    ] {
        let (found, want) = (import(&text), import(&like));
        assert_eq!((&found.geometries, &found.nodes), (&want.geometries, &want.nodes), "{text}");
        assert_eq!((codes(&found), codes(&want)), (vec!["W0453"; warned], vec![]), "{text}: {:#?}", found.warnings);
    }
}

/// A buffer that is missing is an error where something reads it, told once, and a warning where nothing does.
#[test]
fn gltf_missing_buffers() {
    for uri in [json!("no.bin"), json!("data:;base64,AA"), json!(null)] {
        let mut glb = triangle();
        let length = glb.bin.len();
        glb.json["buffers"] = json!([{ "byteLength": length }, { "byteLength": 100, "uri": uri }]);
        let import = |glb: &Glb| import::gltf(Path::new("a.glb"), &glb.bytes(), &read);
        let model = import(&glb).unwrap_or_else(|d| panic!("{uri}: {d:#?}"));
        assert_eq!((codes(&model), triangle_count(&model)), (vec!["W0460"], 1), "{uri}");
        glb.push("bufferViews", json!({ "buffer": 1, "byteLength": 36 }));
        let view = glb.json["bufferViews"].as_array().expect("views").len() - 1;
        let lost =
            glb.push("accessors", json!({ "bufferView": view, "componentType": 5126, "count": 3, "type": "VEC3" }));
        glb.mesh(json!({ "attributes": { "POSITION": lost } }));
        glb.push("nodes", json!({ "mesh": 1 }));
        glb.push("nodes", json!({ "mesh": 1 }));
        assert_eq!(codes(&import(&glb).expect("nobody shows it")), ["W0460"], "{uri}");
        glb.json["scenes"][0]["nodes"] = json!([0, 1, 2]);
        let errors = import(&glb).expect_err("it is shown");
        assert_eq!(errors.len(), 1, "{errors:#?}");
        assert!(errors[0].message.contains("buffers[1]"), "{errors:#?}");
        assert_eq!(errors[0].code, if uri == json!("no.bin") { "E0301" } else { "E0407" });
    }
}

/// A lamp that gives next to nothing is named, and is what its exporter meant if that is Blender before 2.80.
#[test]
fn fbx_lamp_black() {
    let lamp = |creator: &str, energy: f64| {
        let mut file = write::File::new();
        file.creator = creator.to_string();
        file.add(write::object("Model", 10, "Lamp", "Light"));
        let light = write::object("NodeAttribute", 20, "Lamp", "Light");
        file.add(light.number("Intensity", [energy * 100.0]).whole("LightType", 0).whole("DecayType", 2));
        [(10, 0), (20, 10)].into_iter().for_each(|(of, to)| file.connect(of, to));
        let model = import::fbx(Path::new("a.fbx"), &file.bytes(7400, true), &read).expect("a lamp");
        match model.lights[0].kind {
            ModelLightKind::Point { intensity_cd, .. } => intensity_cd,
            other => panic!("{other:?}"),
        }
    };
    // A white surface 5 m away shows as much as one that a sun of energy 1 lights.
    let old = lamp("Blender (stable FBX IO) - 2.79 (sub 0) - 3.7.17", 1.0);
    assert!((old / 25.0 - std::f32::consts::PI).abs() < 1e-4, "{old}");
    let new = lamp("Blender (stable FBX IO) - 2.83.5 - 4.21.3", 1000.0);
    assert!((new - 1000.0 / (4.0 * std::f32::consts::PI)).abs() < 1e-2, "{new}");
    let scene = |lighting: Option<Lighting>, exposure_ev: Option<f32>| {
        let wishes = Wishes { style: Some(Style::Plain), lighting, exposure_ev, ..Wishes::default() };
        let resolved = Scene::for_model(&models().join("fbx_lamp_black.fbx"), &wishes).expect("a model");
        let built = stillframe_world::world::build(&resolved.scene, &read).unwrap_or_else(|d| panic!("{d:#?}"));
        built.warnings
    };
    let warnings = scene(None, None);
    assert_eq!(warnings.iter().map(|w| w.code).collect::<Vec<_>>(), ["W0557"], "{warnings:#?}");
    let (message, help) = (&warnings[0].message, warnings[0].help.as_deref().unwrap_or_default());
    assert!(message.contains("\"Lamp\" (point, 3.1e-4 cd)") && help.contains("--lights studio"), "{message} {help}");
    assert_eq!(scene(Some(Lighting::Studio), None), []);
    assert_eq!(scene(None, Some(20.0)), []);
}

/// Nine large flat pictures of the same bytes in a small file: decoded once.
#[test]
fn gltf_flat_textures() {
    let model = model("gltf_flat_textures.gltf");
    assert_eq!((model.warnings.len(), model.images.len()), (0, 1), "{:#?}", model.warnings);
    let with_normals = model.materials.iter().filter(|material| material.textures.contains_key(&Slot::Normal));
    assert_eq!(with_normals.count(), 9);
}

/// Large flat pictures that differ are read up to a limit of their own, and the user's limit holds for everything.
#[test]
fn large_flat_pictures() {
    let mut glb = triangle();
    for shade in 0..5_u8 {
        let mut png = std::io::Cursor::new(Vec::new());
        let flat = image::GrayImage::from_pixel(2048, 4096, image::Luma([shade]));
        image::DynamicImage::from(flat).write_to(&mut png, image::ImageFormat::Png).expect("written");
        let view = glb.view(&png.into_inner(), None);
        let image = glb.push("images", json!({ "bufferView": view }));
        let texture = glb.push("textures", json!({ "source": image }));
        glb.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": texture } } }));
    }
    let primitive = glb.json["meshes"][0]["primitives"][0].clone();
    let worn = (0..5).map(|material| {
        let mut primitive = primitive.clone();
        primitive["material"] = json!(material);
        primitive
    });
    glb.json["meshes"][0]["primitives"] = worn.collect();
    let bytes = glb.bytes();
    assert!(bytes.len() < 1 << 20, "{}", bytes.len());
    for (max_mib, lost) in [(None, 0), (Some(100), 3), (Some(300), 0), (Some(10), 5)] {
        let wishes = import::Wishes { max_bytes: max_mib.map(|mib: u64| mib << 20), ..import::Wishes::default() };
        let model = import::model_within(Path::new("a.glb"), &|_| Ok(bytes.clone()), wishes).expect("a model");
        assert_eq!(codes(&model), vec!["W0459"; lost], "{max_mib:?}: {:#?}", model.warnings);
        assert_eq!(model.images.len(), 5 - lost + usize::from(lost > 0), "{max_mib:?}");
    }
}

/// The places of all corners, and where the model stands.
fn places(model: &Model) -> (Vec<[f32; 3]>, DVec3) {
    let placed = pose(model, &[]).model_from_parts;
    let mut out = Vec::new();
    for (node, place) in model.nodes.iter().zip(placed) {
        for part in &node.parts {
            let surface = &model.geometries[part.geometry].surface;
            let of = |vertex: &u32| surface.positions[*vertex as usize];
            out.extend(surface.indices.iter().map(|v| place.transform_point3(glam::Vec3::from(of(v))).to_array()));
        }
    }
    (out, model.origin)
}

/// A cube of 2 m at 50 km is the cube at the origin; its place is told.
#[test]
fn far_from_origin() {
    let model = model("far_from_origin.obj");
    assert_eq!(model.warnings, []);
    let (corners, origin) = places(&model);
    assert!(corners.iter().flatten().all(|v| v.abs() == 1.0), "{corners:?}");
    assert_eq!(origin.abs().max_element(), 50_000.0);
}

/// The same in every format that has the digits, at a place of survey coordinates; and what a scene shows.
#[test]
fn far_from_origin_in_every_format() {
    const AT: DVec3 = DVec3::new(500_000.125, 120.5, -4_000_000.75);
    let points = [[0.0, 0.0, 0.0], [0.6, 0.0, 0.0], [0.0, 0.6, 0.0], [0.0, 0.0, 0.6]];
    let faces: [[i32; 3]; 4] = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let far = points.map(|p| DVec3::from(p) + AT);
    let row = |p: &DVec3| format!("{} {} {}", p.x, p.y, p.z);
    let obj: String = far.iter().map(|p| format!("v {}\n", row(p))).collect::<String>()
        + &faces.map(|f| format!("f {} {} {}\n", f[0] + 1, f[1] + 1, f[2] + 1)).concat();
    let ply = |format: &str| {
        format!(
            "ply\nformat {format} 1.0\nelement vertex 4\nproperty double x\nproperty double y\nproperty double z\n\
             element face 4\nproperty list uchar int vertex_indices\nend_header\n"
        )
    };
    let text = ply("ascii")
        + &far.each_ref().map(|p| row(p) + "\n").concat()
        + &faces.map(|f| format!("3 {} {} {}\n", f[0], f[1], f[2])).concat();
    let mut binary = ply("binary_little_endian").into_bytes();
    far.iter().for_each(|p| binary.extend(p.to_array().iter().flat_map(|v| v.to_le_bytes())));
    for face in faces {
        binary.push(3);
        binary.extend(face.iter().flat_map(|v| v.to_le_bytes()));
    }
    let facet = |f: [i32; 3]| f.map(|v| format!("vertex {}\n", row(&far[v as usize]))).concat();
    let stl = "solid a vertex\n".to_string()
        + &faces.map(|f| format!("facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n", facet(f))).concat()
        + "endsolid a\n";
    let mesh = |points: &[DVec3]| {
        let corners = faces.iter().flat_map(|f| [f[0], f[1], -1 - f[2]]).collect::<Vec<i32>>();
        let places = points.iter().flat_map(|p| p.to_array()).collect::<Vec<f64>>();
        write::object("Geometry", 20, "m", "Mesh")
            .with([write::one("Vertices", places), write::one("PolygonVertexIndex", corners)])
    };
    let fbx = |points: &[DVec3], node: DVec3| {
        let mut file = write::File::new();
        file.add(write::object("Model", 10, "node", "Mesh").number("Lcl Translation", node.to_array()));
        file.add(mesh(points));
        [(10, 0), (20, 10)].into_iter().for_each(|(of, to)| file.connect(of, to));
        file.bytes(7400, true)
    };
    let glb = |points: [DVec3; 4], key: &str, value: Value| {
        let mut glb = Glb::new();
        let position = glb.floats(&points.map(|p| p.as_vec3().to_array()));
        let indices = glb.shorts(&faces.concat().iter().map(|v| [*v as u16]).collect::<Vec<_>>());
        glb.mesh(json!({ "attributes": { "POSITION": position }, "indices": indices }));
        match key {
            "CESIUM_RTC" => glb.json["extensions"] = json!({ "CESIUM_RTC": { "center": value } }),
            _ => glb.json["nodes"][0][key] = value,
        }
        glb.bytes()
    };
    let near = points.map(DVec3::from);
    let matrix = glam::DMat4::from_translation(AT).to_cols_array();
    // What is stored as f32 has no other digits.
    let stored = far.map(|p| p.as_vec3().as_dvec3());
    for (what, file, bytes) in [
        ("OBJ", "a.obj", obj.into_bytes()),
        ("PLY", "a.ply", text.into_bytes()),
        ("binary PLY", "a.ply", binary),
        ("STL", "a.stl", stl.into_bytes()),
        ("FBX, vertices", "a.fbx", fbx(&far, DVec3::ZERO)),
        ("FBX, node", "a.fbx", fbx(&near, AT)),
        ("glTF", "a.glb", glb(near, "translation", json!(AT.to_array()))),
        ("glTF, matrix", "a.glb", glb(near, "matrix", json!(matrix))),
        ("glTF, centre", "a.glb", glb(near, "CESIUM_RTC", json!(AT.to_array()))),
        ("glTF, vertices", "a.glb", glb(far, "name", json!("far"))),
    ] {
        let model = import::model(Path::new(file), &|_| Ok(bytes.clone())).unwrap_or_else(|d| panic!("{what}: {d:#?}"));
        let (corners, origin) = places(&model);
        assert!((origin - AT - 0.3).length() < 0.3, "{what}: {origin}");
        assert_eq!(corners.len(), 12, "{what}");
        let file_has = if what == "glTF, vertices" { stored } else { far };
        for (corner, want) in corners.iter().zip(faces.iter().flatten()) {
            let want = file_has[*want as usize] - origin;
            let apart = (DVec3::from(corner.map(f64::from)) - want).length();
            assert!(apart < 1e-6, "{what}: {corner:?} for {want}");
        }
    }
    // In a scene, nothing moves in silence.
    let vfs = Vfs::open(&models()).expect("a root");
    let scene = |position: &str| {
        let text = format!(
            "title = 'x'\n[camera.main]\nposition = [0, 0, 9]\n[model.a]\nfile = 'far_from_origin.obj'\n[[node]]\n\
             name = 'a'\nmodel = 'a'\nposition = {position}\n"
        );
        let resolved = resolve_text(&text, Path::new("a.toml"), &models(), &vfs, &[]).expect("a scene");
        stillframe_world::world::build(&resolved.scene, &read).expect("a world").world.subject_bounds
    };
    let [x, y, z] = model("far_from_origin.obj").origin.to_array();
    let middle = scene("[0, 0, 0]");
    assert!(((middle.min + middle.max) * 0.5 - glam::Vec3::new(x as f32, y as f32, z as f32)).length() < 0.01);
    let brought_back = scene(&format!("[{}, {}, {}]", -x, -y, -z));
    // Bounds are a little wider than what is inside.
    assert!(brought_back.min.abs_diff_eq(glam::Vec3::splat(-1.0), 1e-5), "{brought_back:?}");
    assert!(brought_back.max.abs_diff_eq(glam::Vec3::ONE, 1e-5), "{brought_back:?}");
}

/// A mark at the beginning of an OBJ file is not part of its first line.
#[test]
fn obj_bom() {
    let name = models().join("obj_bom.obj");
    let bytes = read(&name).expect("there");
    let plain = import::obj(&name, &bytes[3..], &read).expect("without its mark");
    assert_eq!(model("obj_bom.obj"), plain);
}

fn utf16(text: &str, mark: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    mark.encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// Marks, codes and line ends change no model, in any format that is text.
#[test]
fn text_of_all_systems() {
    let library = "newmtl a b\nKd 1 0 0\nnewmtl c\nKd 0 1 0\n";
    let obj = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a b\nf 1 2 3\nusemtl c\nf 1 \\\n2 3\n";
    let ply = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
               element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let facet = "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let stl = format!("solid a b\n{facet}endsolid a b\nsolid c\n{facet}endsolid c\n");
    let gltf = String::from_utf8(read(&models().join("gltf_scene_names_child.gltf")).expect("there")).expect("text");
    let spaced = "{\n\"asset\": {\"version\": \"2.0\"}, \"nodes\": [{\"name\": \"\u{e9}\"}]}";
    for (ending, text) in [("obj", obj), ("ply", ply), ("stl", &stl), ("gltf", &gltf), ("gltf", spaced)] {
        let import = |bytes: &[u8], library: &[u8]| {
            let file = models().join(format!("a.{ending}"));
            let read_here = |path: &Path| if path == file { Ok(bytes.to_vec()) } else { Ok(library.to_vec()) };
            import::model(&file, &read_here)
        };
        let want = import(text.as_bytes(), library.as_bytes()).expect("plain text");
        let forms: [(&str, &dyn Fn(&str) -> Vec<u8>); 8] = [
            ("a mark", &|text| format!("\u{feff}{text}").into_bytes()),
            ("CR", &|text| text.replace('\n', "\r").into_bytes()),
            ("CRLF", &|text| text.replace('\n', "\r\n").into_bytes()),
            ("a mark and CR", &|text| format!("\u{feff}{text}").replace('\n', "\r").into_bytes()),
            ("UTF-16, little", &|text| utf16(text, "\u{feff}", u16::to_le_bytes)),
            ("UTF-16, big", &|text| utf16(text, "\u{feff}", u16::to_be_bytes)),
            ("UTF-16 without a mark", &|text| utf16(text, "", u16::to_le_bytes)),
            ("UTF-16 and CRLF", &|text| utf16(&text.replace('\n', "\r\n"), "\u{feff}", u16::to_le_bytes)),
        ];
        for (what, form) in forms {
            let found = import(&form(text), &form(library)).unwrap_or_else(|d| panic!("{ending}, {what}: {d:#?}"));
            assert_eq!(found, want, "{ending}, {what}");
        }
    }
    // Places of faults are places in the file, where there are any.
    let broken = |bytes: &[u8]| import::obj(Path::new("a.obj"), bytes, &read).expect_err("broken")[0].span.clone();
    assert_eq!(broken(b"\xEF\xBB\xBFv 0 0 0\nv x\n"), Some(11..14));
    assert_eq!(broken(b"v 0 0 0\rv x\r"), Some(8..11));
    assert_eq!(broken(b"\xEF\xBB\xBFv 0 0 0\nf 1 1 2\n"), Some(11..18));
    assert_eq!(broken(&utf16("v x\n", "\u{feff}", u16::to_le_bytes)), None);
}

/// A binary body may begin with the byte of a line feed, whatever ends the lines of its header.
#[test]
fn ply_header_of_old_systems() {
    let header = "ply \nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar a\nproperty float x\n\
                  property float y\nproperty float z\nelement face 1\nproperty list uint8 uint8 vertex_index\nend_header\n";
    let mut body: Vec<u8> = Vec::new();
    for [x, y] in [[0.0_f32, 0.0], [1.0, 0.0], [0.0, 1.0]] {
        body.push(b'\n');
        body.extend([x, y, 0.0].iter().flat_map(|v| v.to_le_bytes()));
    }
    body.extend([3, 0, 1, 2]);
    for end in ["\n", "\r\n", "\r"] {
        let bytes = [header.replace('\n', end).as_bytes(), &body].concat();
        let model = import::ply(Path::new("a.ply"), &bytes, &read).unwrap_or_else(|d| panic!("{end:?}: {d:#?}"));
        assert_eq!(triangle_count(&model), 1, "{end:?}");
    }
}

/// Capitals, names with spaces, and two words where others write one.
#[test]
fn stl_words() {
    let stl = "SOLID two words\nFACET NORMAL 0 0 1\nOUTER LOOP\nVERTEX 0 0 0\nVERTEX 1E0 0 0\nVERTEX 0 1 0\nEND LOOP\n\
               END FACET\nEND SOLID two words\nsolid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n\
               vertex 0 1 0\nend loop\nend facet\nend solid";
    let model = import::stl(Path::new("file.stl"), stl.as_bytes()).expect("two solids");
    assert_eq!(triangle_count(&model), 2);
    assert_eq!(model.nodes.iter().map(|node| node.name.as_str()).collect::<Vec<_>>(), ["two words", "file"]);
}

/// Whatever a scene lists, each node is shown once.
#[test]
fn gltf_scenes_show_each_node_once() {
    // 0 is the parent of 1 and 3, 1 of 2.
    let children = [json!([1, 3]), json!([2]), json!([]), json!([])];
    for (listed, want, warned) in [
        (json!([0]), vec![("0", None), ("1", Some(0)), ("2", Some(1)), ("3", Some(0))], 0),
        (json!([0, 0]), vec![("0", None), ("1", Some(0)), ("2", Some(1)), ("3", Some(0))], 1),
        (json!([0, 2]), vec![("0", None), ("1", Some(0)), ("2", Some(1)), ("3", Some(0))], 1),
        (json!([2, 1]), vec![("1", None), ("2", Some(0))], 2),
        (json!([1]), vec![("1", None), ("2", Some(0))], 1),
    ] {
        let mut glb = triangle();
        let node = |(number, children): (usize, &Value)| match children.as_array().map_or(0, Vec::len) {
            0 => json!({ "name": number.to_string() }),
            _ => json!({ "name": number.to_string(), "children": children }),
        };
        glb.json["nodes"] = children.iter().enumerate().map(node).collect();
        glb.json["scenes"][0]["nodes"] = listed.clone();
        let model =
            import::gltf(Path::new("a.glb"), &glb.bytes(), &read).unwrap_or_else(|d| panic!("{listed}: {d:#?}"));
        let found: Vec<_> = model.nodes.iter().map(|node| (node.name.as_str(), node.parent)).collect();
        assert_eq!(found, want, "{listed}");
        assert_eq!(model.warnings.len(), warned, "{listed}: {:#?}", model.warnings);
    }
    // A joint outside the scene, above and beside what is shown.
    let mut glb = triangle();
    glb.json["nodes"] = json!([{ "children": [1, 2] }, { "mesh": 0, "skin": 0 }, { "name": "joint" }]);
    glb.json["scenes"][0]["nodes"] = json!([1]);
    glb.json["skins"] = json!([{ "joints": [2] }]);
    let (joints, weights) = (glb.shorts(&[[0_u16; 4]; 3]), glb.floats(&[[1.0, 0.0, 0.0, 0.0]; 3]));
    glb.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    glb.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let model = import::gltf(Path::new("a.glb"), &glb.bytes(), &read).expect("a figure");
    assert_eq!(model.nodes.iter().map(|node| node.shown).collect::<Vec<_>>(), [true, false, false]);
}
