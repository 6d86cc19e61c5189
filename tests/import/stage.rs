//! Stage: cameras and grounds that nobody placed stand still while something moves.

use std::path::Path;

use stillframe::take::{Dump, Settings, Sitting};
use stillframe_asset::source::Vfs;
use stillframe_scene::scene::{ClipChoice, Scene, Wishes, resolve_text};

/// The text of one link at some frames, as one sequence or each by itself.
fn dumps(scene: &Scene, dump: Dump, frames: &[i32], all: bool) -> Vec<String> {
    let settings = Settings { dump: Some(dump), ..Settings::default() };
    let times_s: Vec<f64> = frames.iter().map(|frame| f64::from(*frame) / 30.0).collect();
    let mut sitting = Sitting::begin(scene, &settings, &mut |_| ()).expect("it loads");
    if all {
        sitting.frame_over(&times_s);
    }
    let shot = |time_s: &f64| sitting.at(*time_s, &mut |_| ()).expect("it stands").dump.expect("it was asked for");
    times_s.iter().map(shot).collect()
}

/// The first lines: those of the camera.
fn cameras(shots: &[String]) -> Vec<String> {
    shots.iter().map(|shot| shot.lines().take_while(|line| !line.starts_with("light")).take(4).collect()).collect()
}

/// Where the ground lies, of each world.
fn grounds(worlds: &[String]) -> Vec<String> {
    let ground = |world: &String| world.lines().filter(|line| line.contains("\"ground\" bounds")).collect::<String>();
    worlds.iter().map(ground).collect()
}

fn bare(file: &str, clip: ClipChoice) -> Scene {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(file);
    let wishes = Wishes { clip: Some(clip), ..Wishes::default() };
    Scene::for_model(&file, &wishes).expect("a model").scene
}

fn all_equal(values: &[String]) {
    assert!(!values[0].is_empty());
    assert!(values.iter().all(|value| *value == values[0]), "{values:#?}");
}

#[test]
fn a_clip_has_one_camera_and_one_ground() {
    for file in ["mannequin.glb", "mannequin.fbx"] {
        let scene = bare(file, ClipChoice::Number(0));
        let shots_of_all = dumps(&scene, Dump::Shot, &[0, 7, 15, 22, 29], true);
        assert_ne!(shots_of_all[0], shots_of_all[2], "nothing moves");
        all_equal(&cameras(&shots_of_all));
        all_equal(&grounds(&dumps(&scene, Dump::World, &[0, 7, 15, 22, 29], true)));
        // A still is one of the sequence.
        assert_eq!(dumps(&scene, Dump::Shot, &[15], false)[0], shots_of_all[2]);
    }
}

fn spinning(more: &str) -> Scene {
    let text = format!(
        "title = 'a turntable'\n[output]\nsize_px = [64, 64]\ncamera = 'auto'\n[[node]]\nname = 'bar'\nshape = 'box'\nsize_m = [3.0, 0.2, 0.4]\n{more}"
    );
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let vfs = Vfs::open(&scenes).expect("the folder is there");
    resolve_text(&text, Path::new("test.toml"), &scenes, &vfs, &[]).expect("a scene").scene
}

#[test]
fn a_turntable_does_not_pump() {
    let turning = spinning("rotation_deg = { keys = [[0, [0, 0, 0]], [1, [0, 120, 0]], [2, [0, 240, 0]]] }\n");
    let turns = dumps(&turning, Dump::Shot, &[0, 10, 20, 30, 45], true);
    all_equal(&cameras(&turns));
    assert_eq!(cameras(&dumps(&turning, Dump::Shot, &[20], false))[0], cameras(&turns)[2]);
    // Nearer where nothing turns.
    assert_ne!(cameras(&dumps(&spinning(""), Dump::Shot, &[0], true))[0], cameras(&turns)[0]);
}
