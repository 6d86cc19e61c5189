//! Every example that the help and the documents show does what it says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{SCENE, err, folder, out, run, well};

/// Commands with a help of their own; the first is the program.
pub const COMMANDS: [&str; 12] =
    ["", "render", "hash", "inspect", "material", "anim", "check", "adapters", "fuzz", "bench", "completions", "man"];

/// Commands of commands, with a help of their own.
pub const COMMANDS_OF_COMMANDS: [&str; 6] =
    ["anim dump", "anim inspect", "anim plot", "anim bake", "anim compress", "anim run"];

/// Those of a project: their examples want one.
pub const COMMANDS_OF_A_PROJECT: [&str; 16] = [
    "init", "list", "test", "accept", "reject", "pending", "review", "report", "diff", "bisect", "shrink", "mutate",
    "log", "store", "repro", "doctor",
];

/// Commands of those.
pub const COMMANDS_OF_PROJECT_COMMANDS: [&str; 10] = [
    "report show",
    "report merge",
    "store verify",
    "store gc",
    "store stats",
    "store push",
    "store pull",
    "store export",
    "repro save",
    "repro run",
];

/// The lines `  stillframe ...` of a help's examples, without what is said about them.
fn examples(command: &str) -> Vec<String> {
    let here = folder("examples_help");
    let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
    let output = run(&here, &arguments);
    well(&output);
    let text = out(&output);
    let shown = text.split_once("Examples:\n").unwrap_or_else(|| panic!("`{command}` shows no example")).1;
    let lines = shown.lines().filter(|line| line.starts_with("  stillframe "));
    // Words that explain stand behind three blanks or more.
    lines.map(|line| line.trim_start().split("   ").next().unwrap_or_default().trim_end().to_string()).collect()
}

/// A script of time control.
const SCRIPT: &str = "[clip]\nlength_s = 1.0\nevents = [{ name = \"step\", at_percent = 25 }]\n[playback]\nmode = \"loop\"\n\
                      [run]\nsteps = [{ step_frames = 1, times = 40 }]\n";

/// A scene with an animator.
const WALKER: &str = "title = 'x'\n[camera.main]\n[model.figure]\nfile = 'figure.glb'\n[[animator]]\nname = 'walker'\n\
                      model = 'figure'\nclip = 'walk'\n[[node]]\nmodel = 'figure'\nanimator = 'walker'\n";

/// A folder with the files that examples name.
fn furnished(name: &str) -> PathBuf {
    let here = folder(name);
    let asset = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(name);
    fs::create_dir_all(here.join("scenes")).unwrap();
    fs::create_dir_all(here.join("home")).unwrap();
    for scene in ["scene.toml", "scenes/one.toml", "scenes/two.toml"] {
        let painted = SCENE.replace("shape = 'sphere'", "shape = 'sphere'\nmaterial = 'wall'");
        fs::write(here.join(scene), format!("{painted}[material.wall]\n[[view]]\nname = 'mirror'\n")).unwrap();
    }
    fs::copy(asset("tiles.mtlx"), here.join("brass.mtlx")).unwrap();
    fs::write(here.join("walker.toml"), WALKER).unwrap();
    fs::write(here.join("script.toml"), SCRIPT).unwrap();
    fs::copy(asset("teapot.glb"), here.join("model.glb")).unwrap();
    fs::copy(asset("mannequin.glb"), here.join("figure.glb")).unwrap();
    fs::copy(asset("leaf_card.glb"), here.join("leaf.glb")).unwrap();
    fs::create_dir(here.join("models")).unwrap();
    fs::copy(asset("leaf_card.glb"), here.join("models/leaf.glb")).unwrap();
    fs::copy(asset("teapot.glb"), here.join("models/teapot.glb")).unwrap();
    here
}

#[cfg(unix)]
#[test]
fn examples_of_the_help_work() {
    let binary = Path::new(env!("CARGO_BIN_EXE_stillframe"));
    let mut count = 0;
    for command in COMMANDS.into_iter().chain(COMMANDS_OF_COMMANDS) {
        for example in examples(command) {
            if example.contains("COMMAND") {
                continue;
            }
            // A shell's own folders are not ours to write to, and nobody looks at the picture.
            let line = example
                .replace("--show", "--show=sixel")
                .replace("man -l -", "cat")
                .replace("--minutes 5", "--minutes 0.02")
                .replace("~/.bash_completion", "bash_completion")
                .replace("~/.zfunc/", "")
                .replace("~/.config/fish/completions/", "")
                .replace("$PROFILE", "profile.ps1");
            let is_model = line.contains("glb") || line.contains("models/");
            let line = match line.contains(" render ") && is_model && !line.contains("--size") {
                // As small as can be: this is about the words, not the picture.
                true => line.replace(" render ", " render --size 96x54 --samples 1 "),
                false => line,
            };
            let here = furnished("examples");
            if example.contains(" init") {
                fs::remove_dir_all(here.join("scenes")).unwrap();
            }
            if example.contains("--check walk.clip") {
                well(&run(&here, &["anim", "compress", "figure.glb", "--clip", "walk", "-o", "walk.clip"]));
            }
            if example.contains("--against recorded.jsonl") {
                let recorded = run(&here, &["anim", "run", "script.toml", "--json"]);
                fs::write(here.join("recorded.jsonl"), recorded.stdout).unwrap();
                fs::write(here.join("own.toml"), "[compare]\nreports = [\"places\"]\n").unwrap();
            }
            let path = format!("{}:/usr/bin:/bin", binary.parent().expect("a folder").display());
            let output = Command::new("sh")
                .args(["-ec", &line])
                .current_dir(&here)
                .env("PATH", path)
                .env_remove("NO_COLOR")
                .stdin(std::process::Stdio::null())
                .output()
                .unwrap();
            assert!(output.status.success(), "{example}: {}", err(&output));
            let allowed = example.contains("adapters");
            assert!(allowed || err(&output).is_empty(), "{example}: {}", err(&output));
            count += 1;
        }
    }
    assert!(count >= 30, "only {count} examples");
}

/// Documents with commands and what they print: `docs/*.md`, in a folder that holds what stands beside them in `.in`.
#[test]
fn examples_of_the_documents_work() {
    trycmd::TestCases::new().case("docs/guide.md").case("docs/fuzzing.md");
}

#[test]
fn manual_pages_and_completions_are_printed() {
    let here = folder("man");
    for command in COMMANDS.into_iter().chain(COMMANDS_OF_A_PROJECT) {
        let arguments = if command.is_empty() { vec!["man"] } else { vec!["man", command] };
        let output = run(&here, &arguments);
        well(&output);
        assert!(out(&output).contains(".SH NAME"), "{command}");
    }
    let wrong = run(&here, &["man", "rendr"]);
    assert!(wrong.status.code() == Some(2) && err(&wrong).contains("did you mean `render`?"), "{}", err(&wrong));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&here, &["completions", shell]);
        well(&output);
        assert!(out(&output).contains("tonemap"), "{shell}");
    }
    // What is printed is what bash understands.
    if let Ok(bash) = Command::new("bash").args(["-n", "-c", &out(&run(&here, &["completions", "bash"]))]).output() {
        assert!(bash.status.success(), "{}", err(&bash));
    }
}
