//! Whatever the text: no panic, no hang; and what a scene prints resolves to the same scene.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use stillframe_asset::source::{Diagnostic, Vfs};
use stillframe_base::tick::Tick;
use stillframe_scene::scene::{Resolved, resolve_text};
use stillframe_testkit::depth::cases;

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("properties");
    fs::create_dir_all(&folder).unwrap();
    for (name, text) in [("a.glb", ""), ("a.png", ""), ("sky.hdr", ""), ("below.toml", BELOW)] {
        // Other tests read the same files at the same time: they must never see half of one.
        if fs::read_to_string(folder.join(name)).is_ok_and(|have| have == text) {
            continue;
        }
        let own = folder.join(format!("{name}.{}.{:?}", std::process::id(), std::thread::current().id()));
        fs::write(&own, text).unwrap();
        fs::rename(&own, folder.join(name)).unwrap();
    }
    folder
}

fn resolve(text: &str, edits: &[String]) -> Result<Resolved, Vec<Diagnostic>> {
    let folder = folder();
    resolve_text(text, Path::new("scene.toml"), &folder, &Vfs::open(&folder).unwrap(), edits)
}

/// What the rich scene is laid over.
const BELOW: &str = r##"
[output]
samples = 4
[camera.main]
rotation_deg = [1, 2, 3]
near_m = 0.25
[[node]]
name = "base"
shape = "plane"
size_m = { keys = [[0, [1, 1]], [1, [2, 3]]] }
grid = { count = [2, 1, 2] }
[[node]]
name = "crate"
casts_shadow = false
"##;

/// A scene with a bit of everything, to be mutated.
const RICH: &str = r##"
title = "Everything \u00e9"
include = ["below.toml"]
[param]
side = 1.5
paint = "#b04030"
count = 3
[output]
size_px = [64, 32]
samples = 1
tonemap = "aces"
exposure_ev = -1.5
background = "#20242c"
camera = "top"
max_mip = 3
stroke_width_px = 2.5
time_s = 0.5
fps = 24
frames = "-3..47"
aov = ["color", "id"]
[shot.far]
look = "9,9,9:0,0,0:30"
exposure_ev = { keys = [[0, 0], [2, 4]], interpolation = "smooth" }
time_s = 1.25
[environment]
sky = { sun_elevation_deg = { keys = [[0, 10.0], [1, 60]], extend = "mirror" }, turbidity = 4 }
intensity = { keys = [[-1, 0.5], [0.25, 0.75], [3, 2]], interpolation = "step" }
rotation_deg = 30
[camera.main]
position = { keys = [[0, [1, 2, 3]], [2, ["$side", "$(side * 2)", 3]]], extend = "repeat" }
look_at = [0, 0, 0]
fov_y_deg = 33.3
[camera.top]
position = [0, 5, 0]
look_at = [0, 0, 0]
height_m = 4
[model.crate]
file = "a.glb"
node = ["lid", "base"]
mesh = "plank"
clip = "#1"
clip_time_s = 0.5
clip_speed = -2
up = "z"
override."*" = { roughness = 0.9 }
[model.crate.override.wood]
base_color = "$paint"
occlusion_texture = "none"
normal_texture = { file = "a.png", scale = [2, 2], rotation_deg = 30, wrap = ["clamp", "mirror"] }
[material.glass]
base_color = [0.9, 0.9, 1.0, 0.3]
alpha_mode = "blend"
metallic_roughness_texture = "a.png"
[material.leaf]
alpha_mode = "mask"
alpha_cutoff = 0.25
base_color_texture = { file = "a.png", filter = "nearest", mip_filter = "none", uv_set = 1 }
[[node]]
name = "lid"
parent = "crate"
shape = "torus"
material = "glass"
rotation_deg = { keys = [[0, [10, 20, 30]], [1, [100, 0, 0]]] }
scale = [1, -2, 0.5]
ring = { count = "$count", radius_m = 2, sweep_deg = 90, turn = false }
[[node]]
name = "crate"
model = "crate"
position = [0, 0.5, 0]
rotation_quat = [0, 1, 0, 1]
[[node]]
shape = "triangle"
a_m = [0, 0, 1]
scatter = { count = 7, radius_m = 2, turn_deg = [0, 360, 0], scale = [0.5, 2], seed = 9 }
[[light]]
kind = "spot"
parent = "lid"
position = [0, 3, 0]
direction = [0.1, -1, 0]
inner_deg = 10
outer_deg = 20
range_m = 9
[[light]]
color = "#ffeedd"
look_at = [1, 0, 0]
[test]
why = "it is rich"
aov = ["color", "depth"]
times_s = [0, 0.5, 2]
equals = "below.toml"
known_failure = "too rich"
tolerance = { channel = 2, share = 0.01 }
reason = "because"
[test.matrix]
samples = [1, 4]
side = [1, 2.5]
camera.main.fov_y_deg = [30, 40.5]
"##;

