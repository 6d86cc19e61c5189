//! What PNG files for other displays hold: codes, and a chunk that says what they mean.

use std::fs;
use std::path::Path;

use stillframe_frames::{Picture, Samples, decode_png};

use super::{SCENE, folder, names, out, run, well};

/// Chunks before the pixels, but the header: their names and data.
fn chunks(file: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut rest = &file[8..];
    let mut found = Vec::new();
    while let Some((length, more)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let name = String::from_utf8(more[..4].to_vec()).expect("names of chunks are ASCII");
        if name == "IDAT" {
            break;
        }
        found.push((name, more[4..4 + length].to_vec()));
        rest = &more[4 + length + 4..];
    }
    found.into_iter().filter(|(name, _)| !["IHDR", "acTL", "fcTL"].contains(&name.as_str())).collect()
}

fn named(found: &[(String, Vec<u8>)]) -> Vec<&str> {
    found.iter().map(|(name, _)| name.as_str()).collect()
}

const RED: [&str; 2] = ["--background", "#ff0000"];

/// Mean of the channels, as shares of the largest code.
fn mean(picture: &Picture) -> [f64; 3] {
    let codes: Vec<f64> = match &picture.samples {
        Samples::U8(codes) => codes.iter().map(|code| f64::from(*code) / 255.0).collect(),
        Samples::U16(codes) => codes.iter().map(|code| f64::from(*code) / 65535.0).collect(),
        other => panic!("{other:?}"),
    };
    let count = codes.len() as f64 / 3.0;
    [0, 1, 2].map(|channel| codes.iter().skip(channel).step_by(3).sum::<f64>() / count)
}

/// A picture that is white everywhere, or red: a square before a background.
fn plain(color: &str) -> String {
    format!(
        "title = 'Plain'\n[output]\nsize_px = [4, 4]\ntonemap = 'none'\nbackground = '{color}'\n[camera.main]\n\
         position = [0, 0, 4]\n[material.plain]\nunlit = true\nbase_color = '{color}'\n[[node]]\nshape = 'quad'\n\
         size_m = [1, 1]\nmaterial = 'plain'\n"
    )
}

fn drawn(here: &Path, arguments: &[&str]) -> Vec<u8> {
    well(&run(here, &[&["render", "a.toml", "-o", "a.png"], arguments].concat()));
    fs::read(here.join("a.png")).unwrap()
}

#[test]
fn files_say_what_their_codes_mean() {
    let here = folder("displays");
    fs::write(here.join("a.toml"), plain("#ff0000")).unwrap();
    // Red of Rec. 709 in each display's codes: IEC 61966-2-1 of the P3 matrix, PQ of 203 cd/m2 in Rec. 2020.
    for (display, bits, chunk_names, cicp, red) in [
        ("srgb", "8", vec!["sRGB"], None, [1.0, 0.0, 0.0]),
        ("p3", "8", vec!["gAMA", "cHRM", "cICP"], Some([12, 13, 0, 1]), [0.9175, 0.2003, 0.1386]),
        ("p3", "16", vec!["gAMA", "cHRM", "cICP"], Some([12, 13, 0, 1]), [0.9175, 0.2003, 0.1386]),
        ("rec2020_pq", "8", vec!["cICP"], Some([9, 16, 0, 1]), [0.5325, 0.3270, 0.2201]),
    ] {
        let file = drawn(&here, &["--display", display, "--bits", bits]);
        let found = chunks(&file);
        assert_eq!(named(&found), chunk_names, "{display}");
        let data = found.iter().find(|(name, _)| name == "cICP").map(|(_, data)| data.clone());
        assert_eq!(data, cicp.map(|cicp: [u8; 4]| cicp.to_vec()), "{display}");
        let picture = decode_png(&file).unwrap();
        assert_eq!(matches!(picture.samples, Samples::U16(_)), bits == "16" || display == "rec2020_pq", "{display}");
        for (found, want) in mean(&picture).into_iter().zip(red) {
            let step = if bits == "8" && display != "rec2020_pq" { 0.5 / 255.0 } else { 0.0 };
            assert!((found - want).abs() < step + 1e-4, "{display} {bits}: {:?}", mean(&picture));
        }
    }
    // White is white: of P3 all codes are the same, of PQ 203 cd/m2.
    fs::write(here.join("a.toml"), plain("#ffffff")).unwrap();
    assert_eq!(mean(&decode_png(&drawn(&here, &["--display", "p3"])).unwrap()), [1.0; 3]);
    let white = mean(&decode_png(&drawn(&here, &["--display", "rec2020_pq"])).unwrap());
    assert!(white.iter().all(|code| (code - 0.5807).abs() < 1e-4), "{white:?}");
}

#[test]
fn scenes_have_a_display_and_files_that_cannot_have_srgb() {
    let here = folder("displays_of_scenes");
    let scene = SCENE.replace("samples = 1", "samples = 1\ndisplay = 'p3'");
    fs::write(here.join("a.toml"), SCENE.replace("[output]", "[output]\nframes = '0..2'")).unwrap();
    well(&run(&here, &["render", "a.toml", "--display", "p3", "-o", "film.apng"]));
    assert_eq!(named(&chunks(&fs::read(here.join("film.apng")).unwrap())), ["gAMA", "cHRM", "cICP"]);
    well(&run(&here, &["render", "a.toml", "--display", "p3", "--sheet", "3x1", "-o", "sheet.png"]));
    assert_eq!(named(&chunks(&fs::read(here.join("sheet.png")).unwrap())), ["sRGB"]);

    fs::write(here.join("a.toml"), scene).unwrap();
    assert_eq!(named(&chunks(&drawn(&here, &[]))), ["gAMA", "cHRM", "cICP"]);
    assert_eq!(named(&chunks(&drawn(&here, &["--display", "srgb"]))), ["sRGB"]);
    // Numbers of other layers are shown in sRGB.
    assert_eq!(named(&chunks(&drawn(&here, &["--aov", "normal"]))), ["sRGB"]);
    // Tiles are written row by row.
    let (tiled, whole) = (drawn(&here, &["--size", "96x80", "--tile-px", "64"]), drawn(&here, &["--size", "96x80"]));
    assert_eq!((named(&chunks(&tiled)), decode_png(&tiled)), (named(&chunks(&whole)), decode_png(&whole)));
    // Pictures that are linear, or always sRGB, are the same for every display.
    for form in ["jpg", "webp", "npy"] {
        let of = |display: &str| {
            let name = format!("{display}.{form}");
            well(&run(&here, &["render", "a.toml", RED[0], RED[1], "--display", display, "-o", &name]));
            fs::read(here.join(name)).unwrap()
        };
        assert!(of("p3") == of("srgb"), "{form}");
    }
    // Greys have the same codes in P3.
    let hash = |display: &str| out(&run(&here, &["hash", "a.toml", RED[0], RED[1], "--display", display]));
    assert_ne!(hash("p3"), hash("srgb"));
    assert!(hash("rec2020_pq").contains("rgb16"), "{}", hash("rec2020_pq"));
    assert!(names(&here).contains(&"film.apng".to_string()));
}
