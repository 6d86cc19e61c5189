//! Fuzz: planted faults are found, findings of the past stay mended.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use stillframe_base::rng::Rng;
use stillframe_frames::run::Status;
use stillframe_heap::Counting;
use stillframe_lab::fuzz::{Bench, Case, Kind, Mutant, TARGETS, Target, try_case};

use super::ground::Ground;

#[global_allocator]
static HEAP: Counting = Counting::new();

/// An empty folder of its own.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn fuzz(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stillframe"));
    command.current_dir(folder).stdin(Stdio::null()).env_remove("NO_COLOR");
    command.arg("fuzz").args(arguments).output().expect("it starts")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The canary: each planted fault of each target is told, shrunk, and found again in the file that was told.
#[test]
fn planted_faults_are_found() {
    for target in TARGETS {
        for mutant in target.mutants() {
            let (name, _) = mutant.row();
            // These take ten seconds each and are struck before a target is asked: one target shows that they are seen.
            if ["hang", "memory"].contains(&name) && target.name != "scene" {
                continue;
            }
            let folder = folder(&format!("{}-{name}", target.name));
            // Shrinking waits for each hang.
            let timeout = if name == "hang" { "1" } else { "20" };
            let output = fuzz(&folder, &[target.name, "--runs", "400", "--mutant", name, "--timeout", timeout]);
            let text = out(&output);
            assert_eq!(output.status.code(), Some(1), "{} {name}: {text}", target.name);
            assert!(text.ends_with(", 1 findings\n"), "{} {name}: {text}", target.name);
            if name == "crash" {
                assert!(text.contains("overflowed its stack"), "it does not tell why: {text}");
            }
            let file = text.lines().find_map(|l| l.split_once("--replay ").map(|(_, file)| file.to_string()));
            let file = file.unwrap_or_else(|| panic!("no file is told: {text}"));
            let again = fuzz(&folder, &[target.name, "--replay", &file, "--mutant", name, "--timeout", timeout]);
            assert_eq!(again.status.code(), Some(1), "{} {name}: {}", target.name, out(&again));
            if target.name == "time" && !Mutant::OF_ALL.contains(&mutant) {
                let script = fs::read_to_string(folder.join(&file)).expect("told above");
                let steps = script.lines().skip_while(|line| *line != "steps = [").count() - 2;
                assert!(steps <= 3, "{name}: {steps} steps are left:\n{script}");
            }
            // Without the fault it is a file like others.
            let sound = fuzz(&folder, &[target.name, "--replay", &file]);
            assert_eq!(sound.status.code(), Some(0), "{} {name}: {}", target.name, out(&sound));
        }
    }
}

/// Whoever draws has a canary, too.
#[test]
fn planted_faults_of_effects_are_found() {
    for name in ["panic", "lost-line", "nan"] {
        let folder = folder(&format!("effect-{name}"));
        let output = fuzz(&folder, &["effect", "--runs", "40", "--mutant", name, "--timeout", "20"]);
        let text = out(&output);
        assert!(output.status.code() == Some(1) && text.ends_with(", 1 findings\n"), "{name}: {text}");
        let file = text.lines().find_map(|l| l.split_once("--replay ").map(|(_, file)| file.to_string()));
        let file = file.unwrap_or_else(|| panic!("no file is told: {text}"));
        let again = fuzz(&folder, &["effect", "--replay", &file, "--mutant", name, "--timeout", "20"]);
        assert_eq!(again.status.code(), Some(1), "{name}: {}", out(&again));
        let sound = fuzz(&folder, &["effect", "--replay", &file]);
        assert_eq!(sound.status.code(), Some(0), "{name}: {}", out(&sound));
        let left = fs::read_to_string(folder.join(&file)).expect("told above");
        assert_eq!(left.matches("[[effect]]").count(), 1, "{name}: {left}");
    }
}

#[test]
fn a_run_without_findings() {
    let folder = folder("sound");
    let output = fuzz(&folder, &["scene", "--seed", "3", "--runs", "20"]);
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), "fuzz scene: 20 inputs, 0 findings\n"));
    let output = fuzz(&folder, &["import", "--runs", "20", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&document["schema"], &document["inputs"]), (&"fuzz/1".into(), &20.into()));
    let output = fuzz(&folder, &["effect", "--seed", "3", "--runs", "20"]);
    assert_eq!((output.status.code(), out(&output).as_str()), (Some(0), "fuzz effect: 20 inputs, 0 findings\n"));
    assert_eq!(fuzz(&folder, &["teapot"]).status.code(), Some(2));
    assert_eq!(fuzz(&folder, &["scene", "--mutant", "index"]).status.code(), Some(2));
    let list = out(&fuzz(&folder, &["--list"]));
    assert!(TARGETS.iter().all(|t| list.contains(t.name) && list.contains(t.doc)), "{list}");
}

