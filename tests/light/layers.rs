//! Layers of surfaces and of light: against closed forms, and against the picture, which is their sum.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use stillframe::take::{Dump, Settings, Take, take};
use stillframe_asset::source::Vfs;
use stillframe_base::math::ops;
use stillframe_frames::Samples;
use stillframe_scene::scene::{Aov, LAYERS, LightingMethod, Likeness, Part, Scene, read, resolve_text};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Every scene of a folder of `scenes`, by file name, as pictures of one sample.
fn scenes(folder: &str) -> Vec<(String, Scene)> {
    let mut files = Vec::new();
    let mut folders = vec![root("scenes").join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            match path.is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|ending| ending == "toml") => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    let scene = |file: &PathBuf| {
        let scene = read(file, &[]).ok()?.scene;
        Some((file.display().to_string(), scene))
    };
    // Those without a title of their own are parts of others.
    files.iter().filter_map(scene).collect()
}

/// Small, with one sample.
fn small(mut scene: Scene, side_px: u32) -> Scene {
    scene.output.width_px = side_px;
    scene.output.height_px = side_px;
    scene.output.samples = 1;
    scene.output.shading = None;
    scene
}

fn taken(scene: &Scene, aovs: &[&str]) -> Take {
    let aovs = aovs.iter().map(|word| Aov::parse(word).unwrap_or_else(|| panic!("{word}"))).collect();
    take(scene, &Settings { aovs, ..Settings::default() }, &mut |_| ()).unwrap_or_else(|error| panic!("{error:#?}"))
}

/// Layers by name, all numbers as floats.
pub fn layers(scene: &Scene, aovs: &[&str]) -> BTreeMap<String, Vec<f32>> {
    let pictures = taken(scene, aovs).pictures.into_iter();
    pictures
        .map(|(aov, picture)| {
            let values = match picture.samples {
                Samples::F32(values) => values,
                Samples::U32(values) => values.into_iter().map(|value| value as f32).collect(),
                other => panic!("{other:?}"),
            };
            (aov.to_string(), values)
        })
        .collect()
}

fn dump(scene: &Scene, dump: Dump) -> String {
    let settings = Settings { dump: Some(dump), ..Settings::default() };
    take(scene, &settings, &mut |_| ()).unwrap_or_else(|error| panic!("{error:#?}")).dump.expect("it was asked for")
}

/// `None`: something blends over something else, and the layers show one of the two; or it shows what is behind it,
/// shines by its model, or sends on light that entered elsewhere, which no layer has.
fn light_count(scene: &Scene) -> Option<usize> {
    let (shot, keys) = (dump(scene, Dump::Shot), dump(scene, Dump::Keys));
    let has_blended = !shot.lines().any(|line| line == "blended 0");
    let has_more = keys.lines().any(|key| [" behind", " matcap", " subsurface"].iter().any(|word| key.contains(word)));
    (!has_blended && !has_more).then(|| shot.lines().filter(|line| line.starts_with("light ")).count())
}

/// The sum of the layers in the picture's order, exposed and clamped as the picture is.
fn folded(scene: &Scene, layers: &BTreeMap<String, Vec<f32>>, count: usize) -> Vec<f32> {
    let exposure = ops::exp2(scene.output.exposure_ev);
    let (around, emitted) = (&layers["ambient"], &layers["emissive"]);
    (0..around.len())
        .map(|at| {
            let start = around[at] + emitted[at];
            let sum = (0..count).fold(start, |sum, light| sum + layers[&format!("light.{light}")][at]);
            let exposed = sum * exposure;
            if 65504.0 < exposed { 65504.0 } else { exposed }
        })
        .collect()
}

/// The names of everything that a fold needs.
fn wanted(count: usize) -> Vec<String> {
    let lights = (0..count).map(|light| format!("light.{light}"));
    ["linear", "id", "ambient", "emissive"].map(String::from).into_iter().chain(lights).collect()
}

