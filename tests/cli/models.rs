//! Models as people have them, through the whole program. Each test is named as its file in `tests/data/models`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use stillframe_testkit::npy::{Npy, read};

use super::{err, folder, out, run, status};

/// A new folder with some of the files.
fn with(test: &str, names: &[&str]) -> PathBuf {
    let here = folder(test);
    for name in names {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/models").join(name);
        fs::copy(&file, here.join(name)).unwrap();
    }
    here
}

/// What is in a file can be seen without its pictures; a picture is made, and `--strict` refuses it.
#[test]
fn gltf_missing_picture() {
    let file = "gltf_missing_picture.gltf";
    let here = with("gltf_missing_picture", &[file]);
    let listed = run(&here, &["inspect", file]);
    assert_eq!(status(&listed), 0, "{}", err(&listed));
    assert!(out(&listed).contains("missing picture") && err(&listed).contains("W0459"), "{}", err(&listed));
    for (arguments, wanted) in [
        (vec!["render", file, "--size", "32x32", "-o", "a.png"], 0),
        (vec!["hash", file, "--size", "32x32"], 0),
        (vec!["render", file, "--size", "32x32", "-o", "b.png", "--strict"], 2),
        (vec!["hash", file, "--size", "32x32", "--strict"], 2),
        (vec!["inspect", file, "--strict"], 2),
        (vec!["inspect", file, "--strict", "--json"], 2),
        (vec!["anim", "inspect", file], 0),
        (vec!["anim", "inspect", file, "--strict"], 2),
        (vec!["anim", "dump", file, "--what", "positions", "-o", "c.npy"], 0),
        (vec!["anim", "dump", file, "--what", "positions", "-o", "d.npy", "--strict"], 2),
    ] {
        let output = run(&here, &arguments);
        assert_eq!(status(&output), wanted, "{arguments:?}: {}", err(&output));
        assert!(format!("{}{}", out(&output), err(&output)).contains("W0459"), "{arguments:?}: {}", err(&output));
    }
    let made = ["a.png", "b.png", "c.npy", "d.npy"].map(|name| here.join(name).exists());
    assert_eq!(made, [true, false, true, false]);
    // A scene without warnings is as well as before.
    fs::write(
        here.join("scene.toml"),
        "title = 'x'\n[camera.main]\n[[node]]\nname = 'a'\nshape = 'sphere'\n[[light]]\n",
    )
    .unwrap();
    let output = run(&here, &["check", "scene.toml", "--strict"]);
    assert_eq!(status(&output), 0, "{}", err(&output));
    fs::write(here.join("scene.toml"), "title = 'x'\n[camera.main]\n[material.unused]\n").unwrap();
    let plain = run(&here, &["check", "scene.toml"]);
    let strict = run(&here, &["check", "scene.toml", "--strict"]);
    assert_eq!((status(&plain), status(&strict)), (0, 2), "{}", err(&plain));
}

/// The same picture and the same warning, from every command and through the cache's hashes; in scenes, too.
#[test]
fn obj_case_of_names() {
    let here = with("obj_case_of_names", &["obj_case_of_names.obj", "obj_case_of_names.mtl"]);
    let object = fs::read_to_string(here.join("obj_case_of_names.obj")).unwrap();
    fs::write(here.join("exact.obj"), object.replace(".MTL", ".mtl")).unwrap();
    let scene = |file: &str| {
        format!(
            "title = 'x'\n[output]\nsize_px = [32, 32]\n[camera.main]\nposition = [0, 1, 4]\nlook_at = [0, 0, 0]\n\
             [model.a]\nfile = '{file}'\n[[node]]\nname = 'a'\nmodel = 'a'\n[[light]]\ndirection = [-1, -2, -1]\n"
        )
    };
    fs::write(here.join("exact.toml"), scene("exact.obj")).unwrap();
    fs::write(here.join("other.toml"), scene("EXACT.OBJ")).unwrap();
    let hash = |input: &str, warned: bool| {
        let output = run(&here, &["hash", input, "--size", "32x32"]);
        assert_eq!((status(&output), err(&output).contains("W0351")), (0, warned), "{input}: {}", err(&output));
        out(&output).split_whitespace().next().expect("a hash").to_string()
    };
    assert_eq!(hash("obj_case_of_names.obj", true), hash("exact.obj", false));
    assert_eq!(hash("other.toml", true), hash("exact.toml", false));
    let listed = run(&here, &["inspect", "obj_case_of_names.obj"]);
    assert!(status(&listed) == 0 && err(&listed).contains("W0351"), "{}", err(&listed));
}

