//! A post of two joints, half a metre each, whose upper one does what files do and makers of figures do not: scales of
//! 0, steps, surfaces without normals, odd weights, odd rates.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use stillframe_testkit::npy::read;

use super::anim_inspect::Gltf;
use super::{err, folder, out, run, status, well};

/// What the upper joint does: a property, how it is interpolated, seconds, numbers.
type Channel<'a> = (&'a str, &'a str, &'a [f32], &'a [f32]);

/// A quarter turn about +Z.
const QUARTER: [f32; 4] = [0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2];

/// Bent to one side at half a second, and back.
const BEND: Channel<'_> = (
    "rotation",
    "LINEAR",
    &[0.0, 0.5, 1.0],
    &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, QUARTER[2], QUARTER[3], 0.0, 0.0, 0.0, 1.0],
);
/// The same at once.
const STEP: Channel<'_> = ("rotation", "STEP", BEND.2, BEND.3);

/// The post with its clip `bend`; `edit` changes it before it is written.
fn post(here: &Path, name: &str, channels: &[Channel<'_>], edit: impl FnOnce(&mut Gltf)) {
    let mut gltf = Gltf(json!({
        "asset": { "version": "2.0" }, "scene": 0, "scenes": [{ "nodes": [0, 1] }],
        "nodes": [
            { "name": "mesh", "mesh": 0, "skin": 0 },
            { "name": "lower", "children": [2] },
            { "name": "upper", "translation": [0.0, 0.5, 0.0] },
        ],
        "animations": [{ "name": "bend", "samplers": [], "channels": [] }],
        "accessors": [], "bufferViews": [], "buffers": [],
    }));
    channels.iter().for_each(|(path, how, times, values)| gltf.channel(2, path, how, times, values));
    let (mut positions, mut normals, mut weights, mut joints) = (vec![], vec![], vec![], Vec::<u8>::new());
    for ring in 0..5 {
        let y = ring as f32 * 0.25;
        let upper = ((y - 0.25) / 0.5).clamp(0.0, 1.0);
        for [x, z] in [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1_f32, 0.1]] {
            positions.extend([x, y, z]);
            normals.extend([x, 0.0, z].map(|n: f32| n * 0.5_f32.sqrt() / 0.1));
            weights.extend([1.0 - upper, upper, 0.0, 0.0]);
            joints.extend([0, 1, 0, 0]);
        }
    }
    let corner = |ring: u16, side: u16| ring * 4 + side % 4;
    let quad = |(ring, side): (u16, u16)| {
        let [a, b, c, d] =
            [corner(ring, side), corner(ring, side + 1), corner(ring + 1, side), corner(ring + 1, side + 1)];
        [a, c, b, b, c, d]
    };
    let indices: Vec<u16> = (0..4).flat_map(|ring| (0..4).map(move |side| (ring, side))).flat_map(quad).collect();
    let indices: Vec<u8> = indices.into_iter().flat_map(u16::to_le_bytes).collect();
    let position = gltf.numbers("VEC3", &positions);
    gltf.0["accessors"][position]["min"] = json!([-0.1, 0.0, -0.1]);
    gltf.0["accessors"][position]["max"] = json!([0.1, 1.0, 0.1]);
    let (normal, weight) = (gltf.numbers("VEC3", &normals), gltf.numbers("VEC4", &weights));
    let joint = gltf.accessor(json!({ "componentType": 5121, "type": "VEC4", "count": 20 }), &joints);
    let index = gltf.accessor(json!({ "componentType": 5123, "type": "SCALAR", "count": 96 }), &indices);
    let binds: Vec<u8> = [0.0_f32, -0.5]
        .iter()
        .flat_map(|y| [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, *y, 0.0, 1.0])
        .flat_map(f32::to_le_bytes)
        .collect();
    let binds = gltf.accessor(json!({ "componentType": 5126, "type": "MAT4", "count": 2 }), &binds);
    gltf.0["skins"] = json!([{ "joints": [1, 2], "inverseBindMatrices": binds }]);
    let attributes = json!({ "POSITION": position, "NORMAL": normal, "WEIGHTS_0": weight, "JOINTS_0": joint });
    gltf.0["meshes"] = json!([{ "primitives": [{ "attributes": attributes, "indices": index }] }]);
    edit(&mut gltf);
    fs::write(here.join(name), gltf.0.to_string()).unwrap();
}

