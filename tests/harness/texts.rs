//! Texts and pictures as other programs leave them: marks, line ends, UTF-16, pointers of Git LFS.

use stillframe_frames::run::Status;

use super::ground::{Ground, scene};

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
                       oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n";

fn utf16(text: &str) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect()
}

#[test]
fn texts_of_other_editors() {
    let ground = Ground::new("editors");
    let plain = scene("#b03020", "");
    let marked = format!("\u{feff}{}", plain.replace('\n', "\r\n"));
    ground.write("scenes/a/plain.toml", &plain);
    ground.write("scenes/a/marked.toml", &marked);
    ground.write("scenes/a/parts.toml", "\u{feff}include = [\"plain.toml\"]\r\ntitle = \"x\"\r\n[output]\r\n");
    ground.write("stillframe.toml", "\u{feff}[test]\r\nslow_s = 5.0\r\n");
    assert_eq!(ground.run(&["list"]).code(0).out, "a/marked\na/parts\na/plain\n");
    ground.settle();
    let hashes = ground.run(&["hash", "scenes"]).code(0).out;
    let first = |line: &str| line.split(' ').next().unwrap().to_string();
    assert!(hashes.lines().all(|line| first(line) == first(&hashes)), "{hashes}");
    // Places are counted behind the mark.
    ground.write("bad.toml", marked.replace("title", "titel"));
    ground.run(&["check", "bad.toml"]).code(2).complains("E0110").complains("`titel`");
    assert!(ground.run_reading(&["hash", "-"], &marked).code(0).out.starts_with(&first(&hashes)));

    // Lock files, whatever version control does to their lines.
    let lock = ground.read("references/a/frames.lock");
    for text in [lock.replace('\n', "\r\n"), lock.replace('\n', "\r"), format!("\u{feff}{lock}")] {
        ground.write("references/a/frames.lock", text);
        ground.run(&["test", "--no-cache"]).code(0).last_line("3 passed, 0 failed, 0 skipped");
    }
    ground.write("references/a/frames.lock", utf16(&lock));
    ground.run(&["test"]).code(2).complains("UTF-16");
    ground.write("references/a/frames.lock", &lock);

    // What cannot be read is named, and found in the first place.
    for (name, bytes, code, words) in [
        ("old", plain.replace('\n', "\r").into_bytes(), "E0101", "CR alone"),
        ("wide", utf16(&plain), "E0102", "UTF-16"),
        ("latin", [plain.as_bytes(), b"# \xE9\n"].concat(), "E0102", "invalid byte"),
    ] {
        ground.write(&format!("scenes/b/{name}.toml"), bytes);
        ground.run(&["check", &format!("scenes/b/{name}.toml")]).code(2).complains(code).complains(words);
        ground.run(&["test", &format!("=b/{name}")]).code(2).says(code).says(words);
        assert_eq!(ground.record(&format!("b/{name}")).status, Status::Invalid);
    }
    ground.write("scenes/b/includes.toml", "include = [\"wide.toml\"]\ntitle = \"x\"\n");
    ground.run(&["check", "scenes/b/includes.toml"]).code(2).complains("E0102").complains("save it as UTF-8");

    let script = "[clip]\nlength_s = 1.0\n[run]\nsteps = [{ step_s = 0.5 }]\n";
    ground.write("script.toml", format!("\u{feff}{}", script.replace('\n', "\r\n")));
    ground.run(&["anim", "run", "script.toml"]).code(0).says("0.500000 s");
    ground.write("script.toml", utf16(script));
    ground.run(&["anim", "run", "script.toml"]).code(2).complains("UTF-16");
    ground.write("script.toml", script.replace('\n', "\r"));
    ground.run(&["anim", "run", "script.toml"]).code(2).complains("CR alone");

    ground
        .run_reading(&["diff", "--stdin"], "\u{feff}[\"references/a/plain.png\",\"references/a/marked.png\"]\r\n")
        .code(0);
    ground.write("faults.toml", utf16("[[fault]]\n"));
    ground.run(&["mutate", "--faults", "faults.toml"]).code(2).complains("UTF-16");
    ground.write("stillframe.toml", utf16("[test]\n"));
    ground.run(&["list"]).code(2).complains("E0701").complains("UTF-16");
    ground.write("stillframe.toml", "[test]\rslow_s = 1.0\r");
    ground.run(&["list"]).code(2).complains("E0702").complains("CR alone");
}

/// A clone without its large files says so, whatever file is one.
#[test]
fn pointers_of_git_lfs_are_named() {
    let ground = Ground::new("lfs");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    let says = |arguments: &[&str]| {
        ground.run(arguments).code(2).complains("Git LFS pointer").complains("git lfs pull");
    };
    for file in ["p.png", "p.exr", "p.npy", "p.jpg", "p.glb", "p.gltf", "p.fbx", "p.obj", "p.stl", "p.ply", "p.toml"] {
        ground.write(file, POINTER);
    }
    let good = "references/a/ball.png";
    for picture in ["p.png", "p.exr", "p.npy", "p.jpg"] {
        says(&["diff", good, picture]);
    }
    for model in ["p.glb", "p.gltf", "p.fbx", "p.obj", "p.stl", "p.ply"] {
        says(&["render", model, "-o", "x.png"]);
        says(&["inspect", model]);
    }
    says(&["check", "p.toml"]);
    says(&["anim", "run", "p.toml"]);
    says(&["mutate", "--faults", "p.toml"]);
    says(&["accept", "--from", "p.toml"]);
    ground.run_reading(&["hash", "-"], POINTER).code(2).complains("Git LFS pointer");
    let plain = ground.read("scenes/a/ball.toml");
    ground.write("textured.toml", plain.replace("unlit = true", "unlit = true\nbase_color_texture = \"p.png\""));
    says(&["hash", "textured.toml"]);

    // In a project: scenes, references, their lists of passes, locks.
    ground.write("scenes/a/pointer.toml", POINTER);
    ground.run(&["list"]).code(2).says("a/pointer").complains("E0306");
    std::fs::remove_file(ground.path("scenes/a/pointer.toml")).unwrap();
    let passes = ground.read("references/a/ball.passes");
    ground.write("references/a/ball.passes", POINTER);
    ground.run(&["store", "verify"]).code(5).says("git lfs pull");
    ground.write("references/a/ball.passes", passes);
    ground.write(good, POINTER);
    ground.run(&["store", "verify"]).code(5).says("git lfs pull");
    ground.run(&["test", "--no-cache"]).code(5).says("DAMAGED a/ball").says("git lfs pull");
    ground.ball("a/ball", "#b03021", "");
    ground.run(&["test"]).code(1).says("git lfs pull");
    ground.write("references/a/frames.lock", POINTER);
    says(&["test"]);
    ground.write("stillframe.toml", POINTER);
    says(&["list"]);
}
