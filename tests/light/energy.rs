//! Light from around is neither made nor lost on the way to reflections: the dump of its levels.

use std::path::Path;

use stillframe::take::{Dump, Settings, take};
use stillframe_asset::source::Vfs;
use stillframe_base::math::ops64;
use stillframe_scene::scene::resolve_text;

/// Names of the levels, the mean of each, and how far its luminance is off that of the first, in percent.
fn levels(folder: &Path, environment: &str) -> Vec<(String, f64, f64)> {
    let text = format!(
        "title = 'x'\n[output]\nsize_px = [16, 16]\n[camera.main]\nposition = [0.0, 0.0, 3.0]\n\
         look_at = [0.0, 0.0, 0.0]\n[material.m]\nroughness = 0.0\n[[node]]\nshape = 'sphere'\nmaterial = 'm'\n\
         [environment]\n{environment}\n"
    );
    let vfs = Vfs::open(folder).expect("the folder is there");
    let scene = resolve_text(&text, Path::new("test.toml"), folder, &vfs, &[]).expect("a scene").scene;
    let settings = Settings { dump: Some(Dump::Environment), ..Settings::default() };
    let text = take(&scene, &settings, &mut |_| ()).expect("a dump").dump.expect("it was asked for");
    print!("{text}");
    let line = |line: &str| {
        let (name, rest) = line.split_once(' ').expect("a name");
        let (means, off) = rest.rsplit_once(", ").expect("a share");
        let red = means.split(' ').nth(1).expect("a mean").parse().expect("a number");
        (name.to_string(), red, off.trim_end_matches(" %").parse().expect("a number"))
    };
    text.lines().map(line).collect()
}

#[test]
fn every_level_has_the_same_mean() {
    for (environment, bound) in [
        ("color = [0.5, 0.6, 0.7]", 0.01),
        ("gradient = { zenith = [0.2, 0.4, 1.0], horizon = [1.0, 0.8, 0.5], ground = [0.2, 0.1, 0.05] }", 0.1),
        ("file = 'assets/env_axes.exr'", 0.1),
        ("file = 'assets/env_studio.exr'", 0.5),
        ("file = 'assets/env_studio.exr'\nquality = 256", 2.1),
    ] {
        println!("{environment}");
        let levels = levels(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes"), environment);
        let has = |kind: &str| levels.iter().any(|(name, ..)| name == kind);
        assert!(has("radiance.0") && has("specular.0"), "{levels:?}");
        for (name, _, off) in &levels {
            // Small levels of smooth surroundings are plain means, those of files weigh texels by their middles; the
            // smallest are read by nothing.
            let bound = match name.starts_with("specular") {
                true => bound,
                false if environment.starts_with("file") => 1.0,
                false => continue,
            };
            assert!(off.abs() <= bound, "{environment}: {name} is {off} % off");
        }
    }
}

/// One texel of 128x64 shines: as much light as a sun of its radiance and solid angle. Next to the poles
/// texels are slivers, and points of the cube's texels miss some of them.
#[test]
fn a_bright_texel_is_a_sun() {
    const RADIANCE: f64 = 1024.0;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bright_texel");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (row, column) in [(8, 16), (16, 70), (20, 37), (31, 64), (32, 127), (45, 90)] {
        let mut bytes = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 64 +X 128\n".to_vec();
        let texels = bytes.len();
        bytes.resize(texels + 4 * 128 * 64, 0);
        bytes[texels + 4 * (128 * row + column)..][..4].copy_from_slice(&[128, 128, 128, 128 + 11]);
        let file = format!("{row}_{column}.hdr");
        std::fs::write(folder.join(&file), bytes).expect("a file");
        let levels = levels(&folder, &format!("file = '{file}'"));
        let edge = |row: usize| ops64::cos(row as f64 / 64.0 * std::f64::consts::PI);
        let wanted = RADIANCE * (edge(row) - edge(row + 1)) / 2.0 / 128.0;
        for (name, mean, _) in &levels {
            let off = 100.0 * (mean / wanted - 1.0);
            let bound = match name {
                _ if name.starts_with("specular") => 1.2,
                _ if name == "radiance.0" => 0.6,
                _ => continue,
            };
            assert!(off.abs() <= bound, "{row} {column}: {name} is {off} % off");
        }
    }
}
