//! `anim dump` of scenes: what animators do to figures, behind graphs and solvers.

use std::path::{Path, PathBuf};

use serde_json::Value;
use stillframe_testkit::npy::read;
use stillframe_testkit::worse;

use super::{err, folder, out, run, status, well};

fn scene(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/animation").join(name).display().to_string()
}

/// A document that `anim dump` writes.
fn document(here: &Path, arguments: &[&str]) -> Value {
    let output = run(here, &[&["anim", "dump"], arguments, &["-o", "-"]].concat());
    well(&output);
    serde_json::from_str(&out(&output)).unwrap_or_else(|error| panic!("{error}: {}", out(&output)))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Without a graph worth the name and without solvers an animator does what its clip does.
#[test]
fn an_animator_of_one_clip_has_the_numbers_of_the_clip() {
    let here = folder("anim_figure_clip");
    let model = super::anim::asset("mannequin.glb");
    for what in ["joints", "positions", "morphs"] {
        let (clip, _) = super::anim::dump(&here, &model, "wave", what, "0,7,20..22");
        let arguments =
            ["anim", "dump", &scene("socket/hand.toml"), "--what", what, "--frames", "0,7,20..22", "-o", "a.npy"];
        well(&run(&here, &arguments));
        let figure = read(&here.join("a.npy"));
        assert_eq!(figure.shape, clip.shape, "{what}");
        let off = figure.values.iter().zip(&clip.values).map(|(a, b)| (a - b).abs()).fold(0.0, worse);
        assert!(off < 2e-5, "{what}: {off}");
    }
}

#[test]
fn solvers_tell_what_they_have_reached() {
    let here = folder("anim_figure_solvers");
    let told = document(&here, &[&scene("ik/body.toml"), "--what", "solvers", "--frames", "0,10"]);
    assert_eq!(told["schema"], "anim-solvers/1");
    assert!(told["stillframe"].is_string());
    assert_eq!((&told["animator"], &told["node"]), (&"figure".into(), &"figure".into()));
    assert_eq!(told["frames"].as_array().map(Vec::len), Some(2));
    let solvers = told["frames"][1]["solvers"].as_array().expect("a list");
    let kinds: Vec<&str> = solvers.iter().map(|solver| solver["kind"].as_str().expect("a word")).collect();
    assert_eq!(kinds, ["aim", "ccd", "ccd", "aim", "aim"], "twists reach for nothing");
    assert_eq!(solvers[2]["number"], 2);
    assert_eq!(solvers[1]["joint"], "Hand.L");
    assert!(number(&solvers[1]["left_m"]) < 2e-4 && number(&solvers[1]["passes"]) > 0.0, "{}", solvers[1]);
    assert!((number(&solvers[1]["target"][0]) - 0.35).abs() < 1e-5, "{}", solvers[1]);
    let far = document(&here, &[&scene("ik/two_bone_far.toml"), "--what", "solvers"]);
    let far = &far["frames"][0]["solvers"][0];
    assert!(far["reached"] == false && number(&far["left_m"]) > 0.05 && far["limited"] == false, "{far}");
    // The numbers are those of the pose that is written.
    let joints = ["anim", "dump", &scene("ik/body.toml"), "--what", "joints", "-o", "j.npy", "--json"];
    let output = run(&here, &joints);
    well(&output);
    let names: Value = serde_json::from_str(&out(&output)).unwrap();
    let hand = names["names"].as_array().expect("names").iter().position(|name| name == "Hand.L").expect("a hand");
    let at = &read(&here.join("j.npy")).values[3 * hand..][..3];
    for (axis, wanted) in [0.35, 1.25, 0.4].into_iter().enumerate() {
        assert!((at[axis] - wanted).abs() < 2e-4, "{at:?}");
    }
    let text = run(&here, &["render", &scene("ik/two_bone_far.toml"), "--dump", "animation"]);
    well(&text);
    assert!(out(&text).contains("#0 two_bone Hand.R: not reached, "), "{}", out(&text));
    let text = run(&here, &["render", &scene("ik/ccd.toml"), "--dump", "animation"]);
    assert!(out(&text).contains("solvers on \"figure\"\n    #0 ccd Index2.R: reached, 0.0"), "{}", out(&text));
}

#[test]
fn motions_are_judged() {
    let here = folder("anim_figure_metrics");
    let of = |name: &str, frames: &str| {
        let arguments = [&scene(name), "--what", "metrics", "--frames", frames, "--feet", "Toe.L,Toe.R"];
        document(&here, &arguments)
    };
    let walk = of("root/walk.toml", "0..75");
    assert_eq!((&walk["schema"], &walk["of"]["animator"]), (&"anim-metrics/1".into(), &"walk".into()));
    assert_eq!(walk["frames"], serde_json::json!([0, 75]));
    let slide =
        |told: &Value| told["feet"].as_array().expect("feet").iter().map(|foot| number(&foot["slide_m"])).sum::<f64>();
    let in_place = of("root/walk_in_place.toml", "0..75");
    assert!(slide(&in_place) > 1.5 * slide(&walk), "{in_place} and {walk}");
    let pop = |told: &Value| number(&told["pop_deg_per_frame2"]["value"]);
    let (inertial, book) = (of("blend/switch_inertial.toml", "0..29"), of("blend/switch_book.toml", "0..29"));
    assert!(pop(&inertial) > 0.0 && pop(&book) > 0.0, "{inertial} and {book}");
    // A clip of a model, over its whole length: what it walks is no jump.
    let model = super::anim::asset("mannequin.glb");
    let whole = document(&here, &[&model, "--clip", "walk", "--what", "metrics", "--frames", "0..30"]);
    assert_eq!(whole["of"]["clip"], "walk");
    let part = document(&here, &[&model, "--clip", "walk", "--what", "metrics", "--frames", "0..15"]);
    let seam = |told: &Value| number(&told["seam"]["rotation_deg"]);
    assert!(seam(&whole) < 0.1 * seam(&part), "{whole} and {part}");
}

#[test]
fn what_cannot_be_dumped_of_a_scene_is_told() {
    let here: PathBuf = folder("anim_figure_bad");
    let (walk, glb) = (scene("root/walk.toml"), super::anim::asset("mannequin.glb"));
    let (each, stairs) = (scene("ik/feet_each.toml"), scene("ik/feet_stairs.toml"));
    for (arguments, words) in [
        (vec![&*walk, "--what", "joints", "--animator", "wakl"], "did you mean \"walk\"?"),
        (vec![&*walk, "--what", "joints", "--clip", "walk"], "--clip needs a model"),
        (vec![&*stairs, "--what", "joints"], "--animator must be one of knowing, unknowing"),
        (vec![&*each, "--what", "joints", "--node", "hihg"], "did you mean \"high\"?"),
        (vec![&*glb, "--what", "joints", "--animator", "walk"], "need a scene"),
        (vec![&*glb, "--what", "solvers"], "need a scene"),
        (vec![&*walk, "--what", "metrics"], "consecutive frames"),
        (vec![&*walk, "--what", "metrics", "--frames", "0,2,4"], "consecutive frames"),
        (vec![&*walk, "--what", "metrics", "--frames", "0..5", "--feet", "Toe.Q"], "did you mean \"Toe."),
        (vec![&*walk, "--what", "joints", "--feet", "Toe.L"], "--what metrics"),
    ] {
        let output = run(&here, &[&["anim", "dump", "-o", "a.npy"], arguments.as_slice()].concat());
        assert_eq!(status(&output), 2, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    // Figures of one animator each have their own.
    let height = |node: &str| {
        well(&run(&here, &["anim", "dump", &each, "--node", node, "--what", "joints", "-o", "a.npy"]));
        read(&here.join("a.npy")).values
    };
    assert_ne!(height("low"), height("high"));
}
