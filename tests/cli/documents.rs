//! Every command in README, the pages and the help of a project's commands: it runs here, or the table says why not.
//! (`examples.rs` runs the help of the other commands, and what docs/guide.md and docs/fuzzing.md print.)

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{SCENE, err, examples, folder, out, run, well};

/// Pages whose commands other tests run, with their output.
const RUN_ELSEWHERE: [&str; 4] = ["guide.md", "fuzzing.md", "cookbook.md", "cli.md"];

/// Commands that do not end with 0 in the prepared folder: three scenes have changed since their references.
const STATUSES: &[(&str, i32)] = &[
    // Nothing is new there.
    ("stillframe accept --new", 4),
    ("stillframe bisect shadow/cascade", 1),
    ("stillframe bisect shadow/cascade --against main", 1),
    ("stillframe diff expected actual --max-lsb 2 --share 0.001", 1),
    ("stillframe diff expected actual --max-lsb 2 --share 0.001 -o diff.html", 1),
    ("stillframe diff expected actual -o diff.html", 1),
    ("stillframe diff old.apng new.apng", 1),
    ("stillframe diff old.png new.png", 1),
    ("stillframe diff old.png new.png -o difference.png", 1),
    ("stillframe mutate", 1),
    ("stillframe mutate --faults my-faults.toml --json", 1),
    ("stillframe pending", 5),
    ("stillframe pending --json", 5),
    ("stillframe test", 1),
    ("stillframe test --identical-to origin/main", 1),
    ("stillframe test --last-failed", 1),
    ("stillframe test --only-changed=origin/main", 1),
    ("stillframe test --partition hash:2/4 --report github --report junit=junit.xml", 1),
    ("stillframe test --via all", 1),
    ("stillframe test shadow 'light/*[samples=4]' tag:slow", 1),
];

/// Commands that are not run, and why.
const NOT_RUN: &[(&str, &str)] = &[
    (
        "stillframe accept --from artifact.zip --all",
        "needs a run of another machine; tests/harness/choosing.rs has one",
    ),
    ("stillframe review --from artifact.zip", "needs a run of another machine; tests/harness/choosing.rs has one"),
    ("stillframe accept --from decisions.json", "needs a run of another machine; tests/harness/choosing.rs has one"),
    (
        "stillframe report merge artifacts/*.zip -o report.html",
        "needs a run of another machine; tests/harness/choosing.rs has one",
    ),
    (
        "stillframe report merge stillframe-1 stillframe-2 -o report.html",
        "needs a run of another machine; tests/harness/choosing.rs has one",
    ),
    ("stillframe accept --cluster c2", "needs a change of the renderer; tests/harness/attribution.rs has one"),
    ("stillframe reject --cluster c1", "needs a change of the renderer; tests/harness/attribution.rs has one"),
    ("stillframe bench", "takes minutes; tests/cli/bench.rs times single cases"),
    ("stillframe bench anim/ skin/", "takes minutes; tests/cli/bench.rs times single cases"),
    (
        "stillframe bisect shadow/cascade --against target/stillframe/runs/000012",
        "needs twelve runs; tests/harness/tools.rs has another",
    ),
    ("stillframe diff --stdin < pairs", "needs pairs of names from a program; tests/harness/tools.rs has some"),
    ("stillframe diff b3:HEX new.png", "HEX stands for a hash"),
    ("stillframe review", "needs a terminal"),
    ("stillframe review --web", "waits for a browser; ci/report/review.mjs is one"),
    ("stillframe shrink shadow/cascade --against ../old/stillframe", "needs an older program"),
    ("stillframe shrink shadow/cascade --while panics", "needs a scene that panics"),
];

/// The commands of a page: lines in fenced blocks that begin with the program's name.
fn of_page(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        }
        let line = line.strip_prefix("$ ").unwrap_or(line);
        if inside && line.starts_with("stillframe ") && !line.starts_with("stillframe =") {
            commands.push(without_comment(line));
        }
    }
    commands
}

/// What explains a command stands behind three blanks, or behind a sign.
fn without_comment(line: &str) -> String {
    // One explanation is too long for three blanks.
    let line = line.split(" no pass of").next().unwrap().split("   ").next().unwrap();
    line.split(" # ").next().unwrap().trim_end().to_string()
}

