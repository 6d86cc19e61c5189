//! Player: `fuzz time --player` and `fuzz pose --player` with a program that is right, with its mistakes, and with
//! programs that do not play.
//!
//! The programs are this one: with `--play MISTAKE` it is examples/time_player.rs, with `--bad KIND` one that does
//! something else than answer.

#[path = "../../examples/pose_player.rs"]
mod pose_player;
#[path = "../../examples/time_player.rs"]
mod time_player;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::Duration;

use libtest_mimic::{Arguments, Trial};
use serde_json::Value;
use stillframe_anim::time::Event;
use stillframe_base::tick::Tick;
use stillframe_lab::fuzz::time::drawn;
use stillframe_lab::posing;
use stillframe_lab::script::{self, Row, line, talk};
use stillframe_oracle::pose::{Limits, judge};
use stillframe_oracle::{Clock, Player as _, Profile, Real};

/// The planted mistakes of the example.
const MISTAKES: [&str; 5] = ["one-wrap", "seam", "reversed", "drift", "pause"];
/// Inputs within which each is found, of several seeds.
const FOUND_WITHIN: &str = "100";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().collect();
    match words.get(1).map(String::as_str) {
        Some("--play") => {
            time_player::main();
            return ExitCode::SUCCESS;
        }
        Some("--pose") => {
            pose_player::main();
            return ExitCode::SUCCESS;
        }
        Some("--bad") => {
            bad(&words[2..]);
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let tests: [(&str, fn()); 17] = [
        ("the_page_shows_lines_and_profiles_that_work", the_page_shows_lines_and_profiles_that_work),
        ("lines_carry_all_that_a_controller_does", lines_carry_all_that_a_controller_does),
        ("a_right_controller_has_no_findings", a_right_controller_has_no_findings),
        ("planted_mistakes_are_found_and_shrunk", planted_mistakes_are_found_and_shrunk),
        ("seeds_find_mistakes_soon", seeds_find_mistakes_soon),
        ("a_hung_program_is_reported_and_ended", a_hung_program_is_reported_and_ended),
        ("a_dead_program_is_started_again", a_dead_program_is_started_again),
        ("what_is_no_answer_is_told", what_is_no_answer_is_told),
        ("what_a_program_keeps_is_told", what_a_program_keeps_is_told),
        ("a_command_that_cannot_start_is_an_error", a_command_that_cannot_start_is_an_error),
        ("findings_as_json", findings_as_json),
        ("a_corpus_of_scripts_is_written_and_read", a_corpus_of_scripts_is_written_and_read),
        ("mistakes_of_profiles_are_told_with_their_places", mistakes_of_profiles_are_told_with_their_places),
        ("recorded_runs_are_compared", recorded_runs_are_compared),
        ("a_right_blender_has_no_findings", a_right_blender_has_no_findings),
        ("mistakes_of_blending_and_skinning_are_found", mistakes_of_blending_and_skinning_are_found),
        ("the_page_shows_tasks_of_poses_that_work", the_page_shows_tasks_of_poses_that_work),
    ];
    let trials = tests.into_iter().map(|(name, test)| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}

/// An empty folder of its own.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("player").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn stillframe(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stillframe"));
    command.current_dir(folder).stdin(Stdio::null()).env_remove("NO_COLOR");
    command.args(arguments).output().expect("it starts")
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The command line of a player.
fn player(words: &str) -> String {
    let program = std::env::current_exe().expect("its own path");
    format!("'{}' {words}", program.display())
}

fn profile_in_ticks() -> String {
    format!("{}/examples/time_player.toml", env!("CARGO_MANIFEST_DIR"))
}

/// The example's profile, in seconds.
fn profile_in_seconds(folder: &Path) -> String {
    let ticks = fs::read_to_string(profile_in_ticks()).expect("readable");
    let seconds = ticks
        .replace("[draw]", "time = \"seconds\"\n[draw]")
        .replace("length_ticks = [1, 1_000_000]", "length_s = [0.01, 8]");
    assert!(seconds.contains("seconds") && seconds.contains("length_s"), "{ticks}");
    let file = folder.join("seconds.toml");
    fs::write(&file, seconds).expect("written");
    file.display().to_string()
}

/// `fuzz time --player` with a profile in ticks.
fn fuzz(folder: &Path, words: &str, arguments: &[&str]) -> Output {
    let (player, profile) = (player(words), profile_in_ticks());
    let fixed = ["fuzz", "time", "--player", &player, "--profile", &profile];
    stillframe(folder, &[&fixed[..], arguments].concat())
}

/// What follows a mark on its line.
fn after<'a>(text: &'a str, mark: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.split_once(mark));
    line.unwrap_or_else(|| panic!("no `{mark}`: {text}")).1.trim()
}