/// Where there is something, the picture is the sum of its layers, bit for bit.
fn the_fold_is_the_picture(folders: &[&str], method: LightingMethod) {
    let mut compared = 0;
    for (name, scene) in folders.iter().flat_map(|folder| scenes(folder)) {
        let mut scene = small(scene, 40);
        scene.render.lighting = method;
        let Some(count) = light_count(&scene) else { continue };
        let names = wanted(count);
        let layers = layers(&scene, &names.iter().map(String::as_str).collect::<Vec<_>>());
        let folded = folded(&scene, &layers, count);
        let linear = &layers["linear"];
        let channels = linear.len() / layers["id"].len();
        for (pixel, _) in layers["id"].iter().enumerate().filter(|(_, id)| **id != 0.0) {
            let (have, want) = (&linear[pixel * channels..][..3], &folded[pixel * 3..][..3]);
            let is_same = have.iter().zip(want).all(|(have, want)| have.to_bits() == want.to_bits());
            assert!(is_same, "{name}, {method:?}, pixel {pixel}: {have:?}, of the layers {want:?}");
            compared += 1;
        }
    }
    assert!(compared > 20_000, "{compared} pixels were compared");
}

#[test]
fn layers_of_light_make_the_picture_by_every_method() {
    let is_equal = |method: &LightingMethod| method.row().likeness == Likeness::Equal;
    for method in LightingMethod::WORDS.iter().map(|(_, method)| *method).filter(is_equal) {
        the_fold_is_the_picture(&["light", "lighting"], method);
    }
}

#[test]
fn layers_of_light_make_the_picture_of_every_material() {
    the_fold_is_the_picture(&["material", "environment", "graph"], LightingMethod::Forward);
}

/// No light of any scene of these folders is infinite or no number, in a surface's sum or in the picture.
fn is_finite(folders: &[&str], least: usize) {
    let mut count = 0;
    for (name, scene) in folders.iter().flat_map(|folder| scenes(folder)) {
        let scene = small(scene, 32);
        let layers = layers(&scene, &["nan", "linear"]);
        let bad = layers["nan"].iter().filter(|value| **value != 0.0).count();
        assert_eq!(bad, 0, "{name}");
        assert!(layers["linear"].iter().all(|value| value.is_finite()), "{name}");
        count += 1;
    }
    assert!(count > least, "{count} scenes");
}

/// Those of the other tests, which together hold every family.
const FINITE: [&[&str]; 3] = [
    &["animation"],
    &["import", "scene", "showcase", "raster", "texture", "output"],
    &["accumulate", "aov", "environment", "graph", "light", "lighting", "material", "post", "shadow", "view"],
];

#[test]
fn no_light_of_moving_scenes_is_beyond_floats() {
    is_finite(FINITE[0], 50);
}

#[test]
fn no_light_of_scenes_of_files_and_pixels_is_beyond_floats() {
    is_finite(FINITE[1], 40);
}

#[test]
fn no_light_of_scenes_of_surfaces_is_beyond_floats() {
    is_finite(FINITE[2], 60);
}

#[test]
fn every_family_of_scenes_is_looked_through() {
    let entries = std::fs::read_dir(root("scenes")).expect("the folder is there");
    let folders = entries.map(|entry| entry.expect("it can be listed").path()).filter(|path| path.is_dir());
    let names = folders.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned());
    // `assets` are what scenes are made of.
    let mut names: Vec<String> = names.filter(|name| name != "assets").collect();
    names.sort();
    let mut known = FINITE.concat();
    known.sort_unstable();
    assert_eq!(names, known);
}

const STAGE: &str = "title = 'x'\n[output]\nsize_px = [32, 32]\nsamples = 1\n[camera.main]\n\
                     height_m = 2.0\nposition = [0, 0, 4]\nlook_at = [0, 0, 0]\n";

fn scene(text: &str) -> Scene {
    let text = format!("{STAGE}{text}");
    let folder = root("scenes");
    let vfs = Vfs::open(&folder).expect("the folder is there");
    resolve_text(&text, Path::new("x.toml"), &folder, &vfs, &[]).unwrap_or_else(|found| panic!("{found:#?}")).scene
}

