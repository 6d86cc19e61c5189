//! Cached: a model is the same to the last bit whether it comes from the cache or from its file, and what is not whole
//! there is made anew.

use std::fs;
use std::path::{Path, PathBuf};

use stillframe_asset::asset::ModelFormat;
use stillframe_asset::source::{Diagnostic, content_hash};
use stillframe_base::hash::Digest;
use stillframe_base::par::Pool;
use stillframe_base::tick::Tick;
use stillframe_models::cache::{Access, Cache, Ready};
use stillframe_models::import::{self, Model};
use stillframe_scene::scene::{self, Scene, Wishes};
use stillframe_world::world::{dump, open};

use super::assets;
use super::placed::from_text;

/// An empty folder of its own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cached").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn read(path: &Path) -> Result<Vec<u8>, Diagnostic> {
    fs::read(path).map_err(|error| Diagnostic::error("E0303", path, error.to_string()))
}

fn hash(path: &Path) -> Result<Digest, Diagnostic> {
    read(path).map(|bytes| content_hash(&bytes))
}

fn asked(cache: &Cache, file: &Path) -> Result<(Ready, bool), Vec<Diagnostic>> {
    wished(cache, file, import::Wishes::default())
}

fn wished(cache: &Cache, file: &Path, wishes: import::Wishes) -> Result<(Ready, bool), Vec<Diagnostic>> {
    Access { cache, content_hash: &hash, pool: &Pool::new(2) }.model(file, &read, wishes)
}