/// The built-in controller, spoken with by lines: all modes and operations, in ticks and in seconds.
fn lines_carry_all_that_a_controller_does() {
    for profile in [Profile::default(), Profile::seconds()] {
        for number in 0..3000 {
            let script = drawn(&profile, 4, number);
            let names: Vec<String> = (0..script.case.events.len()).map(|index| format!("#{index}")).collect();
            let (mut real, mut heading, mut asked) = (Real::new(&script), String::new(), 0);
            let mut ask = |order: String| -> Result<String, String> {
                let (number, op) = (asked, &script.ops[asked]);
                asked += 1;
                let wanted = Value::Object(line::order(number, op, &names, profile.clock)).to_string();
                assert_eq!(order, wanted);
                let heard = real.play(op);
                let (position, local) = (real.controller.position, real.local());
                let row = Row { number, op, elapsed_ticks: 0, position, local, loops: 0, heard };
                Ok(Value::Object(line::row(&row, &names, profile.clock)).to_string())
            };
            let told = talk(&script, &profile, &mut |line| heading = line, &mut ask);
            assert_eq!(told, Ok(()), "{number}: {script:?}");
            let unit = if profile.clock == Clock::Seconds { "window_s" } else { "window_ticks" };
            assert!(heading.contains("time-player/1") && heading.contains(unit), "{heading}");
        }
    }
}

/// The lines of docs/fuzzing.md have the fields of real ones, and its profile is one.
fn the_page_shows_lines_and_profiles_that_work() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/fuzzing.md")).expect("readable");
    let (_, page) = page.split_once("## A time controller of your own").expect("a section");
    let block = |mark: &str| {
        let (_, rest) = page.split_once(mark).unwrap_or_else(|| panic!("no {mark}"));
        rest.split_once("```").expect("an end").0
    };
    let fields = |line: &str| -> Vec<String> {
        let line: Value = serde_json::from_str(line).expect("JSON");
        line.as_object().expect("an object").keys().cloned().collect()
    };
    let (script, profile) = (drawn(&Profile::default(), 0, 0), Profile::default());
    let (mut heading, mut order) = (String::new(), String::new());
    let _ = talk(&script, &profile, &mut |line| heading = line, &mut |line| {
        order = line;
        Err(())
    });
    let shown = block("```json\n");
    assert_eq!(fields(shown), fields(&heading));
    assert!(fields(&order).contains(&"do".to_string()), "{order}");
    let answer = block("ignored:\n\n```json\n");
    let op = stillframe_oracle::Op::Step(12);
    let mut script = script;
    let names = ["#0".to_string(), "#1".to_string()];
    script.case.events = vec![Event::point(Tick::ZERO); 2];
    let asked = line::Asked { script: &script, names: &names, profile: &profile, index: 0, op: &op };
    let read = line::read_answer(answer, &asked).expect("an answer");
    assert_eq!((read.heard.log.len(), read.local), (4, 2 * stillframe_oracle::SUB));
    let profile = script::read_profile(block("```toml\n"), Path::new("own.toml")).expect("a profile");
    assert_eq!((profile.clock, profile.reports.laps, profile.drawn.repeats), (Clock::Seconds, false, false));
    // And a float clock is right by it, which reports more than is asked for.
    let folder = folder("page");
    fs::write(folder.join("own.toml"), block("```toml\n")).expect("written");
    let player = player("--play none");
    let output = stillframe(&folder, &["fuzz", "time", "--player", &player, "--profile", "own.toml", "--runs", "300"]);
    assert_eq!(out(&output), "fuzz time: 300 inputs, 0 findings\n", "{}", err(&output));
}