/// A scene of `post.gltf`, whose node is `node`.
fn scene(here: &Path, name: &str, tables: &str, node: &str) {
    let text = format!(
        "title = '{name}'\n[output]\nsize_px = [48, 48]\nsamples = 1\n[camera.main]\nposition = [0, 0.6, 2.5]\n\
         look_at = [0, 0.5, 0]\n[[light]]\ndirection = [-1, -2, -1]\n{tables}\n{node}\n"
    );
    fs::write(here.join(name), text).unwrap();
}

/// The picture of a file at a moment.
fn picture(here: &Path, arguments: &[&str]) -> Vec<u8> {
    well(&run(here, &[&["render", "-o", "a.png"], arguments].concat()));
    fs::read(here.join("a.png")).unwrap()
}

fn told(here: &Path, arguments: &[&str]) -> Value {
    let output = run(here, &[arguments, &["--json"]].concat());
    well(&output);
    serde_json::from_str(&out(&output)).unwrap()
}

const PLAIN: [&str; 2] = ["[model.post]\nfile = 'post.gltf'\nclip = 'bend'", "[[node]]\nmodel = 'post'"];
const ANIMATED: [&str; 2] = [
    "[model.post]\nfile = 'post.gltf'\n[[animator]]\nname = 'a'\nmodel = 'post'\nclip = 'bend'",
    "[[node]]\nmodel = 'post'\nanimator = 'a'",
];

#[test]
fn a_scale_of_0_keeps_its_joint_in_its_place() {
    let here = folder("anim_post_scales");
    let scale = |values: &[f32; 9]| values.to_vec();
    for (what, values, still, at) in [
        ("away", scale(&[1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]), None, "0.5"),
        ("flat", scale(&[1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0]), None, "0.5"),
        ("mirrored", scale(&[1.0, 1.0, 1.0, 0.0, 1.0, 1.0, -1.0, 1.0, 1.0]), None, "0.7"),
        ("at rest", Vec::new(), Some([0.0, 0.0, 0.0]), "0.5"),
        ("flat at rest", Vec::new(), Some([1.0, 0.0, 1.0]), "0.5"),
    ] {
        let scaled: Channel<'_> = ("scale", "LINEAR", &[0.0, 0.5, 1.0], &values);
        let channels: Vec<Channel<'_>> = if values.is_empty() { vec![BEND] } else { vec![BEND, scaled] };
        post(&here, "post.gltf", &channels, |gltf| {
            if let Some(still) = still {
                gltf.0["nodes"][2]["scale"] = json!(still);
            }
        });
        scene(&here, "plain.toml", PLAIN[0], PLAIN[1]);
        scene(&here, "animated.toml", ANIMATED[0], ANIMATED[1]);
        let [plain, animated] = ["plain.toml", "animated.toml"].map(|file| picture(&here, &[file, "--time", at]));
        assert!(plain == animated, "{what}");
        assert!(still.is_some() || plain != picture(&here, &["plain.toml"]), "{what}: it moves");

        well(&run(&here, &["anim", "bake", "post.gltf", "-o", "post.npy"]));
        let baked = read(&here.join("post.npy"));
        assert_eq!(baked.shape, [31, 2, 10]);
        let upper = &baked.values[(15 * 2 + 1) * 10..][..10];
        assert_eq!(upper[..3], [0.0, 0.5, 0.0], "{what}");
        assert!((upper[5].abs() - QUARTER[2]).abs() < 1e-4, "{what}: {upper:?}");

        let found = told(&here, &["anim", "compress", "post.gltf", "-o", "post.clip"]);
        assert!(found["clips"][0]["worst_mm"]["value"].as_f64().unwrap() <= 0.1, "{what}: {found}");
        let checked = told(&here, &["anim", "compress", "post.gltf", "--check", "post.clip"]);
        assert_eq!(checked["is_within"], true, "{what}: {checked}");
    }
}

