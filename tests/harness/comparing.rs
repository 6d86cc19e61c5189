//! `diff`: which files it calls equal, and what it says of those that are not.

use std::fs;

use serde_json::Value;
use stillframe_frames::{Apng, Picture, PngEffort, Samples, encode_png};

use super::ground::Ground;

/// A file of these tests.
fn data(name: &str) -> Vec<u8> {
    fs::read(format!("{}/tests/data/diff/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// A picture of one colour.
fn plain(colour: [u8; 3]) -> Picture {
    Picture::new(2, 2, 3, Samples::U8(colour.repeat(4))).unwrap()
}

fn apng(frames: &[[u8; 3]], frames_per_second: f64) -> Vec<u8> {
    let mut apng = Apng::new(&plain(frames[0]), frames.len() as u32, frames_per_second, PngEffort::Fast).unwrap();
    frames.iter().for_each(|colour| apng.push(&plain(*colour)).unwrap());
    apng.finish().unwrap()
}

#[test]
fn diff_animated() {
    let ground = Ground::new("diff-animated");
    for name in ["diff_animated_old.png", "diff_animated_new.png"] {
        ground.write(name, data(name));
        ground.write(&name.replace(".png", ".apng"), data(name));
    }
    for ending in ["png", "apng"] {
        let names = [format!("diff_animated_old.{ending}"), format!("diff_animated_new.{ending}")];
        let ran = ground.run(&["diff", &names[0], &names[1], "-o", "difference.png"]).code(1);
        assert!(ran.out.starts_with("frame 1: 4 of 4 px differ") && ran.out.lines().count() == 1, "{}", ran.out);
        assert!(ground.path("difference.png").exists());
        assert_eq!(ground.run(&["diff", &names[0], &names[0]]).code(0).out, "");
    }

    let (red, green, blue) = ([255, 0, 0], [0, 255, 0], [0, 0, 255]);
    for (name, bytes) in [
        ("a.png", apng(&[red, green, blue], 24.0)),
        ("slow.png", apng(&[red, green, blue], 12.0)),
        ("longer.png", apng(&[red, green, blue, blue], 24.0)),
        ("last.png", apng(&[red, green, green], 24.0)),
        ("one.png", apng(&[red], 24.0)),
        ("still.png", encode_png(&plain(red), PngEffort::Small).unwrap()),
        ("cut.png", apng(&[red, green, blue], 24.0)[..180].to_vec()),
        ("webp.webp", b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x01\0\0\x01\0\0".to_vec()),
    ] {
        ground.write(name, bytes);
    }
    ground.run(&["diff", "a.png", "last.png"]).code(1).says("frame 2: ");
    let slower = ground.run(&["diff", "a.png", "slow.png"]).code(1);
    assert_eq!(slower.out.lines().next(), Some("frame 0: shown for 1/24 s against 1/12 s"));
    assert_eq!(ground.run(&["diff", "a.png", "longer.png"]).code(1).out, "3 frames against 4 frames\n");
    assert_eq!(ground.run(&["diff", "still.png", "a.png"]).code(1).out, "1 frame against 3 frames\n");
    ground.run(&["diff", "still.png", "one.png"]).code(0);
    ground.run(&["diff", "a.png", "cut.png"]).code(2).complains("cut.png: ");
    ground.run(&["diff", "webp.webp", "a.png"]).code(2).complains("animated WebP").complains("animated PNG");
    ground.run(&["diff", "a.png", "last.png", "--layer", "depth"]).code(2).complains("--layer");
    let json: Value = serde_json::from_str(&ground.run(&["diff", "a.png", "last.png", "--json"]).code(1).out).unwrap();
    let rows = json["layers"].as_array().unwrap();
    let differing: Vec<(&Value, &Value)> =
        rows.iter().map(|row| (&row["frame"], &row["comparison"]["differing_pixel_count"])).collect();
    assert_eq!(differing, [(&0.into(), &0.into()), (&1.into(), &0.into()), (&2.into(), &4.into())]);
    let pairs = "[\"a.png\",\"last.png\"]\n[\"a.png\",\"a.png\"]\n";
    let answers = ground.run_reading(&["diff", "--stdin"], pairs).code(1).out;
    let same: Vec<Value> =
        answers.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["same"].clone()).collect();
    assert_eq!(same, [false, true]);
}

/// What `render` writes is compared frame by frame too.
#[test]
fn diff_animated_renders() {
    let ground = Ground::new("diff-renders");
    ground.ball("a/ball", "#b03020", "");
    ground.run(&["render", "scenes/a/ball.toml", "--frames", "0..3", "-o", "a.apng"]).code(0);
    ground.run(&["render", "scenes/a/ball.toml", "--frames", "0..4", "-o", "b.apng"]).code(0);
    ground.run(&["diff", "a.apng", "a.apng"]).code(0);
    ground.run(&["diff", "a.apng", "b.apng"]).code(1).says("4 frames against 5 frames");
}