#[test]
fn the_rich_scene_is_a_scene() {
    let resolved = resolve(RICH, &[]).unwrap_or_else(|found| panic!("{found:#?}"));
    let names: Vec<_> = resolved.scene.nodes.iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["base", "crate", "lid", "triangle"], "parents first");
    assert_eq!(resolved.scene.nodes[2].parent, Some(1));
    assert!(!resolved.scene.nodes[1].casts_shadow, "the included file says so");
    assert_eq!(resolved.scene.lights[0].parent, Some(2));
    assert_eq!(resolved.scene.output.samples, 1, "the upper file says so");
    assert_eq!(resolved.scene.cameras[0].near_m, 0.25);
    assert!(resolved.warnings.is_empty());
}

/// What is printed resolves to the same scene and prints the same text.
fn stable(resolved: &Resolved) -> Result<(), TestCaseError> {
    let text = resolved.scene.print();
    let again = resolve(&text, &[]).map_err(|found| TestCaseError::fail(format!("{found:#?}\n{text}")))?;
    prop_assert_eq!(again.scene.print(), text);
    prop_assert_eq!(&again.scene, &resolved.scene);
    Ok(())
}

/// A scene turned to a time is the scene that is read at that time, but for what the file says is its own time.
fn turned(text: &str, time_s: f64) -> Result<(), TestCaseError> {
    let scene = |edits: &[String]| resolve(text, edits).map(|r| r.scene);
    let Ok(own) = scene(&[]) else { return Ok(()) };
    let Ok(read) = scene(&[format!("output.time_s={time_s:?}")]) else { return Ok(()) };
    let mut turned = own.at(Tick::from_seconds(time_s));
    // Shots without a time of their own have the scene's.
    turned.shots = read.shots.clone();
    turned.time_s = read.time_s;
    prop_assert_eq!(turned, read);
    Ok(())
}

#[test]
fn the_rich_scene_turns_to_any_time() {
    for time_s in [0.0, 0.5, 1.0, -3.25, 77.125] {
        turned(RICH, time_s).unwrap();
    }
    let scene = resolve(RICH, &[]).unwrap().scene;
    let far = scene.for_shot("far").unwrap();
    assert_eq!((far.time_s, far.output.samples), (1.25, 1));
    assert!((far.output.exposure_ev - 2.734_375).abs() < 1e-6, "{}", far.output.exposure_ev);
    assert_ne!(far.cameras[0].position, scene.cameras[0].position);
    assert_eq!(scene.for_shot("fra").unwrap_err().help.as_deref(), Some("did you mean `far`?"));
}

#[test]
fn copies_are_nodes_of_their_own() {
    let scene = resolve(RICH, &[]).unwrap().scene;
    let expanded = scene.expanded();
    let (nodes, lights) = scene.expanded_counts();
    assert_eq!((expanded.nodes.len() as u64, expanded.lights.len() as u64), (nodes, lights));
    assert!(expanded.nodes.iter().enumerate().all(|(at, node)| node.parent.is_none_or(|parent| parent < at)));
    // The spot light hangs on the ring's copies; the other one stands alone.
    let names: Vec<_> = expanded.lights.iter().map(|l| l.name.as_str()).collect();
    assert_eq!(names, ["spot/0", "spot/1", "spot/2", "directional"]);
    assert_eq!(expanded.nodes[expanded.lights[1].parent.unwrap()].name, "1");
}