fn from(cache: &Cache, file: &Path) -> (Ready, bool) {
    asked(cache, file).unwrap_or_else(|d| panic!("{}: {d:#?}", file.display()))
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("readable").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Models among the assets that are large enough to be kept.
fn kept() -> Vec<PathBuf> {
    let mut paths = entries(&assets());
    paths.retain(|p| {
        ModelFormat::of(p).is_some() && fs::metadata(p).expect("there").len() as usize >= Cache::WORTH_BYTES
    });
    assert!(paths.len() >= 12, "{paths:?}");
    paths
}

#[test]
fn found_models_equal_those_that_are_made() {
    let cache = Cache::new(folder("equal"));
    for file in kept() {
        let (first, found) = from(&cache, &file);
        assert!(!found, "{}", file.display());
        let (second, found) = from(&cache, &file);
        assert!(found, "{}", file.display());
        assert_eq!(first, second, "{}", file.display());
        assert_eq!(first.model.warnings, second.model.warnings);
        // What is kept is what the file holds.
        let model = import::model(&file, &read).expect("good");
        assert_eq!(first, Ready::baked(model));
    }
}

/// Other models have no strokes, and are found whatever is wished of those.
#[test]
fn strokes_of_another_width_are_made_anew() {
    let here = folder("strokes");
    let cache = Cache::new(here.join("cache"));
    let vertices: String = (0..4000).map(|i| format!("v {i} 0.5 0.25\n")).collect();
    let lines = here.join("lines.obj");
    fs::write(&lines, format!("{vertices}l {}\n", (1..=4000).map(|i| format!("{i} ")).collect::<String>())).unwrap();
    let wide = |ratio| import::Wishes { stroke_width_ratio: Some(ratio), ..import::Wishes::default() };
    let mut made = Vec::new();
    for (ratio, is_found) in [(0.01, false), (0.01, true), (0.02, false), (0.02, true)] {
        let (ready, found) = wished(&cache, &lines, wide(ratio)).expect("good");
        assert_eq!((found, ready.model.stroke_width_ratio), (is_found, Some(ratio)));
        made.push(ready);
    }
    assert!(made[0] == made[1] && made[2] == made[3] && made[0] != made[2]);
    let plain = assets().join("teapot.glb");
    for (ratio, is_found) in [(0.01, false), (0.02, true)] {
        let (ready, found) = wished(&cache, &plain, wide(ratio)).expect("good");
        assert_eq!((found, ready.model.stroke_width_ratio), (is_found, None));
    }
}

/// The world at two moments and everything that it shows.
fn placed(scene: &Scene, cache: Option<&Cache>) -> (String, Vec<Diagnostic>, u32) {
    let vfs = scene.vfs().expect("a root");
    let read = |path: &Path| vfs.read(path);
    let pool = Pool::new(1);
    let hash = |path: &Path| vfs.content_hash(path, &pool);
    let access = cache.map(|cache| Access { cache, content_hash: &hash, pool: &pool });
    let loaded = open(scene, access.as_ref(), &read).unwrap_or_else(|d| panic!("{d:#?}"));
    let (mut text, mut warnings) = (String::new(), loaded.warnings.clone());
    for time_s in [0.0, 0.4] {
        let placed = loaded.place(Tick::from_seconds(time_s), &read).unwrap_or_else(|d| panic!("{d:#?}"));
        let world = placed.world;
        text += &dump(&world);
        for item in &world.items {
            text += &format!("{:?}\n", world.store.geometry(item.geometry));
        }
        text += &format!("{:?}\n", world.store.images);
        warnings.extend(placed.warnings);
    }
    (text, warnings, loaded.found_count)
}

#[test]
fn worlds_are_the_same_with_a_cache_and_without() {
    let cache = Cache::new(folder("worlds"));
    for file in kept() {
        let mut scene = Scene::for_model(&file, &Wishes::default()).expect("a model").scene;
        scene.models[0].clip = scene::ClipChoice::All;
        let (plain, warnings, found) = placed(&scene, None);
        assert_eq!(found, 0);
        for round in 0..2 {
            let (text, again, found) = placed(&scene, Some(&cache));
            assert_eq!(found, round, "{}", file.display());
            assert!(text == plain, "{}", file.display());
            assert_eq!(again, warnings, "{}", file.display());
        }
    }
}

#[test]
fn a_scene_may_want_other_tangents_than_the_model_does() {
    let cache = Cache::new(folder("tangents"));
    let text = r#"
title = "Another normal map"
[camera.main]
position = [0, 1, 5]
look_at = [0, 0, 0]
[material.mapped]
normal_texture = "crate_normal.png"
[model.teapot]
file = "terrain.glb"
[[node]]
name = "first"
model = "teapot"
material = "mapped"
[[node]]
name = "second"
model = "teapot"
[[light]]
name = "sun"
kind = "directional"
illuminance_lux = 3
direction = [0, -1, 0]
"#;
    let scene = from_text(text);
    let plain = placed(&scene, None);
    for round in 0..2 {
        let cached = placed(&scene, Some(&cache));
        assert!(cached.0 == plain.0);
        assert_eq!((cached.1, cached.2), (plain.1.clone(), round));
    }
}

#[test]
fn damaged_entries_are_made_anew() {
    let here = folder("damaged");
    let cache = Cache::new(&here);
    let file = assets().join("suzanne.stl");
    let (good, _) = from(&cache, &file);
    let [path] = &entries(&here)[..] else { panic!("one entry") };
    let whole = fs::read(path).expect("written");
    let mut damaged: Vec<Vec<u8>> = Vec::new();
    let step = whole.len() / 60;
    for place in (0..64).chain((64..whole.len()).step_by(step)).chain([whole.len() - 1]) {
        for bit in [0, 7] {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << bit;
            damaged.push(bytes);
        }
    }
    damaged.extend([0, 1, 7, 8, 23, 24, 25, 100, whole.len() / 2, whole.len() - 1].map(|len| whole[..len].to_vec()));
    damaged.push([&whole[..], &[0]].concat());
    damaged.push([&whole[..], &whole[..]].concat());
    // A length that no file can have.
    damaged.push([&whole[..8], &[0xFF; 8], &whole[16..]].concat());
    for bytes in damaged {
        fs::write(path, &bytes).expect("writable");
        let (made, found) = from(&cache, &file);
        assert!(!found && made == good);
        assert!(fs::read(path).expect("there") == whole, "written anew, with the same bytes");
    }
    assert!(from(&cache, &file).1);
}

/// A model with a buffer and a picture beside it, of its own kind by `seed`.
fn with_parts(folder: &Path, seed: u8, picture: Option<u8>) -> PathBuf {
    let triangles = 4096_usize;
    let bin: Vec<u8> = (0..triangles * 9)
        .flat_map(|i| ((i * i * (7 + usize::from(seed)) % 1009) as f32 * 0.25).to_le_bytes())
        .collect();
    fs::write(folder.join("part.bin"), &bin).expect("writable");
    let _ = fs::remove_file(folder.join("part.tga"));
    if let Some(grey) = picture {
        // An uncompressed true-colour picture of one texel.
        let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0];
        tga.extend([grey; 3]);
        fs::write(folder.join("part.tga"), tga).expect("writable");
    }
    let json = serde_json::json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "uri": "part.bin", "byteLength": bin.len() }],
        "bufferViews": [{ "buffer": 0, "byteLength": bin.len() }],
        "accessors": [{ "bufferView": 0, "componentType": 5126, "count": triangles * 3, "type": "VEC3" }],
        "images": [{ "uri": "part.tga" }],
        "textures": [{ "source": 0 }],
        "materials": [{ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 }, "material": 0 }] }],
        "nodes": [{ "mesh": 0 }], "scenes": [{ "nodes": [0] }], "scene": 0,
    });
    let file = folder.join("whole.gltf");
    fs::write(&file, json.to_string()).expect("writable");
    file
}