/// Keys of a wave that no lower rate follows, so many ticks of so many seconds.
fn wave(step_s: f32, count: usize) -> (Vec<f32>, Vec<f32>) {
    let times: Vec<f32> = (0..=count).map(|key| key as f32 * step_s).collect();
    let place = |key: usize| [[0.0, 0.05, -0.02, 0.03][key % 4], 0.5, 0.0];
    (times, (0..=count).flat_map(place).collect())
}

#[test]
fn clips_are_compressed_at_the_rate_of_their_keys() {
    let here = folder("anim_post_rates");
    for (step_s, count) in [(0.075, 16), (0.043_75, 24), (0.01, 96), (1.0 / 144.0, 144), (1.0 / 30.0, 32)] {
        let (times, values) = wave(step_s, count);
        post(&here, "post.gltf", &[("translation", "LINEAR", &times, &values)], |_| ());
        let found = told(&here, &["anim", "compress", "post.gltf"]);
        let clip = &found["clips"][0];
        assert_eq!(clip["form"]["frames"], json!(count + 1), "{step_s}: {clip}");
        assert!(clip["samples"].as_u64().unwrap() > count as u64 && clip["frames_per_sample"] == 1, "{step_s}: {clip}");
        assert!(clip["bytes"].as_u64().unwrap() < 12 * (count as u64 + 1), "{step_s}: less than the keys: {clip}");
    }
}

#[test]
fn steps_are_baked_with_a_frame_for_each_jump() {
    let here = folder("anim_post_steps");
    post(&here, "post.gltf", &[STEP], |_| ());
    for what in ["bones", "vertices"] {
        let found = told(&here, &["anim", "bake", "post.gltf", "--what", what, "-o", "post.exr"]);
        let clip = &found["clips"][0];
        assert_eq!(clip["jumps"]["count"], 2, "{what}: {clip}");
        // A frame is a sixtieth of a second, and elsewhere nothing moves.
        assert_eq!(clip["frames"], 61, "{what}: {clip}");
        assert!(clip["error_mm"]["worst"].as_f64().unwrap() < 0.1, "{what}: {clip}");
        assert!(clip["jumps"]["worst_mm"].as_f64().unwrap() > 100.0, "{what}: {clip}");
    }
    let crowd = "[model.post]\nfile = 'post.gltf'\n[[crowd]]\nmodel = 'post'\nclips = ['bend']\ncount = 3\n\
                 size_m = [1.0, 0.0, 1.0]";
    scene(&here, "crowd.toml", crowd, "");
    let output = run(&here, &["render", "crowd.toml", "--dump", "animation"]);
    well(&output);
    assert!(out(&output).contains("but in 2 jumps that take a frame each"), "{}", out(&output));
}

#[test]
fn what_cannot_be_baked_is_told_by_name() {
    let here = folder("anim_post_unbaked");
    // A spin that no 240 frames a second follow to a ten thousandth of a millimetre.
    let times: Vec<f32> = (0..=40).map(|key| key as f32 * 0.007_3 + if key % 2 == 1 { 0.001_1 } else { 0.0 }).collect();
    let values: Vec<f32> = (0..=40).flat_map(|key| if key % 2 == 0 { [0.0, 0.0, 0.0, 1.0] } else { QUARTER }).collect();
    post(&here, "post.gltf", &[("rotation", "LINEAR", &times, &values)], |_| ());
    let bake = ["anim", "bake", "post.gltf", "--what", "bones", "--error-mm", "0.001", "-o", "post.exr"];
    let output = run(&here, &bake);
    assert_eq!(status(&output), 2);
    for words in ["clip \"bend\" is", " mm off at 0.", "0.001 mm are allowed", "allow a larger error"] {
        assert!(err(&output).contains(words), "{words}: {}", err(&output));
    }
}