/// No scene can say so bright a light, so a mistake is planted: 1e30 times too much.
#[test]
fn the_nan_layer_shows_light_beyond_floats() {
    let fault = "[[fault]]\nname = 'bright'\nstage = 'light'\nwhy = 'x'\ncase = 'light/point'\npass = 'scene'\n\
                 text = [{ find = 'light.color * (window / d2)', replace = 'light.color * (window / d2) * 1e30' }]\n";
    let fault = stillframe_draw::fault::parse(fault).expect("a fault").pop();
    let scene = scene(
        "[[light]]\nkind = 'point'\nintensity_cd = 1e9\nposition = [0, 0, 0.1]\nshadow = false\n\
         [[node]]\nshape = 'quad'\nsize_m = [1, 1]\n",
    );
    let aovs = ["nan", "id"].map(|word| Aov::parse(word).expect("a layer")).to_vec();
    let settings = Settings { aovs, fault, ..Settings::default() };
    let taken = take(&scene, &settings, &mut |_| ()).unwrap_or_else(|error| panic!("{error:#?}"));
    let [Samples::U32(nan), Samples::U32(id)] = [0, 1].map(|at| taken.pictures[at].1.samples.clone()) else {
        panic!("whole numbers")
    };
    let wrong = nan.iter().zip(&id).filter(|(nan, id)| **nan != u32::from(**id != 0)).count();
    assert!(nan.contains(&1) && wrong == 0, "{wrong} pixels");
}

/// A quad across half of an orthographic picture: what its pixels hold is arithmetic.
#[test]
fn layers_of_a_quad_are_arithmetic() {
    let text = "[material.a]\nroughness = 0.25\nmetallic = 0.5\nemissive = [0.5, 2, 4]\n\
                [[node]]\nshape = 'quad'\nsize_m = [1, 1]\nmaterial = 'a'\n\
                [[node]]\nshape = 'quad'\nsize_m = [1, 1]\nposition = [0.25, 0, -1]\nmaterial = 'a'\n";
    let names = [
        "id",
        "position",
        "normal_geometric",
        "uv",
        "roughness",
        "metallic",
        "emissive",
        "material_id",
        "primitive_id",
        "overdraw",
        "mip_level",
    ];
    let layers = layers(&scene(text), &names);
    for pixel in 0..32 * 32 {
        // Pixel centres, metres.
        let x = ((pixel % 32) as f32 + 0.5) / 16.0 - 1.0;
        let y = 1.0 - ((pixel / 32) as f32 + 0.5) / 16.0;
        let (in_front, behind) = (x.abs() < 0.5 && y.abs() < 0.5, (x - 0.25).abs() < 0.5 && y.abs() < 0.5);
        let near = |name: &str, want: &[f32]| {
            let have = &layers[name][pixel * want.len()..][..want.len()];
            let want: Vec<f32> = want.iter().map(|value| if in_front || behind { *value } else { 0.0 }).collect();
            let is_near = have.iter().zip(&want).all(|(have, want)| (have - want).abs() <= 2e-6);
            assert!(is_near, "{name} at {x}, {y}: {have:?}, want {want:?}");
        };
        let (middle, z) = if in_front { (0.0, 0.0) } else { (0.25, -1.0) };
        near("position", &[x, y, z]);
        near("normal_geometric", &[0.0, 0.0, 1.0]);
        near("uv", &[x - middle + 0.5, 0.5 - y]);
        near("roughness", &[0.25]);
        near("metallic", &[0.5]);
        near("emissive", &[0.5, 2.0, 4.0]);
        near("mip_level", &[0.0]);
        near("overdraw", &[f32::from(u8::from(in_front)) + f32::from(u8::from(behind))]);
        let is_there = layers["id"][pixel] != 0.0;
        assert_eq!((layers["material_id"][pixel] != 0.0, in_front || behind), (is_there, is_there));
        assert_eq!([1.0, 2.0].contains(&layers["primitive_id"][pixel]), is_there);
    }
}

/// 256 texels over 32 pixels are eight a pixel: the third level. Half as wide they are sixteen across.
#[test]
fn the_level_of_a_texture_is_by_its_longer_side() {
    for (width, want) in [(2.0, 3.0), (1.0, 4.0)] {
        let text = format!(
            "[material.a]\nbase_color_texture = 'assets/crate_base.png'\n\
             [[node]]\nshape = 'quad'\nsize_m = [{width}, 2]\nmaterial = 'a'\n"
        );
        let size = image::image_dimensions(root("scenes/assets/crate_base.png")).expect("a picture");
        assert_eq!(size.0, size.1);
        assert!(size.0.is_power_of_two());
        let more = size.0.ilog2() as f32 - 8.0;
        let layers = layers(&scene(&text), &["mip_level"]);
        let middle = layers["mip_level"][16 * 32 + 16];
        assert!((middle - want - more).abs() < 1e-4, "{middle}, want {}", want + more);
    }
}

