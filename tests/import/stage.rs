//! Stage: cameras and grounds that nobody placed stand still while something moves.

use std::path::Path;

use glam::{Mat4, Vec3};
use stillframe::take::{Dump, Settings, Sitting};
use stillframe_asset::source::Vfs;
use stillframe_draw::view::look;
use stillframe_scene::scene::{CameraWish, ClipChoice, Scene, Turn, View, Wishes, resolve_text};
use stillframe_world::world::{Origin, build};

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

/// The text of a link at some turns of a turntable, of a model that stands or moves.
fn turned(scene: &Scene, dump: Dump, count: i32, frame_of: impl Fn(i32) -> i32) -> Vec<String> {
    let settings = Settings { dump: Some(dump), ..Settings::default() };
    let mut sitting = Sitting::begin(scene, &settings, &mut |_| ()).expect("it loads");
    let mut shot = |number: i32| {
        let of = |number: i32| f64::from(number) / f64::from(count);
        let turn = Some(Turn { now: of(number), before: of(number - 1) });
        let time_s = f64::from(frame_of(number)) / 30.0;
        sitting.at_turned(time_s, turn, &mut |_| ()).expect("it stands").dump.expect("it was asked for")
    };
    (0..=count).map(&mut shot).collect()
}

/// The numbers in the first brackets of the first line that begins so.
fn numbers(text: &str, start: &str) -> Vec<f64> {
    let line =
        text.lines().find(|line| line.trim_start().starts_with(start)).unwrap_or_else(|| panic!("{start}: {text}"));
    let inner = line.split_once('(').and_then(|(_, rest)| rest.split_once(')')).expect("a vector").0;
    inner.split(' ').map(|number| number.parse().expect("a number")).collect()
}

/// Where `word` stands in a line that begins with `start`: the numbers behind it.
fn numbers_behind(text: &str, start: &str, word: &str) -> Vec<f64> {
    let line = text.lines().find(|line| line.starts_with(start)).expect("such a line");
    numbers(&line[line.find(word).expect("the word")..], word)
}

#[test]
fn a_turntable_has_one_distance_height_floor_and_light() {
    for (file, clip, view, moves) in [
        ("suzanne.glb", ClipChoice::None, View::Auto, false),
        ("mannequin.glb", ClipChoice::Number(1), View::Auto, true),
        ("mannequin.fbx", ClipChoice::Number(1), View::Auto, false),
        ("mannequin.glb", ClipChoice::Number(3), View::Front, true),
        ("teapot.glb", ClipChoice::None, View::Iso, false),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(file);
        let camera = Some(CameraWish::View(view));
        let scene = Scene::for_model(&path, &Wishes { clip: Some(clip), camera, turns: true, ..Wishes::default() });
        let scene = scene.expect("a model").scene;
        let frame_of = |number: i32| if moves { number * 3 } else { 5 };
        let worlds = turned(&scene, Dump::World, 8, frame_of);
        all_equal(&grounds(&worlds));
        let shots = turned(&scene, Dump::Shot, 8, frame_of);
        let places: Vec<Vec<f64>> = shots.iter().map(|shot| numbers(shot, "position")).collect();
        // The axis is in the middle of the circle: between opposite places.
        let middle = |axis: usize| (places[0][axis] + places[4][axis]) * 0.5;
        let distance = |place: &[f64]| {
            let [x, z] = [0, 2].map(|axis| place[axis] - middle(axis));
            (x * x + z * z).sqrt()
        };
        let lights: Vec<Vec<f64>> =
            shots.iter().map(|shot| numbers_behind(shot, "light \"studio.key\"", "direction")).collect();
        for (number, place) in places.iter().enumerate() {
            assert_eq!(place[1], places[0][1], "{file}: height");
            assert!(
                (distance(place) - distance(&places[0])).abs() < 1e-6 * distance(place).max(10.0),
                "{file} {number}: {places:?}"
            );
            // The light comes from the same side of the camera.
            let side = |at: usize| {
                let back = [places[at][0] - middle(0), places[at][2] - middle(2)];
                (back[0] * lights[at][0] + back[1] * lights[at][2]) / distance(&places[at])
            };
            assert!((side(number) - side(0)).abs() < 1e-5 && lights[number][1] == lights[0][1], "{file} {number}");
        }
        // Quarters are exact, neighbours differ, and the loop closes.
        assert!(places.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(cameras(&shots)[0], cameras(&shots)[8], "{file}");
        let still = Scene { turn: None, ..scene.clone() };
        assert!(!cameras(&dumps(&still, Dump::Shot, &[0], false))[0].is_empty());
    }
}

/// What is shown is nine tenths as wide or as high as the picture, and in its middle.
#[test]
fn a_framing_camera_goes_by_points_and_fills_nine_tenths() {
    for file in ["suzanne.glb", "teapot.glb", "column.glb", "leaf_card.glb", "mannequin.glb", "terrain.glb"] {
        for (size_px, view) in [([1280, 720], View::Auto), ([300, 900], View::Auto), ([640, 480], View::Iso)] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(file);
            let camera = Some(CameraWish::View(view));
            let wishes = Wishes { size_px: Some(size_px), camera, ..Wishes::default() };
            let scene = Scene::for_model(&path, &wishes).expect("a model").scene;
            let vfs = scene.vfs().expect("a root");
            let built = build(&scene, &|path: &Path| vfs.read(path)).expect("a world");
            let camera = look(&built.scene, &built.world).camera;
            let clip_from_world: Mat4 = camera.clip_from_view * camera.view_from_world;
            let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
            for item in built.world.items.iter().filter(|item| !matches!(item.origin, Origin::Ground { .. })) {
                let positions = match item.bent {
                    Some(bent) => &built.world.bents[bent as usize].positions,
                    None => &built.world.store.geometry(item.geometry).positions,
                };
                for position in positions {
                    let clip = clip_from_world * item.world_from_local * Vec3::from(*position).extend(1.0);
                    assert!(clip.w > 0.0 && clip.z > 0.0 && clip.z < clip.w, "{file}: {clip}");
                    (low, high) = (low.min(clip.truncate() / clip.w), high.max(clip.truncate() / clip.w));
                }
            }
            let sides = [-low.x, high.x, -low.y, high.y];
            assert!(sides.iter().all(|side| *side < 0.9001), "{file} {size_px:?}: {sides:?}");
            let fills = |a: usize| sides[a] > 0.899 && sides[a + 1] > 0.899;
            assert!(fills(0) || fills(2), "{file} {size_px:?}: {sides:?}");
            let middle = [(sides[0] - sides[1]).abs(), (sides[2] - sides[3]).abs()];
            assert!(middle.iter().all(|off| *off < 0.05), "{file} {size_px:?}: {sides:?}");
        }
    }
}

