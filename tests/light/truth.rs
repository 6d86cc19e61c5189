//! Truth: pictures against closed forms and quadrature, one test for each fault that was found this way.

use std::fs;
use std::path::{Path, PathBuf};

use stillframe::take::{Settings, Skinning, take};
use stillframe_asset::source::Vfs;
use stillframe_frames::Samples;
use stillframe_scene::scene::{Aov, Scene, read, resolve_text};
use stillframe_testkit::worse;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/light/data").join(name)
}

fn scene(name: &str, edit: impl Fn(String) -> String) -> Scene {
    scene_of(&edit(fs::read_to_string(data(name)).expect("a scene")))
}

pub fn scene_of(text: &str) -> Scene {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let vfs = Vfs::open(&scenes).expect("the folder is there");
    let resolved = resolve_text(text, Path::new("test.toml"), &scenes, &vfs, &[]);
    resolved.unwrap_or_else(|diagnostics| panic!("{diagnostics:#?}")).scene
}

/// Linear red, green and blue, row by row.
pub fn linear(scene: &Scene) -> Vec<[f64; 3]> {
    let settings = Settings { bits: 32, ..Settings::default() };
    let taken = take(scene, &settings, &mut |_| ()).expect("a picture");
    match &taken.pictures[0].1.samples {
        Samples::F32(values) => values.chunks_exact(4).map(|c| [c[0], c[1], c[2]].map(f64::from)).collect(),
        other => panic!("{other:?}"),
    }
}

/// How much of the light arrives at each pixel.
fn visibility(name: &str, edit: impl Fn(String) -> String) -> Vec<Option<f64>> {
    let with = scene(name, edit);
    let without = Scene { shadows: false, ..with.clone() };
    let pairs = linear(&with).into_iter().zip(linear(&without));
    pairs.map(|(with, without)| (without[0] > 1e-4).then(|| with[0] / without[0])).collect()
}

/// The shadow of a sun does not fade because the ground is large: the ground casts, too, but not on itself.
#[test]
fn shadow_wide_ground() {
    let dark = |size_m: &str| {
        let edit = |text: String| text.replace("size_m = [2000.0, 2000.0]", &format!("size_m = [{size_m}, {size_m}]"));
        visibility("shadow_wide_ground.toml", edit).into_iter().flatten().filter(|&v| v < 0.01).count()
    };
    let least = dark("40.0");
    assert!(least > 700, "{least}");
    for size_m in ["200.0", "2000.0", "10000.0"] {
        let found = dark(size_m);
        assert!(found.abs_diff(least) <= least / 50, "{size_m} m: {found} dark pixels for {least}");
    }
}

/// The shadow of a wall under a lamp ends at x = 1.5 m.
#[test]
fn shadow_point_wall() {
    let lit = visibility("shadow_point_wall.toml", |text| text);
    let row = &lit[32 * 1024..33 * 1024];
    let x = |pixel: usize| ((pixel as f64 + 0.5) / 1024.0 - 0.5) * 3.0 + 0.8;
    let at = (0..1023).find(|&i| x(i) > 1.2 && row[i].unwrap() <= 0.5 && row[i + 1].unwrap() > 0.5).expect("an edge");
    let (a, b) = (row[at].unwrap(), row[at + 1].unwrap());
    let edge = x(at) + (0.5 - a) / (b - a) * (x(at + 1) - x(at));
    assert!((edge - 1.5).abs() < 0.004, "half light at {edge} m");
}