/// A wall, half of it in the shadow of a board; a lamp whose range ends on it.
#[test]
fn masks_say_what_arrives() {
    let text = "[[light]]\nname = 'sun'\nkind = 'directional'\ndirection = [0, 0, -1]\n\
                [[light]]\nname = 'lamp'\nkind = 'point'\nposition = [-0.5, 0, 0.4]\nrange_m = 0.5\nshadow = false\n\
                [[node]]\nshape = 'quad'\nsize_m = [2, 2]\n\
                [[node]]\nshape = 'quad'\nsize_m = [1, 2]\nposition = [0.5, 0, 5]\n";
    let names = ["shadow_mask.sun", "light_mask.sun", "light_mask.lamp", "shadow_mask.lamp", "light_count", "direct"];
    let layers = layers(&scene(text), &[&names[..], &["light.lamp", "light.sun"]].concat());
    for pixel in 0..32 * 32 {
        let [x, y] = [pixel % 32, pixel / 32].map(|at| (at as f32 + 0.5) / 16.0 - 1.0);
        if x.abs() > 0.1 {
            let lit = if x < 0.0 { 1.0 } else { 0.0 };
            assert_eq!([layers[names[0]][pixel], layers[names[1]][pixel]], [lit; 2], "{x}, {y}");
        }
        let far = (x + 0.5) * (x + 0.5) + y * y;
        // The range ends at 0.3 metres on the wall.
        if (far.sqrt() - 0.3).abs() > 0.02 {
            let reached = if far < 0.09 { 1.0 } else { 0.0 };
            assert_eq!(layers["light_mask.lamp"][pixel], reached, "{x}, {y}");
            assert_eq!(layers["light.lamp"][pixel * 3] > 0.0, reached > 0.0, "{x}, {y}");
        }
        assert_eq!((layers["shadow_mask.lamp"][pixel], layers["light_count"][pixel]), (1.0, 2.0));
        for channel in pixel * 3..pixel * 3 + 3 {
            assert_eq!(layers["direct"][channel], layers["light.lamp"][channel] + layers["light.sun"][channel]);
        }
    }
}

/// What is not in the scene is refused, with what is.
#[test]
fn a_layer_of_no_light_is_refused() {
    let text = "[[light]]\nname = 'lamp'\n[[node]]\nshape = 'quad'\n";
    let aovs = vec![Aov::parse("light.lump").unwrap()];
    let error = take(&scene(text), &Settings { aovs, ..Settings::default() }, &mut |_| ()).unwrap_err();
    let words = format!("{error:?}");
    assert!(words.contains("E0602") && words.contains("did you mean `light.lamp`?"), "{words}");
}

/// Every row can be drawn, and has as many channels as it says.
#[test]
fn every_row_is_drawn() {
    let text = "[environment]\nsky = {}\n[[light]]\nname = 'sun'\n[[node]]\nshape = 'sphere'\n";
    let scene = scene(text);
    let word = |row: &stillframe_scene::scene::AovRow| match row.part() {
        Part::Whole => row.word().to_string(),
        Part::Number => format!("{}.0", row.word()),
        Part::Light => format!("{}.sun", row.word()),
    };
    let words: Vec<String> = LAYERS.iter().map(word).collect();
    let taken = taken(&scene, &words.iter().map(String::as_str).collect::<Vec<_>>());
    for (row, (aov, picture)) in LAYERS.iter().zip(&taken.pictures) {
        // Alpha is there where it can differ from 1.
        let count = if row.channels.len() == 4 { 3 } else { row.channels.len() };
        assert_eq!(picture.channel_count as usize, count, "{aov}");
    }
    // Methods have targets of their own: none is called as a layer is.
    for (_, method) in LightingMethod::WORDS {
        let mut scene = scene.clone();
        scene.render.lighting = *method;
        assert_eq!(
            self::taken(&scene, &words.iter().map(String::as_str).collect::<Vec<_>>()).pictures.len(),
            LAYERS.len()
        );
    }
}