/// The pages with commands, by their names.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![root.join("README.md"), root.join("STYLE.md"), root.join("ARCHITECTURE.md")];
    for (folder, name) in [("docs", None), ("crates", Some("README.md")), ("examples", Some("README.md"))] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            match name {
                None if path.extension().is_some_and(|e| e == "md") => files.push(path),
                Some(name) if path.join(name).is_file() => files.push(path.join(name)),
                _ => (),
            }
        }
    }
    files.sort();
    files
}

/// Every command, once.
fn commands() -> BTreeSet<String> {
    let mut commands = BTreeSet::new();
    for page in pages() {
        if !RUN_ELSEWHERE.contains(&page.file_name().unwrap().to_str().unwrap()) {
            commands.extend(of_page(&fs::read_to_string(&page).unwrap()));
        }
    }
    let of_projects = examples::COMMANDS_OF_A_PROJECT.into_iter().chain(examples::COMMANDS_OF_PROJECT_COMMANDS);
    for command in of_projects {
        let arguments: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let text = out(&run(&folder("documents_help"), &arguments));
        let lines = text.lines().filter(|line| line.starts_with("  stillframe "));
        // One blank before an explanation that is long: `--identical-to origin/main no pass ...`.
        commands.extend(lines.map(|line| without_comment(line.trim_start())));
    }
    commands
}

/// A ball in a colour, under a light.
fn ball(color: &str, more: &str) -> String {
    let painted = SCENE.replace("shape = 'sphere'", "shape = 'sphere'\nmaterial = 'paint'");
    format!("{painted}[material.paint]\nbase_color = '{color}'\n{more}")
}

