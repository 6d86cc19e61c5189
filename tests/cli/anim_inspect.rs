//! `anim inspect` and `anim bake`: facts of clips whose answers are arithmetic, and of Blender's.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stillframe_testkit::npy::read;
use stillframe_testkit::worse;

use super::{err, folder, out, run, status, well};

pub fn asset(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(name).display().to_string()
}

/// Numbers as a data URI.
fn uri(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = "data:application/octet-stream;base64,".to_string();
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(word >> (18 - 6 * place) & 63) as usize] as char;
            out.push(if place <= three.len() { letter } else { '=' });
        }
    }
    out
}

/// A glTF file under way: each accessor has a buffer of its own.
pub struct Gltf(pub Value);

impl Gltf {
    pub fn numbers(&mut self, kind: &str, numbers: &[f32]) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let count =
            numbers.len() / [("SCALAR", 1), ("VEC3", 3), ("VEC4", 4)].iter().find(|(k, _)| *k == kind).unwrap().1;
        self.accessor(
            json!({ "componentType": 5126, "type": kind, "count": count, "min": [0.0], "max": [9.0] }),
            &bytes,
        )
    }

    pub fn accessor(&mut self, mut accessor: Value, bytes: &[u8]) -> usize {
        let list = |root: &mut Value, key: &str, entry: Value| {
            let list = root[key].as_array_mut().unwrap();
            list.push(entry);
            list.len() - 1
        };
        if accessor["type"] != "SCALAR" {
            accessor.as_object_mut().unwrap().retain(|key, _| key != "min" && key != "max");
        }
        let buffer = list(&mut self.0, "buffers", json!({ "byteLength": bytes.len(), "uri": uri(bytes) }));
        accessor["bufferView"] =
            json!(list(&mut self.0, "bufferViews", json!({ "buffer": buffer, "byteLength": bytes.len() })));
        list(&mut self.0, "accessors", accessor)
    }

    pub fn channel(&mut self, node: usize, path: &str, interpolation: &str, times: &[f32], values: &[f32]) {
        let kind = if path == "rotation" { "VEC4" } else { "VEC3" };
        let (input, output) = (self.numbers("SCALAR", times), self.numbers(kind, values));
        let clip = &mut self.0["animations"][0];
        let samplers = clip["samplers"].as_array_mut().unwrap();
        samplers.push(json!({ "input": input, "output": output, "interpolation": interpolation }));
        let sampler = samplers.len() - 1;
        let channel = json!({ "sampler": sampler, "target": { "node": node, "path": path } });
        clip["channels"].as_array_mut().unwrap().push(channel);
    }
}

/// A rotation about X.
fn about_x(angle_deg: f32, sign: f32) -> [f32; 4] {
    let (sin, cos) = stillframe_base::math::ops::sin_cos(angle_deg.to_radians() * 0.5);
    [sign * sin, 0.0, 0.0, sign * cos]
}

