//! Why a case changed, what accepting and rejecting do to references, and how new and renamed cases are told.

use std::fs;

use stillframe_frames::run::{Run, Status};

use super::ground::Ground;

const RED: &str = "#b03020";
const GREEN: &str = "#30b020";
const CHANGED: &str = "material.paint.base_color \"#b03020\" -> \"#30b020\"";

/// A project whose references are those of red balls.
fn settled(name: &str, cases: &[&str]) -> Ground {
    let ground = Ground::new(name);
    cases.iter().for_each(|case| ground.stage(case, RED, ""));
    ground.settle();
    ground
}

fn lock(ground: &Ground) -> String {
    ground.read("references/a/frames.lock")
}

#[test]
fn a_changed_value_is_told_by_its_path_without_version_control() {
    let ground = settled("inputs-value", &["a/ball"]);
    let inputs = ground.read("references/a/ball.inputs");
    assert!(inputs.contains("value material.paint.base_color\t\"#b03020\"\n"), "{inputs}");
    assert!(inputs.len() < 1500, "{} bytes", inputs.len());
    ground.stage("a/ball", GREEN, "");
    let want = format!("inputs  scenes/a/ball.toml: {CHANGED}\n");
    let ran = ground.run(&["test", "--report", "junit=j.xml", "--report", "html=r.html"]).code(1).says(&want);
    assert!(!ran.out.contains("causes"), "{}", ran.out);
    assert!(ground.read("j.xml").contains("inputs  scenes/a/ball.toml: material.paint.base_color"));
    assert!(
        ground
            .read("r.html")
            .contains(r##""inputs_words":["scenes/a/ball.toml: material.paint.base_color \"#b03020\""##)
    );
    let json = ground.run(&["--json", "test"]).code(1).out;
    assert!(
        json.contains(r##""path":"material.paint.base_color""##) && json.contains(r##""new":"\"#30b020\"""##),
        "{json}"
    );
    let changes = ground.record("a/ball").inputs.unwrap();
    assert_eq!((changes.known, changes.count, changes.changes[0].file.as_str()), (true, 1, "scenes/a/ball.toml"));
}

#[test]
fn added_and_removed_tables_are_a_line_each_and_many_are_a_few() {
    let ground = settled("inputs-tables", &["a/ball"]);
    let node = "[[node]]\nname = \"third\"\nshape = \"box\"\nsize_m = [0.5, 0.5, 0.5]\nposition = [0.0, 1.0, 0.0]\n";
    ground.stage("a/ball", RED, node);
    ground.run(&["test"]).code(1).says("inputs  scenes/a/ball.toml: node.third added\n");
    ground.run(&["accept", "--all"]).code(0);
    ground.stage("a/ball", RED, "");
    ground.run(&["test"]).code(1).says("inputs  scenes/a/ball.toml: node.third removed\n");
    let many: String =
        (0..9).map(|n| node.replace("third", &format!("box{n}")).replace("[0.5, 0.5", "[0.7, 0.5")).collect();
    ground.stage("a/ball", RED, &many);
    ground.run(&["test"]).code(1).says("box3 added\n").says("and 6 more\n");
}

#[test]
fn values_of_included_files_and_parameters_are_told_where_they_stand() {
    let ground = Ground::new("inputs-include");
    let part = |radius: &str| {
        format!("[param]\nsize = {radius}\n[[node]]\nname = \"big\"\nshape = \"sphere\"\nradius_m = \"$size\"\n")
    };
    ground.write("scenes/assets/part.toml", part("0.5"));
    ground.stage("a/ball", RED, "");
    let scene = format!("include = [\"../assets/part.toml\"]\n{}", ground.read("scenes/a/ball.toml"));
    ground.write("scenes/a/ball.toml", scene);
    ground.settle();
    ground.write("scenes/assets/part.toml", part("0.75"));
    let ran = ground.run(&["test"]).code(1).says("inputs  scenes/assets/part.toml: param.size 0.5 -> 0.75\n");
    assert!(!ran.out.contains("radius_m"), "the cause, and not what follows from it: {}", ran.out);
}

#[test]
fn a_changed_model_is_told_by_name_and_hash() {
    let ground = Ground::new("inputs-model");
    let triangle = |x: &str| format!("v 0 0 0\nv {x} 0 0\nv 0 1 0\nf 1 2 3\n");
    ground.write("scenes/assets/wing.obj", triangle("1"));
    ground.stage(
        "a/wing",
        RED,
        "[model.wing]\nfile = \"../assets/wing.obj\"\n[[node]]\nname = \"wing\"\nmodel = \"wing\"\n",
    );
    ground.settle();
    ground.write("scenes/assets/wing.obj", triangle("2"));
    let out = ground.run(&["test"]).code(1).says("inputs  scenes/assets/wing.obj b3:").out;
    let line = out.lines().find(|line| line.contains("wing.obj b3:")).unwrap();
    assert!(line.len() < 80 && line.contains(" -> b3:"), "{line}");
}

#[test]
fn a_picture_that_changed_with_the_same_inputs_is_the_renderers() {
    let ground = settled("inputs-same", &["a/ball", "a/other"]);
    let ran = ground.run(&["test", "--fault", "scene-fov"]).code(1);
    let ran = ran.says("inputs  the same: the renderer (or its build) changed\n").says("same as 1 other");
    assert!(ran.out.contains("stillframe accept --cluster c1"), "{}", ran.out);
    // What does not go into a picture is none of its inputs.
    ground.stage("a/ball", RED, "[test]\nwhy = \"Another why.\"\n");
    ground.run(&["test", "--fault", "scene-fov", "a/ball"]).code(1).says("inputs  the same");
}

/// Lock lines of earlier versions name no inputs. Their pictures stay what they are.
#[test]
fn references_without_a_list_of_inputs_say_so_and_get_one() {
    let ground = settled("inputs-old", &["a/ball"]);
    let with = lock(&ground);
    let at = with.find(" inputs=").unwrap();
    let without = format!("{}\n", &with[..at]);
    ground.write("references/a/frames.lock", &without);
    fs::remove_file(ground.path("references/a/ball.inputs")).unwrap();
    ground.run(&["store", "verify"]).code(0);
    ground.run(&["test", "--no-cache"]).code(0);
    assert_eq!(lock(&ground), without, "a run writes no reference");
    ground.stage("a/ball", GREEN, "");
    ground.run(&["test"]).code(1).says("inputs  not known: the reference has no list of its inputs");
    ground.stage("a/ball", RED, "");
    ground.run(&["test", "--no-cache"]).code(0);
    ground.run(&["accept", "--passes", "a/ball"]).code(0);
    assert_eq!(lock(&ground), with);
    ground.stage("a/ball", GREEN, "");
    ground.run(&["test"]).code(1).says(CHANGED);
}

#[test]
fn lists_of_inputs_are_looked_after_with_the_pictures() {
    let ground = settled("inputs-store", &["a/ball"]);
    let good = ground.read("references/a/ball.inputs");
    ground.write("references/a/ball.inputs", format!("{good}value x\t1\n"));
    ground.run(&["store", "verify"]).code(5).says("ball.inputs").says("list of inputs");
    ground.stage("a/ball", GREEN, "");
    ground.run(&["test"]).code(1).says("inputs  not known");
    ground.write("references/a/ball.inputs", &good);
    ground.write("references/a/nobody.inputs", "");
    ground.run(&["store", "gc"]).code(0).says("nobody.inputs");
    ground.run(&["store", "export", "out"]).code(0);
    assert_eq!(ground.read("out/a/ball.inputs"), good);
    ground.write("stillframe.toml", "[test]\nstore = \"dir:shots\"\n");
    ground.run(&["store", "copy", "--from", "git"]).code(0);
    ground.run(&["test"]).code(1).says(CHANGED);
}

#[test]
fn independent_edits_are_no_common_cause() {
    let ground = settled("clusters", &["a/one", "a/two", "b/three", "b/four"]);
    let edit = |case: &str, from: &str, to: &str| {
        let file = format!("scenes/{case}.toml");
        let text = ground.read(&file);
        assert!(text.contains(from));
        ground.write(&file, text.replacen(from, to, 1));
    };
    edit("a/one", "radius_m = 0.5", "radius_m = 0.6");
    edit("a/two", "position = [-0.8, 0.5, 0.0]", "position = [-0.6, 0.5, 0.0]");
    for case in ["b/three", "b/four"] {
        ground.stage(case, GREEN, "");
    }
    let ran = ground.run(&["test"]).code(1).says(&format!("c1   2 cases, {CHANGED}\n"));
    for case in ["a/one", "a/two"] {
        let record = ground.record(case);
        let id = &record.why_differs.as_ref().unwrap().cluster;
        assert!(id != "c1" && ran.out.contains(&format!("{id}   1 case, node.left.")), "{}", ran.out);
    }
    ground.run(&["accept", "--cluster", "c1"]).code(0).says("accepted b/four\naccepted b/three\n");
    ground.run(&["pending"]).code(5).says("a/one").says("a/two");
}

#[test]
fn a_renamed_case_is_moved_by_one_accept() {
    let ground = Ground::new("moved");
    ground.stage("a/ball", RED, "");
    ground.stage("a/other", GREEN, "");
    ground.run(&["test"]).code(5);
    ground.run(&["accept", "--new", "--reason", "first light"]).code(0);
    let before = lock(&ground);
    let picture = fs::read(ground.path("references/a/ball.png")).unwrap();
    fs::create_dir_all(ground.path("scenes/b")).unwrap();
    fs::rename(ground.path("scenes/a/ball.toml"), ground.path("scenes/b/globe.toml")).unwrap();
    let ran = ground
        .run(&["test"])
        .code(5)
        .says("MOVED b/globe (from a/ball)")
        .last_line("1 passed, 0 failed, 0 skipped, 1 moved");
    assert!(!ran.out.contains("GONE") && !ran.out.contains("NEW"), "{}", ran.out);
    assert_eq!(ground.record("b/globe").status, Status::Moved);
    ground.run(&["pending"]).code(5).says("MOVED    b/globe");
    ground.run(&["accept", "=b/globe"]).code(0).says("accepted b/globe (moved from a/ball)");
    let moved = ground.read("references/b/frames.lock");
    let line = before.lines().find(|line| line.starts_with("ball ")).unwrap();
    assert!(moved.starts_with("globe ") && moved.trim_end().ends_with("reason=\"first light\""), "{moved}");
    assert_eq!(moved.split(' ').nth(4), line.split(' ').nth(4), "the same pixels");
    assert!(!lock(&ground).contains("ball "));
    assert_eq!(fs::read(ground.path("references/b/globe.png")).unwrap(), picture);
    for old in ["ball.png", "ball.passes", "ball.inputs"] {
        assert!(!ground.path("references/a").join(old).exists(), "{old}");
    }
    ground.run(&["test", "--no-cache"]).code(0).last_line("2 passed, 0 failed, 0 skipped");
    ground.run(&["store", "verify"]).code(0);
    ground.run(&["pending"]).code(0);
}

#[test]
fn other_pixels_or_layers_are_not_moved() {
    let ground = settled("not-moved", &["a/ball"]);
    fs::remove_file(ground.path("scenes/a/ball.toml")).unwrap();
    ground.stage("a/globe", GREEN, "");
    ground.run(&["test"]).code(5).says("GONE a/ball").says("NEW a/globe");
}

#[test]
fn new_cases_end_with_the_command_that_accepts_them_all() {
    let ground = settled("new", &["a/old"]);
    for n in 0..24 {
        ground.ball(&format!("n/s{n:02}"), &format!("#{n:02x}4080"), "");
    }
    ground.stage("a/old", GREEN, "");
    let ran = ground.run(&["test"]).code(1).last_line("0 passed, 1 failed, 0 skipped, 24 new");
    let ran = ran.says("NEW n/s00\n").says("accept  stillframe accept --new\n").says("... and 4 more in the report");
    assert!(ran.out.lines().count() < 45, "{}", ran.out);
    ground.run(&["accept", "--new"]).code(0).says("accepted n/s23");
    ground.run(&["pending"]).code(5).says("a/old");
    ground.run(&["accept", "--new"]).code(0);
    ground.run(&["accept", "--new", "a/"]).code(4);
    ground.run(&["test"]).code(1).last_line("24 passed, 1 failed, 0 skipped");
}

#[test]
fn cases_that_did_not_change_have_passed() {
    let ground = settled("unchanged", &["a/ball", "a/other"]);
    let ran = ground.run(&["test", "--report", "junit=j.xml"]).code(0).last_line("2 passed, 0 failed, 0 skipped");
    ran.says("2 unchanged since an earlier run\n");
    let junit = ground.read("j.xml");
    assert!(junit.contains("tests=\"2\" ") && !junit.contains("<skipped"), "{junit}");
    assert!(ground.run(&["--json", "test"]).code(0).out.contains(r#""status":"unchanged""#));
}

#[test]
fn cases_that_were_not_run_are_skipped() {
    let names: Vec<String> = (0..12).map(|n| format!("a/s{n:02}")).collect();
    let ground = settled("left-out", &names.iter().map(String::as_str).collect::<Vec<_>>());
    names.iter().for_each(|case| ground.stage(case, GREEN, ""));
    ground.run(&["test", "-j", "1", "--fail-fast"]).code(1);
    let end = Run::read(&ground.last_run()).unwrap().end.unwrap();
    // How far a worker comes before it hears of the first failure is its own business.
    assert!(end.tally.failed >= 1 && end.tally.failed + end.tally.skipped == 12, "{:?}", end.tally);
}

#[test]
fn rejecting_what_was_accepted_brings_the_former_reference_back() {
    let ground = settled("reject", &["a/ball"]);
    let (before, picture) = (lock(&ground), fs::read(ground.path("references/a/ball.png")).unwrap());
    let inputs = ground.read("references/a/ball.inputs");
    ground.stage("a/ball", GREEN, "");
    ground.ball("a/new", RED, "");
    ground.run(&["test"]).code(1);
    ground.run(&["accept", "--all"]).code(0);
    // Twice changes nothing, nor what is known.
    ground.run(&["accept", "--all"]).code(0);
    assert_ne!(lock(&ground), before);
    ground.run(&["reject", "a/ball"]).code(0).says("rejected a/ball, its former reference is back");
    ground.run(&["reject", "a/new"]).code(0);
    assert_eq!(lock(&ground), before);
    assert_eq!(fs::read(ground.path("references/a/ball.png")).unwrap(), picture);
    assert_eq!(ground.read("references/a/ball.inputs"), inputs);
    assert!(!ground.path("references/a/new.png").exists());
    ground.run(&["store", "verify"]).code(0);
    ground.run(&["pending"]).code(0);
    ground.run(&["test"]).code(1).says("DIFFERS a/ball").says("NEW a/new");
    // What was moved goes back under its old name.
    ground.stage("a/ball", RED, "");
    fs::rename(ground.path("scenes/a/ball.toml"), ground.path("scenes/a/globe.toml")).unwrap();
    fs::remove_file(ground.path("scenes/a/new.toml")).unwrap();
    ground.run(&["test"]).code(5).says("MOVED a/globe (from a/ball)");
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["reject", "a/globe"]).code(0);
    assert_eq!(lock(&ground), before);
    ground.run(&["store", "verify"]).code(0);
}

#[test]
fn rejecting_a_reference_whose_former_one_is_unknown_is_refused() {
    let ground = settled("reject-unknown", &["a/ball"]);
    ground.stage("a/ball", GREEN, "");
    ground.run(&["test"]).code(1);
    ground.run(&["accept", "a/ball"]).code(0);
    fs::remove_file(ground.last_run().join("former.jsonl")).unwrap();
    let after = lock(&ground);
    ground.run(&["reject", "a/ball"]).code(2).complains("a/ball").complains("version control");
    assert_eq!(lock(&ground), after);
    ground.run(&["pending"]).code(0);
}

/// An accept that somebody took back by other means waits again.
#[test]
fn pending_agrees_with_the_references() {
    let ground = settled("pending", &["a/ball"]);
    let before = lock(&ground);
    ground.stage("a/ball", GREEN, "");
    ground.run(&["test"]).code(1);
    ground.run(&["accept", "a/ball"]).code(0);
    ground.run(&["pending"]).code(0);
    ground.write("references/a/frames.lock", &before);
    ground.run(&["pending"]).code(5).says("a/ball");
}

#[test]
fn the_log_shows_reasons_and_what_is_not_committed() {
    let ground = Ground::new("log");
    ground.stage("a/ball", RED, "");
    ground.run(&["test"]).code(5);
    ground.run(&["accept", "--new", "--reason", "the \"first\" picture"]).code(0);
    // Without version control there is still the lock.
    ground.run(&["log", "a/ball"]).code(0).says("not committed").says("reason: the \"first\" picture");
    ground.git(&["init", "-q"]);
    ground.git(&["add", "."]);
    ground.git(&["commit", "-q", "-m", "begin"]);
    ground.stage("a/ball", GREEN, "");
    ground.run(&["test"]).code(1);
    ground.run(&["accept", "a/ball", "--reason", "green is meant"]).code(0);
    let out = ground.run(&["log", "a/ball"]).code(0).out;
    let lines: Vec<&str> = out.lines().map(str::trim).collect();
    assert_eq!(lines.len(), 4, "{out}");
    assert!(lines[0].ends_with("not committed") && lines[1] == "reason: green is meant", "{out}");
    assert!(lines[2].ends_with("Tester  begin") && lines[3] == "reason: the \"first\" picture", "{out}");
    ground.git(&["commit", "-q", "-a", "-m", "green"]);
    fs::rename(ground.path("scenes/a/ball.toml"), ground.path("scenes/a/globe.toml")).unwrap();
    ground.run(&["test"]).code(5);
    ground.run(&["accept", "--all"]).code(0);
    let out = ground.run(&["log", "a/globe"]).code(0).says("moved from ball").out;
    assert!(out.contains("green is meant") && out.contains("begin"), "the old name is followed: {out}");
    let json = ground.run(&["--json", "log", "a/globe"]).code(0).out;
    assert!(json.lines().next().unwrap().contains(r#""reason":"green is meant""#), "{json}");
}