/// The limit is the user's, for `inspect` and pictures alike.
#[test]
fn gltf_flat_textures() {
    let file = "gltf_flat_textures.gltf";
    let here = with("gltf_flat_textures", &[file]);
    for (more, wanted, warned) in [
        (vec![], 0, false),
        (vec!["--memory", "32MiB"], 0, false),
        (vec!["--memory", "4MiB"], 0, true),
        (vec!["--memory", "2 GB"], 2, false),
        (vec!["--memory", "0"], 2, false),
    ] {
        let output = run(&here, &[&["inspect", file], &more[..]].concat());
        assert_eq!(status(&output), wanted, "{more:?}: {}", err(&output));
        assert_eq!(err(&output).contains("W0459"), warned, "{more:?}: {}", err(&output));
    }
    let hash = |more: &[&str]| {
        let output = run(&here, &[&["hash", file, "--size", "32x32", "--no-cache"], more].concat());
        assert_eq!(status(&output), 0, "{}", err(&output));
        out(&output)
    };
    assert_eq!(hash(&[]), hash(&["--memory", "64M"]));
}

/// The picture of the same cube at the origin, and its true place.
#[test]
fn far_from_origin() {
    let file = "far_from_origin.obj";
    let here = with("far_from_origin", &[file]);
    let text = fs::read_to_string(here.join(file)).unwrap();
    let near: String = text
        .lines()
        .map(|line| match line.strip_prefix("v ") {
            None => format!("{line}\n"),
            Some(place) => {
                let near = place.split_whitespace().map(|v| {
                    let v: f64 = v.parse().unwrap();
                    format!(" {}", v - (v / 50_000.0).round() * 50_000.0)
                });
                format!("v{}\n", near.collect::<String>())
            }
        })
        .collect();
    fs::write(here.join("near.obj"), near).unwrap();
    let hash = |file: &str| {
        let output = run(&here, &["hash", file, "--size", "96x96"]);
        assert_eq!((status(&output), err(&output).as_str()), (0, ""));
        out(&output).split_whitespace().next().expect("a hash").to_string()
    };
    assert_eq!(hash(file), hash("near.obj"));
    let listed = out(&run(&here, &["inspect", file]));
    assert!(listed.contains("2 x 2 x 2 m") && listed.contains("50000"), "{listed}");
    let json = out(&run(&here, &["inspect", file, "--json"]));
    assert!(json.contains("origin_m"), "{json}");
}

/// In pictures of every size a line is seen in one piece, also with one sample per pixel, and points one by one. A
/// width that is told counts in scenes, too.
#[test]
fn strokes_of_bare_models_are_whole() {
    let here = folder("strokes_of_bare_models_are_whole");
    fs::write(here.join("line.obj"), "v -1 -1 -1\nv 1 1 1\nv 1 -0.5 -1\nl 1 2 3\n").unwrap();
    fs::write(here.join("points.obj"), "v -1 -1 -1\nv 1 1 1\nv 1 -0.5 -1\nv -1 0.5 1\np 1 2 3 4\n").unwrap();
    let scene = "title = 'x'\n[output]\ncamera = 'auto'\n[model.it]\nfile = 'line.obj'\n[[node]]\nmodel = 'it'\n";
    fs::write(here.join("scene.toml"), scene).unwrap();
    // Pieces of the picture that show something, and their pixels.
    let seen = |file: &str, more: &[&str]| {
        let layer = ["render", file, "--aov", "id", "--ground", "off", "-o", "id.npy"];
        let output = run(&here, &[&layer[..], more].concat());
        assert_eq!(status(&output), 0, "{}", err(&output));
        let Npy { shape, values } = read(&here.join("id.npy"));
        let (height, width) = (shape[0], shape[1]);
        let mut left: BTreeSet<[usize; 2]> = BTreeSet::new();
        for (at, _) in values.iter().enumerate().filter(|(_, id)| **id > 0.0) {
            left.insert([at % width, at / width]);
        }
        let (pixel_count, mut piece_count) = (left.len(), 0);
        while let Some(first) = left.pop_first() {
            piece_count += 1;
            let mut open = vec![first];
            while let Some([x, y]) = open.pop() {
                for near in (0..9).map(|i| [(x + i % 3).wrapping_sub(1), (y + i / 3).wrapping_sub(1)]) {
                    open.extend(left.take(&near));
                }
            }
        }
        assert!(height > 0);
        (piece_count, pixel_count)
    };
    for size in ["32x32", "64x64", "320x240", "200x600", "1280x720"] {
        assert_eq!(seen("line.obj", &["--size", size]).0, 1, "{size}");
        assert_eq!(seen("points.obj", &["--size", size]).0, 4, "{size}");
    }
    // A line of them runs towards a camera that frames them, so that its near end would count most.
    let look = ["--look", "2.05,1.72,4.1:0,0,0"];
    let at = |file: &str, width: &str| {
        seen(file, &[&["--size", "256x256", "--stroke-width", width], &look[..]].concat()).1 as f64
    };
    let ratio = at("line.obj", "8") / at("line.obj", "2");
    assert!((3.0..5.0).contains(&ratio), "{ratio}");
    assert_eq!(at("scene.toml", "4"), at("line.obj", "4"));
    let own = seen("scene.toml", &["--size", "512x512"]).1;
    assert_eq!(own, seen("scene.toml", &["--size", "512x512", "--set", "output.stroke_width_px=2"]).1);
}