/// Three nodes, a clip of two seconds: the first goes 2 m along +X, the second turns by 0, 20, 120, 295 degrees, the
/// last key with the other sign, the third is scaled unevenly and mirrors. A triangle with odd weights hangs on them.
pub fn made(here: &Path) -> PathBuf {
    let mut gltf = Gltf(json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0, 3] }],
        "nodes": [
            { "name": "base", "children": [1] }, { "name": "arm", "children": [2], "translation": [0, 1, 0] },
            { "name": "tip", "translation": [0, 1, 0] }, { "name": "body", "mesh": 0, "skin": 0 },
        ],
        "animations": [{ "name": "odd", "channels": [], "samplers": [] }],
        "skins": [{ "name": "bones", "joints": [0, 1, 2] }],
        "meshes": [{ "primitives": [{ "attributes": {} }] }],
        "buffers": [], "bufferViews": [], "accessors": [],
    }));
    gltf.channel(0, "translation", "LINEAR", &[0.0, 2.0], &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0]);
    let turns = [about_x(0.0, 1.0), about_x(20.0, 1.0), about_x(120.0, 1.0), about_x(295.0, -1.0)].concat();
    gltf.channel(1, "rotation", "LINEAR", &[0.0, 0.5, 1.0, 2.0], &turns);
    gltf.channel(1, "translation", "STEP", &[0.0, 2.0], &[0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.channel(2, "scale", "LINEAR", &[0.0, 2.0], &[1.0, 1.0, 1.0, -1.0, 2.0, 1.0]);
    let position = gltf.numbers("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    gltf.0["accessors"][position]["min"] = json!([0.0, 0.0, 0.0]);
    gltf.0["accessors"][position]["max"] = json!([1.0, 1.0, 0.0]);
    let weights = gltf.numbers("VEC4", &[1.0, 0.0, 0.0, 0.0, 0.5, 0.25, 0.0, 0.0, 0.5, 0.25, 0.25, 0.0]);
    let joints = [0u8, 0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0];
    let joints = gltf.accessor(json!({ "componentType": 5121, "type": "VEC4", "count": 3 }), &joints);
    gltf.0["meshes"][0]["primitives"][0]["attributes"] =
        json!({ "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights });
    let file = here.join("odd.gltf");
    fs::write(&file, gltf.0.to_string()).unwrap();
    file
}

fn inspected(here: &Path, arguments: &[&str]) -> Value {
    let output = run(here, &[&["anim", "inspect", "--json"], arguments].concat());
    assert_eq!(status(&output), 0, "{}", err(&output));
    serde_json::from_str(&out(&output)).unwrap()
}

fn near(found: &Value, want: f64, within: f64) {
    let found_number = found.as_f64().unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found_number - want).abs() <= within, "{found_number}, not {want}");
}

#[test]
fn facts_are_those_of_the_file() {
    let here = folder("anim_inspect_made");
    made(&here);
    let document = inspected(&here, &["odd.gltf"]);
    assert_eq!(document["schema"], "anim-inspect/1");
    let clip = &document["clips"][0];
    assert_eq!((&clip["name"], &clip["frames"]), (&json!("odd"), &json!(61)));
    near(&clip["duration_s"], 2.0, 1e-9);
    assert_eq!(clip["joints_moved"], json!(["base", "arm", "tip"]));
    let tracks = json!([
        { "property": "translation", "tracks": 2, "keys": 4, "interpolation": { "linear": 1, "step": 1 } },
        { "property": "rotation", "tracks": 1, "keys": 4, "interpolation": { "linear": 1 } },
        { "property": "scale", "tracks": 1, "keys": 2, "interpolation": { "linear": 1 } },
    ]);
    assert_eq!(clip["tracks"], tracks);
    assert_eq!(clip["constant"], json!([["arm", "translation"]]));
    // 20, 100 and 175 degrees.
    let turns = &clip["turns"];
    assert_eq!([&turns["over_30_deg"], &turns["over_90_deg"], &turns["undecided"]], [&json!(2), &json!(2), &json!(1)]);
    near(&turns["worst"]["value"], 175.0, 1e-3);
    assert_eq!((&turns["worst"]["joint"], &turns["worst"]["at_s"]), (&json!("arm"), &json!(2.0)));
    assert_eq!(clip["sign_flips"], 1);
    assert_eq!((&clip["scale_not_uniform"], &clip["scale_negative"]), (&json!(["tip"]), &json!(["tip"])));
    let root = &clip["root"];
    assert_eq!(root["joint"], "base");
    for (key, want) in
        [("travel_m", 2.0), ("path_m", 2.0), ("heading_deg", 90.0), ("turn_deg", 0.0), ("speed_m_s", 1.0)]
    {
        near(&root[key], want, 1e-6);
    }
    // 295 degrees are 65 back; the tip, a metre above the arm, is a chord away from where it was.
    near(&clip["seam"]["rotation_deg"]["value"], 65.0, 1e-3);
    near(&clip["seam"]["position_mm"]["value"], 2000.0 * 0.537_299_608, 1e-2);
    assert_eq!(clip["seam"]["position_mm"]["joint"], "tip");
    let skin = &document["skins"][0];
    assert_eq!((&skin["vertices"], &skin["sum_off"], &skin["joints_max"]), (&json!(3), &json!(1), &json!(3)));
    near(&skin["sum_worst"], 0.75, 1e-6);
}

#[test]
fn people_are_told_what_wants_a_look() {
    let here = folder("anim_inspect_words");
    made(&here);
    let output = run(&here, &["anim", "inspect", "odd.gltf"]);
    let text = out(&output);
    for words in [
        "odd  2 s, 61 frames at 30 per second",
        "1 track holds one value: arm translation",
        "! 2 keys turn more than 30 degrees, 2 more than 90",
        "! 1 key is nearly half a turn",
        "! 1 rotation key has the opposite sign",
        "! differs by axis: tip",
        "! mirrors: tip",
        "base travels 2 m per loop towards 90 degrees (0 is +Z, 90 is +X), 1 m/s",
        "! does not loop",
        "! weights of 1 vertex do not sum to 1 (worst 0.75)",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let output = run(&here, &["anim", "inspect", &asset("suzanne.glb")]);
    well(&output);
    assert!(out(&output).contains("nothing moves"));
}

#[test]
fn a_walk_is_what_blender_made() {
    let here = folder("anim_inspect_walk");
    let document = inspected(&here, &[&asset("mannequin.glb"), "--clip", "walk"]);
    let [clip] = document["clips"].as_array().unwrap().as_slice() else { panic!("one clip") };
    assert_eq!(clip["joints_moved"].as_array().unwrap().len(), 46);
    assert_eq!(clip["morphs_moved"], json!(["mannequin"]));
    let heads = stillframe_testkit::npy::oracle("mannequin_walk_bone_heads.npy");
    assert_eq!(clip["frames"], json!(heads.shape[0]));
    // The same clip from the other program's file: other curves, the same motion.
    let fbx = &inspected(&here, &[&asset("mannequin.fbx")])["clips"];
    let fbx = fbx.as_array().unwrap().iter().find(|clip| clip["name"].as_str().unwrap().contains("walk")).unwrap();
    near(&fbx["duration_s"], clip["duration_s"].as_f64().unwrap(), 1e-6);
    near(&fbx["root"]["path_m"], clip["root"]["path_m"].as_f64().unwrap(), 1e-3);
    near(&fbx["seam"]["rotation_deg"]["value"], clip["seam"]["rotation_deg"]["value"].as_f64().unwrap(), 0.05);
    // More frames are nearer and larger.
    for clip in [clip, fbx] {
        let baked = clip["baked"].as_array().unwrap();
        let worst: Vec<f64> = baked.iter().map(|baked| baked["worst_mm"]["value"].as_f64().unwrap()).collect();
        let bytes: Vec<u64> = baked.iter().map(|baked| baked["bytes"].as_u64().unwrap()).collect();
        assert!(worst[0] > worst[1] && bytes[0] < bytes[1] && bytes[1] < bytes[2], "{worst:?} {bytes:?}");
        // Both programs keyed every frame.
        assert!(worst[1] < 0.5, "{worst:?}");
    }
}

/// No point of the surface leaves the box of its clip, and the box is not much larger than it must be.
#[test]
fn boxes_hold_the_surface_at_any_moment() {
    let here = folder("anim_bounds");
    for model in ["mannequin.glb", "doll.gltf", "arm.gltf"] {
        let output = run(&here, &["anim", "inspect", &asset(model), "--json"]);
        well(&output);
        let document: Value = serde_json::from_str(&out(&output)).unwrap();
        for clip in document["clips"].as_array().unwrap() {
            let (name, frames) = (clip["name"].as_str().unwrap(), clip["frames"].as_u64().unwrap());
            let corner = |key: &str| [0, 1, 2].map(|axis| clip["bounds"][key][axis].as_f64().unwrap() as f32);
            let (min, max) = (corner("min"), corner("max"));
            let (found, _) = super::anim::dump(&here, &asset(model), name, "positions", &format!("0..{}", frames - 1));
            for point in found.values.chunks_exact(3).filter(|point| point.iter().all(|number| !number.is_nan())) {
                let is_in = (0..3).all(|axis| min[axis] <= point[axis] && point[axis] <= max[axis]);
                assert!(is_in, "{model} {name}: {point:?} is not between {min:?} and {max:?}");
            }
            let over = clip["bounds"]["over_exact"].as_f64().unwrap();
            assert!((1.0..2.5).contains(&over), "{model} {name}: {over}");
        }
    }
    let output = run(&here, &["anim", "inspect", &asset("mannequin.glb"), "--clip", "walk"]);
    assert!(out(&output).contains("bounds") && out(&output).contains("times the exact box"), "{}", out(&output));
}

#[test]
fn baked_joints_are_where_the_clip_has_them() {
    let here = folder("anim_bake");
    let glb = asset("mannequin.glb");
    for (clip, fps) in [("walk", "30"), ("wave", "60")] {
        let arguments = ["anim", "bake", &glb, "--clip", clip, "--fps", fps, "--what", "matrices", "-o", "m.npy"];
        well(&run(&here, &arguments));
        let output = run(&here, &["anim", "bake", &glb, "--clip", clip, "--fps", fps, "-o", "t.json"]);
        well(&output);
        assert!(out(&output).contains("mm at most"), "{}", out(&output));
        let matrices = read(&here.join("m.npy"));
        let document: Value = serde_json::from_slice(&fs::read(here.join("t.json")).unwrap()).unwrap();
        assert_eq!(document["schema"], "anim-bake/1");
        let [frames, joints, 12] = matrices.shape[..] else { panic!("{:?}", matrices.shape) };
        assert_eq!(document["shape"], json!([frames, joints, 10]));
        let names: Vec<&str> =
            document["joints"].as_array().unwrap().iter().map(|joint| joint["name"].as_str().unwrap()).collect();
        assert_eq!(names.len(), joints);
        let parents: Vec<Option<u64>> =
            document["joints"].as_array().unwrap().iter().map(|joint| joint["parent"].as_u64()).collect();
        assert!(parents.iter().enumerate().all(|(joint, parent)| parent.is_none_or(|parent| parent < joint as u64)));

        // Where Blender has the heads of bones, at frames that both have.
        let heads = stillframe_testkit::npy::oracle(&format!("mannequin_{clip}_bone_heads.npy"));
        let about: Value = serde_json::from_slice(
            &fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/oracle/mannequin_{clip}.json")))
                .unwrap(),
        )
        .unwrap();
        let step = (frames - 1) / (heads.shape[0] - 1);
        assert_eq!(step * (heads.shape[0] - 1), frames - 1, "{frames} frames");
        let mut worst = 0.0_f32;
        for frame in 0..heads.shape[0] {
            for (bone, name) in about["bones"].as_array().unwrap().iter().enumerate() {
                let joint = names.iter().position(|own| own == &name.as_str().unwrap()).unwrap();
                for row in 0..3 {
                    let found = matrices.values[((frame * step * joints) + joint) * 12 + row * 4 + 3];
                    let want = heads.values[(frame * heads.shape[1] + bone) * 3 + row];
                    worst = worse(worst, (found - want).abs());
                }
            }
        }
        assert!(worst < 2e-4, "{clip}: {worst} m");
    }
}

#[test]
fn what_cannot_be_baked_is_told() {
    let here = folder("anim_bake_bad");
    let (glb, still) = (asset("mannequin.glb"), asset("suzanne.glb"));
    for (arguments, words) in [
        (vec![glb.as_str(), "-o", "a.npy"], "--clip must be one of \"idle\", \"walk\", \"run\", \"wave\""),
        (vec![glb.as_str(), "--clip", "walk", "-o", "a.txt"], ".npy or .json"),
        (vec![glb.as_str(), "--clip", "wakl", "-o", "a.npy"], "did you mean \"walk\"?"),
        (vec![still.as_str(), "-o", "a.npy"], "no clips"),
        (vec![glb.as_str(), "--clip", "walk", "--fps", "0", "-o", "a.npy"], "--fps"),
    ] {
        let output = run(&here, &[&["anim", "bake"], arguments.as_slice()].concat());
        assert_eq!(status(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    assert!(!here.join("a.npy").exists());
    let bytes = run(&here, &["anim", "bake", &glb, "--clip", "walk", "-o", "-"]);
    well(&bytes);
    well(&run(&here, &["anim", "bake", &glb, "--clip", "walk", "-o", "a.npy"]));
    assert_eq!(bytes.stdout, fs::read(here.join("a.npy")).unwrap());
}
