//! `anim dump`: what clips do to models, as they are stored and where they cannot be dumped. `anim run`: scripts of
//! time control.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stillframe_testkit::npy::{Npy, read};

use super::{err, folder, out, run, status, well};

pub fn asset(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets").join(name).display().to_string()
}

/// What `anim dump` writes, and what it says with `--json`.
pub fn dump(here: &Path, model: &str, clip: &str, what: &str, frames: &str) -> (Npy, Value) {
    let file = format!("{what}.npy");
    let arguments = ["anim", "dump", model, "--clip", clip, "--what", what, "--frames", frames, "-o", &file, "--json"];
    let output = run(here, &arguments);
    well(&output);
    (read(&here.join(&file)), serde_json::from_str(&out(&output)).unwrap())
}

#[test]
fn without_a_clip_a_model_is_as_it_is_stored() {
    let here = folder("anim_dump_rest");
    let (found, _) = dump(&here, &asset("teapot.glb"), "none", "positions", "0,7");
    assert_eq!(found.shape[0], 2);
    let (first, second) = found.values.split_at(found.values.len() / 2);
    assert_eq!(first, second);
    let listed = run(&here, &["anim", "dump", &asset("mannequin.glb"), "--what", "morphs", "-o", "morphs.npy"]);
    well(&listed);
    assert_eq!(out(&listed).lines().next(), Some("morphs.npy  1 x 5"), "{}", out(&listed));
    assert_eq!(out(&listed).lines().nth(3), Some("   2 smile"));
    let bytes = run(&here, &["anim", "dump", &asset("mannequin.glb"), "--what", "morphs", "-o", "-"]);
    well(&bytes);
    assert_eq!(bytes.stdout, fs::read(here.join("morphs.npy")).unwrap());
}

