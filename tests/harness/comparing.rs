//! `diff`: which files it calls equal, and what it says of those that are not.

use std::fs;

use image::{DynamicImage, ImageFormat};
use serde_json::Value;
use stillframe_base::par::Pool;
use stillframe_frames::run::Status;
use stillframe_frames::{Apng, Picture, PngEffort, Samples, encode_npy, encode_plain_exr, encode_png};

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

/// Pixels are compared, not how they are stored.
#[test]
fn diff_rgba_rgb() {
    let ground = Ground::new("diff-forms");
    for name in ["diff_rgb.png", "diff_rgba.png", "diff_palette.png"] {
        ground.write(name, data(name));
    }
    let png = |channel_count: u32, samples: Samples| {
        encode_png(&Picture::new(2, 2, channel_count, samples).unwrap(), PngEffort::Fast).unwrap()
    };
    ground.write("red16.png", png(3, Samples::U16([65535, 0, 0].repeat(4))));
    ground.write("almost.png", png(3, Samples::U16([65534, 0, 0].repeat(4))));
    ground.write("glass.png", png(4, Samples::U8([255, 0, 0, 254].repeat(4))));
    for other in ["diff_rgba.png", "diff_palette.png", "red16.png"] {
        assert_eq!(ground.run(&["diff", "diff_rgb.png", other]).code(0).out, "", "{other}");
        assert_eq!(ground.run(&["diff", other, "diff_rgb.png"]).code(0).out, "", "{other}");
    }
    ground.run(&["diff", "diff_rgb.png", "glass.png"]).code(1).says("4 of 4 px differ (100.00 %), max 1/255");
    ground.run(&["diff", "diff_rgb.png", "almost.png"]).code(1).says("4 of 4 px differ (100.00 %), max 1/65535");

    // Grey, as every format has it. A plain picture survives JPEG.
    let grey = [127u8; 2 * 2 * 3];
    let image = DynamicImage::ImageRgb8(image::RgbImage::from_raw(2, 2, grey.to_vec()).unwrap());
    ground.write("grey.png", png(1, Samples::U8(vec![127; 4])));
    for (ending, format) in [("jpg", ImageFormat::Jpeg), ("webp", ImageFormat::WebP), ("bmp", ImageFormat::Bmp)] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        ground.write(&format!("grey.{ending}"), bytes.into_inner());
        ground.run(&["diff", "grey.png", &format!("grey.{ending}")]).code(0);
    }
    // Numbers for `numpy` and layers for compositors, with and without alpha.
    let floats =
        |channel_count: u32, texel: &[f32]| Picture::new(2, 2, channel_count, Samples::F32(texel.repeat(4))).unwrap();
    let pool = Pool::new(1);
    ground.write("three.exr", encode_plain_exr(&floats(3, &[0.5, 0.25, 2.0]), &pool).unwrap());
    ground.write("four.exr", encode_plain_exr(&floats(4, &[0.5, 0.25, 2.0, 1.0]), &pool).unwrap());
    ground.write("four.npy", encode_npy(&floats(4, &[0.5, 0.25, 2.0, 1.0])));
    ground.run(&["diff", "three.exr", "four.exr"]).code(0);
    ground.run(&["diff", "three.exr", "four.npy"]).code(0);
    // Light and its encoding are no forms of one picture.
    ground.run(&["diff", "three.exr", "diff_rgb.png"]).code(1).says("rgb32f against 2x2 rgb8");
    // Frames of animations too.
    ground.write("animated.png", apng(&[[255, 0, 0]], 24.0));
    ground.run(&["diff", "animated.png", "diff_rgba.png"]).code(0);
}

/// `equals` and `differs` ask for pixels as well: a sky that hides the background everywhere leaves no alpha.
#[test]
fn diff_rgba_rgb_scenes() {
    let ground = Ground::new("equal-forms");
    let filled = |name: &str, more: &str| {
        ground.ball(name, "#b03020", more);
        let file = format!("scenes/{name}.toml");
        let text = ground.read(&file).replace("shape = \"sphere\"", "shape = \"box\"\nsize_m = [9.0, 9.0, 0.1]");
        ground.write(&file, text);
    };
    filled("a/opaque", "");
    filled("a/clear", "");
    let clear = ground.read("scenes/a/clear.toml").replace("samples = 1", "samples = 1\nbackground = \"transparent\"");
    ground.write("scenes/a/clear.toml", &clear);
    filled("a/same", "[test]\nequals = \"clear.toml\"\n");
    filled("a/other", "[test]\ndiffers = \"clear.toml\"\n");
    ground.run(&["test"]);
    assert_eq!(ground.record("a/clear").format, "rgba8");
    assert_eq!(ground.record("a/opaque").format, "rgb8");
    assert_eq!(ground.record("a/same").status, Status::Pass);
    ground.run(&["accept", "--all"]);
    ground.run(&["test"]);
    assert_eq!(ground.record("a/other").status, Status::Same);
}
