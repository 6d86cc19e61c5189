//! What is written: files of every form, where they go, and that they hold what they say.

use std::fs;
use std::path::Path;

use stillframe_frames::{
    Animation, DecodeLimits, Gif, Picture, Samples, decode_npy, decode_png, encode_jpeg, encode_webp, sheet,
};

use super::{PNG, SCENE, err, folder, names, out, program, run, status, well};

/// A ball that stands, seen by a camera that looks; half of the picture is empty.
fn with_scene(name: &str) -> std::path::PathBuf {
    let here = folder(name);
    fs::write(here.join("a.toml"), SCENE).unwrap();
    here
}

fn png(path: &Path) -> Picture {
    decode_png(&fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Channels of an EXR file by name, floats and numbers alike, and the texts of its header.
fn exr(path: &Path) -> (Vec<(String, Vec<f64>)>, Vec<(String, String)>) {
    use exr::prelude::*;
    let image = read().no_deep_data().largest_resolution_level().all_channels().all_layers().all_attributes();
    let image = image.from_file(path).unwrap();
    let layer = &image.layer_data[0];
    let channels = layer.channel_data.list.iter().map(|channel| {
        let values = match &channel.sample_data {
            FlatSamples::F32(values) => values.iter().map(|v| f64::from(*v)).collect(),
            FlatSamples::U32(values) => values.iter().map(|v| f64::from(*v)).collect(),
            other => panic!("{other:?}"),
        };
        (channel.name.to_string(), values)
    });
    let mut texts: Vec<(String, String)> = (layer.attributes.other.iter())
        .map(|(name, value)| match value {
            AttributeValue::Text(text) => (name.to_string(), text.to_string()),
            other => panic!("{other:?}"),
        })
        .collect();
    texts.sort();
    (channels.collect(), texts)
}

#[test]
fn an_exr_holds_every_layer_and_the_same_bytes_each_time() {
    let here = with_scene("exr");
    let all = "color,depth,normal,albedo,id,motion";
    well(&run(&here, &["render", "a.toml", "--aov", all, "-o", "a.exr", "--threads", "1"]));
    well(&run(&here, &["render", "a.toml", "--aov", all, "-o", "b.exr", "--threads", "4"]));
    assert_eq!(fs::read(here.join("a.exr")).unwrap(), fs::read(here.join("b.exr")).unwrap());

    let (channels, texts) = exr(&here.join("a.exr"));
    let found: Vec<&str> = channels.iter().map(|(name, _)| name.as_str()).collect();
    let want = [
        "A", "B", "G", "R", "albedo.B", "albedo.G", "albedo.R", "depth.Z", "id.I", "motion.X", "motion.Y", "normal.X",
        "normal.Y", "normal.Z",
    ];
    assert_eq!(found, want);
    assert_eq!(
        texts.iter().map(|(n, _)| n.as_str()).collect::<Vec<_>>(),
        ["stillframe.contract", "stillframe.ids", "stillframe.scene"]
    );
    assert_eq!(texts[0].1, stillframe_soft::PIXEL_CONTRACT.to_string());
    assert_eq!(texts[1].1, "{\"1\":\"ball\"}");
    assert!(texts[2].1.starts_with("b3:") && texts[2].1.len() == 67, "{}", texts[2].1);

    // The values are those of the arrays, channel by channel.
    let channel = |name: &str| &channels.iter().find(|(n, _)| n == name).unwrap().1;
    for (aov, names) in [
        ("color", vec!["R", "G", "B", "A"]),
        ("depth", vec!["depth.Z"]),
        ("normal", vec!["normal.X", "normal.Y", "normal.Z"]),
        ("albedo", vec!["albedo.R", "albedo.G", "albedo.B"]),
        ("id", vec!["id.I"]),
        ("motion", vec!["motion.X", "motion.Y"]),
    ] {
        well(&run(&here, &["render", "a.toml", "--aov", aov, "-o", "a.npy"]));
        let array = decode_npy(&fs::read(here.join("a.npy")).unwrap()).unwrap();
        let shape = if names.len() == 1 { vec![24, 32] } else { vec![24, 32, names.len()] };
        assert_eq!(array.shape, shape, "{aov}");
        let values: Vec<f64> = match array.values {
            stillframe_frames::Values::F32(values) => values.into_iter().map(f64::from).collect(),
            stillframe_frames::Values::U32(values) if aov == "id" => values.into_iter().map(f64::from).collect(),
            other => panic!("{aov}: {other:?}"),
        };
        for (offset, name) in names.iter().enumerate() {
            let one: Vec<f64> = values.iter().skip(offset).step_by(names.len()).copied().collect();
            assert_eq!(&one, channel(name), "{name}");
        }
    }
    assert!(channel("motion.X").iter().all(|v| *v == 0.0), "nothing moves");
    assert!(channel("depth.Z").iter().any(|v| *v > 2.9 && *v < 4.2));

    // Another scene has another hash; where it lies plays no part.
    fs::create_dir_all(here.join("deeper")).unwrap();
    fs::copy(here.join("a.toml"), here.join("deeper/a.toml")).unwrap();
    well(&run(&here, &["render", "deeper/a.toml", "-o", "c.exr"]));
    well(&run(&here, &["render", "a.toml", "--exposure", "1", "-o", "d.exr"]));
    let scene = |file: &str| exr(&here.join(file)).1[2].1.clone();
    assert_eq!(scene("c.exr"), texts[2].1);
    assert_ne!(scene("d.exr"), texts[2].1);
}

#[test]
fn frames_are_numbered_files_one_animation_or_a_sheet() {
    let here = with_scene("frames");
    let arguments = ["render", "a.toml", "--frames", "-1..2"];
    well(&run(&here, &[&arguments[..], &["-o", "f.###.png"]].concat()));
    assert_eq!(names(&here), ["a.toml", "f.-001.png", "f.000.png", "f.001.png", "f.002.png"]);
    let still = png(&here.join("f.000.png"));

    well(&run(&here, &[&arguments[..], &["-o", "a.apng", "--fps", "24"]].concat()));
    let bytes = fs::read(here.join("a.apng")).unwrap();
    assert_eq!(decode_png(&bytes).unwrap(), still, "what stands still is the first frame");
    let chunk = |name: &[u8]| bytes.windows(4).filter(|w| *w == name).count();
    assert_eq!((chunk(b"acTL"), chunk(b"fcTL"), chunk(b"IEND")), (1, 4, 1));

    // Each frame lasts until the next one.
    let uneven = ["render", "a.toml", "--frames", "0,1,5", "--fps", "10", "-o", "uneven.apng"];
    well(&run(&here, &uneven));
    let uneven_bytes = fs::read(here.join("uneven.apng")).unwrap();
    let read = Animation::read(&uneven_bytes, &DecodeLimits::default()).unwrap().unwrap();
    let delays: Vec<(u16, u16)> = (0..3).map(|n| (read.delay(n).numerator, read.delay(n).denominator)).collect();
    assert_eq!(delays, [(1, 10), (2, 5), (1, 10)]);

    well(&run(&here, &[&arguments[..], &["--sheet", "3x2", "-o", "sheet.png"]].concat()));
    let want = sheet(&[still.clone(), still.clone(), still.clone(), still.clone()], 3, 2).unwrap();
    assert_eq!(png(&here.join("sheet.png")), want);

    // Without a name: the input's, with the number.
    well(&run(&here, &["render", "a.toml", "--frames", "7", "--format", "npy"]));
    assert!(here.join("a.0007.npy").exists());

    // Standard output takes one PNG after the other, as players do, or one animation.
    let piped = run(&here, &["render", "a.toml", "--frames", "0..1", "-o", "-"]);
    well(&piped);
    assert_eq!(piped.stdout.windows(PNG.len()).filter(|w| *w == PNG).count(), 2);
    let piped = run(&here, &[&arguments[..], &["-o", "-", "--format", "apng", "--fps", "24"]].concat());
    well(&piped);
    assert_eq!(piped.stdout, bytes);

    for (more, part) in [
        (vec!["--frames", "0..3", "-o", "x.png"], "x.####.png"),
        (vec!["--frames", "3..0", "-o", "x.#.png"], "before the first"),
        (vec!["--frames", "0..3", "--time", "1"], "cannot be used with"),
        (vec!["-o", "x.apng"], "--frames 0..29"),
        (vec!["--frames", "0..8", "--sheet", "4x2"], "`--sheet 4x3` has room"),
        (vec!["--sheet", "4x2"], "needs several pictures"),
        (vec!["--sheet", "4"], "COLUMNSxROWS"),
        (vec!["--frames", "0..3", "--sheet", "2x2", "-o", "x.apng"], "one picture"),
        (vec!["--frames", "0..1", "-o", "-", "--format", "exr"], "one .exr file"),
    ] {
        let output = run(&here, &[&["render", "a.toml"], &more[..]].concat());
        assert_eq!(status(&output), 2, "{more:?}");
        assert!(err(&output).contains(part), "{more:?}: {}", err(&output));
        assert!(!here.join("x.png").exists() && !here.join("x.apng").exists());
    }
}

#[test]
fn bytes_of_files_for_the_web_are_the_same_on_every_machine() {
    let value = |at: u32| (at.wrapping_mul(2_654_435_761) >> 21) as u8 ^ (at / 97) as u8;
    let samples = (0..48 * 32 * 4).map(value).collect();
    let picture = Picture { width_px: 48, height_px: 32, channel_count: 4, samples: Samples::U8(samples) };
    let mut gif = Gif::new(&picture, 24.0).unwrap();
    gif.push_for(&picture, 1).unwrap();
    gif.push_for(&picture, 3).unwrap();
    let files = [encode_jpeg(&picture, [255; 3]).unwrap(), encode_webp(&picture).unwrap(), gif.finish().unwrap()];
    let hashes = files.map(|bytes| blake3::hash(&bytes).to_hex()[..16].to_string());
    assert_eq!(hashes, ["638a0da12f076532", "df3b44112d80f322", "8af2e76ffc2fb286"]);
}

/// Frames of a file for the web, as another reader has them: width, height, RGBA, and hundredths of a second.
fn gif(bytes: &[u8]) -> Vec<([u16; 2], Vec<u8>, u16)> {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let size = [decoder.width(), decoder.height()];
    let mut out = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        out.push((size, frame.buffer.to_vec(), frame.delay));
    }
    out
}

#[test]
fn pictures_for_web_pages_show_what_a_png_does() {
    let here = with_scene("web");
    let render = |more: &[&str]| well(&run(&here, &[&["render", "a.toml"], more].concat()));
    render(&["-o", "a.png"]);
    let want = png(&here.join("a.png"));
    let Samples::U8(colors) = &want.samples else { panic!("8 bits") };
    for name in ["a.jpg", "a.jpeg", "a.webp"] {
        render(&["-o", name]);
        let read = image::load_from_memory(&fs::read(here.join(name)).unwrap()).unwrap().into_rgb8();
        assert_eq!([read.width(), read.height()], [want.width_px, want.height_px], "{name}");
        let off = read.as_raw().iter().zip(colors).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(if name == "a.webp" { off == 0 } else { off < 40 }, "{name}: {off}");
    }
    // A still, and frames that last as long as they were asked for.
    render(&["-o", "still.gif"]);
    let [([32, 24], still, 0)] = &gif(&fs::read(here.join("still.gif")).unwrap())[..] else { panic!("one frame") };
    let off =
        still.chunks_exact(4).zip(colors.chunks_exact(3)).flat_map(|(a, b)| [0, 1, 2].map(|at| a[at].abs_diff(b[at])));
    assert!(off.max().unwrap() <= 12);
    render(&["--frames", "0,1,5", "--fps", "10", "-o", "moves.gif"]);
    let delays: Vec<u16> = gif(&fs::read(here.join("moves.gif")).unwrap()).iter().map(|frame| frame.2).collect();
    assert_eq!(delays, [10, 40, 10]);
    render(&["--frames", "0..1", "-o", "f.##.webp"]);
    assert!(here.join("f.00.webp").exists() && here.join("f.01.webp").exists());

    // Transparency: kept, all or nothing, or white.
    let clear = ["--background", "transparent"];
    render(&[&clear[..], &["-o", "clear.png"]].concat());
    render(&[&clear[..], &["-o", "clear.webp"]].concat());
    render(&[&clear[..], &["-o", "clear.gif"]].concat());
    render(&[&clear[..], &["-o", "clear.jpg"]].concat());
    let read = |name: &str| image::load_from_memory(&fs::read(here.join(name)).unwrap()).unwrap();
    assert_eq!(Samples::U8(read("clear.webp").into_rgba8().into_raw()), png(&here.join("clear.png")).samples);
    assert_eq!(gif(&fs::read(here.join("clear.gif")).unwrap())[0].1[3], 0);
    assert!(read("clear.jpg").into_rgb8().get_pixel(0, 0).0.iter().all(|level| *level >= 253));
}

#[test]
fn a_turntable_is_an_animation_numbered_files_or_a_sheet() {
    let here = with_scene("turntable");
    let around = ["render", "a.toml", "--view", "auto", "--turntable", "4"];
    let with = |more: &[&str]| well(&run(&here, &[&around[..], more].concat()));
    with(&["-o", "a.####.png"]);
    assert_eq!(names(&here), ["a.0000.png", "a.0001.png", "a.0002.png", "a.0003.png", "a.toml"]);
    with(&["-o", "a.apng"]);
    let bytes = fs::read(here.join("a.apng")).unwrap();
    assert_eq!(Animation::read(&bytes, &DecodeLimits::default()).unwrap().unwrap().frame_count(), 4);
    assert_eq!(decode_png(&bytes).unwrap(), png(&here.join("a.0000.png")));
    with(&["-o", "a.gif", "--fps", "10"]);
    assert_eq!(gif(&fs::read(here.join("a.gif")).unwrap()).iter().map(|frame| frame.2).collect::<Vec<_>>(), [10; 4]);
    with(&["--sheet", "4x1", "-o", "sheet.png"]);
    let frames = [0, 1, 2, 3].map(|frame| png(&here.join(format!("a.{frame:04}.png"))));
    assert_eq!(png(&here.join("sheet.png")), sheet(&frames, 4, 1).unwrap());
    // The scene's own light stays, so that each side of the ball is lit in its own way.
    assert!(frames[0] != frames[1] && frames[1] != frames[2] && frames[2] != frames[3]);

    // Each frame as text: the camera goes round, at one height.
    let text = run(&here, &[&around[..], &["--dump", "shot"]].concat());
    well(&text);
    let places: Vec<[f64; 3]> = out(&text)
        .lines()
        .filter_map(|line| line.strip_prefix("  position ("))
        .map(|place| {
            let numbers: Vec<f64> = place.trim_end_matches(')').split(' ').map(|n| n.parse().unwrap()).collect();
            numbers.try_into().unwrap()
        })
        .collect();
    assert_eq!(places.len(), 4, "{}", out(&text));
    let length = |x: f64, z: f64| (x * x + z * z).sqrt();
    let level = |place: &[f64; 3]| length(place[0], place[2]);
    for (place, next) in places.iter().zip(&places[1..]) {
        assert_eq!(place[1], next[1]);
        assert!((level(place) - level(next)).abs() < 1e-6 && length(place[0] - next[0], place[2] - next[2]) > 1.0);
    }
    assert!(out(&text).starts_with("==== frame 0\nshot\n") && out(&text).contains("\n==== frame 3\nshot\n"));
}

#[test]
fn a_zoom_enlarges_about_the_middle_as_a_longer_lens_does() {
    let here = with_scene("zoom");
    let numbers = |zoom: &str, line: &str| -> Vec<f64> {
        let output = run(&here, &["render", "a.toml", "--zoom", zoom, "--dump", "shot"]);
        well(&output);
        let text = out(&output);
        let found = text.lines().find(|found| found.trim_start().starts_with(line)).unwrap().to_string();
        let numbers = found.replace(['(', ')'], " ");
        numbers.split_whitespace().skip(1).map(|number| number.parse().unwrap()).collect()
    };
    let one = numbers("1", "clip_from_view");
    for (zoom, larger) in [("2", 2.0), ("0.5", 0.5), ("1.5", 1.5)] {
        let zoomed = numbers(zoom, "clip_from_view");
        for (at, (zoomed, one)) in zoomed.iter().zip(&one).enumerate() {
            // The scales of x and y.
            let want = if at == 0 || at == 5 { one * larger } else { *one };
            assert!((zoomed - want).abs() < 1e-5 * want.abs().max(1.0), "{zoom}, {at}: {zoomed} for {want}");
        }
        assert_eq!(numbers(zoom, "view_from_world"), numbers("1", "view_from_world"), "the camera stays");
    }
}

#[test]
fn several_inputs_go_into_a_folder_or_onto_a_sheet() {
    let here = with_scene("several");
    let blue = SCENE.replace("[[light]]", "[material.blue]\nbase_color = '#2040ff'\n[[light]]");
    fs::create_dir_all(here.join("scenes/inner")).unwrap();
    fs::write(here.join("b.toml"), blue.replace("shape = 'sphere'", "shape = 'sphere'\nmaterial = 'blue'")).unwrap();
    fs::copy(here.join("a.toml"), here.join("scenes/inner/c.toml")).unwrap();
    well(&run(&here, &["render", "a.toml", "b.toml", "scenes", "-o", "out/"]));
    assert_eq!(names(&here.join("out")), ["a.png", "b.png", "inner"]);
    assert_eq!(png(&here.join("out/inner/c.png")), png(&here.join("out/a.png")));
    assert_ne!(png(&here.join("out/b.png")), png(&here.join("out/a.png")));

    well(&run(&here, &["render", "b.toml", "a.toml", "--sheet", "2x1", "-o", "sheet.png"]));
    let want = sheet(&[png(&here.join("out/b.png")), png(&here.join("out/a.png"))], 2, 1).unwrap();
    assert_eq!(png(&here.join("sheet.png")), want, "in the order of the arguments");

    let output = run(&here, &["render", "a.toml", "b.toml", "-o", "x.png"]);
    assert_eq!(status(&output), 2);
    assert!(err(&output).contains("-o DIR/"), "{}", err(&output));

    // The good ones are drawn, and the bad one decides.
    fs::write(here.join("bad.toml"), "title = 1\n").unwrap();
    let output = run(&here, &["render", "bad.toml", "a.toml", "-o", "more/"]);
    assert_eq!((status(&output), names(&here.join("more"))), (2, vec!["a.png".to_string()]));
    // A folder that nobody named as one is a mistyped name.
    assert_eq!(status(&run(&here, &["render", "a.toml", "-o", "nowhere/a.png"])), 8);
}

#[test]
fn sixteen_bits_and_transparency_are_in_the_file() {
    let here = with_scene("forms");
    well(&run(&here, &["render", "a.toml", "--bits", "16", "-o", "wide.png"]));
    let wide = png(&here.join("wide.png"));
    assert_eq!(wide.format().to_string(), "rgb16");
    well(&run(&here, &["render", "a.toml", "-o", "narrow.png"]));
    let (Samples::U16(wide), Samples::U8(narrow)) = (&wide.samples, &png(&here.join("narrow.png")).samples) else {
        panic!("16 and 8 bits");
    };
    assert_eq!(wide.len(), narrow.len());
    assert!(wide.iter().zip(narrow).all(|(w, n)| (i32::from(*w) - i32::from(*n) * 257).abs() <= 200));
    assert!(wide.iter().any(|w| w % 257 != 0), "more than 8 bits are in it");

    well(&run(&here, &["render", "a.toml", "--background", "transparent", "-o", "clear.png"]));
    let clear = png(&here.join("clear.png"));
    assert_eq!(clear.format().to_string(), "rgba8");
    let Samples::U8(texels) = &clear.samples else { panic!("8 bits") };
    let alphas: Vec<u8> = texels.iter().skip(3).step_by(4).copied().collect();
    assert!(alphas[0] == 0 && alphas.contains(&255), "nothing is clear and the ball is not");
    // Straight alpha: what is clear is black, and what is whole is what it is without.
    let opaque = texels.chunks_exact(4).zip(narrow.chunks_exact(3)).filter(|(texel, _)| texel[3] == 255);
    assert!(opaque.clone().count() > 20 && opaque.clone().all(|(texel, plain)| texel[..3] == *plain));
}

#[test]
fn standard_input_is_a_scene_or_a_model() {
    let here = with_scene("stdin");
    let asset = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets/teapot.glb");
    let feed = |arguments: &[&str], file: &Path| {
        program(&here).args(arguments).stdin(fs::File::open(file).unwrap()).output().unwrap()
    };
    let scene = here.join("a.toml");
    let named = out(&run(&here, &["hash", "a.toml"]));
    let piped = feed(&["hash", "-"], &scene);
    well(&piped);
    assert_eq!(out(&piped), named.replace("a.toml", "-"));
    let small = ["--size", "40x30", "--samples", "1"];
    let named = out(&run(&here, &[&["hash", asset.to_str().unwrap()], &small[..]].concat()));
    for more in [vec![], vec!["--from", "glb"]] {
        let piped = feed(&[&["hash", "-"], &small[..], &more[..]].concat(), &asset);
        well(&piped);
        assert_eq!(out(&piped)[..67], named[..67]);
    }
    // Complaints show the lines that came in.
    fs::write(here.join("bad.toml"), "title = 'x'\n[camera.main]\nfov_deg = 30\n").unwrap();
    let bad = feed(&["render", "-", "-o", "x.png"], &here.join("bad.toml"));
    assert_eq!(status(&bad), 2);
    assert!(err(&bad).contains("<stdin>:3:1") && err(&bad).contains("fov_deg = 30"), "{}", err(&bad));
    let wrong = feed(&["render", "-", "--from", "glb", "-o", "x.png"], &scene);
    assert_eq!(status(&wrong), 2, "{}", err(&wrong));
    let nothing = run(&here, &["render", "-"]);
    assert!(status(&nothing) == 2 && err(&nothing).contains("standard input is empty"), "{}", err(&nothing));
    let unread = run(&here, &["render", "a.toml", "--from", "glb"]);
    assert!(status(&unread) == 2 && err(&unread).contains("standard input"), "{}", err(&unread));
    assert_eq!(names(&here), ["a.toml", "bad.toml"]);
}

/// Values of a model's materials can be set, of a bare one and of one that a scene shows.
#[test]
fn values_are_set_in_models() {
    let here = folder("coat");
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets");
    fs::copy(assets.join("teapot.glb"), here.join("m.glb")).unwrap();
    let scene = "title = 'x'\n[output]\nsize_px = [48, 32]\nsamples = 1\n[camera.main]\nposition = [0, 0.2, 0.6]\n\
                 look_at = [0, 0.1, 0]\n[model.pot]\nfile = 'm.glb'\n[[node]]\nmodel = 'pot'\n[[light]]\ndirection = [-1, -2, -1]\n";
    fs::write(here.join("s.toml"), scene).unwrap();
    let small = ["--size", "48x32", "--samples", "1"];
    for (file, path) in [("m.glb", "material.teapot"), ("s.toml", "model.pot.override.teapot")] {
        let hash = |edit: &str| {
            let mut arguments = vec!["hash", file];
            arguments.extend(small);
            if !edit.is_empty() {
                arguments.extend(["--set", edit]);
            }
            run(&here, &arguments)
        };
        let plain = hash("");
        well(&plain);
        let gold = hash(&format!("{path}.base_color=#ffcf7a"));
        well(&gold);
        assert_ne!(out(&plain)[..67], out(&gold)[..67], "{file}");
        for (edit, part) in [
            (format!("{path}.rougness=0.2"), "did you mean `roughness`?"),
            (format!("{path}.roughness=7"), "--set"),
            (format!("{}.roughness=0.2", path.replace("teapot", "teapto")), "did you mean \"teapot\"?"),
        ] {
            let wrong = hash(&edit);
            assert_eq!(status(&wrong), 2, "{edit}");
            assert!(err(&wrong).contains(part), "{edit}: {}", err(&wrong));
        }
    }
    let output = run(&here, &["render", "m.glb", "--set", "output.samples=1"]);
    assert!(status(&output) == 2 && err(&output).contains("material.NAME.KEY=VALUE"), "{}", err(&output));
    let output = run(&here, &["hash", "m.glb", "--set", "material.teapot.rougness=0.2"]);
    assert!(err(&output).contains("--set:1:17"), "the place is that of what was written: {}", err(&output));
}

/// What is in a file, in words and as JSON.
#[test]
fn models_are_inspected() {
    let here = folder("inspect");
    let asset =
        |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(name).display().to_string();
    let output = run(&here, &["inspect", &asset("mannequin.glb")]);
    well(&output);
    let text = out(&output);
    for part in [
        "glTF 2.0",
        "written by ",
        "7,568 vertices, 13,192 triangles shown",
        "(wide, high, deep)",
        "  joint\n",
        "mannequin_body",
        "skins\n",
        " joints, at most 3 per vertex; deforms mannequin",
        "morphs\n",
        "clips\n",
        " s long, ",
    ] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    let output = run(&here, &["inspect", "--json", &asset("mannequin.glb")]);
    well(&output);
    let json: serde_json::Value = serde_json::from_str(&out(&output)).unwrap();
    assert_eq!((&json["schema"], &json["vertices"]), (&"inspect/1".into(), &7568.into()));
    for list in ["nodes", "materials", "images", "skins", "clips"] {
        assert!(!json[list].as_array().unwrap().is_empty(), "{list}");
    }
    let joints = json["skins"][0]["joints"].as_array().unwrap().len();
    assert!(joints > 10 && json["skins"][0]["joints_a_vertex_max"] == 3, "{}", json["skins"]);
    assert!(json["clips"][0]["end_s"].as_f64().unwrap() > 0.0, "{}", json["clips"]);
    // Several are a stream; a bad one does not silence the others.
    let output = run(&here, &["inspect", "--json", &asset("teapot.glb"), "no.glb", &asset("crate.glb")]);
    assert_eq!((status(&output), out(&output).lines().count()), (2, 3), "{}", out(&output));
}

/// Bytes that a terminal gets; what they mean is tested where they are made.
#[test]
fn pictures_are_shown_in_terminals() {
    let here = with_scene("show");
    for (how, start) in [
        ("--show=kitty", &b"\x1b_Ga=T,f=100,q=2,m="[..]),
        ("--show=iterm", b"\x1b]1337;File=inline=1;size="),
        ("--show=sixel", b"\x1bP0;1;0q\"1;1;32;24#0;2;0;0;0"),
    ] {
        let output = run(&here, &["render", "a.toml", how]);
        well(&output);
        assert!(output.stdout.starts_with(start), "{how}: {:?}", &output.stdout[..output.stdout.len().min(40)]);
        assert_eq!(names(&here), ["a.toml"], "{how}: nothing is written");
    }
    // Nobody looks at a pipe.
    let output = run(&here, &["render", "a.toml", "--show"]);
    assert!(status(&output) == 2 && err(&output).contains("--show=kitty"), "{}", err(&output));
    let output = run(&here, &["render", "a.toml", "--show", "-o", "a.png"]);
    well(&output);
    assert!(output.stdout.is_empty() && here.join("a.png").exists());
}

/// One object a line, whatever happens, and nothing in words.
#[test]
fn programs_read_lines_of_json() {
    let here = with_scene("json");
    fs::write(here.join("bad.toml"), "title = 'x'\n[camera.main]\nfov_deg = 30\n").unwrap();
    let lines = |text: String| -> Vec<serde_json::Value> {
        text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    };
    for (arguments, want_status, schemas) in [
        (vec!["render", "a.toml", "-o", "a.png", "--hash"], 0, vec!["render/1"]),
        (vec!["render", "a.toml", "--frames", "0..1", "-o", "a.apng"], 0, vec!["render/1", "render/1", "file/1"]),
        (vec!["hash", "a.toml", "--aov", "color,id"], 0, vec!["hash/1", "hash/1"]),
        (vec!["render", "bad.toml"], 2, vec!["diagnostic/1"]),
        (vec!["check", "bad.toml"], 2, vec!["diagnostic/1"]),
        (vec!["render", "a.toml", "-o", "a.bmp"], 2, vec!["error/1"]),
        (vec!["render", "a.toml", "--adapter", "native:no-such"], 7, vec!["error/1"]),
        (vec!["inspect", "a.toml"], 2, vec!["error/1"]),
    ] {
        let output = run(&here, &[&arguments[..], &["--json"]].concat());
        assert_eq!(status(&output), want_status, "{arguments:?}: {}", err(&output));
        // Native drivers may write to standard error on their own.
        assert!(want_status == 7 || err(&output).is_empty(), "{arguments:?}: {}", err(&output));
        let lines: Vec<_> = lines(out(&output)).into_iter().filter(|line| line["schema"] != "check/1").collect();
        let found: Vec<&str> = lines.iter().map(|line| line["schema"].as_str().unwrap()).collect();
        assert_eq!(found, schemas, "{arguments:?}");
        assert!(lines.iter().all(|line| line["stillframe"] == env!("CARGO_PKG_VERSION")), "{arguments:?}");
        match schemas[0] {
            "diagnostic/1" => {
                assert_eq!((&lines[0]["code"], &lines[0]["file"]), (&"E0110".into(), &"bad.toml".into()));
                assert_eq!((&lines[0]["line"], &lines[0]["column"]), (&3.into(), &1.into()));
                assert_eq!(lines[0]["help"], "did you mean `fov_y_deg`?");
            }
            "error/1" => assert_eq!(lines[0]["status"], want_status),
            "hash/1" => assert_eq!((&lines[1]["aov"], &lines[1]["format"]), (&"id".into(), &"r32u".into())),
            _ => assert_eq!(lines[0]["size_px"], serde_json::json!([32, 24])),
        }
    }
    // Standard output holds the picture: the lines go beside it.
    let output = run(&here, &["render", "a.toml", "-o", "-", "--json"]);
    assert!(output.stdout.starts_with(PNG));
    assert_eq!(lines(err(&output))[0]["schema"], "render/1");
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_no_temporary_file() {
    use std::io::Read;
    use std::os::unix::process::ExitStatusExt;
    let here = with_scene("temporary");
    // Frame after frame is written, so that some signal strikes in the midst of a write.
    for wait_ms in [120, 150, 200] {
        let mut child = program(&here)
            .args([
                "render", "a.toml", "--size", "700x500", "--frames", "0..9999", "-o", "out/", "--format", "npy",
                "--aov", "normal", "--json",
            ])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // The first line tells that frames are being written.
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let drained = child.stdout.take().unwrap();
        let reader = std::thread::spawn(move || std::io::copy(&mut { drained }, &mut std::io::sink()));
        std::thread::sleep(std::time::Duration::from_millis(wait_ms));
        let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let ended = child.wait().unwrap();
        reader.join().unwrap().unwrap();
        assert_eq!(ended.signal(), Some(2), "{ended:?}");
        let left: Vec<String> = names(&here.join("out"));
        assert!(!left.is_empty() && left.iter().all(|name| name.ends_with(".npy")), "{left:?}");
        for name in left {
            decode_npy(&fs::read(here.join("out").join(&name)).unwrap()).unwrap_or_else(|e| panic!("{name}: {e}"));
        }
    }
}

/// Models are kept as they were baked where the user's caches lie, and no picture can tell.
#[cfg(target_os = "linux")]
#[test]
fn models_come_from_the_cache_the_second_time() {
    let here = folder("cache");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets/teapot.glb"), here.join("model.glb")).unwrap();
    let caches = here.with_extension("cache");
    let _ = fs::remove_dir_all(&caches);
    let shot = |more: &[&str]| {
        let arguments = ["render", "model.glb", "-o", "out.png", "--size", "48x32", "-q", "--stats", "stats.json"];
        well(&run(&here, &[&arguments[..], more].concat()));
        let stats: serde_json::Value = serde_json::from_slice(&fs::read(here.join("stats.json")).unwrap()).unwrap();
        (fs::read(here.join("out.png")).unwrap(), stats["takes"][0]["models_found"].as_u64().unwrap())
    };
    let (plain, found) = shot(&["--no-cache"]);
    assert_eq!((found, caches.exists()), (0, false));
    assert!(shot(&[]) == (plain.clone(), 0));
    // Light from around is kept beside it.
    let kept = names(&caches.join("stillframe/models"));
    let of_light = kept.iter().filter(|name| name.ends_with(".bytes")).count();
    assert_eq!((kept.len(), of_light), (2, 1), "{kept:?}");
    assert!(shot(&[]) == (plain.clone(), 1));
    assert!(shot(&["--no-cache"]) == (plain, 0));
}

/// `check` ends well and tells what nothing reads, and which clips drift apart, with the place in the scene.
#[test]
fn check_tells_what_does_nothing() {
    let here = folder("check_unread");
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets");
    fs::copy(assets.join("doll.gltf"), here.join("doll.gltf")).unwrap();
    let text = "title = 'x'\n[camera.main]\n[model.doll]\nfile = 'doll.gltf'\n\
                [[animator]]\nname = 'spare'\nmodel = 'doll'\nclip = 'walk'\n\
                [[animator]]\nname = 'own'\nmodel = 'doll'\nparameter = [{ name = 'x' }]\n\
                [[animator.node]]\nname = 'walk'\nkind = 'clip'\nclip = 'walk'\n\
                [[animator.node]]\nname = 'run'\nkind = 'clip'\nclip = 'run'\n\
                [[animator.node]]\nkind = 'line'\nparameter = 'x'\nat = [0, 1]\ninputs = ['walk', 'run']\n\
                [[node]]\nmodel = 'doll'\nanimator = 'own'\n";
    fs::write(here.join("a.toml"), text).unwrap();
    let told = run(&here, &["check", "a.toml"]);
    assert_eq!(status(&told), 0, "{}", err(&told));
    let words = err(&told);
    for part in ["W0252", "no node uses the animator `spare`", "a.toml:6:8", "W0555", "`walk` 1.000 s", "a.toml:25:10"]
    {
        assert!(words.contains(part), "{part}: {words}");
    }
    // Without models, none is read where its clips make no difference: it may be broken.
    fs::write(here.join("doll.gltf"), "{").unwrap();
    fs::write(here.join("a.toml"), text.replace("inputs = ['walk', 'run']", "clips = ['walk', 'run']")).unwrap();
    assert_eq!(status(&run(&here, &["check", "a.toml", "--no-models"])), 0);
    let broken = err(&run(&here, &["check", "a.toml"]));
    for part in ["doll.gltf:1:1", "help: a.toml names this file", "W0252", "1 error, "] {
        assert!(broken.contains(part), "{part}: {broken}");
    }
}