/// A cone of 160 degrees: rays from the floor to the lamp say what is in the shadow of a box.
#[test]
fn shadow_wide_spot() {
    let lit = visibility("shadow_wide_spot.toml", |text| text);
    let (mut wrong, mut dark) = (0, 0);
    for (index, lit) in lit.iter().enumerate() {
        let at = |pixel: usize| ((pixel as f64 + 0.5) / 256.0 - 0.5) * 6.0;
        let (x, z) = (at(index % 256), at(index / 256));
        let Some(lit) = *lit else { continue };
        if (x - 1.0).abs() < 0.17 && z.abs() < 0.17 {
            continue;
        }
        // To the lamp at (0, 2, 0), through the box.
        let (from, to) = ([x, 0.0, z], [-x, 2.0, -z]);
        let (mut first, mut last) = (1e-6f64, 1.0f64);
        for (axis, (low, high)) in [(0.85, 1.15), (0.0, 1.0), (-0.15, 0.15)].into_iter().enumerate() {
            let (t, u) = ((low - from[axis]) / to[axis], (high - from[axis]) / to[axis]);
            (first, last) = (first.max(t.min(u)), last.min(t.max(u)));
        }
        let is_dark = first < last;
        dark += usize::from(is_dark);
        wrong += usize::from((lit < 0.5) != is_dark);
    }
    assert!(dark > 1000 && wrong <= 12, "{wrong} wrong pixels of {dark} in shadow");
}

/// Rough metal in a map with bright lamps: within 5 % of the split sum without loss, f64 quadrature over the map.
#[test]
fn ibl_studio() {
    let told: serde_json::Value = serde_json::from_str(&fs::read_to_string(data("ibl_studio.json")).unwrap()).unwrap();
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let places = told["pixels_row_column"].as_array().unwrap();
    let cases = told["cases"].as_array().unwrap();
    assert!(places.len() >= 8 && cases.len() >= 4);
    for case in cases {
        let (roughness, metallic) = (number(&case["roughness"]), number(&case["metallic"]));
        let got = linear(&scene("ibl_studio.toml", |text| {
            let text = text.replace("roughness = 0.35", &format!("roughness = {roughness:?}"));
            text.replace("metallic = 1.0", &format!("metallic = {metallic:?}"))
        }));
        for (place, want) in places.iter().zip(case["split_sum"].as_array().unwrap()) {
            let [row, column] = [&place[0], &place[1]].map(|at| at.as_u64().unwrap() as usize);
            let want = [0, 1, 2].map(|channel| number(&want[channel]));
            let got = got[row * 128 + column];
            let off = (0..3).map(|channel| (got[channel] - want[channel]).abs()).fold(0.0, worse);
            let most = want.iter().copied().fold(0.0, f64::max);
            assert!(off <= 0.05 * most, "roughness {roughness}, row {row}, column {column}: {got:?} for {want:?}");
        }
    }
}

/// Four samples show nothing that is not there: no pixel is brighter or darker than all of 144 points around it.
#[test]
fn msaa_silhouette() {
    const SIDE: usize = 192;
    let sized = |side: usize, samples: u32| {
        let output = format!("size_px = [{side}, {side}]\nsamples = {samples}");
        linear(&scene("msaa_silhouette.toml", |text| text.replace("size_px = [192, 192]", &output)))
    };
    let (got, points) = (sized(SIDE, 4), sized(4 * SIDE, 1));
    let mut wrong = Vec::new();
    for (y, x) in (2..SIDE - 2).flat_map(|y| (2..SIDE - 2).map(move |x| (y, x))) {
        let around = || (4 * y - 4..4 * y + 8).flat_map(|y| &points[y * 4 * SIDE..][4 * x - 4..4 * x + 8]);
        let is_out = |channel: usize| {
            let most = around().map(|point| point[channel]).fold(0.0, f64::max);
            let least = around().map(|point| point[channel]).fold(f64::MAX, f64::min);
            let value = got[y * SIDE + x][channel];
            value.is_nan() || value > most * 1.05 + 0.01 || value < least * 0.95 - 0.01
        };
        wrong.extend((0..3).any(is_out).then_some((x, y)));
    }
    assert_eq!(wrong, [], "pixels outside of what is around them");
}

