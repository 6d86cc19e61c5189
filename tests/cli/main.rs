//! The program as a shell sees it: exit statuses, what is printed where, what is written and what is not.

mod anim;
mod anim_compress;
mod anim_figure;
mod anim_inspect;
mod anim_metrics;
mod anim_oracle;
mod anim_plot;
mod anim_post;
mod anim_texture;
mod bench;
mod check;
mod cookbook;
mod displays;
mod documents;
mod examples;
mod init;
mod material;
mod models;
mod outputs;
mod resume;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const SCENE: &str = "title = 'A ball'\n[output]\nsize_px = [32, 24]\nsamples = 1\n[camera.main]\nposition = [0, 1, 4]\n\
                     look_at = [0, 0, 0]\n[[node]]\nname = 'ball'\nshape = 'sphere'\n[[light]]\ndirection = [-1, -2, -1]\n";

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// An empty folder of its own.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn program(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stillframe"));
    command.current_dir(folder).stdin(Stdio::null());
    command.env("XDG_CACHE_HOME", folder.with_extension("cache"));
    for name in ["NO_COLOR", "STILLFRAME_ISA", "STILLFRAME_THREADS", "RUST_BACKTRACE", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    program(folder).args(arguments).output().unwrap()
}

fn status(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Asserts a success without a word on standard error.
fn well(output: &Output) {
    assert_eq!((status(output), err(output).as_str()), (0, ""), "{}", out(output));
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test that can refresh its document")]
fn the_page_of_the_command_line_is_fresh() {
    let here = folder("help");
    let mut page =
        "# The command line\n\nMade from the program's own help by `STILLFRAME_UPDATE=all cargo test --test cli`.\n"
            .to_string();
    let commands = examples::COMMANDS.into_iter().chain(examples::COMMANDS_OF_COMMANDS);
    let commands = commands.chain(examples::COMMANDS_OF_A_PROJECT).chain(examples::COMMANDS_OF_PROJECT_COMMANDS);
    for command in commands {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let output = run(&here, &arguments);
        well(&output);
        let text: Vec<&str> = out(&output).leak().lines().map(str::trim_end).collect();
        for line in &text {
            assert!(line.chars().count() <= 80, "{command}: too long: {line}");
        }
        let title = format!("stillframe {command}");
        page.push_str(&format!("\n## {}\n\n```text\n{}\n```\n", title.trim_end(), text.join("\n").trim_end()));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cli.md");
    if fs::read_to_string(&path).unwrap_or_default() != page {
        if std::env::var_os("STILLFRAME_UPDATE").is_some_and(|v| v != "no") {
            fs::write(&path, &page).unwrap();
        }
        panic!("docs/cli.md is stale: STILLFRAME_UPDATE=all cargo test --test cli, then look at it");
    }
}

#[test]
fn bad_usage_is_2_and_on_stderr() {
    let here = folder("usage");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    for (arguments, part) in [
        (vec![], "Usage"),
        (vec!["rendr"], "render"),
        (vec!["render"], "required"),
        (vec!["render", "a.toml", "--siez", "1x1"], "--size"),
        (vec!["render", "a.toml", "--size", "0x1"], "65536"),
        (vec!["render", "a.toml", "--size", "100000x100000"], "65536"),
        (vec!["render", "a.toml", "--samples", "3"], "1, 4"),
        (vec!["render", "a.toml", "--tonemap", "acess"], "aces"),
        (vec!["render", "a.toml", "--camera", "x", "--look", "0,0,1:0,0,0"], "cannot be used with"),
        (vec!["render", "a.toml", "--look", "0,0,1"], "EYE:TARGET"),
        (vec!["render", "a.toml", "--view", "frnt"], "front"),
        (vec!["render", "a.toml", "--view", "front", "--camera", "main"], "cannot be used with"),
        (vec!["render", "a.toml", "--zoom", "0"], "0.01 to 100"),
        (vec!["render", "a.toml", "--turntable", "1"], "2..=10000"),
        (vec!["render", "a.toml", "--turntable", "4", "--frames", "0..3"], "cannot be used with"),
        (vec!["render", "a.toml", "--turntable", "4"], "the scene's own camera `main`"),
        (vec!["render", "a.toml", "--turntable", "4"], "add `--view auto`"),
        (vec!["render", "a.toml", "--turntable", "4", "--view", "iso", "-o", "a.png"], "a.####.png"),
        (vec!["render", "a.toml", "--camera", "mian"], "did you mean `main`?"),
        (vec!["render", "a.toml", "--camera", "#x"], "must be followed by a number"),
        (vec!["render", "a.toml", "--aov", "colour"], "did you mean `color`?"),
        (vec!["render", "a.toml", "--aov", "color,depth"], "one layer"),
        (vec!["render", "a.toml", "--background", "red"], "#20242c"),
        (vec!["render", "a.toml", "--fps", "24"], "--frame"),
        (vec!["render", "a.toml", "--adapter", "hard"], "native"),
        (vec!["render", "a.toml", "--max-mip", "99"], "15"),
        (vec!["render", "a.toml", "--stroke-width", "0"], "0.01 to 1000"),
        (vec!["render", "a.toml", "--threads", "0"], "1"),
        (vec!["render", "a.toml", "--exposure", "nan"], "-64 to 64"),
        (vec!["render", "a.toml", "-o", "a.bmp"], ".png, .apng, .jpg, .webp, .gif, .exr or .npy"),
        (vec!["render", "no.toml"], "no.toml"),
        (vec!["render", "a"], "no such file"),
        (vec!["render", "a.toml", "--environment", "no.hdr"], "no.hdr"),
        (vec!["hash", "no.toml"], "no such file"),
        (vec!["render", "a.toml", "--dump", "all"], "wgsl"),
        (vec!["check", "."], ""),
    ] {
        let output = run(&here, &arguments);
        let (want, shown) = if arguments[..] == ["check", "."] { (0, err(&output)) } else { (2, err(&output)) };
        assert_eq!(status(&output), want, "{arguments:?}: {shown}");
        assert!(shown.contains(part), "{arguments:?}: {shown}");
        assert_eq!(out(&output), "", "{arguments:?}");
        assert!(!shown.contains("this is a bug in stillframe"), "{arguments:?}: {shown}");
    }
    assert_eq!(names(&here), ["a.toml"]);
}

#[test]
fn mistakes_are_shown_in_their_lines_all_at_once() {
    let here = folder("mistakes");
    fs::write(here.join("bad.toml"), "title = 'x'\n[camera.main]\nfov_deg = 30\n[[node]]\nshape = 'spehre'\n").unwrap();
    for command in ["render", "hash", "check"] {
        let output = run(&here, &[command, "bad.toml", "-q"]);
        let text = err(&output);
        assert_eq!(status(&output), 2, "{text}");
        for part in [
            "E0110",
            "unknown key `fov_deg` in [camera.main]",
            "bad.toml:3:1",
            "fov_deg = 30",
            "did you mean `fov_y_deg`?",
            "E0115",
            "bad.toml:5:9",
            "did you mean `sphere`?",
            "2 errors",
        ] {
            assert!(text.contains(part), "{part}:\n{text}");
        }
        assert!(text.find("E0110") < text.find("E0115"));
        assert!(!text.contains('\x1b'), "colour in a pipe");
    }
    assert_eq!(names(&here), ["bad.toml"], "nothing is written");

    let colored = run(&here, &["check", "bad.toml", "--color", "always"]);
    assert!(err(&colored).contains('\x1b'));
    let plain = program(&here).args(["check", "bad.toml"]).env("NO_COLOR", "1").output().unwrap();
    assert!(!err(&plain).contains('\x1b'));
}

/// The whole of one complaint, as people see it.
#[test]
fn a_complaint_reads_well() {
    let here = folder("reads");
    fs::write(here.join("bad.toml"), "title = 'x'\n[camera.main]\nfov_deg = 30\n[[node]]\n").unwrap();
    let want = "E0110

  × unknown key `fov_deg` in [camera.main]
   ╭─[bad.toml:3:1]
 2 │ [camera.main]
 3 │ fov_deg = 30
   · ───────
 4 │ [[node]]
   ╰────
  help: did you mean `fov_y_deg`?
1 error
";
    assert_eq!(err(&run(&here, &["check", "bad.toml"])), want);
}

/// Lines that nobody can read are not drawn; the place is told in numbers.
#[test]
fn very_long_lines_are_survived() {
    let here = folder("long");
    for (name, line) in [
        ("a.toml", format!("x = [{}]\n", "[],".repeat(50_000))),
        ("b.toml", format!("{}x = 1\n", " ".repeat(70_000))),
        ("c.toml", format!("title = \"{}\"\n", "é".repeat(70_000))),
        ("d.toml", format!("y = 1\nx = [\n{}]\n", "0,\n".repeat(50_000))),
    ] {
        fs::write(here.join(name), format!("title = 'x'\n[output]\n{line}")).unwrap();
        let output = run(&here, &["check", name]);
        assert_eq!(status(&output), 2, "{name}: {:.2000}", err(&output));
        let length = err(&output).len();
        assert!(length < 4000, "{name}: {length} bytes of complaint");
        assert!(err(&output).contains(&format!("{name}:3:")), "{name}: {}", err(&output));
    }
}

#[test]
fn arguments_are_shown_where_they_are_wrong() {
    let here = folder("set");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    let output = run(&here, &["check", "a.toml", "--set", "output.samples=1", "--set", "camera.mian.fov_y_deg=3"]);
    let text = err(&output);
    assert_eq!(status(&output), 2);
    for part in ["E0106", "--set (2):1:8", "camera.mian.fov_y_deg=3", "did you mean `main`?"] {
        assert!(text.contains(part), "{part}:\n{text}");
    }
    assert_eq!(status(&run(&here, &["render", "m.glb", "--set", "output.samples=1"])), 2);
}

#[test]
fn scenes_without_mistakes_pass_in_silence() {
    let here = folder("check");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    well(&run(&here, &["check", "a.toml", "."]));
    let loud = run(&here, &["check", "a.toml", "-v"]);
    assert_eq!(err(&loud), "1 scene: no errors\n");
    fs::write(here.join("empty.toml"), "title = 'x'\n[camera.main]\n").unwrap();
    let warned = run(&here, &["check", "empty.toml"]);
    assert_eq!(status(&warned), 0);
    assert!(err(&warned).contains("W0251") && err(&warned).contains("1 warning"), "{}", err(&warned));
}

#[test]
fn a_dumped_scene_is_a_scene() {
    let here = folder("dump");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    let first = run(&here, &["render", "a.toml", "--dump", "scene", "--set", "node.ball.radius_m=2"]);
    well(&first);
    assert!(out(&first).contains("radius_m = 2.0"));
    assert!(!out(&first).contains(here.to_str().unwrap()), "no path of this machine");
    fs::write(here.join("b.toml"), out(&first)).unwrap();
    let second = run(&here, &["render", "b.toml", "--dump", "scene"]);
    well(&second);
    assert_eq!(out(&first), out(&second));
    assert_eq!(names(&here), ["a.toml", "b.toml"]);
}

#[test]
fn adapters_are_listed() {
    let here = folder("adapters");
    let text = run(&here, &["adapters"]);
    // Native drivers may write to standard error on their own.
    assert_eq!(status(&text), 0, "{}", err(&text));
    assert!(out(&text).contains("stillframe-soft") && out(&text).contains("scalar"));
    let json: serde_json::Value = serde_json::from_str(&out(&run(&here, &["adapters", "--json"]))).unwrap();
    assert_eq!(json["schema"], "adapters/1");
    assert_eq!(json["soft"]["isa_levels"][0], "scalar");
    let chosen = program(&here).args(["adapters", "--json"]).env("STILLFRAME_ISA", "scalar").output().unwrap();
    let json: serde_json::Value = serde_json::from_str(&out(&chosen)).unwrap();
    assert_eq!(json["soft"]["isa"], "scalar");
    let unknown = program(&here).args(["adapters"]).env("STILLFRAME_ISA", "mmx").output().unwrap();
    assert_eq!(status(&unknown), 7, "{}", err(&unknown));
    assert!(err(&unknown).contains("mmx"));
    // What moves is computed with it, too: a wish that cannot be met is told by whoever would use it.
    fs::write(here.join("a.toml"), SCENE).unwrap();
    let absent = if cfg!(target_arch = "x86_64") { "neon" } else { "avx2" };
    for arguments in [
        vec!["anim", "inspect", "a.glb"],
        vec!["anim", "run", "a.toml"],
        vec!["hash", "a.toml"],
        vec!["bench", "anim/palette"],
    ] {
        let refused = program(&here).args(&arguments).env("STILLFRAME_ISA", absent).output().unwrap();
        assert_eq!(status(&refused), 7, "{arguments:?}: {}", err(&refused));
        assert!(err(&refused).contains(absent), "{arguments:?}: {}", err(&refused));
    }
}

#[test]
fn pictures_are_written_whole() {
    let here = folder("render");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    well(&run(&here, &["render", "a.toml"]));
    let png = fs::read(here.join("a.png")).unwrap();
    assert!(png.starts_with(PNG));
    well(&run(&here, &["render", "a.toml", "-o", "b.png", "--threads", "1"]));
    assert_eq!(fs::read(here.join("b.png")).unwrap(), png);
    let piped = run(&here, &["render", "a.toml", "-o", "-"]);
    well(&piped);
    assert_eq!(piped.stdout, png);
    assert_eq!(names(&here), ["a.png", "a.toml", "b.png"]);

    // What cannot be written leaves nothing, and what stood there stays.
    let output = run(&here, &["render", "a.toml", "-o", "no/such/folder/a.png"]);
    assert_eq!(status(&output), 8, "{}", err(&output));
    assert_eq!(status(&run(&here, &["render", "a.toml", "-o", "b.png/a.png"])), 8);
    assert_eq!(names(&here), ["a.png", "a.toml", "b.png"]);
    fs::write(here.join("a.toml"), "title = 1\n").unwrap();
    assert_eq!(status(&run(&here, &["render", "a.toml"])), 2);
    assert_eq!(fs::read(here.join("a.png")).unwrap(), png, "the old picture stays");
}

#[cfg(target_os = "linux")]
#[test]
fn a_picture_in_tiles_is_written_row_by_row() {
    let folder = folder("tiles");
    fs::write(
        folder.join("a.toml"),
        "title = 'a'\n[output]\nsize_px = [150, 140]\nsamples = 4\n[camera.main]\nposition = [0.0, 1.0, 3.0]\n\
         look_at = [0.0, 0.0, 0.0]\n[[light]]\nkind = 'directional'\nilluminance_lux = 3.0\n\
         direction = [0.2, -1.0, -0.5]\n[[node]]\nshape = 'torus'\n",
    )
    .unwrap();
    let pixels = |out: &str, more: &[&str]| {
        well(&run(&folder, &[&["render", "a.toml", "-o", out][..], more].concat()));
        stillframe_frames::decode_png(&fs::read(folder.join(out)).unwrap()).unwrap()
    };
    for bits in ["8", "16"] {
        let whole = pixels("whole.png", &["--bits", bits]);
        assert!(whole == pixels("tiles.png", &["--bits", bits, "--tile-px", "64"]), "{bits} bits");
        // With its hash, it is put together first.
        assert!(whole == pixels("hashed.png", &["--bits", bits, "--tile-px", "64", "--hash"]), "{bits} bits");
    }
    let large = run(&folder, &["render", "a.toml", "--size", "16385x8", "-o", "large.jpg"]);
    assert_eq!(status(&large), 2, "{}", err(&large));
    assert!(err(&large).contains("row by row"), "{}", err(&large));
    well(&run(&folder, &["render", "a.toml", "--size", "20000x9", "-o", "wide.png"]));
    let header = fs::read(folder.join("wide.png")).unwrap();
    assert_eq!(header[16..24], [20000u32.to_be_bytes(), 9u32.to_be_bytes()].concat());
}

#[test]
fn a_full_disk_is_8_and_a_closed_pipe_is_nothing() {
    let here = folder("full");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = program(&here).args(["render", "a.toml", "--dump", "scene"]).stdout(full).output().unwrap();
    assert_eq!(status(&output), 8, "{}", err(&output));

    let mut child = program(&here)
        .args(["render", "a.toml", "--dump", "scene"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((status(&output), err(&output).as_str()), (0, ""));
}

#[test]
fn identities_are_one_a_line_sorted() {
    let here = folder("hash");
    fs::create_dir_all(here.join("scenes/b")).unwrap();
    fs::create_dir_all(here.join("scenes/assets")).unwrap();
    for name in ["scenes/b/z.toml", "scenes/b/a.toml", "scenes/a.toml", "scenes/assets/no.toml"] {
        fs::write(here.join(name), SCENE).unwrap();
    }
    fs::write(here.join("scenes/stillframe.toml"), "[output]\n").unwrap();
    fs::write(here.join("scenes/other.toml"), "[package]\nname = 'x'\n").unwrap();
    let output = run(&here, &["hash", "scenes", "scenes/a.toml"]);
    well(&output);
    let text = out(&output);
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split_whitespace().collect()).collect();
    let shown: Vec<&str> = lines.iter().map(|l| l[3]).collect();
    assert_eq!(shown, ["scenes/a.toml", "scenes/b/a.toml", "scenes/b/z.toml"]);
    for line in &lines {
        assert!(line[0].starts_with("b3:") && line[0].len() == 67);
        assert_eq!((line[0], line[1], line[2]), (lines[0][0], "32x24", "rgb8"));
    }
    assert!(text.starts_with(&format!("{}  32x24 rgb8  scenes/a.toml\n", lines[0][0])), "{text}");

    let wide = out(&run(&here, &["hash", "scenes/a.toml", "--bits", "16", "--background", "transparent"]));
    assert!(wide.contains("rgba16"), "{wide}");
    let several = out(&run(&here, &["hash", "scenes/a.toml", "--aov", "depth,id,color"]));
    let formats: Vec<&str> = several.lines().map(|l| l.split_whitespace().nth(2).unwrap()).collect();
    assert_eq!(formats, ["r32f", "r32u", "rgb8"], "{several}");
    assert!(several.contains("  scenes/a.toml#depth\n"));

    // Of several, the good ones are told and the bad one decides.
    fs::write(here.join("scenes/b/m.toml"), "title = 1\n[output]\n").unwrap();
    // Without a title it is a part that scenes include.
    fs::write(here.join("scenes/b/part.toml"), "[output]\nsamples = 1\n").unwrap();
    let output = run(&here, &["hash", "scenes"]);
    assert_eq!((status(&output), out(&output).lines().count()), (2, 3), "{}", err(&output));
    fs::create_dir_all(here.join("nothing")).unwrap();
    let output = run(&here, &["hash", "nothing"]);
    assert_eq!(status(&output), 2);
    assert!(err(&output).contains("no scene and no model in nothing"), "{}", err(&output));
}

#[test]
fn render_and_hash_agree_and_the_file_holds_the_same_pixels() {
    let here = folder("agree");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    let rendered = run(&here, &["render", "a.toml", "-o", "a.png", "--hash"]);
    well(&rendered);
    let hashed = run(&here, &["hash", "a.toml"]);
    assert_eq!(out(&rendered), out(&hashed));
    let picture = stillframe_frames::decode_png(&fs::read(here.join("a.png")).unwrap()).unwrap();
    assert!(out(&hashed).starts_with(&picture.hash().to_string()));

    for aov in ["color", "depth", "normal", "albedo", "id"] {
        well(&run(&here, &["render", "a.toml", "-o", "a.npy", "--aov", aov]));
        let array = stillframe_frames::decode_npy(&fs::read(here.join("a.npy")).unwrap()).unwrap();
        let want: &[usize] = match aov {
            "depth" | "id" => &[24, 32],
            "color" => &[24, 32, 4],
            _ => &[24, 32, 3],
        };
        assert_eq!(array.shape, want, "{aov}");
        well(&run(&here, &["render", "a.toml", "-o", "b.png", "--aov", aov]));
        let looked = stillframe_frames::decode_png(&fs::read(here.join("b.png")).unwrap()).unwrap();
        assert_eq!((looked.width_px, looked.height_px), (32, 24), "{aov}");
    }
}

#[test]
fn figures_are_json() {
    let here = folder("stats");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    well(&run(&here, &["render", "a.toml", "--stats", "s.json"]));
    let json: serde_json::Value = serde_json::from_slice(&fs::read(here.join("s.json")).unwrap()).unwrap();
    assert_eq!(json["schema"], "stats/1");
    assert_eq!(json["stillframe"], env!("CARGO_PKG_VERSION"));
    let take = &json["takes"][0];
    assert_eq!(take["name"], "a.toml");
    assert!(take["times_ms"]["draw"].as_f64().unwrap() >= 0.0, "{json}");
    assert!(take["draws"].as_u64().unwrap() > 0 && take["triangles"].as_u64().unwrap() > 0, "{json}");
    if cfg!(target_os = "linux") {
        assert!(json["peak_memory_bytes"].as_u64().unwrap() > 1 << 20);
    }
    assert_eq!(status(&run(&here, &["render", "a.toml", "--stats", "no/such/s.json"])), 8);
}

#[test]
fn an_adapter_that_is_not_there_is_7() {
    let here = folder("adapter");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    let output = run(&here, &["render", "a.toml", "--adapter", "native:there-is-none-of-this-name"]);
    assert_eq!(status(&output), 7, "{}", err(&output));
    assert_eq!(names(&here), ["a.toml"]);
}

/// 130 is how shells call a program that an interrupt ended: the signal is not caught.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_it() {
    use std::os::unix::process::ExitStatusExt;
    let here = folder("interrupt");
    fs::write(here.join("a.toml"), SCENE).unwrap();
    let mut child = program(&here)
        .args(["hash", "a.toml", "--size", "8192x8192"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // A program that a shell has put into the background is born deaf to interrupts and hears them once it watches for
    // them itself, so they are sent until it ends.
    let ended = loop {
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        std::thread::sleep(std::time::Duration::from_millis(20));
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
    };
    assert_eq!(ended.signal(), Some(2), "{ended:?}");
}