#[test]
fn files_that_a_model_names_count_too() {
    let (here, store) = (folder("parts"), folder("parts_store"));
    let cache = Cache::new(&store);
    let fresh = |file: &Path| import::model(file, &read).map(Ready::baked);
    let mut last: Option<Ready> = None;
    for (seed, picture) in [(1, Some(10)), (2, Some(10)), (2, Some(11)), (1, Some(10))] {
        let file = with_parts(&here, seed, picture);
        for round in 0..2 {
            let (ready, found) = from(&cache, &file);
            assert_eq!(found, round == 1, "{seed} {picture:?}");
            assert_eq!(Ok(&ready), fresh(&file).as_ref());
            assert!(round == 1 || last.as_ref() != Some(&ready));
            last = Some(ready);
        }
    }
    // What is gone is missed although it was there before, and what comes back is seen.
    let file = with_parts(&here, 1, None);
    let missed = asked(&cache, &file);
    assert_eq!(missed.map(|(ready, _)| ready), fresh(&file));
    let file = with_parts(&here, 1, Some(10));
    assert_eq!(from(&cache, &file).0, fresh(&file).expect("good"));
}

/// The file with an extension that nobody knows, which is told.
fn with_extension(file: &Path) -> Vec<u8> {
    let bytes = fs::read(file).expect("readable");
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four")) as usize;
    let (json, rest) = (&bytes[20..20 + word(12)], &bytes[20 + word(12)..]);
    let mut json: serde_json::Value = serde_json::from_slice(json).expect("its JSON");
    json["extensionsUsed"].as_array_mut().expect("it uses some").push("EXT_of_nobody".into());
    let mut json = json.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let length = (20 + json.len() + rest.len()) as u32;
    [&bytes[..8], &length.to_le_bytes(), &(json.len() as u32).to_le_bytes(), b"JSON", &json, rest].concat()
}

#[test]
fn another_folder_has_the_same_model_and_its_own_warnings() {
    let (one, two, store) = (folder("one"), folder("two"), folder("places_store"));
    let cache = Cache::new(&store);
    for here in [&one, &two] {
        fs::write(here.join("m.glb"), with_extension(&assets().join("materials.glb"))).expect("written");
    }
    let (first, _) = from(&cache, &one.join("m.glb"));
    let (second, found) = from(&cache, &two.join("m.glb"));
    assert!(found && !first.model.warnings.is_empty());
    let elsewhere = |model: &Model| model.warnings.iter().all(|w| w.file == two.join("m.glb"));
    assert!(elsewhere(&second.model) && !elsewhere(&first.model));
    let words = |model: &Model| model.warnings.iter().map(|w| (w.code, w.message.clone())).collect::<Vec<_>>();
    assert_eq!(words(&first.model), words(&second.model));
}

#[test]
fn the_folder_stays_below_its_limit_and_is_no_must() {
    let store = folder("limit");
    // One model under four contents, which differ in the header's words.
    let files: Vec<PathBuf> = (0..4_u8)
        .map(|number| {
            let mut bytes = fs::read(assets().join("suzanne.stl")).expect("readable");
            bytes[70] = b'0' + number;
            let path = folder(&format!("limit_{number}")).join("suzanne.stl");
            fs::write(&path, bytes).expect("writable");
            path
        })
        .collect();
    let total = |folder: &Path| entries(folder).iter().map(|p| fs::metadata(p).expect("there").len()).sum::<u64>();
    let alone = folder("limit_alone");
    from(&Cache::new(&alone), &files[0]);
    let size = total(&alone);
    let limited = Cache::new(&store).with_limit(size * 2);
    for (count, file) in files.iter().enumerate() {
        assert!(!from(&limited, file).1);
        assert_eq!(total(&store), size * (count as u64 + 1).min(2));
        assert!(from(&limited, file).1, "the newest stays");
    }
    assert!(!from(&limited, &files[0]).1, "the oldest went");
    // Nothing is written that would fill more than half of it.
    let tight = Cache::new(folder("tight")).with_limit(size * 2 - 1);
    assert!(!from(&tight, &files[0]).1 && !from(&tight, &files[0]).1);
    // A file stands where the folder should be.
    let blocked = folder("blocked").join("file");
    fs::write(&blocked, "mine").expect("writable");
    assert!(!from(&Cache::new(&blocked), &files[0]).1);
    assert_eq!(fs::read(&blocked).expect("there"), b"mine");
}

#[test]
fn small_models_are_not_kept() {
    let store = folder("small");
    let cache = Cache::new(&store);
    for _ in 0..2 {
        let (ready, found) = from(&cache, &assets().join("leaf_card.glb"));
        assert!(!found && !ready.lean);
    }
    assert_eq!(entries(&store), [] as [PathBuf; 0]);
}