/// Sixteen samples are the sixteen pixels of a picture that is four times as wide and high, shaded one by one. Shadows
/// are left out: their maps are fitted to the size of the picture.
#[test]
fn sixteen_samples_are_sixteen_pixels() {
    const SIDE: usize = 96;
    let sized = |side: usize, samples: u32| {
        let output = format!("size_px = [{side}, {side}]\nsamples = {samples}\nshadows = false");
        linear(&scene("msaa_silhouette.toml", |text| text.replace("size_px = [192, 192]", &output)))
    };
    let (got, points) = (sized(SIDE, 16), sized(4 * SIDE, 1));
    let mut wrong = Vec::new();
    for (pixel, got) in got.iter().enumerate() {
        let (x, y) = (4 * (pixel % SIDE), 4 * (pixel / SIDE));
        let within = || (y..y + 4).flat_map(|y| &points[y * 4 * SIDE + x..][..4]);
        let off = |c: usize| (within().map(|point| point[c]).sum::<f64>() / 16.0 - got[c]).abs();
        let worst = (0..3).map(off).fold(0.0, worse);
        assert!(worst < 0.1, "{worst} at {pixel}");
        wrong.extend((worst > 1e-4).then_some((pixel % SIDE, pixel / SIDE)));
    }
    // A point on an edge may count for either side: its place is rounded otherwise.
    assert!(wrong.len() <= 18, "{} pixels are not the mean of their points: {wrong:?}", wrong.len());
}

/// Where light makes no difference, four samples that are shaded one by one are four that are shaded together.
#[test]
fn shading_per_sample_covers_alike() {
    let shaded = |how: &str| {
        let text = format!(
            "title = 'x'\n[output]\nsize_px = [64, 64]\nshading = '{how}'\n[camera.main]\nposition = [1, 2, 5]\n\
             look_at = [0, 0, 0]\n[material.red]\nbase_color = '#ff0000'\nunlit = true\n\
             [[node]]\nshape = 'box'\nmaterial = 'red'\nrotation_deg = [10, 20, 30]\n"
        );
        linear(&scene_of(&text))
    };
    let (pixel, sample) = (shaded("pixel"), shaded("sample"));
    assert!(pixel.iter().any(|color| color[0] > 0.2 && color[0] < 0.8), "edges are smooth");
    assert_eq!(pixel, sample);
}

/// Linear pictures in floats hold floats: most of their values are no halves.
#[test]
fn linear_in_floats() {
    for samples in [1, 4, 16] {
        let picture = linear(&scene("msaa_silhouette.toml", |text| {
            text.replace("size_px = [192, 192]", &format!("size_px = [64, 64]\nsamples = {samples}"))
        }));
        // A half has 11 significant bits.
        let is_half = |value: f64| (value as f32).to_bits() & 0x1fff == 0;
        let (halves, all) = (picture.iter().flatten().filter(|v| is_half(**v)).count(), picture.len() * 3);
        let dark = picture.iter().flatten().filter(|v| **v == 0.0).count();
        assert!((halves - dark) * 10 < all - dark, "{samples} samples: {halves} of {all} values, {dark} are dark");
    }
}

/// Light is added up by the paths of lights' names: their order in the file changes no bit.
#[test]
fn order_of_lights() {
    let light = |name: &str, at: [f32; 3], color: &str| {
        format!(
            "[[light]]\nname = '{name}'\nkind = 'point'\nposition = {at:?}\nintensity_cd = 7.3\ncolor = '{color}'\n"
        )
    };
    let lights = [
        light("b", [1.0, 2.0, 1.5], "#ff8040"),
        light("a", [-1.3, 1.0, 2.0], "#40ff80"),
        light("c", [0.2, 3.0, 0.5], "#8040ff"),
    ];
    let pictured = |order: [usize; 3]| {
        let text = "title = 'x'\n[output]\nsize_px = [64, 64]\n[camera.main]\nposition = [1, 2, 5]\nlook_at = [0, 0, 0]\n\
                    [[node]]\nshape = 'sphere'\n";
        linear(&scene_of(&format!("{text}{}", order.map(|at| lights[at].clone()).concat())))
    };
    let first = pictured([0, 1, 2]);
    assert!(first.iter().any(|color| color[0] > 0.1));
    for order in [[1, 0, 2], [2, 1, 0], [1, 2, 0]] {
        assert!(pictured(order) == first, "{order:?}");
    }
}