/// Every finding that was mended, by target: `tests/data/seeds/TARGET/NAME/FILE`.
#[test]
fn seeds_of_findings_stay_mended() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/seeds");
    let scratch = folder("seeds");
    let mut count = 0;
    for target in TARGETS {
        for seed in entries(&seeds.join(target.name)) {
            let case = Case::load(&input(&seed)).expect("readable");
            let bench = Bench { scratch: &scratch, heap: Some(&HEAP), mutant: None };
            let finding = try_case(target, &case, bench);
            assert_eq!(finding, None, "{}", seed.display());
            assert_eq!(target.refusal(&case), None, "{}: nothing of it is tried", seed.display());
            count += 1;
        }
    }
    assert!(count > 0, "no seed under {}", seeds.display());
}

/// Brackets that do not match make the parser forget how deep it is. One such file must not end a project's commands,
/// whichever TOML file it is.
#[test]
fn fuzz_scene_abort() {
    let ground = Ground::new("abort");
    let stray = "s={{}]\n".repeat(10_000);
    ground.ball("a/ball", "#b03020", "");
    ground.write("scenes/a/abort.toml", format!("title = \"x\"\n[output]\n{stray}"));
    ground.run(&["check", "scenes/a/abort.toml"]).code(2).complains("E0101").complains("abort.toml:3:4");
    ground.run(&["list"]).code(2).says("a/ball").complains("E0101");
    ground.run(&["hash", "scenes"]).code(2).says("scenes/a/ball.toml").complains("E0101");
    ground.run(&["test"]).code(2).last_line("0 passed, 1 failed, 0 skipped, 1 new");
    assert_eq!((ground.record("a/abort").status, ground.record("a/ball").status), (Status::Invalid, Status::New));
    ground.run(&["fuzz", "scene", "--replay", "scenes/a/abort.toml"]).code(0);
    ground.run(&["hash", "scenes/a/ball.toml", "--set", &format!("output.samples={}", "{{}],".repeat(20))]).code(2);

    ground.write("script.toml", &stray);
    ground.run(&["anim", "run", "script.toml"]).code(2).complains("script.toml:1:4");
    ground.write("faults.toml", &stray);
    ground.run(&["mutate", "--faults", "faults.toml"]).code(2).complains("line 1");
    ground.write("graph.toml", &stray);
    ground.run(&["fuzz", "graph", "--replay", "graph.toml"]).code(2).complains("line 1");
    ground.write("stillframe.toml", &stray);
    ground.run(&["list"]).code(2).complains("E0702");
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).map(|list| list.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    paths.sort();
    paths
}

/// The input of a seed's folder: the scene, the model, or else the picture.
fn input(seed: &Path) -> PathBuf {
    let files = entries(seed);
    let stem = |stem: &str| {
        let is_it = |file: &&PathBuf| file.file_stem().is_some_and(|s| s == stem) && !file.ends_with("model.bin");
        files.iter().find(is_it).cloned()
    };
    let found = ["scene", "model", "picture", "script", "clip"].into_iter().find_map(stem);
    found.unwrap_or_else(|| panic!("{}: no input", seed.display()))
}

/// The inputs of a short run, here and with this allocator: memory is looked at in tests too.
#[test]
fn a_few_inputs_in_this_process() {
    let scratch = folder("few");
    for target in TARGETS {
        for number in 0..200 {
            let case: Case = Target::case(target, 5, number);
            let bench = Bench { scratch: &scratch, heap: None, mutant: None };
            assert_eq!(try_case(target, &case, bench), None, "{} {number}", target.name);
        }
    }
}

/// Each mistake that a clock can make, on several seeds, as the command line tries it: text and all.
#[test]
fn mistakes_of_the_clock_are_found_soon() {
    const SCRIPTS_MAX: u64 = 400;
    let scratch = folder("mistakes");
    let time = Target::named("time").expect("a target");
    for mutant in time.mutants().filter(|mutant| !Mutant::OF_ALL.contains(mutant)) {
        let (name, _) = mutant.row();
        let bench = Bench { scratch: &scratch, heap: None, mutant: Some(mutant) };
        let until_found = |seed: u64| {
            let found =
                |number: &u64| try_case(time, &time.case(seed, *number), bench).is_some_and(|f| f.kind == Kind::Law);
            1 + (0..SCRIPTS_MAX)
                .find(found)
                .unwrap_or_else(|| panic!("{name}, seed {seed}: not in {SCRIPTS_MAX} scripts"))
        };
        let mut scripts: Vec<u64> = (0..11).map(until_found).collect();
        scripts.sort_unstable();
        println!("{name:18} median {:3}, worst {:3}", scripts[5], scripts[10]);
        assert!(scripts[5] <= 100, "{name}: median {} scripts", scripts[5]);
    }
}

