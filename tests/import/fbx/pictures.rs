//! Pictures: one model in several formats looks the same under one material.

use std::path::Path;

use stillframe::take::{Settings, take};
use stillframe_asset::source::Vfs;
use stillframe_frames::Samples;
use stillframe_scene::scene::{Scene, resolve_text};

use super::assets;

/// Suzanne from `file`, under a studio's light with shadows, in one material for all.
fn scene(file: &str, material: &str) -> Scene {
    let text = format!(
        r##"
title = "Suzanne as {file}"
[output]
size_px = [320, 240]
[camera.main]
position = [0.9, 0.5, 2.6]
look_at = [0.0, 0.0, 0.0]
fov_y_deg = 40.0
[environment]
sky = {{}}
[[light]]
name = "key"
kind = "directional"
direction = [-0.5, -1.0, -0.6]
illuminance_lux = 4.0
shadow = true
[material.one]
{material}
[model.suzanne]
file = "{file}"
[[node]]
name = "suzanne"
model = "suzanne"
material = "one"
[[node]]
name = "floor"
shape = "plane"
scale = 6.0
position = [0.0, -1.0, 0.0]
"##
    );
    let vfs = Vfs::open(&assets()).expect("a root");
    resolve_text(&text, Path::new("suzanne.toml"), &assets(), &vfs, &[]).unwrap_or_else(|d| panic!("{d:#?}")).scene
}

fn bytes(file: &str, material: &str) -> Vec<u8> {
    match take(&scene(file, material), &Settings::default(), &mut |_| ())
        .expect("a picture")
        .pictures
        .remove(0)
        .1
        .samples
    {
        Samples::U8(values) => values,
        other => panic!("{other:?}"),
    }
}

/// At least 99.5 % of pixels within 2 of 255 in every channel. Quads may be cut the other way, which shows along their
/// edges.
#[test]
fn a_model_looks_the_same_from_every_format() {
    for material in [
        "base_color = [0.8, 0.5, 0.2]\nroughness = 0.6",
        "base_color = [0.9, 0.9, 0.9]\nmetallic = 1.0\nroughness = 0.35",
        "base_color_texture = \"suzanne_base.png\"\nroughness = 0.5",
    ] {
        let wanted = bytes("suzanne.glb", material);
        let ground = bytes("teapot.glb", material);
        for file in ["suzanne_yup_cm.fbx", "suzanne_zup_m.fbx", "suzanne.obj"] {
            let found = bytes(file, material);
            let far = |a: &[u8], b: &[u8]| {
                let pixels = a.chunks_exact(3).zip(b.chunks_exact(3));
                pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 2)).count()
            };
            let pixels = wanted.len() / 3;
            let share = far(&wanted, &found) as f64 / pixels as f64;
            println!("{file}, {}: {:.4} % of pixels differ", material.lines().next().unwrap_or(""), share * 100.0);
            assert!(share <= 0.005, "{file}: {share}");
            // The comparison can tell models apart.
            assert!(far(&ground, &found) * 10 > pixels);
        }
    }
}