fn a_right_controller_has_no_findings() {
    let folder = folder("right");
    for profile in [profile_in_ticks(), profile_in_seconds(&folder)] {
        let player = player("--play none");
        let output =
            stillframe(&folder, &["fuzz", "time", "--player", &player, "--profile", &profile, "--runs", "2000"]);
        assert_eq!(
            (output.status.code(), out(&output).as_str()),
            (Some(0), "fuzz time: 2000 inputs, 0 findings\n"),
            "{profile}: {}",
            err(&output)
        );
    }
}

/// Each is told, shrunk, and found again in the file that was told; without the mistake the file is sound.
fn planted_mistakes_are_found_and_shrunk() {
    let folder = folder("mistakes");
    for profile in [profile_in_ticks(), profile_in_seconds(&folder)] {
        for mistake in MISTAKES {
            let play = |mistake: &str, arguments: &[&str]| {
                let player = player(&format!("--play {mistake}"));
                let fixed = ["fuzz", "time", "--player", &player, "--profile", &profile];
                stillframe(&folder, &[&fixed[..], arguments].concat())
            };
            let output = play(mistake, &["--runs", FOUND_WITHIN, "-o", mistake]);
            let text = out(&output);
            assert_eq!(output.status.code(), Some(1), "{mistake}: {text} {}", err(&output));
            let last = text.lines().last().unwrap_or_default();
            assert!(last.starts_with("fuzz time: ") && last.contains(" inputs, "), "{mistake}: {text}");
            assert!(text.starts_with("law: step ") && text.contains("expected `") && text.contains("got `"), "{text}");
            let file = after(&text, "--replay ");
            let script = fs::read_to_string(folder.join(file)).expect("told above");
            assert!(text.contains(script.lines().last().expect("a line")), "the script is not shown: {text}");
            let steps = script.lines().skip_while(|line| *line != "steps = [").count() - 2;
            println!("{mistake}: {steps} steps\n{text}");
            assert!(steps <= 3, "{mistake}: {steps} steps are left:\n{script}");
            assert_eq!(play(mistake, &["--replay", file]).status.code(), Some(1), "{mistake}");
            let sound = play("none", &["--replay", file]);
            assert_eq!(sound.status.code(), Some(0), "{mistake}: {}{}", out(&sound), err(&sound));
            let own = stillframe(&folder, &["fuzz", "time", "--replay", file]);
            assert_eq!(own.status.code(), Some(0), "{mistake}: {}{}", out(&own), err(&own));
        }
    }
}

/// The first input that shows each mistake, of several seeds.
fn seeds_find_mistakes_soon() {
    let folder = folder("seeds");
    for mistake in MISTAKES {
        let mut numbers: Vec<u64> = (0..5)
            .map(|seed: u64| {
                let arguments = ["--runs", FOUND_WITHIN, "--seed", &seed.to_string()];
                let text = out(&fuzz(&folder, &format!("--play {mistake}"), &arguments));
                let number = after(&text, ", input ").split(',').next().unwrap_or_default();
                number.parse().unwrap_or_else(|_| panic!("{mistake}, seed {seed}: {text}"))
            })
            .collect();
        numbers.sort_unstable();
        println!("{mistake:9} inputs {numbers:?}");
        assert!(numbers[2] <= 40, "{mistake}: found at inputs {numbers:?}");
    }
}