#[test]
fn the_rich_scene_prints_itself() {
    stable(&resolve(RICH, &[]).unwrap()).unwrap();
}

/// A direction of a mirror that is not of unit length, a view with the picture's own frame, and one with a look.
#[test]
fn views_print_themselves() {
    for text in [
        "title = 'a'\n[camera.main]\n[[view]]\nname = 'mirror'\nkind = 'mirror'\nnormal = [92.8, 8.8625, 92.23]\n",
        "title = 'a'\n[output]\nview = 'bottom'\n[[view]]\nname = 'b'\n",
        "title = 'a'\n[camera.main]\n[[view]]\nname = 'b'\nlook = '1.0,2.0,3.0:0.0,0.5,0.0:40.0'\n",
    ] {
        stable(&resolve(text, &[]).unwrap()).unwrap();
    }
}

/// One change of the text.
#[derive(Clone, Debug)]
enum Change {
    Byte(prop::sample::Index, u8),
    Cut(prop::sample::Index, usize),
    Insert(prop::sample::Index, &'static str),
    CopyLine(prop::sample::Index, prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let words = prop::sample::select(vec![
        "nan",
        "inf",
        "-1",
        "0",
        "1e308",
        "[]",
        "{}",
        "\"\"",
        "[[",
        "]]",
        "=",
        "\n",
        "'",
        "\"\"\"",
        ".",
        "true",
        "node",
        "#",
        "9223372036854775807",
        "1979-05-27",
        "\u{1F980}",
        "[node]\n",
        "parent = \"lid\"\n",
        "a.b.c = 1\n",
    ]);
    prop_oneof![
        (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(at, b)| Change::Byte(at, b)),
        (any::<prop::sample::Index>(), 1usize..40).prop_map(|(at, n)| Change::Cut(at, n)),
        (any::<prop::sample::Index>(), words).prop_map(|(at, word)| Change::Insert(at, word)),
        (any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(|(a, b)| Change::CopyLine(a, b)),
    ]
}

fn changed(text: &str, changes: &[Change]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for change in changes {
        if bytes.is_empty() {
            break;
        }
        match change {
            Change::Byte(at, value) => {
                let at = at.index(bytes.len());
                bytes[at] = *value;
            }
            Change::Cut(at, count) => {
                let at = at.index(bytes.len());
                let end = (at + count).min(bytes.len());
                bytes.drain(at..end);
            }
            Change::Insert(at, word) => {
                let at = at.index(bytes.len());
                bytes.splice(at..at, word.bytes());
            }
            Change::CopyLine(from, to) => {
                let lines: Vec<Vec<u8>> = bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
                let mut out = lines.clone();
                out.insert(to.index(lines.len()), lines[from.index(lines.len())].clone());
                bytes = out.concat();
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(1500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated_scenes_are_told_about_or_stable(changes in prop::collection::vec(change(), 1..6)) {
        let text = changed(RICH, &changes);
        match resolve(&text, &[]) {
            Ok(resolved) => {
                stable(&resolved)?;
                turned(&text, 0.75)?;
                let _ = resolved.scene.expanded();
            }
            Err(found) => {
                prop_assert!(!found.is_empty());
                for diagnostic in found {
                    let span = diagnostic.span.unwrap_or(0..0);
                    let text = if diagnostic.file.ends_with("below.toml") { BELOW } else { &text };
                    prop_assert!(span.start <= span.end && span.end <= text.len());
                    prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
                }
            }
        }
    }

    #[test]
    fn random_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = resolve(&String::from_utf8_lossy(&bytes), &[]);
    }

    #[test]
    fn random_arguments_are_survived(argument in "[a-z._0-9\"'=\\[\\] ]{0,40}", path in "(node|camera|output|material|light)\\.[a-z0-9]{1,6}(\\.[a-z_]{1,8})?=.{0,12}") {
        for edit in [argument, path] {
            if let Err(found) = resolve(RICH, std::slice::from_ref(&edit)) {
                for diagnostic in found.iter().filter(|d| d.file == Path::new("--set")) {
                    prop_assert!(edit.get(diagnostic.span.clone().unwrap_or(0..0)).is_some(), "{edit}: {diagnostic:?}");
                }
            }
        }
    }
}

/// Sizes at which something quadratic would be noticed.
#[test]
fn large_files_are_quick() {
    let head = "title = 'x'\n[camera.main]\n";
    let many = |count: usize, part: &dyn Fn(usize) -> String| {
        let mut text = head.to_string();
        (0..count).for_each(|n| text.push_str(&part(n)));
        text
    };
    for text in [
        many(60_000, &|_| "[[node]]\nshape='box'\n".into()),
        many(30_000, &|n| format!("[[node]]\nname='n{n}'\nparent='n{}'\n", n + 1)) + "[[node]]\nname='n30000'\n",
        many(30_000, &|n| format!("[[node]]\nname='n{n}'\nparent='m{n}'\n")),
        many(100_000, &|n| format!("k{n}=1\n")),
        many(50_000, &|n| format!("[material.m{n}]\n")),
        many(1, &|_| format!("[output]\nsize_px = [{}]\n", "1,".repeat(900_000))),
        many(1, &|_| format!("[output]\nsize_px = {}\n", "[".repeat(900_000))),
        many(1, &|_| format!("{} = 1\n", "a.".repeat(400_000))),
        many(5000, &|n| format!("{n} = {}{}\n", "[".repeat(75), "]".repeat(75))),
        many(50_000, &|n| format!("{n}.a.b.c.d.e = 1\n")),
        many(1, &|_| format!("[[node]]\nname = '{}'\nparent = '{}'\n", "n".repeat(900_000), "m".repeat(900_000))),
        many(20_000, &|_| "[[node]]\nposition={keys=[[0,[0,0,0]],[1,[1,1,1]]]}\nlook_at=[9,9,9]\n".into()),
        many(4000, &|_| "[[light]]\nkind='spot'\ninner_deg={keys=[[0,1],[1,2]]}\n".into()),
        many(1, &|_| format!("[output]\nexposure_ev = {{ keys = [{}] }}\n", "[1,1],".repeat(200_000))),
        many(40_000, &|n| format!("[shot.s{n}]\n")),
        format!("title='x'\n[param]\nt='{}'\n", "t".repeat(900))
            + &many(60_000, &|_| "[[node]]\nname='$t'\n".into())[10..],
        "title='x'\n[param]\n".to_string()
            + &(0..40_000).map(|n| format!("a{n}='$(a{}+1)'\n", n.max(1) - 1)).collect::<String>(),
        "title='x'\n[param]\na0=1\n".to_string()
            + &(1..40_000).map(|n| format!("a{n}='$(a{}+1)'\n", n - 1)).collect::<String>(),
        many(50_000, &|n| format!("k{n}='$no{n}'\n")),
        many(1, &|_| format!("[camera.b]\nnear_m = '$({})'\n", "(".repeat(900_000))),
        many(1, &|_| "[test.matrix]\n".to_string()) + &(0..50_000).map(|n| format!("k{n}=[1]\n")).collect::<String>(),
        many(60_000, &|n| format!("[[node]]\nname='n{n}'\nline={{count=60000}}\nparent='n{}'\n", n + 1)),
        format!("include=[{}]\ntitle='x'\n", "'below.toml',".repeat(100_000)),
        format!("include=[{}]\ntitle='x'\n", "'no.toml',".repeat(100_000)),
    ] {
        let _ = resolve(&text, &[]);
    }
}
