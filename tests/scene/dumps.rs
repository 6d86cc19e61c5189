//! The text forms of the chain's links, as `--dump` prints them: a change of any link shows here as text before it
//! shows in pixels.

use std::path::{Path, PathBuf};

use stillframe::take::{Dump, Settings, Sitting, take};
use stillframe_scene::scene::read;

fn dump(scene: &str, dump: Dump) -> String {
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(scene);
    let scene = read(&file, &[]).unwrap_or_else(|d| panic!("{d:#?}")).scene;
    let settings = Settings { dump: Some(dump), ..Settings::default() };
    take(&scene, &settings, &mut |_| ()).unwrap_or_else(|e| panic!("{e:#?}")).dump.expect("a dump was asked for")
}

/// Every link of one scene that has blended panes, a sky and a shadow.
#[test]
fn links_of_a_scene() {
    for (name, link) in [
        ("scene", Dump::Scene),
        ("world", Dump::World),
        ("shot", Dump::Shot),
        ("keys", Dump::Keys),
        ("plan", Dump::Plan),
    ] {
        insta::assert_snapshot!(format!("alpha_blend_{name}"), dump("material/alpha_blend.toml", link));
    }
}

/// The plan where lights of every kind cast shadows and the environment is a file.
#[test]
fn plans_of_larger_scenes() {
    insta::assert_snapshot!("hero_plan", dump("showcase/hero.toml", Dump::Plan));
    insta::assert_snapshot!("three_colours_plan", dump("light/three_colours.toml", Dump::Plan));
    insta::assert_snapshot!("gltf_scene_world", dump("import/gltf_scene.toml", Dump::World));
}

/// What nodes of a material compute, and the keys that name it: holes are seen by the camera and by the light.
#[test]
fn graphs_of_a_material() {
    insta::assert_snapshot!("rust_graph", dump("graph/rust.toml", Dump::Graph));
    insta::assert_snapshot!("holes_graph", dump("graph/holes.toml", Dump::Graph));
    insta::assert_snapshot!("holes_keys", dump("graph/holes.toml", Dump::Keys));
    assert_eq!(dump("material/alpha_blend.toml", Dump::Graph), "");
}

/// The adapter's instructions for one of our shaders: each line is a step that 256 lanes take.
#[test]
fn instructions_of_a_pass() {
    let listing = stillframe_soft::listing(
        "@group(0) @binding(0) var<uniform> lamp: vec4f;
        @fragment fn fragment(@location(0) normal: vec3f, @location(1) tint: vec4f) -> @location(0) vec4f {
            let facing = max(dot(normalize(normal), lamp.xyz), 0.0);
            if tint.w < 0.5 { discard; }
            return vec4f(tint.rgb * facing * lamp.w, 1.0);
        }",
    );
    insta::assert_snapshot!("lambert_program", listing.expect("a valid text"));
}

/// What the animators of a scene say at some moments, which are asked for one after the other.
fn told(scene: &str, times_s: &[f64]) -> Vec<String> {
    let file: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(scene);
    let scene = read(&file, &[]).unwrap_or_else(|d| panic!("{d:#?}")).scene;
    let settings = Settings { dump: Some(Dump::Animation), ..Settings::default() };
    let mut sitting = Sitting::begin(&scene, &settings, &mut |_| ()).unwrap_or_else(|e| panic!("{e:#?}"));
    let mut at = |time_s: &f64| sitting.at(*time_s, &mut |_| ()).unwrap_or_else(|e| panic!("{e:#?}")).dump.unwrap();
    times_s.iter().map(&mut at).collect()
}

/// Events, clips in step by their markers, and weights of a graph, at the moments that the scenes show.
#[test]
fn what_animators_do() {
    for (name, scene, times_s) in [
        ("animation_steps", "animation/event/steps.toml", [0.0, 0.55, 1.5, 2.75].as_slice()),
        ("animation_follow", "animation/blend/follow.toml", &[0.25, 0.5, 1.5]),
        ("animation_gait", "animation/machine/gait.toml", &[0.05, 0.2, 1.5, 2.4, 5.4]),
        ("animation_slot", "animation/machine/slot.toml", &[0.0, 0.6, 1.2]),
    ] {
        insta::assert_snapshot!(name, told(scene, times_s).join("\n"));
    }
}

/// Moment and words of what has happened.
fn events(told: &str) -> Vec<(f64, String)> {
    let lines = told.lines().filter_map(|line| line.trim_start().split_once(" s  "));
    lines.filter_map(|(at_s, words)| Some((at_s.parse().ok()?, words.to_owned()))).collect()
}

#[test]
fn what_lies_at_the_start_is_told_there() {
    assert_eq!(
        events(&told("animation/event/steps.toml", &[0.0])[0]),
        [(0.0, "gait  step left  weight 1.000".to_owned())]
    );
}

/// Whoever asks for few frames hears what those hear who ask for many, and in any order.
#[test]
fn events_do_not_depend_on_frames() {
    for scene in ["animation/event/steps.toml", "animation/blend/follow.toml"] {
        let end_s = 3.0;
        let whole = events(&told(scene, &[end_s])[0]);
        assert!(whole.len() >= 5, "{scene}: {whole:?}");
        // Updates are 1/60 s: frames of these rates are updates, those of the last two end between them.
        for fps in [1.0, 4.0, 10.0, 12.0, 30.0, 60.0, 24.0, 25.0] {
            let times_s: Vec<f64> = (0..=(end_s * fps) as u32).map(|frame| f64::from(frame) / fps).collect();
            for (time_s, told) in times_s.iter().copied().zip(told(scene, &times_s)) {
                // What another leader begins with is heard with the first tick after an update: by six digits it is at
                // the update.
                let update_s = (time_s * 60.0 + 1e-6).floor() / 60.0 - 1e-6;
                let until = |events: Vec<(f64, String)>| -> Vec<(f64, String)> {
                    events.into_iter().filter(|event| event.0 <= update_s).collect()
                };
                assert_eq!(until(events(&told)), until(whole.clone()), "{scene}, {fps} frames a second, {time_s} s");
            }
        }
        let times_s = [2.0, 0.3, 2.9, 2.0, 0.0, 1.05, 1.06];
        let alone: Vec<String> = times_s.iter().map(|time_s| told(scene, &[*time_s]).remove(0)).collect();
        assert_eq!(told(scene, &times_s), alone, "{scene}");
    }
}