/// Programs that do not play: what they are told goes by `kind`.
fn bad(words: &[String]) {
    let (kind, file) = (words[0].as_str(), words.get(1));
    if let Some(file) = file {
        let mut pids = fs::OpenOptions::new().append(true).create(true).open(file).expect("a file");
        writeln!(pids, "{}", std::process::id()).expect("written");
    }
    let mut scripts = 0;
    for line in std::io::stdin().lines() {
        let line: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        if line["do"] == "script" {
            scripts += 1;
            continue;
        }
        match kind {
            "hang" => std::thread::sleep(Duration::from_secs(1000)),
            "mute" => {}
            "die" => {
                eprintln!("it is dead, Jim");
                std::process::exit(7);
            }
            "words" => println!("hello"),
            "number" => println!("{{\"step\":{},\"local_ticks\":\"x\"}}", line["step"]),
            "no-local" => println!("{{\"step\":{}}}", line["step"]),
            "late" => println!("{{\"step\":99,\"local_ticks\":0}}"),
            "refuses" => println!("{{\"step\":{},\"error\":\"no such step\"}}", line["step"]),
            "long" => {
                let text = "x".repeat(40_000_000);
                println!("{text}");
            }
            "flood" => loop {
                println!("{{\"step\":{},\"local_ticks\":0,\"position_ticks\":0}}", line["step"]);
            },
            // It is right about nothing, but of the first script.
            "keeps" if scripts == 3 => println!("hello"),
            "keeps" => {
                let place = if line["do"] == "seek" { &line["seek_ticks"] } else { &Value::from(0) };
                println!("{{\"step\":{},\"local_ticks\":{place},\"position_ticks\":{place}}}", line["step"]);
            }
            other => panic!("nothing is called {other}"),
        }
    }
}

fn a_hung_program_is_reported_and_ended() {
    let folder = folder("hang");
    let pids = folder.join("pids");
    for kind in ["hang", "mute"] {
        let words = format!("--bad {kind} '{}'", pids.display());
        let output = fuzz(&folder, &words, &["--runs", "2", "--timeout", "0.3"]);
        let text = out(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.starts_with("hang: step 0: no answer within 0.3 s\n"), "{text}");
        assert!(text.ends_with("fuzz time: 2 inputs, 1 findings\n"), "{text}");
    }
    let pids = fs::read_to_string(&pids).expect("they were started");
    assert!(pids.lines().count() > 3, "{pids}");
    for pid in pids.lines().filter(|_| cfg!(target_os = "linux")) {
        assert!(!Path::new("/proc").join(pid).exists(), "program {pid} still runs");
    }
}

fn a_dead_program_is_started_again() {
    let folder = folder("die");
    let pids = folder.join("pids");
    let output = fuzz(&folder, &format!("--bad die '{}'", pids.display()), &["--runs", "5"]);
    let text = out(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("crash: step 0: the process died (exit status: 7): it is dead, Jim\n"), "{text}");
    assert!(text.contains("input 0, and 4 more"), "{text}");
    assert!(fs::read_to_string(&pids).expect("it was started").lines().count() >= 5);
}

fn what_is_no_answer_is_told() {
    let folder = folder("bad");
    for (kind, words) in [
        ("words", "law: step 0: the answer is not a JSON object: `hello`\n"),
        ("number", "law: step 0: `local_ticks` is not an integer: `\"x\"`\n"),
        ("no-local", "law: step 0: the answer has no `local_ticks`\n"),
        ("late", "law: step 0: the answer is to step `99`, not `0`\n"),
        ("refuses", "law: step 0: the answer is an error: `\"no such step\"`\n"),
        ("long", "law: step 0: the answer is not a JSON object: `xxx"),
        ("flood", "law: step "),
    ] {
        let output = fuzz(&folder, &format!("--bad {kind}"), &["--runs", "3"]);
        let text = out(&output);
        assert_eq!(output.status.code(), Some(1), "{kind}: {text}{}", err(&output));
        assert!(text.starts_with(words), "{kind}: {text}");
    }
}

/// A finding that the script alone does not show is not shrunk to nothing.
fn what_a_program_keeps_is_told() {
    let folder = folder("keeps");
    let profile = folder.join("seeks.toml");
    fs::write(&profile, "[draw]\nmodes = [\"clamp\"]\noperations = [\"seek\"]\nstart = \"silent\"\noutside = false\nwindows = false\nreverse = false\n[compare]\nreports = []\n").expect("written");
    let player = player("--bad keeps");
    let profile = profile.display().to_string();
    let output = stillframe(&folder, &["fuzz", "time", "--player", &player, "--profile", &profile, "--runs", "5"]);
    let text = out(&output);
    assert!(text.contains("not a JSON object: `hello` (only after other inputs"), "{text}{}", err(&output));
    assert!(text.contains("input 2"), "{text}");
}

