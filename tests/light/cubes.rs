//! Light from around that is kept from one run to the next: the same bits with a cache and without, and nothing that is
//! damaged counts.

use std::fs;
use std::path::{Path, PathBuf};

use stillframe::take::{Cache, Settings, take};
use stillframe_frames::{Picture, Samples};
use stillframe_scene::scene::Scene;

use crate::truth::scene_of;

/// An empty folder of its own.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cubes").join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn scene(roughness: f64, environment: &str) -> Scene {
    scene_of(&format!(
        "title = 'x'\n[output]\nsize_px = [48, 48]\nbackground = 'environment'\n[camera.main]\n\
         position = [0.0, 0.0, 3.0]\nlook_at = [0.0, 0.0, 0.0]\n[material.m]\nroughness = {roughness:?}\n\
         metallic = 1.0\n[[node]]\nshape = 'sphere'\nmaterial = 'm'\n[environment]\n{environment}\n"
    ))
}

/// The picture, and how many passes were drawn for it.
fn taken(scene: &Scene, cache: Option<Cache>) -> (Picture, u32) {
    let settings = Settings { bits: 32, cache, ..Settings::default() };
    let mut taken = take(scene, &settings, &mut |_| ()).expect("a picture");
    (taken.pictures.remove(0).1, taken.stats.passes)
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).into_iter().flatten().map(|e| e.unwrap().path()).collect();
    paths.sort();
    paths
}

const STUDIO: &str = "file = 'assets/env_studio.exr'";

#[test]
fn kept_light_is_the_light_that_was_made() {
    let folder = folder("kept");
    let cache = || Some(Cache::new(&folder));
    let blurred = format!("{STUDIO}\nblur = 0.3");
    let numbered = format!("{STUDIO}\nquality = 16");
    for (number, (roughness, environment)) in [
        (0.3, STUDIO),
        (0.05, STUDIO),
        (0.3, "sky = {}"),
        (0.3, "gradient = { zenith = '#ffffff', horizon = '#808080', ground = '#000000' }"),
        (0.05, &blurred),
        (0.3, &numbered),
    ]
    .into_iter()
    .enumerate()
    {
        let scene = scene(roughness, environment);
        let (without, made_passes) = taken(&scene, None);
        let (made, _) = taken(&scene, cache());
        let (found, found_passes) = taken(&scene, cache());
        assert!(made == without && found == without, "{environment}");
        assert!(found_passes < made_passes, "{environment}: {found_passes} of {made_passes} passes");
        // The fifth shows as little roughness as the second, blurred as it is.
        let wanted = [1, 2, 3, 4, 4, 5][number];
        assert_eq!(entries(&folder).len(), wanted, "{environment}");
    }
    // What turns or is brighter is the same light.
    for more in ["rotation_deg = 40.0", "intensity = 0.3"] {
        let scene = scene(0.3, &format!("{STUDIO}\n{more}"));
        assert_eq!(taken(&scene, cache()).0, taken(&scene, None).0);
        assert_eq!(entries(&folder).len(), 5, "{more}");
    }
}

#[test]
fn what_is_damaged_is_made_anew() {
    let folder = folder("damaged");
    let scene = scene(0.3, STUDIO);
    let (whole, _) = taken(&scene, Some(Cache::new(&folder)));
    let entry = entries(&folder).remove(0);
    let bytes = fs::read(&entry).unwrap();
    for at in [0, 9, 17, 30, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 16;
        for damaged in [&changed[..], &bytes[..at]] {
            fs::write(&entry, damaged).unwrap();
            assert_eq!(taken(&scene, Some(Cache::new(&folder))).0, whole, "at {at}");
            assert_eq!(fs::read(&entry).unwrap(), bytes, "it was not written anew");
        }
    }
    // A whole entry of another length, as another build might leave it.
    let cache = Cache::new(&folder);
    let name = entry.file_stem().unwrap().to_str().unwrap();
    cache.keep(name, b"short");
    assert_eq!(cache.bytes(name).as_deref(), Some(&b"short"[..]));
    assert_eq!(taken(&scene, Some(cache)).0, whole);
    assert_eq!(fs::read(&entry).unwrap(), bytes, "it was not written anew");
    let Samples::F32(values) = &whole.samples else { panic!("linear") };
    assert!(values.iter().any(|value| *value > 0.1));
}