/// Pixels from where each surface point was one frame before.
fn motion(scene: &Scene, skinning: Skinning) -> Vec<[f32; 2]> {
    let settings = Settings { aovs: vec![Aov::MOTION], skinning, ..Settings::default() };
    let taken = take(scene, &settings, &mut |_| ()).expect("a picture");
    match &taken.pictures[0].1.samples {
        Samples::F32(values) => values.as_chunks().0.to_vec(),
        other => panic!("{other:?}"),
    }
}

/// Flat normals are made anew for each moment; the vertices are those of the frame before, wherever skins are bent.
#[test]
fn motion_skin_flat() {
    let scene = read(&data("motion_skin_flat.toml"), &[]).expect("a scene").scene;
    for skinning in [Skinning::Cpu, Skinning::Compute, Skinning::Vertex] {
        let got = motion(&scene, skinning)[128 * 256 + 150];
        assert!((got[0] + 1.40671).abs() < 1e-3 && got[1].abs() < 1e-3, "{skinning:?}: {got:?}");
    }
}

/// A shape whose size moves goes as one that is scaled.
#[test]
fn motion_of_sizes() {
    let text = |grows: &str| {
        format!(
            "title = 'x'\n[output]\nsize_px = [64, 64]\ntime_s = 0.5\n[camera.main]\nposition = [1, 2, 5]\nlook_at = [0, 0, 0]\n\
             [[node]]\nshape = 'sphere'\nposition = [0.3, 0, 0]\n{grows}\n[[node]]\nshape = 'box'\nposition = [-0.8, 0, 0]\n"
        )
    };
    let [sized, scaled] =
        ["radius_m = { keys = [[0, 0.5], [1, 1.5]] }", "radius_m = 1.0\nscale = { keys = [[0, 0.5], [1, 1.5]] }"]
            .map(|grows| motion(&scene_of(&text(grows)), Skinning::Cpu));
    let moving = scaled.iter().filter(|by| by[0].abs().max(by[1].abs()) > 0.1).count();
    assert!(moving > 500, "{moving}");
    for (pixel, (sized, scaled)) in sized.iter().zip(&scaled).enumerate() {
        let off = (sized[0] - scaled[0]).abs().max((sized[1] - scaled[1]).abs());
        assert!(off < 1e-3, "pixel {pixel}: {sized:?} for {scaled:?}");
    }
}

/// What is around moves as a ball does that is very large, and not at all where the camera does not turn.
#[test]
fn motion_of_what_is_around() {
    let text = |time_s: f64, rest: &str| {
        format!(
            "title = 'x'\n[output]\nsize_px = [64, 48]\ntime_s = {time_s:?}\n{rest}\n[camera.main]\nposition = [1, 2, 5]\n\
             control.kind = 'fly'\ncontrol.turn_deg_per_px = 0.1\n\
             control.input = [{{ at_s = 0.0 }}, {{ at_s = 0.5, look_px = [60, -35] }}]\n"
        )
    };
    let around = "background = 'environment'\n[environment]\nsky = { sun_elevation_deg = 30.0 }";
    let ball = "[material.m]\nunlit = true\ndouble_sided = true\n[[node]]\nshape = 'sphere'\nradius_m = 50000\n\
                position = [1, 2, 5]\nmaterial = 'm'\n";
    let found = motion(&scene_of(&text(0.5, around)), Skinning::Cpu);
    let want = motion(&scene_of(&format!("{}{ball}", text(0.5, ""))), Skinning::Cpu);
    for (pixel, (found, want)) in found.iter().zip(&want).enumerate() {
        let off = (found[0] - want[0]).abs().max((found[1] - want[1]).abs());
        assert!(off < 0.01 && want[0].abs() > 1.0, "pixel {pixel}: {found:?} for {want:?}");
    }
    let resting = motion(&scene_of(&text(0.4, around)), Skinning::Cpu);
    assert!(resting.iter().all(|by| *by == [0.0; 2]));
}