/// Height, floor, facing and camera are those of the figure, whatever format it is stored in.
#[test]
fn the_same_figure_stands_alike_from_gltf_and_fbx() {
    let near = |a: &[f64], b: &[f64], what: &str| {
        assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{what}: {a:?} and {b:?}");
    };
    // The box of the figure and the height of its floor.
    let stands = |world: &str| {
        let (_, object) = world.split_once("object 1 ").expect("an object");
        let (_, ground) = world.split_once("\"ground\" bounds").expect("a ground");
        let low = numbers(&object[object.find("bounds").expect("bounds")..], "bounds");
        let high = numbers(&object[object.find("..").expect("bounds")..], "..");
        (low, high, numbers(ground, "")[1])
    };
    let world =
        |file: &str, clip: ClipChoice, frame: i32| dumps(&bare(file, clip), Dump::World, &[frame], false).remove(0);
    let shot =
        |file: &str, clip: ClipChoice, frame: i32| dumps(&bare(file, clip), Dump::Shot, &[frame], false).remove(0);
    let named = |name: &str| ClipChoice::Named(name.to_string());
    // The takes of mannequin.fbx hold no breath (morph targets); those of the other files do.
    for (other, name, other_name) in [
        ("mannequin.fbx", "run", named("run")),
        ("mannequin_walk.fbx", "walk", ClipChoice::Number(0)),
        ("mannequin_wave.fbx", "wave", ClipChoice::Number(0)),
    ] {
        for frame in [0, 7, 16] {
            let (one, two) =
                (stands(&world("mannequin.glb", named(name), frame)), stands(&world(other, other_name.clone(), frame)));
            near(&one.0, &two.0, name);
            near(&one.1, &two.1, name);
            near(&[one.2], &[two.2], name);
        }
        let (one, two) = (shot("mannequin.glb", named(name), 7), shot(other, other_name, 7));
        for line in ["position", "view_from_world", "clip_from_view"] {
            near(&numbers(&one, line), &numbers(&two, line), line);
        }
    }
    for file in ["suzanne.obj", "suzanne.stl", "suzanne.ply", "suzanne_yup_cm.fbx", "suzanne_zup_m.fbx"] {
        let (one, two) = (shot("suzanne.glb", ClipChoice::None, 0), shot(file, ClipChoice::None, 0));
        near(&numbers(&one, "position"), &numbers(&two, "position"), file);
        let (one, two) =
            (stands(&world("suzanne.glb", ClipChoice::None, 0)), stands(&world(file, ClipChoice::None, 0)));
        near(&one.0, &two.0, file);
        near(&one.1, &two.1, file);
    }
    // As stored, the two files hold other poses of the arms; the figure stands on the same floor, as high.
    let (one, two) =
        (stands(&world("mannequin.glb", ClipChoice::None, 0)), stands(&world("mannequin.fbx", ClipChoice::None, 0)));
    near(&[one.0[1], one.1[1], one.2], &[two.0[1], two.1[1], two.2], "height");
    near(&[one.0[2], one.1[2]], &[two.0[2], two.1[2]], "depth");
}