#[test]
fn what_cannot_be_dumped_is_told() {
    let here: PathBuf = folder("anim_dump_bad");
    fs::write(here.join("scene.toml"), super::SCENE).unwrap();
    let glb = asset("mannequin.glb");
    for (arguments, code, words) in [
        (vec![glb.as_str(), "--clip", "wakl", "-o", "a.npy"], 2, "did you mean \"walk\"?"),
        (vec![glb.as_str(), "--clip", "#9", "-o", "a.npy"], 2, "#9"),
        (vec!["scene.toml", "-o", "a.npy"], 2, "name a model"),
        (vec!["none.glb", "-o", "a.npy"], 2, "none.glb"),
        (vec![glb.as_str(), "--frames", "3..1", "-o", "a.npy"], 2, "is before the first"),
        (vec![glb.as_str(), "-o", "no/folder/a.npy"], 8, "no/folder/a.npy"),
    ] {
        let output = run(&here, &[&["anim", "dump", "--what", "joints"], arguments.as_slice()].concat());
        assert_eq!(status(&output), code, "{arguments:?}: {}", err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    assert!(!here.join("a.npy").exists());
}

const WALK: &str = r#"
[clip]
length_s = 1.0
events = [
  { name = "left foot", at_percent = 25 },
  { name = "swing", from_s = 0.5, to_s = 0.75 },
]
[playback]
mode = "loop"
[run]
steps = [
  { step_frames = 3, times = 2 },
  { step_s = 2, until = "swing" },
  { seek_percent = 150 },
  { speed = "-1/2" },
  { step_s = 0.5 },
  { leap_s = 7200 },
  "pause",
  { step_s = 1 },
  "play",
]
"#;

/// Lines of JSON that `anim run` says.
fn rows(here: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = run(here, &[&["anim", "run", "script.toml", "--json"], arguments].concat());
    well(&output);
    out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn scripts_are_played_row_by_row() {
    let here = folder("anim_run");
    fs::write(here.join("script.toml"), WALK).unwrap();
    let rows = rows(&here, &[]);
    assert_eq!(rows, self::rows(&here, &["--against-oracle"]));
    let head = &rows[0];
    assert_eq!((&head["schema"], &head["events"]), (&"anim-run/1".into(), &json!(["left foot", "swing"])));
    assert_eq!(head["ticks_per_second"], 705_600_000);
    let second = 705_600_000_i64;
    let told: Vec<Value> = rows[1..]
        .iter()
        .map(|row| {
            let signals = row["events"].as_array().unwrap().iter();
            let signals: Vec<String> = signals
                .map(|event| format!("{} {}", event["signal"].as_str().unwrap(), event["event"].as_str().unwrap_or("")))
                .collect();
            json!([row["do"], row["tick"], row["local_ticks"], row["loops"], signals])
        })
        .collect();
    let nothing: [&str; 0] = [];
    let cut = second / 2;
    let end = cut + second / 2 + 7200 * second;
    assert_eq!(
        told,
        [
            json!(["step", second / 10, second / 10, 0, nothing]),
            json!(["step", second / 5, second / 5, 0, nothing]),
            json!(["step", cut, second / 2, 0, ["point left foot", "enter swing"]]),
            json!(["seek", cut, second / 2, 1, nothing]),
            json!(["speed", cut, second / 2, 1, nothing]),
            json!(["step", cut + second / 2, second / 4, 1, ["leave swing", "point left foot"]]),
            json!(["leap", end, second / 4, -3599, nothing]),
            json!(["pause", end, second / 4, -3599, nothing]),
            json!(["step", end + second, second / 4, -3599, nothing]),
            json!(["play", end + second, 0, 0, nothing]),
        ]
    );
    assert_eq!(rows[3]["unspent_ticks"], 2 * second - (cut - second / 5));
    assert_eq!(rows[7]["counts"], json!({ "left foot": 3600 }));
    // For people: a line of headings, then as many rows.
    let output = run(&here, &["anim", "run", "script.toml"]);
    well(&output);
    let text = out(&output);
    assert_eq!(text.lines().count(), 11, "{text}");
    assert!(text.lines().nth(3).unwrap().ends_with("left foot, enter swing; 1199520000 ticks left"), "{text}");
}

/// The examples of the help and of the page play on for all of their frames, and fire events in them: backward from 0
/// they would finish in their first step.
#[test]
fn the_example_scripts_fire_events() {
    let here = folder("anim_run_examples");
    let page = |name: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)).unwrap();
    let (fuzzing, cli) = (page("fuzzing.md"), page("cli.md"));
    let (_, own) = fuzzing.split_once("## Scripts of time control").unwrap();
    let own = own.split_once("```toml\n").unwrap().1.split_once("```").unwrap().0;
    let help = cli.split_once("A script:\n").unwrap().1.split_once("Times end in").unwrap().0;
    for script in [own, help] {
        fs::write(here.join("script.toml"), script).unwrap();
        let rows = rows(&here, &["--against-oracle"]);
        let frames = &rows[1..31];
        assert!(frames.iter().all(|row| row["do"] == "step" && row["finished"] == false), "{frames:?}");
        let count = frames.iter().map(|row| row["events"].as_array().unwrap().len()).sum::<usize>();
        assert!(count >= 2, "{count} events in {frames:?}");
        assert_ne!(frames[0]["local_ticks"], frames[29]["local_ticks"]);
    }
}

#[test]
fn numbers_of_scripts_are_exact() {
    let here = folder("anim_run_exact");
    let script = "fps = \"30000/1001\"\n[clip]\nlength_frames = 30\nevents = [{ at_frames = 1 }]\n\
                  [playback]\nmode = \"ping-pong\"\nrepeat = 2\nspeed = 0.1\nwindow_ticks = [0, 700000000]\nphase_ticks = \"1/3\"\n\
                  [run]\nsteps = [{ step_ticks = 1 }, { leap_s = 1e3 }, { step_s = 0.1 }]\n";
    fs::write(here.join("script.toml"), script).unwrap();
    let rows = rows(&here, &["--against-oracle"]);
    // A third of 65536 to the nearest, and a tenth.
    assert_eq!((&rows[1]["position_ticks"], &rows[1]["position_sub"]), (&json!(0), &json!(21_845 + 6554)));
    assert_eq!((&rows[2]["position_ticks"], &rows[2]["finished"]), (&json!(1_400_000_000), &json!(true)));
    assert_eq!(rows[2]["counts"], json!({ "#0": 2 }));
    assert_eq!(rows[3]["tick"], 1 + 705_600_000_000_i64 + 70_560_000);
}

#[test]
fn mistakes_of_scripts_are_told_with_their_places() {
    let here = folder("anim_run_bad");
    for (script, code, words) in [
        ("[clip]\nlength_s = 1\n[playback]\nmode = \"loob\"\n", "E0115", "did you mean `loop`?"),
        ("[clip]\nlenght_s = 1\n", "E0110", "did you mean `length_s`?"),
        ("[clip]\nlength_s = 1\nlength_ticks = 1\n", "E0119", "remove one"),
        ("[clip]\nlength_s = nan\n", "E0113", "finite"),
        ("[clip]\nlength_s = -1\n", "E0112", "0 to 414 years"),
        ("[clip]\nlength_s = \"1/0\"\n", "E0111", "1/3"),
        ("[run]\n", "E0117", "[clip]"),
        ("[clip\n", "E0101", ""),
        ("[clip]\nlength_s = 1\nevents = [{ at_s = 2 }]\n", "E0802", "outside its clip"),
        ("[clip]\nlength_s = 1\nevents = [{ from_s = 0.5, to_s = 0.2 }]\n", "E0802", "before it starts"),
        ("[clip]\nlength_s = 1\nevents = [{ name = 'a', at_s = 0 }, { name = 'a', at_s = 1 }]\n", "E0206", "already"),
        (
            "[clip]\nlength_s = 1\nevents = [{ name = 'left', at_s = 0 }]\n[run]\nsteps = [{ step_s = 1, until = 'lfet' }]\n",
            "E0801",
            "did you mean `left`?",
        ),
        ("[clip]\nlength_s = 1\n[run]\nsteps = [{ step_s = -1 }]\n", "E0112", "`speed` to play backward"),
        ("[clip]\nlength_s = 1\n[run]\nsteps = ['paus']\n", "E0115", "did you mean `pause`?"),
        ("[clip]\nlength_s = 1\n[run]\nsteps = [{ step_s = 1, times = 0 }]\n", "E0112", "1..100000"),
        ("[clip]\nlength_s = 1\n[run]\nsteps = [{ seek_s = 1, until = 'a' }]\n", "E0212", "only steps"),
        ("[clip]\nlength_s = 1\n[playback]\nrepeat = 2\n", "E0212", "ping-pong"),
        ("[clip]\nlength_s = 1\n[playback]\nwindow_s = [1, 0]\n", "E0210", "before it starts"),
        (
            "[clip]\nlength_ticks = 1\n[playback]\nmode = 'loop'\n[run]\nsteps = [{ step_s = 1 }]\n",
            "E0804",
            "leap_ticks",
        ),
        (
            "[clip]\nlength_ticks = 0\n[playback]\nmode = 'loop'\nspeed = 100000000000000\n[run]\nsteps = [{ step_ticks = 9223372036854775807 }]\n",
            "E0803",
            "leaves its range",
        ),
    ] {
        fs::write(here.join("script.toml"), script).unwrap();
        for arguments in [vec!["anim", "run", "script.toml"], vec!["anim", "run", "script.toml", "--against-oracle"]] {
            let output = run(&here, &arguments);
            assert_eq!(status(&output), 2, "{script}: {}", err(&output));
            assert!(err(&output).contains(code) && err(&output).contains(words), "{script}: {}", err(&output));
            assert!(err(&output).contains("script.toml"), "{script}: {}", err(&output));
        }
    }
    let output = run(&here, &["anim", "run", "none.toml"]);
    assert_eq!(status(&output), 2, "{}", err(&output));
}

/// Before the start a position is less than 0, in whole seconds as in parts of one.
#[test]
fn anim_run_negative() {
    let here = folder("anim-run-negative");
    let script = |step_s: &str| {
        format!(
            "[clip]\nlength_s = 1.0\n[playback]\nmode = \"loop\"\nspeed = -1\n[run]\nsteps = [ {{ step_s = {step_s}, times = 3 }} ]\n"
        )
    };
    for (step_s, want) in [
        ("0.4", ["-0.400000 s", "-0.800000 s", "-1.200000 s"]),
        ("1", ["-1.000000 s", "-2.000000 s", "-3.000000 s"]),
        // Rounded down.
        ("0.33333333", ["-0.333334 s", "-0.666667 s", "-1.000000 s"]),
    ] {
        fs::write(here.join("script.toml"), script(step_s)).unwrap();
        let output = run(&here, &["anim", "run", "script.toml"]);
        well(&output);
        let positions: Vec<String> = out(&output).lines().skip(1).map(|line| line[15..35].trim().to_string()).collect();
        assert_eq!(positions, want, "{}", out(&output));
    }
}
