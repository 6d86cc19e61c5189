//! Tiles: pictures that are drawn in tiles have the bits of the whole, or are refused by name.

use std::fs;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use stillframe::take::{Settings, Sitting, TakeError, take};
use stillframe_frames::{Picture, Samples};
use stillframe_scene::scene::{Aov, Scene, read};
use stillframe_testkit::depth::is_nightly;

use crate::truth::scene_of;

/// Scenes between two that a run draws.
const STRIDE: usize = 23;

fn pictures(scene: &Scene, aovs: &[Aov]) -> Result<Vec<(Aov, Picture)>, TakeError> {
    let settings = Settings { bits: 32, aovs: aovs.to_vec(), ..Settings::default() };
    take(scene, &settings, &mut |_| ()).map(|taken| taken.pictures)
}

fn bits(samples: &Samples) -> Vec<u32> {
    match samples {
        Samples::F32(values) => values.iter().map(|value| value.to_bits()).collect(),
        Samples::U32(values) => values.clone(),
        Samples::U16(values) => values.iter().map(|value| u32::from(*value)).collect(),
        Samples::U8(values) => values.iter().map(|value| u32::from(*value)).collect(),
    }
}

fn in_tiles(scene: &Scene, tile_px: u32) -> Scene {
    let mut scene = scene.clone();
    scene.render.tile_px = tile_px;
    scene
}

/// The first pixel that differs.
fn difference(whole: &Picture, tiled: &Picture) -> Option<[usize; 2]> {
    assert_eq!((whole.width_px, whole.height_px, whole.format()), (tiled.width_px, tiled.height_px, tiled.format()));
    let (a, b) = (bits(&whole.samples), bits(&tiled.samples));
    let at = a.iter().zip(&b).position(|(a, b)| a != b)? / whole.channel_count as usize;
    Some([at % whole.width_px as usize, at / whole.width_px as usize])
}

/// Every scene file below a folder, in order.
fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => files(&path, out),
            false => out.extend(path.extension().is_some_and(|ending| ending == "toml").then_some(path)),
        }
    }
}

/// Scenes in uneven tiles of 64 pixels: a part of them each time, all of them at night.
#[test]
fn every_scene_in_tiles_is_the_whole() {
    let mut all = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes"), &mut all);
    let (mut drawn, mut refused, mut wrong) = (0, 0, Vec::new());
    for file in all.iter().step_by(if is_nightly() { 1 } else { STRIDE }) {
        // Parts that scenes include are no scenes.
        let Ok(resolved) = read(file, &[]) else { continue };
        let mut scene = resolved.scene;
        if scene.output.width_px.max(scene.output.height_px) <= 64 {
            continue;
        }
        scene.accumulate.pixel = scene.accumulate.pixel.min(4);
        let Ok(whole) = pictures(&scene, &[Aov::COLOR]) else { continue };
        match pictures(&in_tiles(&scene, 64), &[Aov::COLOR]) {
            Ok(tiled) => {
                drawn += 1;
                wrong.extend(difference(&whole[0].1, &tiled[0].1).map(|at| format!("{} at {at:?}", file.display())));
            }
            Err(TakeError::Scene(found)) => {
                assert_eq!(found[0].code, "E0608", "{found:#?}");
                refused += 1;
            }
            Err(other) => panic!("{}: {other}", file.display()),
        }
    }
    println!("{drawn} scenes drawn in tiles, {refused} refused");
    assert!(wrong.is_empty(), "{} of {drawn}: {wrong:#?}", wrong.len());
    assert!(drawn > 5 && refused < drawn, "{drawn} drawn, {refused} refused");
}

fn text(size_px: [u32; 2], samples: u32, things: &[([f32; 3], usize)], lights: &[[f32; 3]], method: &str) -> String {
    let mut out = format!(
        "title = 'tiles'\n[output]\nsize_px = {size_px:?}\nsamples = {samples}\n[render]\n{method}\n\
         [camera.main]\nposition = [0.3, 2.6, 4.5]\nlook_at = [0.0, 0.3, 0.0]\n\
         [environment]\ngradient = {{ zenith = '#304060', horizon = '#404040', ground = '#202020' }}\n\
         [[node]]\nname = 'floor'\nshape = 'plane'\nsize_m = [80.0, 80.0]\n"
    );
    for (at, (position, surface)) in things.iter().enumerate() {
        let surface =
            ["roughness = 0.3", "alpha_mode = 'blend'", "alpha_mode = 'hashed'", "metallic = 1.0"][surface % 4];
        out += &format!(
            "[material.m{at}]\nbase_color = [0.9, 0.5, 0.2, 0.6]\n{surface}\n[[node]]\nname = 'n{at}'\n\
             shape = 'sphere'\nradius_m = 0.4\nposition = {position:?}\nmaterial = 'm{at}'\n"
        );
    }
    for (at, position) in lights.iter().enumerate() {
        let shadow = ["true", "'disk'", "false"][at % 3];
        out += &format!(
            "[[light]]\nname = 'l{at}'\nkind = 'point'\nintensity_cd = 3.0\nrange_m = 6.0\nposition = {position:?}\nshadow = {shadow}\n"
        );
    }
    out
}

