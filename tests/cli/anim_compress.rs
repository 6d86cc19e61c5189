//! `anim compress`: within the bound of what Blender says, the same bytes again, and every number that is told follows
//! from others.

use std::fs;
use std::path::Path;

use glam::Affine3A;
use serde_json::{Value, json};
use stillframe_anim::compress::{Decompress, NamedClip};
use stillframe_anim::pose::{Affine, JointBlock, LocalToModel, NO_PARENT};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};
use stillframe_testkit::npy::oracle;
use stillframe_testkit::worse;

use super::anim_inspect::{asset, made};
use super::{err, folder, out, run, status, well};

fn compressed(here: &Path, arguments: &[&str]) -> Value {
    let output = run(here, &[&["anim", "compress", "--json"], arguments].concat());
    well(&output);
    serde_json::from_str(&out(&output)).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Sizes and ratios of a clip agree with each other, and its error with what was asked for.
fn adds_up(clip: &Value, error_mm: f64) {
    let [joints, samples, raw, bytes] = ["joints", "samples", "raw_bytes", "bytes"].map(|key| number(&clip[key]));
    assert_eq!(raw, 40.0 * joints * samples, "{clip}");
    assert_eq!(number(&clip["ratio"]), raw / bytes, "{clip}");
    assert_eq!(number(&clip["book"]["ratio"]), raw / number(&clip["book"]["bytes"]), "{clip}");
    let (worst, p99) = (number(&clip["worst_mm"]["value"]), number(&clip["p99_mm"]));
    assert!(worst <= error_mm && p99 <= worst + error_mm / 256.0, "{clip}");
    let tracks = ["default", "constant", "moving"].map(|kind| number(&clip["tracks"][kind]));
    assert_eq!(tracks.iter().sum::<f64>(), 3.0 * joints, "{clip}");
}

#[test]
fn every_clip_is_within_the_bound_and_smaller_than_the_book_s() {
    let here = folder("anim_compress");
    let (glb, fbx) = (asset("mannequin.glb"), asset("mannequin.fbx"));
    for file in [&glb, &fbx] {
        let mut bytes = Vec::new();
        for error_mm in [0.02, 0.1, 1.0] {
            let document = compressed(&here, &[file, "--error-mm", &error_mm.to_string()]);
            assert_eq!((&document["schema"], number(&document["error_max_mm"])), (&json!("anim-compress/1"), error_mm));
            let clips = document["clips"].as_array().unwrap();
            assert_eq!(clips.len(), 4);
            clips.iter().for_each(|clip| adds_up(clip, error_mm));
            if error_mm >= 0.1 {
                assert!(clips.iter().all(|clip| number(&clip["bytes"]) < number(&clip["book"]["bytes"])), "{document}");
            }
            bytes.push(clips.iter().map(|clip| number(&clip["bytes"])).sum::<f64>());
        }
        assert!(bytes[0] > bytes[1] && bytes[1] > bytes[2], "{bytes:?}");
    }
}

#[test]
fn what_is_written_is_where_blender_has_it() {
    let here = folder("anim_compress_file");
    let glb = asset("mannequin.glb");
    for clip in ["walk", "wave"] {
        let arguments = [glb.as_str(), "--clip", clip, "--error-mm", "0.05", "-o", "c.clip"];
        let document = compressed(&here, &arguments);
        let bytes = fs::read(here.join("c.clip")).unwrap();
        assert_eq!(document["file"], json!("c.clip"));
        compressed(&here, &arguments);
        assert!(bytes == fs::read(here.join("c.clip")).unwrap(), "the same file again");

        let named = NamedClip::from_bytes(&bytes).unwrap();
        let packed = named.clip();
        assert_eq!(document["clips"][0]["bytes"], json!(packed.to_bytes().len()));
        well(&run(&here, &["anim", "bake", &glb, "--clip", clip, "-o", "t.json"]));
        let table: Value = serde_json::from_slice(&fs::read(here.join("t.json")).unwrap()).unwrap();
        let joints = table["joints"].as_array().unwrap();
        let parents: Vec<u16> =
            joints.iter().map(|joint| joint["parent"].as_u64().map_or(NO_PARENT, |parent| parent as u16)).collect();
        let names: Vec<String> = joints.iter().map(|joint| joint["name"].as_str().unwrap().to_string()).collect();
        assert_eq!((named.skeleton().names(), named.skeleton().parents()), (&*names, &*parents));
        let heads = oracle(&format!("mannequin_{clip}_bone_heads.npy"));
        let about = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/oracle/mannequin_{clip}.json"));
        let about: Value = serde_json::from_slice(&fs::read(about).unwrap()).unwrap();
        let mut locals = vec![JointBlock::IDENTITY; JointBlock::count_for(joints.len())];
        let mut models = vec![Affine::IDENTITY; joints.len()];
        let (isa, root, mut worst) = (Isa::detect(), &Affine::IDENTITY, 0.0_f32);
        for frame in 0..heads.shape[0] {
            let at = Tick(frame as i64 * TICKS_PER_SECOND / 30);
            Decompress { isa, clip: packed, at, out: &mut locals }.run();
            LocalToModel { isa, parents: &parents, locals: &locals, root, models: &mut models }.run();
            for (bone, name) in about["bones"].as_array().unwrap().iter().enumerate() {
                let joint = joints.iter().position(|joint| &joint["name"] == name).unwrap();
                let found = Affine3A::from(models[joint]).translation;
                let want = &heads.values[(frame * heads.shape[1] + bone) * 3..][..3];
                (0..3).for_each(|axis| worst = worse(worst, (found[axis] - want[axis]).abs()));
            }
        }
        // The bound, and what the file itself is from Blender.
        assert!(worst < 0.05e-3 + 1e-5, "{clip}: {worst} m");
    }
}

#[test]
fn people_are_told_the_same() {
    let here = folder("anim_compress_words");
    let glb = asset("mannequin.glb");
    let output = run(&here, &["anim", "compress", &glb, "--clip", "walk"]);
    well(&output);
    let text = out(&output);
    let clip = &compressed(&here, &[&glb, "--clip", "walk"])["clips"][0];
    let head = format!("walk  {} joints, 1 s, {} samples", clip["joints"], clip["samples"]);
    assert_eq!(text.lines().next(), Some(head.as_str()), "{text}");
    assert_eq!(text.lines().count(), 7, "{text}");
    for words in ["40 bytes per joint and sample", " : 1; ", "mm at most, ", "99 % of", "move, ", "textbook"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let all = run(&here, &["anim", "compress", &glb]);
    well(&all);
    assert_eq!(out(&all).lines().count(), 4 * 7 + 1, "{}", out(&all));
    assert!(out(&all).contains(&text) && out(&all).lines().last().unwrap().starts_with("4 clips  "), "{}", out(&all));
    // A translation that holds and then jumps, a turn by 175 degrees between two keys, a scale that mirrors.
    let odd = made(&here);
    let document = compressed(&here, &[odd.to_str().unwrap()]);
    adds_up(&document["clips"][0], 0.1);
}

/// A clip is as far from its model as was told when it was made; another clip, or points further out, are further off.
#[test]
fn clips_are_checked_against_their_model() {
    let here = folder("anim_compress_check");
    let glb = asset("mannequin.glb");
    let made = compressed(&here, &[&glb, "--clip", "walk", "-o", "walk.clip", "--plot", "made.svg"]);
    let check = |arguments: &[&str]| {
        let output = run(&here, &[&["anim", "compress", &glb, "--json", "--check", "walk.clip"], arguments].concat());
        let document = serde_json::from_str(&out(&output)).unwrap_or(Value::Null);
        (status(&output), document, err(&output))
    };
    let (code, found, _) = check(&["--clip", "walk", "--plot", "checked.svg"]);
    assert_eq!(
        (code, &found["schema"], &found["is_within"]),
        (0, &json!("anim-compress-check/1"), &json!(true)),
        "{found}"
    );
    let [worst, told] = [&found["worst_mm"], &made["clips"][0]["worst_mm"]].map(|worst| number(&worst["value"]));
    // It looks at some moments between those that compressing has looked at.
    assert!(worst >= told - 1e-9 && worst <= 0.1, "{worst} {told}");
    let [a, b] = ["made.svg", "checked.svg"].map(|file| fs::read_to_string(here.join(file)).unwrap());
    assert!(a == b && a.contains("Error of walk, compressed") && a.contains("UpperArm"), "{a}");

    let (code, far, words) = check(&["--clip", "walk", "--shell-mm", "300", "--error-mm", "0.15"]);
    assert_eq!((code, &far["is_within"]), (1, &json!(false)), "{far}");
    assert!(
        number(&far["worst_mm"]["value"]) > 2.0 * worst && words.contains("the error exceeds 0.15 mm"),
        "{far} {words}"
    );
    // Made for points there, it holds there.
    let bytes = fs::read(here.join("walk.clip")).unwrap().len();
    compressed(&here, &[&glb, "--clip", "walk", "--shell-mm", "300", "--error-mm", "0.15", "-o", "walk.clip"]);
    let (code, held, _) = check(&["--clip", "walk", "--shell-mm", "300", "--error-mm", "0.15"]);
    assert_eq!(code, 0, "{held}");
    assert!(fs::read(here.join("walk.clip")).unwrap().len() > bytes);

    for (clip, words) in [("run", "it is 1 s long, and clip \"run\""), ("wave", "s long, and clip \"wave\"")] {
        let output = run(&here, &["anim", "compress", &glb, "--check", "walk.clip", "--clip", clip]);
        assert!(status(&output) == 2 && err(&output).contains(words), "{clip}: {}", err(&output));
    }
    fs::write(here.join("walk.clip"), "no clip").unwrap();
    assert_eq!(check(&["--clip", "walk"]).0, 2);
    let output = run(&here, &["anim", "compress", &glb, "--clip", "walk", "--check", "none.clip"]);
    assert!(status(&output) == 2 && err(&output).contains("there is no such file"), "{}", err(&output));
}

#[test]
fn what_cannot_be_compressed_is_told() {
    let here = folder("anim_compress_bad");
    let (glb, still) = (asset("mannequin.glb"), asset("suzanne.glb"));
    for (arguments, words) in [
        (vec![glb.as_str(), "-o", "a.clip"], "--clip must be one of \"idle\", \"walk\", \"run\", \"wave\""),
        (vec![glb.as_str(), "--clip", "walk", "-o", "a.npy"], "must be .clip"),
        (vec![glb.as_str(), "--clip", "wakl"], "did you mean \"walk\"?"),
        (vec![glb.as_str(), "--clip", "walk", "--plot", "a.png"], "must be .svg"),
        (vec![glb.as_str(), "--plot", "a.svg"], "--clip must be one of"),
        (vec![glb.as_str(), "--error-mm", "0"], "0.000001 to 1000"),
        (vec![glb.as_str(), "--error-mm", "nan"], "0.000001 to 1000"),
        (vec![glb.as_str(), "--error-mm", "much"], "expected a number"),
        (vec![glb.as_str(), "--clip", "walk", "--error-mm", "0.000001"], "more than"),
        (vec![still.as_str(), "-o", "a.clip"], "no clips"),
    ] {
        let output = run(&here, &[&["anim", "compress"], arguments.as_slice()].concat());
        assert_eq!(status(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    assert!(!here.join("a.clip").exists());
}