fn a_command_that_cannot_start_is_an_error() {
    let folder = folder("none");
    for (arguments, words) in [
        (["--player", "no-such-program --x"], "cannot start `no-such-program`"),
        (["--player", "'open"], "close every quote"),
        (["--player", " "], "is not a command"),
        (["--profile", "x.toml"], "`--profile` is of players"),
    ] {
        let output = stillframe(&folder, &[&["fuzz", "time"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    let output = stillframe(&folder, &["fuzz", "graph", "--player", "x"]);
    assert!(output.status.code() == Some(2) && err(&output).contains("has no players"), "{}", err(&output));
}

fn findings_as_json() {
    let folder = folder("json");
    let output = fuzz(&folder, "--play seam", &["--runs", "100", "--json"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&document["schema"], &document["target"]), (&"fuzz/1".into(), &"time".into()));
    let finding = &document["findings"][0];
    assert_eq!((&finding["kind"], &finding["seed"]), (&"law".into(), &0.into()));
    assert!(finding["script"].as_str().is_some_and(|script| script.contains("[clip]")), "{finding}");
    assert!(document["player"].as_str().is_some_and(|player| player.contains("--play seam")));
}

fn a_corpus_of_scripts_is_written_and_read() {
    let folder = folder("corpus");
    let profile = profile_in_ticks();
    let write = ["fuzz", "time", "--runs", "30", "--corpus", "scripts", "--as-files", "--profile", &profile];
    let output = stillframe(&folder, &write);
    assert_eq!(out(&output), "fuzz time: 30 inputs in scripts\n", "{}", err(&output));
    let script = fs::read_to_string(folder.join("scripts/0-7/script.toml")).expect("written");
    assert!(script.contains("mode = \"loop\""), "{script}");
    assert_eq!(stillframe(&folder, &["anim", "run", "scripts/0-7/script.toml"]).status.code(), Some(0));
    let output = fuzz(&folder, "--play none", &["--replay", "scripts"]);
    assert_eq!(out(&output), "fuzz time: 30 inputs, 0 findings\n", "{}", err(&output));
    let output = fuzz(&folder, "--play drift", &["--replay", "scripts"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(out(&output).contains("\n  scripts/0-"), "the file is not told: {}", out(&output));
    let output = stillframe(&folder, &["fuzz", "time", "--replay", "scripts"]);
    assert_eq!(out(&output), "fuzz time: 30 inputs, 0 findings\n", "{}", err(&output));
    // Other targets' inputs, with what lies beside them.
    for target in ["scene", "graph", "clip", "import"] {
        let output = stillframe(&folder, &["fuzz", target, "--runs", "10", "--corpus", target, "--as-files"]);
        assert_eq!(out(&output), format!("fuzz {target}: 10 inputs in {target}\n"), "{}", err(&output));
        assert_eq!(fs::read_dir(folder.join(target)).expect("written").count(), 10);
    }
    let output = stillframe(&folder, &["fuzz", "scene", "--replay", "scene"]);
    assert_eq!(out(&output), "fuzz scene: 10 inputs, 0 findings\n", "{}", err(&output));
    fs::create_dir(folder.join("empty")).expect("a folder");
    let output = stillframe(&folder, &["fuzz", "time", "--replay", "empty"]);
    assert!(output.status.code() == Some(2) && err(&output).contains("no input in it"), "{}", err(&output));
}

fn mistakes_of_profiles_are_told_with_their_places() {
    let folder = folder("profiles");
    for (text, code, place, words) in [
        ("time = \"tick\"\n", "E0115", ":1:", "did you mean `ticks`?"),
        ("[draw]\nmode = ['loop']\n", "E0110", ":2:", "did you mean `modes`?"),
        ("[draw]\nmodes = ['loop', 'pingpong']\n", "E0115", ":2:", "ping-pong"),
        ("[draw]\nmodes = []\n", "", ":2:", "nothing to draw from"),
        ("[draw]\noperations = [1]\n", "E0111", ":2:", "expected a text"),
        ("[draw]\noperations = [\"speed\"]\nspeeds = \"one\"\n", "E0112", ":1:", "nothing is left to be done"),
        ("[draw]\nlength_s = [2, 1]\n", "E0112", ":1:", "no length lies between"),
        ("[draw]\nlength_s = 2\n", "", ":2:", "the shortest and the longest"),
        ("[draw]\nlength_s = [0, 1]\nlength_ticks = [0, 1]\n", "E0119", ":2:", "remove one"),
        ("[draw]\nspans = 1\n", "E0111", ":2:", "true or false"),
        ("[compare]\ntolerance_ticks = -1\n", "E0112", ":2:", "0 to 1 second"),
        ("[compare]\nreports = ['lap']\n", "E0115", ":2:", "did you mean `laps`?"),
        ("[compare\n", "E0101", ":1:", ""),
        ("[compared]\n", "E0110", ":1:", "did you mean `compare`?"),
    ] {
        fs::write(folder.join("own.toml"), text).expect("written");
        let output = stillframe(&folder, &["fuzz", "time", "--player", "x", "--profile", "own.toml"]);
        let told = err(&output);
        assert_eq!(output.status.code(), Some(2), "{text}: {told}");
        let place = format!("own.toml{place}");
        assert!(told.contains(code) && told.contains(words) && told.contains(&place), "{text}: {told}");
    }
}

/// A script that two programs play, by the docs.
const SCRIPT: &str = "[clip]\nlength_ticks = 10\nevents = [{ at_ticks = 0 }, { name = \"end\", at_ticks = 10 }]\n\
    [playback]\nmode = \"loop\"\narmed = false\n[run]\nsteps = [{ step_ticks = 25 }, \"pause\", { step_ticks = 4 }]\n";

fn recorded_runs_are_compared() {
    let folder = folder("recorded");
    fs::write(folder.join("script.toml"), SCRIPT).expect("written");
    let own = out(&stillframe(&folder, &["anim", "run", "script.toml", "--json"]));
    let lines: Vec<&str> = own.lines().collect();
    assert_eq!(lines.len(), 4, "{own}");
    let against = |recorded: String, more: &[&str]| {
        fs::write(folder.join("recorded.jsonl"), recorded).expect("written");
        let fixed = ["anim", "run", "script.toml", "--against", "recorded.jsonl"];
        let output = stillframe(&folder, &[&fixed[..], more].concat());
        (output.status.code(), err(&output))
    };
    assert_eq!(against(own.clone(), &[]), (Some(0), String::new()));
    // Without the head, which other programs need not write.
    assert_eq!(against(lines[1..].join("\n"), &[]), (Some(0), String::new()));
    let (status, told) = against(own.replacen("\"signal\":\"lap\"", "\"signal\":\"finish\"", 1), &[]);
    assert_eq!(status, Some(1));
    assert!(told.contains("step 0 differs from recorded.jsonl: other events in `step of 25 ticks`"), "{told}");
    assert!(told.contains("lap at tick 10") && told.contains("finish at tick 10"), "{told}");
    let (status, told) = against(lines[..3].join("\n"), &[]);
    assert!(status == Some(1) && told.contains("step 2 differs from recorded.jsonl: the recording ends"), "{told}");
    let (status, told) = against(format!("{own}{}\n", lines[3]), &[]);
    assert!(status == Some(1) && told.contains("recorded.jsonl has 1 more rows"), "{told}");
    for (bad, words) in [("hello", "expected a JSON object"), ("{\"step\":0}", "has no `local_ticks`")] {
        let (status, told) = against(format!("{}\n{bad}\n", lines[0]), &[]);
        assert_eq!(status, Some(2), "{told}");
        assert!(told.contains("E0805") && told.contains("recorded.jsonl:2:") && told.contains(words), "{told}");
    }
    // A program that does not tell laps, by a profile that says so.
    fs::write(folder.join("own.toml"), "[compare]\nreports = [\"places\"]\n").expect("written");
    let rows = [
        r##"{"step":0,"local_ticks":5,"events":[{"signal":"point","event":"end","at_ticks":10},{"signal":"point","event":"#0","at_ticks":10},{"signal":"point","event":"end","at_ticks":20},{"signal":"point","event":"#0","at_ticks":20}]}"##,
        r#"{"step":1,"local_ticks":5}"#,
        r#"{"step":2,"local_ticks":5.0}"#,
    ]
    .join("\n");
    assert_eq!(against(rows.clone(), &["--profile", "own.toml"]), (Some(0), String::new()));
    assert_eq!(against(rows, &[]).0, Some(2));
}

fn a_right_blender_has_no_findings() {
    let folder = folder("right_poses");
    let player = player("--pose none");
    let output = stillframe(&folder, &["fuzz", "pose", "--player", &player, "--runs", "2000"]);
    assert_eq!(out(&output), "fuzz pose: 2000 inputs, 0 findings\n", "{}", err(&output));
    // It is an nlerp, and as exact as f32.
    fs::write(folder.join("slerp.toml"), "[draw]\nrotations = \"slerp\"\n").expect("written");
    fs::write(folder.join("exact.toml"), "[compare]\ntolerance = 0\n").expect("written");
    for profile in ["slerp.toml", "exact.toml"] {
        let output = stillframe(&folder, &["fuzz", "pose", "--player", &player, "--profile", profile]);
        assert_eq!(output.status.code(), Some(1), "{profile}: {}", out(&output));
    }
}

fn mistakes_of_blending_and_skinning_are_found() {
    let folder = folder("wrong_poses");
    for (mistake, words) in [
        ("signs", "rotation"),
        ("sum", "translation"),
        ("parents", "matrix"),
        ("delta", "rotation"),
        ("influences", "position"),
    ] {
        let player = player(&format!("--pose {mistake}"));
        let output = stillframe(&folder, &["fuzz", "pose", "--player", &player, "--runs", FOUND_WITHIN]);
        let text = out(&output);
        assert_eq!(output.status.code(), Some(1), "{mistake}: {text}");
        assert!(text.contains(words), "{mistake}: {text}");
        let file = after(&text, " bytes: ");
        let small = fs::read_to_string(folder.join(file)).expect("saved");
        assert!(small.len() < 1000, "{mistake}: {small}");
        let again = stillframe(&folder, &["fuzz", "pose", "--player", &player, "--replay", file]);
        assert_eq!(again.status.code(), Some(1), "{mistake}: {}", out(&again));
        // The jobs of stillframe are right there.
        let own = stillframe(&folder, &["fuzz", "pose", "--replay", file]);
        assert_eq!(own.status.code(), Some(0), "{mistake}: {}", out(&own));
    }
}

/// The tasks and the answer of docs/fuzzing.md are read, the profile is one.
fn the_page_shows_tasks_of_poses_that_work() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/fuzzing.md")).expect("readable");
    let (_, page) = page.split_once("## Blending and skinning of your own").expect("a section");
    let mut blocks = page.split("```json\n").skip(1).map(|rest| rest.split_once("```").expect("an end").0);
    let task = posing::read(blocks.next().expect("a task")).expect("a task");
    let answer = posing::read_answer(blocks.next().expect("an answer"), 12).expect("an answer");
    let limits = Limits::default();
    assert_eq!(judge(&task, &limits, &answer), Ok(()));
    let (_, profile) = page.split_once("```toml\n").expect("a profile");
    let profile = profile.split_once("```").expect("an end").0;
    assert!(posing::read_limits(profile, Path::new("own.toml")).is_ok_and(|limits| limits.kinds.len() == 2));
    let folder = folder("pose_page");
    for (text, words) in [("[draw]\nscales = \"any\"\n", "uneven"), ("[draw]\nkinds = []\n", "operations")] {
        fs::write(folder.join("bad.toml"), text).expect("written");
        let output = stillframe(&folder, &["fuzz", "pose", "--player", "x", "--profile", "bad.toml"]);
        assert!(output.status.code() == Some(2) && err(&output).contains(words), "{text}: {}", err(&output));
    }
}
