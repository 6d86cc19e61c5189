//! `anim dump`: what clips do to models, beside what Blender says they do.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::npy::{Npy, oracle, read};
use super::{err, folder, out, run, status, well};

fn asset(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(name).display().to_string()
}

/// What `anim dump` writes, and what it says with `--json`.
fn dump(here: &Path, model: &str, clip: &str, what: &str, frames: &str) -> (Npy, Value) {
    let file = format!("{what}.npy");
    let arguments = ["anim", "dump", model, "--clip", clip, "--what", what, "--frames", frames, "-o", &file, "--json"];
    let output = run(here, &arguments);
    well(&output);
    (read(&here.join(&file)), serde_json::from_str(&out(&output)).unwrap())
}

fn worst(found: &[f32], wanted: &[f32]) -> f32 {
    assert_eq!(found.len(), wanted.len());
    // A value that is none is as wrong as can be.
    found.iter().zip(wanted).fold(0.0, |worst: f32, (a, b)| if (a - b).abs() <= worst { worst } else { (a - b).abs() })
}

fn about(clip: &str) -> Value {
    let file = format!("tests/data/oracle/mannequin_{clip}.json");
    serde_json::from_slice(&fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap()).unwrap()
}

fn list_of_frames(about: &Value) -> String {
    let frames: Vec<String> = about["position_frames"].as_array().unwrap().iter().map(Value::to_string).collect();
    frames.join(",")
}

#[test]
fn points_joints_and_weights_are_where_blender_has_them() {
    let here = folder("anim_dump");
    for clip in ["walk", "wave"] {
        let about = about(clip);
        let [positions, heads, morphs] =
            ["positions", "bone_heads", "morphs"].map(|what| oracle(&format!("mannequin_{clip}_{what}.npy")));
        let every = format!("0..{}", heads.shape[0] - 1);
        let glb = asset("mannequin.glb");
        let (found, said) = dump(&here, &glb, clip, "positions", &list_of_frames(&about));
        assert_eq!((found.shape.as_slice(), &said["shape"]), (positions.shape.as_slice(), &about_shape(&positions)));
        assert!(worst(&found.values, &positions.values) < 1e-5, "{clip}: {}", worst(&found.values, &positions.values));
        let (found, said) = dump(&here, &glb, clip, "joints", &every);
        assert_eq!((&said["names"], found.shape.as_slice()), (&about["bones"], heads.shape.as_slice()));
        assert!(worst(&found.values, &heads.values) < 1e-5, "{clip}: {}", worst(&found.values, &heads.values));
        let (found, said) = dump(&here, &glb, clip, "morphs", &every);
        assert_eq!((&said["names"], found.shape.as_slice()), (&about["morphs"], morphs.shape.as_slice()));
        assert!(worst(&found.values, &morphs.values) < 1e-6, "{clip}: {}", worst(&found.values, &morphs.values));
        let (found, _) = dump(&here, &glb, clip, "normals", &list_of_frames(&about));
        assert_eq!(found.shape, positions.shape);
        let unit = |n: &[f32]| ((n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt() - 1.0).abs() < 1e-5;
        assert!(found.values.chunks_exact(3).all(unit));
    }
}

fn about_shape(npy: &Npy) -> Value {
    npy.shape.iter().map(|count| Value::from(*count)).collect()
}

#[test]
fn an_fbx_file_moves_as_its_glb_does() {
    let here = folder("anim_dump_fbx");
    let heads = oracle("mannequin_walk_bone_heads.npy");
    let bones = about("walk")["bones"].clone();
    let (found, said) = dump(&here, &asset("mannequin.fbx"), "walk", "joints", "0..30");
    let names = said["names"].as_array().unwrap();
    let mut compared = 0;
    for (bone, name) in bones.as_array().unwrap().iter().enumerate() {
        let at = names.iter().position(|known| known == name).unwrap_or_else(|| panic!("no {name}"));
        for frame in 0..31 {
            let of = |npy: &Npy, index: usize| -> Vec<f32> {
                let first = (frame * npy.shape[1] + index) * 3;
                npy.values[first..first + 3].to_vec()
            };
            let off = worst(&of(&found, at), &of(&heads, bone));
            assert!(off < 1e-5, "{name} at {frame}: {off}");
            compared += 1;
        }
    }
    assert_eq!(compared, 46 * 31);
}

#[test]
fn without_a_clip_a_model_is_as_it_is_stored() {
    let here = folder("anim_dump_rest");
    let (found, _) = dump(&here, &asset("teapot.glb"), "none", "positions", "0,7");
    assert_eq!(found.shape[0], 2);
    let (first, second) = found.values.split_at(found.values.len() / 2);
    assert_eq!(first, second);
    let listed = run(&here, &["anim", "dump", &asset("mannequin.glb"), "--what", "morphs", "-o", "morphs.npy"]);
    well(&listed);
    assert_eq!(out(&listed).lines().next(), Some("morphs.npy  1 x 5"), "{}", out(&listed));
    assert_eq!(out(&listed).lines().nth(3), Some("   2 smile"));
    let bytes = run(&here, &["anim", "dump", &asset("mannequin.glb"), "--what", "morphs", "-o", "-"]);
    well(&bytes);
    assert_eq!(bytes.stdout, fs::read(here.join("morphs.npy")).unwrap());
}

#[test]
fn what_cannot_be_dumped_is_told() {
    let here: PathBuf = folder("anim_dump_bad");
    fs::write(here.join("scene.toml"), super::SCENE).unwrap();
    let glb = asset("mannequin.glb");
    for (arguments, code, words) in [
        (vec![glb.as_str(), "--clip", "wakl", "-o", "a.npy"], 2, "did you mean \"walk\"?"),
        (vec![glb.as_str(), "--clip", "#9", "-o", "a.npy"], 2, "#9"),
        (vec!["scene.toml", "-o", "a.npy"], 2, "this wants a model"),
        (vec!["none.glb", "-o", "a.npy"], 2, "none.glb"),
        (vec![glb.as_str(), "--frames", "3..1", "-o", "a.npy"], 2, "comes before the first"),
        (vec![glb.as_str(), "-o", "no/folder/a.npy"], 8, "no/folder/a.npy"),
    ] {
        let output = run(&here, &[&["anim", "dump", "--what", "joints"], arguments.as_slice()].concat());
        assert_eq!(status(&output), code, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    assert!(!here.join("a.npy").exists());
}