/// A house with a roof of tiles, and one of snow in its variant.
#[test]
fn gltf_variants() {
    let here = folder("gltf_variants");
    let house = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scene/parts/house.glb");
    fs::copy(&house, here.join("house.glb")).unwrap();
    fs::write(here.join("ball.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let scene = |name: &str, more: &str| {
        let head =
            "title = 'x'\n[output]\nsize_px = [48, 48]\n[camera.main]\nposition = [0, 1, 3]\nlook_at = [0, 0.3, 0]\n";
        let nodes = "[[node]]\nmodel = 'house'\n[[node]]\nmodel = 'ball'\nposition = [0.5, 0, 0]\n[[light]]\ndirection = [-1, -2, -1]\n";
        let models = format!("[model.house]\nfile = 'house.glb'\n{more}\n[model.ball]\nfile = 'ball.obj'\n");
        fs::write(here.join(name), format!("{head}{models}{nodes}")).unwrap();
    };
    scene("plain.toml", "");
    scene("winter.toml", "variant = 'winter'");
    scene("summer.toml", "variant = '#0'");
    scene("wrong.toml", "variant = 'wintre'");
    let hash = |arguments: &[&str]| {
        let output = run(&here, &[&["hash", "--size", "48x48"], arguments].concat());
        assert_eq!((status(&output), err(&output).as_str()), (0, ""), "{arguments:?}");
        out(&output).split_whitespace().next().expect("a hash").to_string()
    };
    let (plain, winter) = (hash(&["house.glb"]), hash(&["house.glb", "--variant", "winter"]));
    assert_ne!(plain, winter);
    assert_eq!(hash(&["house.glb", "--variant", "summer"]), plain);
    assert_eq!(hash(&["house.glb", "--variant", "#1"]), winter);
    // The same as the roof's material replaced, and the same without the cache.
    assert_eq!(hash(&["house.glb", "--variant", "winter", "--no-cache"]), winter);
    // In scenes: by the model's key, or by the flag for all models that have it.
    let (plain, winter) = (hash(&["plain.toml"]), hash(&["winter.toml"]));
    assert_ne!(plain, winter);
    assert_eq!(hash(&["plain.toml", "--variant", "winter"]), winter);
    assert_eq!(hash(&["plain.toml", "--set", "model.house.variant=\"winter\""]), winter);
    assert_eq!((hash(&["summer.toml"]), hash(&["winter.toml", "--variant", "summer"])), (plain.clone(), plain));
    let listed = out(&run(&here, &["inspect", "house.glb"]));
    assert!(listed.contains("material variants\n  summer  as without a variant\n  winter  snow\n"), "{listed}");
    for arguments in [
        vec!["hash", "house.glb", "--variant", "wintre"],
        vec!["render", "plain.toml", "--variant", "wintre", "-o", "no.png"],
        vec!["hash", "wrong.toml"],
    ] {
        let output = run(&here, &arguments);
        let told = err(&output);
        assert_eq!(status(&output), 2, "{arguments:?}: {told}");
        assert!(told.contains("E0515") && told.contains("did you mean \"winter\"?"), "{arguments:?}: {told}");
    }
    let output = run(&here, &["hash", "ball.obj", "--variant", "winter"]);
    assert!(status(&output) == 2 && err(&output).contains("there are none"), "{}", err(&output));
    let output = run(&here, &["hash", "house.glb", "--variant", "spring-cleaning"]);
    assert!(err(&output).contains("known are \"summer\", \"winter\""), "{}", err(&output));
}

/// Files of other programs are named, with a way to convert them; from every command and from scenes.
#[test]
fn formats_that_are_not_read() {
    let here = folder("formats_that_are_not_read");
    for (name, kind) in [
        ("a.usda", "a USD file"),
        ("a.USDC", "a USD file"),
        ("a.usdz", "a USD file"),
        ("a.usd", "a USD file"),
        ("a.blend", "a Blender file"),
        ("a.dae", "a COLLADA file"),
        ("a.what", "not a supported model format"),
    ] {
        fs::write(here.join(name), "#usda 1.0\n").unwrap();
        let scene = format!("title = 'x'\n[camera.main]\n[model.a]\nfile = '{name}'\n[[node]]\nmodel = 'a'\n");
        fs::write(here.join("scene.toml"), scene).unwrap();
        for arguments in [vec!["render", name], vec!["hash", name], vec!["inspect", name], vec!["check", "scene.toml"]]
        {
            let output = run(&here, &arguments);
            let told = err(&output);
            assert_eq!(status(&output), 2, "{arguments:?}: {told}");
            assert!(told.contains("E0213") && told.contains(kind), "{arguments:?}: {told}");
            assert_eq!(told.contains("convert it to .glb"), kind.ends_with("file"), "{arguments:?}: {told}");
            assert!(told.contains(".gltf"), "{arguments:?}: {told}");
        }
    }
}

/// The scene's own frames and rate, where what is written holds a sequence; a still is one picture as before.
#[test]
fn frames_of_a_scene_are_its_sequence() {
    let here = folder("frames_of_a_scene");
    let scene = "title = 'a turn'\n[output]\nsize_px = [16, 16]\nframes = '0..3'\nfps = 10\ncamera = 'auto'\n\
                 [[light]]\nkind = 'directional'\ndirection = [0, -1, -1]\nilluminance_lux = 3\n[[node]]\nshape = 'box'\n\
                 size_m = [1, 1, 1]\nrotation_deg = { keys = [[0, [0, 0, 0]], [0.3, [0, 60, 0]]] }\n";
    fs::write(here.join("turn.toml"), scene).unwrap();
    for arguments in [
        vec!["render", "turn.toml", "-o", "own.apng"],
        vec!["render", "turn.toml", "--frames", "0..3", "-o", "told.apng"],
        vec!["render", "turn.toml", "-o", "out/##.png"],
        vec!["render", "turn.toml", "-o", "still.png"],
        vec!["render", "turn.toml", "--frame", "3", "-o", "last.png"],
        vec!["render", "turn.toml", "--time", "0.3", "-o", "time.png"],
        vec!["render", "turn.toml", "--sheet", "2x2", "-o", "sheet.png"],
    ] {
        let done = run(&here, &arguments);
        assert_eq!(status(&done), 0, "{arguments:?}: {}", err(&done));
    }
    let bytes = |name: &str| fs::read(here.join(name)).unwrap();
    assert_eq!(bytes("own.apng"), bytes("told.apng"));
    // Frame 3 of ten a second is at 0.3 s.
    assert!(bytes("out/03.png") == bytes("last.png") && bytes("last.png") == bytes("time.png"));
    assert_eq!(bytes("out/00.png"), bytes("still.png"));
    assert_ne!(bytes("out/00.png"), bytes("out/03.png"));
    assert!(!here.join("out/04.png").exists());
    let none = run(&here, &["render", "turn.toml", "--set", "output.frames=\"0..9999999\"", "-o", "many.apng"]);
    assert!(status(&none) == 1 || status(&none) == 2, "{}", err(&none));
    assert!(err(&none).contains("more than 1000000 frames"), "{}", err(&none));
}

/// A folder without scenes stands for its models.
#[test]
fn folders_of_models() {
    let here = folder("folders_of_models");
    fs::create_dir_all(here.join("models/below")).unwrap();
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    for name in ["models/b.obj", "models/a.obj", "models/below/c.obj", "models/notes.txt"] {
        fs::write(here.join(name), triangle).unwrap();
    }
    let rendered = run(&here, &["render", "models", "--size", "16x16", "-o", "out/"]);
    assert_eq!(status(&rendered), 0, "{}", err(&rendered));
    for name in ["out/a.png", "out/b.png", "out/below/c.png"] {
        assert!(here.join(name).exists(), "{name}");
    }
    let listed = out(&run(&here, &["hash", "models", "--size", "16x16"]));
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split("  ").last()).collect();
    assert_eq!(names, ["models/a.obj", "models/b.obj", "models/below/c.obj"]);
    let inspected = run(&here, &["inspect", "models"]);
    assert_eq!((status(&inspected), out(&inspected).matches("OBJ").count()), (0, 3), "{}", err(&inspected));
    fs::create_dir_all(here.join("empty")).unwrap();
    let none = run(&here, &["render", "empty", "-o", "x.png"]);
    assert!(err(&none).contains("no scene and no model in empty"), "{}", err(&none));
}

/// What is missing is blamed, not the model.
#[test]
fn a_missing_environment_is_named() {
    let here = folder("a_missing_environment");
    fs::write(here.join("model.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let told = run(&here, &["render", "model.obj", "--environment", "nope.hdr", "-o", "x.png"]);
    assert!(
        status(&told) == 2 && err(&told).contains("nope.hdr") && !err(&told).contains("model.obj"),
        "{}",
        err(&told)
    );
    let told = run(&here, &["render", "model.obj", "--environment", "nope.hdr", "-o", "x.png", "--json"]);
    assert!((out(&told) + &err(&told)).contains("\"file\":\"nope.hdr\""), "{}{}", out(&told), err(&told));
}