fn git(here: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .current_dir(here)
        .args(["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", err(&output));
}

/// A project in git with accepted references, three scenes changed since, and the files that commands name.
fn prepared(here: &Path) {
    let asset = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(name);
    let write = |name: &str, text: &str| {
        let path = here.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("stillframe.toml", "[test]\nstore = 'git'\n");
    write("scenes/shadow/cascade.toml", &ball("#b03020", "[test]\nwhy = 'x'\ntags = ['slow']\n"));
    write("scenes/light/spot.toml", &ball("#20b030", "[test]\nmatrix = { samples = [1, 4] }\n"));
    write("scenes/first/hello.toml", &ball("#808080", ""));
    write("scene.toml", &SCENE.replace("[[light]]\n", "[[light]]\nname = 'sun'\n"));
    for (from, to) in [("teapot.glb", "model.glb"), ("mannequin.glb", "figure.glb"), ("mannequin.glb", "hero.glb")] {
        fs::copy(asset(from), here.join(to)).unwrap();
    }
    write(
        "my-faults.toml",
        &fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/faults.toml")).unwrap(),
    );
    for name in ["suzanne.glb", "mannequin.glb", "env_studio.exr"] {
        fs::create_dir_all(here.join("scenes/assets")).unwrap();
        fs::copy(asset(name), here.join("scenes/assets").join(name)).unwrap();
    }
    for name in ["walk.toml", "layers.toml"] {
        let recipe = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cookbook").join(name);
        write(&format!("docs/cookbook/{name}"), &fs::read_to_string(recipe).unwrap());
    }
    write(".gitignore", "/target\n");
    git(here, &["init", "-q", "-b", "main"]);
    run(here, &["test", "-q"]);
    well(&run(here, &["accept", "--all", "--reason", "the first", "-q"]));
    git(here, &["add", "-A"]);
    git(here, &["commit", "-q", "-m", "The first pictures"]);
    git(here, &["update-ref", "refs/remotes/origin/main", "HEAD"]);
    well(&run(here, &["repro", "save", "light/spot[samples=4]", "-o", "spot.sfr", "-q"]));
    for (side, color) in [("old", "#b03020"), ("new", "#2030b0")] {
        write("two.toml", &ball(color, ""));
        for arguments in [
            vec!["-o", "PICTURE.png"],
            vec!["--aov", "color,normal", "-o", "PICTURE.exr"],
            vec!["--frames", "0..1", "-o", "PICTURE.apng"],
        ] {
            let arguments: Vec<String> = arguments.iter().map(|word| word.replace("PICTURE", side)).collect();
            let arguments = ["render", "two.toml", "-q"].into_iter().chain(arguments.iter().map(String::as_str));
            well(&run(here, &arguments.collect::<Vec<_>>()));
        }
        let folder = here.join(if side == "old" { "expected" } else { "actual" });
        fs::create_dir_all(&folder).unwrap();
        fs::copy(here.join(format!("{side}.png")), folder.join("picture.png")).unwrap();
    }
    write("pairs", "old.png\tnew.png\n");
    write("scenes/shadow/cascade.toml", &ball("#2030b0", "[test]\nwhy = 'x'\ntags = ['slow']\n"));
    write("scenes/light/spot.toml", &ball("#b0b030", "[test]\nmatrix = { samples = [1, 4] }\n"));
    write("scenes/first/hello.toml", &ball("#e0e0e0", ""));
    assert_eq!(run(here, &["test", "-q"]).status.code(), Some(1));
}

/// Runs a line in a copy of the prepared folder.
fn played(prepared: &Path, line: &str) -> Output {
    let here = folder("documents_here");
    let copied = Command::new("cp").arg("-a").arg(prepared.join(".")).arg(&here).status().unwrap();
    assert!(copied.success());
    if line.starts_with("stillframe init") {
        fs::remove_file(here.join("stillframe.toml")).unwrap();
        fs::remove_dir_all(here.join("scenes")).unwrap();
        fs::remove_dir_all(here.join("references")).unwrap();
    }
    // As small as can be: this is about the words, not the picture.
    let small = match line.starts_with("stillframe render") && line.contains(".glb") && !line.contains("--size") {
        true => line.replacen("render ", "render --size 96x54 --samples 1 ", 1),
        false => line.to_string(),
    };
    let binary = Path::new(env!("CARGO_BIN_EXE_stillframe"));
    Command::new("sh")
        .args(["-ec", &small])
        .current_dir(&here)
        .env("PATH", format!("{}:/usr/bin:/bin", binary.parent().unwrap().display()))
        .env("XDG_CACHE_HOME", prepared.with_extension("cache"))
        .env_remove("NO_COLOR")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

#[cfg(unix)]
#[test]
fn commands_of_the_documents_work() {
    let commands = commands();
    let here = folder("documents");
    prepared(&here);
    let mut wrong = Vec::new();
    let mut count = 0;
    for command in &commands {
        if NOT_RUN.iter().any(|(name, _)| name == command) {
            continue;
        }
        let want = STATUSES.iter().find(|(name, _)| name == command).map_or(0, |(_, status)| *status);
        let output = played(&here, command);
        let have = output.status.code().unwrap_or(-1);
        let first = err(&output).lines().take(3).collect::<Vec<_>>().join(" / ");
        if have != want {
            wrong.push(format!("    (\"{command}\", {have}), // {first}"));
        }
        count += 1;
    }
    let known = STATUSES.iter().map(|(name, _)| name).chain(NOT_RUN.iter().map(|(name, _)| name));
    let unknown: Vec<_> = known.filter(|name| !commands.contains(**name)).collect();
    assert!(wrong.is_empty(), "other statuses than 0 or what the table says:\n{}", wrong.join("\n"));
    assert_eq!(unknown, Vec::<&&str>::new(), "commands of the tables that no page shows");
    assert!(count >= 50, "only {count} commands");
}

/// README begins with what `test` prints of a new project whose ball was raised, as its text says.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test that can refresh its document")]
fn readme_begins_with_the_output_of_a_failing_test() {
    let here = folder("documents_failure");
    well(&run(&here, &["init"]));
    let scene = here.join("scenes/first/hello.toml");
    let text = fs::read_to_string(&scene).unwrap();
    assert_eq!(text.matches("position = [0.0, 0.4, 0.0]").count(), 1);
    fs::write(&scene, text.replace("position = [0.0, 0.4, 0.0]", "position = [0.0, 0.5, 0.0]")).unwrap();
    let output = run(&here, &["test"]);
    assert_eq!(output.status.code(), Some(1));
    let root = here.canonicalize().unwrap().display().to_string();
    let printed = out(&output).replace(&root, "...");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let have = fs::read_to_string(&page).unwrap();
    let (before, rest) = have.split_once("```text\n$ stillframe test\n").expect("README shows a failure");
    let (_, after) = rest.split_once("```\n").unwrap();
    let want = format!("{before}```text\n$ stillframe test\n{printed}```\n{after}");
    if have != want {
        if std::env::var_os("STILLFRAME_UPDATE").is_some_and(|v| v != "no") {
            fs::write(&page, want).unwrap();
        }
        panic!("README.md is stale: STILLFRAME_UPDATE=all cargo test --test cli readme, then look at it");
    }
}