/// Ways to a picture that tiles have to follow.
const METHODS: [&str; 8] = [
    "",
    "depth_prepass = true",
    "lighting = 'clustered'",
    "lighting = 'deferred'",
    "lighting = 'visibility'",
    "transparency = 'exact'",
    "transparency = 'weighted'",
    "transparency = 'peel'",
];

fn place() -> impl Strategy<Value = [f32; 3]> {
    [-2.0f32..2.0, 0.05f32..1.6, -2.0f32..2.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn a_picture_in_tiles_is_the_whole(
        size_px in [33u32..200, 33u32..200],
        samples in prop_oneof![Just(1u32), Just(4), Just(16)],
        things in prop::collection::vec((place(), 0usize..4), 1..6),
        lights in prop::collection::vec(place(), 1..4),
        method in 0usize..8,
        tile_px in prop_oneof![Just(64u32), Just(128)],
    ) {
        let scene = scene_of(&text(size_px, samples, &things, &lights, METHODS[method]));
        let aovs: Vec<Aov> = ["color", "depth", "normal", "id"].map(|word| Aov::parse(word).expect("a layer")).to_vec();
        let whole = pictures(&scene, &aovs).expect("a picture");
        let tiled = pictures(&in_tiles(&scene, tile_px), &aovs).expect("a picture");
        for ((aov, whole), (_, tiled)) in whole.iter().zip(&tiled) {
            prop_assert_eq!(difference(whole, tiled), None, "{} {}", aov, METHODS[method]);
        }
    }
}

/// Rows that are drawn one after the other are the rows of the picture, also of a mean of many.
#[test]
fn rows_of_tiles_are_rows_of_the_picture() {
    for mean in ["", "[accumulate]\npixel = 4\n"] {
        let text = text([150, 140], 1, &[([0.0, 0.4, 0.0], 0)], &[[1.0, 1.5, 1.0]], "tile_px = 64");
        let scene = scene_of(&format!("{text}{mean}"));
        let whole = &pictures(&in_tiles(&scene, 0), &[Aov::COLOR]).expect("a picture")[0].1;
        let settings = Settings { bits: 32, ..Settings::default() };
        let mut sitting = Sitting::begin(&scene, &settings, &mut |_| ()).expect("it loads");
        let bands = sitting.bands().expect("it is drawn in tiles");
        assert_eq!(bands, [0..64, 64..128, 128..140]);
        let mut rows = Vec::new();
        for band in bands {
            sitting.keep_to(Some(band.clone()));
            let taken = sitting.at(0.0, &mut |_| ()).expect("a picture");
            assert_eq!(taken.pictures[0].1.height_px, band.end - band.start);
            rows.extend(bits(&taken.pictures[0].1.samples));
        }
        assert!(rows == bits(&whole.samples), "{mean}");
    }
}

/// What reads other pixels is refused by name.
#[test]
fn what_reads_other_pixels_is_refused() {
    let base = text([90, 80], 1, &[([0.0, 0.4, 0.0], 0)], &[[1.0, 1.5, 1.0]], "tile_px = 64");
    for (from, to, what) in [
        ("roughness = 0.3", "transmission = 1.0", "light goes through"),
        ("roughness = 0.3", "model = 'openpbr'\nsubsurface_weight = 0.8\nsubsurface_radius_m = 0.2", "light inside"),
        ("shadow = true", "shadow = { contact_m = 0.2 }", "contact shadows"),
        (
            "kind = 'point'\nintensity_cd = 3.0\nrange_m = 6.0\nposition = [1.0, 1.5, 1.0]\nshadow = true",
            "kind = 'directional'\nilluminance_lux = 2.0\ndirection = [0.2, -1.0, 0.1]\nshadow = { fit = 'seen' }",
            "what is seen",
        ),
        ("tile_px = 64", "tile_px = 64\nlighting = 'forward_plus'", "lists of lights"),
    ] {
        assert!(base.contains(from), "{from}");
        match pictures(&scene_of(&base.replace(from, to)), &[Aov::COLOR]) {
            Err(TakeError::Scene(found)) => {
                assert_eq!((found.len(), found[0].code), (1, "E0608"), "{found:#?}");
                assert!(found[0].message.contains(what), "{found:#?}");
            }
            other => panic!("{to}: {:?}", other.map(|pictures| pictures.len())),
        }
    }
}