#[test]
fn figures_of_crowds_need_no_normals() {
    let here = folder("anim_post_flat");
    for baking in ["joints", "vertices"] {
        let crowd = format!(
            "[model.post]\nfile = 'post.gltf'\n[[crowd]]\nmodel = 'post'\nclips = ['bend']\ncount = 1\n\
             size_m = [0.0, 0.0, 0.0]\nspeed = [0.0, 0.0]\nturn_deg = [0.0, 0.0]\nbaking = '{baking}'"
        );
        scene(&here, "crowd.toml", &crowd, "");
        post(&here, "post.gltf", &[BEND], |gltf| {
            let attributes = &mut gltf.0["meshes"][0]["primitives"][0]["attributes"];
            attributes.as_object_mut().unwrap().remove("NORMAL");
        });
        let flat = picture(&here, &["crowd.toml"]);
        post(&here, "post.gltf", &[BEND], |_| ());
        let smooth = picture(&here, &["crowd.toml"]);
        assert!(flat != smooth, "{baking}: sides are flat");
        scene(&here, "none.toml", "", "[[node]]\nshape = 'sphere'\nradius_m = 0.001");
        assert!(flat != picture(&here, &["none.toml"]), "{baking}: it is there");
    }
}

#[test]
fn numbers_are_no_pictures() {
    let here = folder("anim_post_numbers");
    post(&here, "post.gltf", &[BEND], |_| ());
    let frames = ["anim", "dump", "post.gltf", "--clip", "bend", "--frames", "0..19999"];
    well(&run(&here, &[&frames[..], &["--what", "joints", "-o", "long.npy"]].concat()));
    assert_eq!(read(&here.join("long.npy")).shape, [20_000, 2, 3]);
    let mut obj: String = (0..20_001).map(|vertex| format!("v {vertex} {} 0\n", vertex % 2)).collect();
    obj.extend((1..20_000).map(|first| format!("f {first} {} {}\n", first + 1, first + 2)));
    fs::write(here.join("big.obj"), obj).unwrap();
    well(&run(&here, &["anim", "dump", "big.obj", "--what", "positions", "-o", "big.npy"]));
    assert_eq!(read(&here.join("big.npy")).shape, [1, 20_001, 3]);
    for (arguments, words) in [
        (vec!["--what", "morphs", "-o", "a.npy"], "it has no morphs"),
        (vec!["--what", "joints", "-o", "a.txt"], "the output must be .npy"),
    ] {
        let output = run(&here, &[&["anim", "dump", "post.gltf"], &arguments[..]].concat());
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    let bake = ["anim", "bake", "post.gltf", "--what", "bones", "--fps", "10", "-o", "a.exr"];
    let output = run(&here, &bake);
    assert_eq!(status(&output), 2);
    assert!(err(&output).contains("--error-mm"), "{}", err(&output));
}

#[test]
fn moments_lie_within_their_clips() {
    let here = folder("anim_post_moments");
    post(&here, "post.gltf", &[BEND], |_| ());
    let clip = |keys: &str| format!("{}\n[[clip]]\nname = 'bend'\nmodel = 'post'\n{keys}", ANIMATED[0]);
    for (keys, words) in [
        ("end_s = 50.0", "`end_s` is 50"),
        ("start_s = 3.0\nend_s = 5.0", "`start_s` is 3"),
        ("event = [{ name = 'step', at_s = 40.0 }]", "event \"step\" is at 40 s"),
        ("event = [{ name = 'step', at_s = 0.5, until_s = 2.0 }]", "the end of event \"step\" is at 2 s"),
        ("start_s = 0.5\nmarker = [{ name = 'left', at_s = 0.75 }]", "marker \"left\" is at 0.75 s"),
    ] {
        scene(&here, "late.toml", &clip(keys), ANIMATED[1]);
        let output = run(&here, &["render", "late.toml", "-o", "a.png"]);
        assert_eq!(status(&output), 2, "{keys}: {}", err(&output));
        for words in ["E0514", words, "lasts 1 s"] {
            assert!(err(&output).contains(words), "{keys}: {}", err(&output));
        }
    }
    // Rounded to three places, as people write them.
    scene(&here, "well.toml", &clip("end_s = 1.0004\nevent = [{ name = 'step', at_s = 1.0 }]"), ANIMATED[1]);
    picture(&here, &["well.toml"]);
    let eighth = clip("source = '#7'");
    scene(&here, "eighth.toml", &eighth, ANIMATED[1]);
    let output = run(&here, &["render", "eighth.toml", "-o", "a.png"]);
    assert!(err(&output).contains("its last is #0"), "{}", err(&output));
}

#[test]
fn a_clip_of_the_command_line_counts_before_animators() {
    let here = folder("anim_post_clip");
    post(&here, "post.gltf", &[BEND], |_| ());
    scene(&here, "plain.toml", PLAIN[0], PLAIN[1]);
    scene(&here, "animated.toml", ANIMATED[0], ANIMATED[1]);
    let stored = picture(&here, &["plain.toml"]);
    let [bent, none, named] = [vec![], vec!["--clip", "none"], vec!["--clip", "bend"]]
        .map(|clip| picture(&here, &[&["animated.toml", "--time", "0.5"], &clip[..]].concat()));
    assert!(none == stored && bent != stored && named == bent);
}

#[test]
fn steps_and_odd_weights_are_told() {
    let here = folder("anim_post_told");
    post(&here, "post.gltf", &[STEP], |gltf| {
        let weights: Vec<f32> =
            (0..20).flat_map(|vertex| if vertex < 4 { [1.5, -0.5, 0.0, 0.0] } else { [0.5, 0.5, 0.0, 0.0] }).collect();
        let weights = gltf.numbers("VEC4", &weights);
        let joints: Vec<u8> =
            (0..20).flat_map(|vertex| if vertex < 17 { [0, 1, 0, 0] } else { [1, 1, 0, 0] }).collect();
        let joints = gltf.accessor(json!({ "componentType": 5121, "type": "VEC4", "count": 20 }), &joints);
        let attributes = &mut gltf.0["meshes"][0]["primitives"][0]["attributes"];
        (attributes["WEIGHTS_0"], attributes["JOINTS_0"]) = (json!(weights), json!(joints));
    });
    let output = run(&here, &["anim", "inspect", "post.gltf"]);
    well(&output);
    for words in [
        "2 steps jump, by at most 90 degrees, upper at",
        "4 vertices with a negative weight",
        "3 vertices with a repeated joint",
    ] {
        assert!(out(&output).contains(words), "{words}: {}", out(&output));
    }
    well(&run(&here, &["anim", "plot", "post.gltf", "--what", "speed", "-o", "speed.svg"]));
    well(&run(&here, &["anim", "plot", "post.gltf", "-o", "curves.svg"]));

    // What is drawn of an error holds the one that is told.
    let (times, values) = wave(0.03, 20);
    post(&here, "post.gltf", &[("translation", "CUBICSPLINE", &times, &values.repeat(3))], |_| ());
    let found = told(&here, &["anim", "compress", "post.gltf", "--error-mm", "1", "--plot", "error.svg"]);
    let worst_mm = found["clips"][0]["worst_mm"]["value"].as_f64().unwrap();
    let svg = fs::read_to_string(here.join("error.svg")).unwrap();
    let words = svg.split("At most ").nth(1).and_then(|rest| rest.split(" mm").next()).unwrap();
    let drawn: f64 = words.parse().unwrap();
    assert!((drawn - worst_mm).abs() <= 1e-2 * worst_mm, "{drawn} is drawn of {worst_mm}");

    scene(&here, "animated.toml", ANIMATED[0], ANIMATED[1]);
    let dumped = told(&here, &["render", "animated.toml", "--dump", "animation", "--time", "0.25"]);
    assert_eq!((&dumped["schema"], &dumped["link"]), (&json!("dump/1"), &json!("animation")));
    assert_eq!(dumped["lines"][0], "animator \"a\" on \"post\"");
    assert_eq!(dumped["time_s"], 0.25);
}