/// A stored script for each mistake that a clock can make: sound with ours, told with the mistake, so that it is still
/// a test of it.
#[test]
fn stored_scripts_tell_each_mistake_of_the_clock() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/seeds/time");
    let scratch = folder("mistakes-stored");
    let time = Target::named("time").expect("a target");
    for mutant in time.mutants().filter(|mutant| !Mutant::OF_ALL.contains(mutant)) {
        let (name, _) = mutant.row();
        let case = Case::load(&seeds.join(name.replace('-', "_")).join("script.toml")).expect("readable");
        let tried = |mutant| try_case(time, &case, Bench { scratch: &scratch, heap: None, mutant });
        assert_eq!(tried(None), None, "{name}");
        assert!(tried(Some(mutant)).is_some_and(|finding| finding.kind == Kind::Law), "{name} is not told");
    }
}

/// What the documentation shows is a script: it is played, nothing is wrong with it, and a mistake is told. What is no
/// script is said to be none.
#[test]
fn examples_of_scripts_are_played() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/fuzzing.md")).expect("readable");
    let scratch = folder("examples");
    for (name, heading) in [("time", "## Scripts of time control"), ("graph", "## Graphs")] {
        let target = Target::named(name).expect("a target");
        let (_, below) = page.split_once(heading).expect("a section");
        let (_, example) = below.split_once("```toml\n").expect("an example");
        let (example, _) = example.split_once("```").expect("its end");
        let case = Case::new("script.toml", example.as_bytes().to_vec());
        assert_eq!(target.refusal(&case), None, "{name}");
        let tried = |mutant| try_case(target, &case, Bench { scratch: &scratch, heap: None, mutant });
        assert_eq!(tried(None), None, "{name}");
        let told: Vec<_> = (target.mutants().filter(|mutant| !Mutant::OF_ALL.contains(mutant)))
            .filter(|mutant| tried(Some(*mutant)).is_some())
            .map(|mutant| mutant.row().0)
            .collect();
        assert!(!told.is_empty(), "{name}: no mistake shows in it");

        let file = scratch.join(format!("{name}.toml"));
        fs::write(&file, example.replacen('[', "no_such_key = 1\n[", 1)).expect("written");
        let replayed = fuzz(&scratch, &[name, "--replay", file.to_str().expect("a plain path")]);
        assert_eq!(replayed.status.code(), Some(2), "{name}: {}", out(&replayed));
        assert!(String::from_utf8_lossy(&replayed.stderr).contains("not a valid input"), "{name}");
    }
}

/// First inputs of cargo-fuzz, `tests/data/corpus/TARGET`: each still means something, and nothing is wrong with it.
#[test]
fn the_stored_corpus_is_sound() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus");
    let scratch = folder("corpus");
    for target in TARGETS {
        let files = entries(&corpus.join(target.name));
        assert!(files.len() >= 10, "{}: {} files", target.name, files.len());
        let mut meanings = BTreeSet::new();
        for file in files {
            let case = target.case_of_bytes(&fs::read(&file).expect("readable"));
            meanings.insert(case.bytes.clone());
            let bench = Bench { scratch: &scratch, heap: Some(&HEAP), mutant: None };
            assert_eq!(try_case(target, &case, bench), None, "{}", file.display());
        }
        assert!(meanings.len() >= 8, "{}: most mean the same", target.name);
    }
}

/// What another fuzzer's bytes mean is tried too: any bytes.
#[test]
fn bytes_of_another_fuzzer_are_inputs() {
    let scratch = folder("bytes");
    for target in TARGETS {
        let output = fuzz(&scratch, &[target.name, "--runs", "3", "--corpus", "corpus"]);
        assert_eq!(out(&output), format!("fuzz {}: 3 inputs in corpus\n", target.name));
        let first = fs::read(scratch.join("corpus/0-0")).expect("just written");
        assert_eq!(first, target.bytes(0, 0));
        let of_first = target.case_of_bytes(&first);
        assert!(of_first.bytes == target.case(0, 0).bytes || ["time", "clip", "graph", "pose"].contains(&target.name));
        for number in 0..100 {
            let mut stream = Rng::new(2).stream("bytes", number);
            let count = stream.below(300) as usize;
            let bytes: Vec<u8> = (0..count).map(|_| stream.next_u32() as u8).collect();
            let bench = Bench { scratch: &scratch, heap: None, mutant: None };
            assert_eq!(try_case(target, &target.case_of_bytes(&bytes), bench), None, "{} {number}", target.name);
        }
    }
}
