//! Each way that a case can end: its status, its exit status, and what is said.

use std::fs;

use stillframe_frames::run::{CaseRecord, Status};
use stillframe_frames::store::{Change, Pixels, Store, StoreAddress, StoreOptions};
use stillframe_frames::{Lock, Samples, decode_png};

use super::ground::Ground;

fn status(ground: &Ground, name: &str) -> Status {
    ground.record(name).status
}

#[test]
fn a_new_project_is_green() {
    let ground = Ground::new("init");
    fs::remove_file(ground.path("stillframe.toml")).unwrap();
    ground.run(&["test"]).code(2).complains("stillframe init");
    ground.run(&["init"]).code(0).says("wrote scenes/first/hello.toml").says("accepted first/hello");
    ground.run(&["test"]).code(0).last_line("1 passed, 0 failed, 0 skipped");
    ground.run(&["test"]).code(0).says("1 unchanged since").last_line("1 passed, 0 failed, 0 skipped");
    ground.run(&["test", "--no-cache"]).code(0).last_line("1 passed, 0 failed, 0 skipped");
    ground.run(&["store", "verify"]).code(0).says("whole: 1 case");
    ground.run(&["init"]).code(0).says("kept stillframe.toml");
}

#[test]
fn a_change_is_explained_and_accepted_without_rendering() {
    let ground = Ground::new("change");
    ground.stage("a/stage", "#b03020", "");
    ground.stage("a/other", "#b03020", "");
    ground.settle();
    ground.stage("a/stage", "#30b020", "");
    let lock = ground.read("references/a/frames.lock");
    ground
        .run(&["test"])
        .code(1)
        .says("DIFFERS a/stage")
        .says("pass")
        .says("right")
        .says("stillframe accept")
        .last_line("1 passed, 1 failed, 0 skipped");
    let record: CaseRecord = ground.record("a/stage");
    let why = record.why_differs.clone().expect("it says why");
    assert_eq!(why.first_pass.as_ref().map(|pass| pass.name.as_str()), Some("scene"), "{why:?}");
    assert!(why.first_draw.as_ref().is_some_and(|draw| draw.name == "right (paint)"), "{:?}", why.first_draw);
    assert_eq!((why.objects[0].node.as_str(), why.objects[0].material.as_str()), ("right", "paint"));
    assert!(why.objects[0].share > 0.5, "{:?}", why.objects);
    assert_eq!(why.cluster, "c1");
    assert!(ground.last_run().join("report.html").exists());
    assert_eq!(ground.read("references/a/frames.lock"), lock, "a test run writes no reference");

    ground.run(&["pending"]).code(5).says("DIFFERS  a/stage");
    // Nothing is left to render from.
    let scene = ground.read("scenes/a/stage.toml");
    fs::remove_file(ground.path("scenes/a/stage.toml")).unwrap();
    ground.run(&["accept", "a/stage"]).code(0).says("accepted a/stage");
    ground.write("scenes/a/stage.toml", scene);
    let changed = changed_lines(&lock, &ground.read("references/a/frames.lock"));
    assert_eq!(changed, ["stage"], "one line of the lock");
    ground.run(&["pending"]).code(0);
    ground.run(&["test", "--no-cache"]).code(0).last_line("2 passed, 0 failed, 0 skipped");
    ground.run(&["store", "verify"]).code(0);
}

/// Warnings about scenes and about models, whether the picture is known from an earlier run or not.
#[test]
fn strict_fails_a_case_that_is_warned_about() {
    let ground = Ground::new("strict");
    // A triangle without an area.
    ground.write("scenes/flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\n");
    ground.ball("a/model", "#b03020", "[model.flat]\nfile = \"../flat.obj\"\n[[node]]\nmodel = \"flat\"\n");
    ground.ball("a/plain", "#b03020", "");
    ground.ball(
        "a/text",
        "#b03020",
        "[model.flat]\nfile = \"../flat.obj\"\n[[clip]]\nname = \"leap\"\nmodel = \"flat\"\n",
    );
    ground.settle();
    for how in [&["test"][..], &["test", "--no-cache"]] {
        ground.run(how).code(0);
        let strict = [how, &["--strict"]].concat();
        ground.run(&strict).code(2).says("W0551").says("W0253");
        let found = ["a/model", "a/plain", "a/text"].map(|name| ground.record(name));
        assert_eq!([found[0].status, found[2].status], [Status::Invalid; 2]);
        assert!(!found[1].status.is_failure(), "{:?}", found[1]);
        assert!(found[0].command.contains("--strict"), "{}", found[0].command);
    }
    ground.write("scenes/flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    ground.ball("a/text", "#b03020", "");
    ground.run(&["test", "--strict"]).code(0).says("1 unchanged since").last_line("3 passed, 0 failed, 0 skipped");
}

fn changed_lines(old: &str, new: &str) -> Vec<String> {
    let lines = new.lines().filter(|line| !old.lines().any(|was| was == *line));
    lines.map(|line| line.split(' ').next().unwrap_or_default().to_string()).collect()
}

#[test]
fn one_flipped_low_bit_fails() {
    let ground = Ground::new("bit");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    let references = ground.path("references");
    let store = Store::open(&references, StoreAddress::parse("git").unwrap(), StoreOptions::default()).unwrap();
    let mut line = Lock::parse(&ground.read("references/a/frames.lock")).unwrap().lines()[0].clone();
    let mut picture = decode_png(&fs::read(references.join("a/ball.png")).unwrap()).unwrap();
    if let Samples::U8(values) = &mut picture.samples {
        values[32 * 16 * 3 + 48] ^= 1;
    }
    (line.pixels, line.passes) = (picture.hash(), None);
    let change = Change::Set { family: "a".into(), line, pixels: Pixels::Picture(picture), passes: None, inputs: None };
    store.accept(&[change]).unwrap();
    ground.run(&["test"]).code(1).says("DIFFERS a/ball");
    let why = ground.record("a/ball").why_differs.unwrap();
    assert_eq!((why.pixels, why.max), (1, 1.0));
}

#[test]
fn what_is_absent_never_passes() {
    let ground = Ground::new("absent");
    ground.ball("a/new", "#b03020", "");
    ground.ball("a/kept", "#3030b0", "");
    ground.run(&["test"]).code(5).says("NEW a/new");
    ground.run_with(&["test"], |command| {
        command.env("CI", "1");
    });
    assert!(!ground.path("references").exists(), "a test run writes no reference");
    ground.run(&["accept", "a/new"]).code(0);
    ground.run(&["accept", "--all"]).code(0).says("accepted a/kept");
    fs::remove_file(ground.path("scenes/a/new.toml")).unwrap();
    ground.run(&["test"]).code(5).says("GONE a/new").last_line("1 passed, 1 failed, 0 skipped");
    ground.run(&["accept", "a/new"]).code(0).says("removed  a/new");
    assert!(!ground.path("references/a/new.png").exists());
    ground.run(&["test"]).code(0);

    ground.run(&["test", "nothing-like-it"]).code(4).complains("no test matched");
    ground.run(&["test", "nothing-like-it", "--no-tests=pass"]).code(0);
    ground.run(&["accept", "nothing-like-it"]).code(4);
}

#[test]
fn sizes_adapters_and_limits_have_a_status_each() {
    let ground = Ground::new("size");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    let scene = ground.read("scenes/a/ball.toml");
    ground.write("scenes/a/ball.toml", scene.replace("[32, 32]", "[40, 32]"));
    ground.run(&["test"]).code(1).says("SIZE a/ball").says("40x32 rgb8");
    assert_eq!(status(&ground, "a/ball"), Status::Size);
    ground.write("scenes/a/ball.toml", &scene);

    let lock = ground.read("references/a/frames.lock");
    ground.write("references/a/frames.lock", lock.replace("soft/1", "soft/0"));
    ground.run(&["test", "--no-cache"]).code(7).says("ADAPTER a/ball").says("contract 0");
    ground.write("references/a/frames.lock", &lock);

    ground.write("stillframe.toml", "[test]\nmax_reference_bytes = 50\n");
    ground.run(&["test", "--no-cache"]).code(5).says("OVERSIZE a/ball");
    ground.write("stillframe.toml", "[test]\n");

    ground.write("references/a/frames.lock", format!("<<<<<<< ours\n{lock}=======\n{lock}>>>>>>> theirs\n"));
    ground.run(&["test"]).code(2).complains("conflict marker");
    ground.run(&["store", "verify"]).code(5).says("conflict marker");
    ground.write("references/a/frames.lock", &lock);
    ground.run(&["test"]).code(0);
}

#[test]
fn a_bad_scene_costs_itself_alone() {
    let ground = Ground::new("bad");
    ground.ball("a/good", "#b03020", "");
    ground.settle();
    ground.write("scenes/a/bad.toml", "title = \"x\"\n[output]\nsamples = 3\n");
    ground
        .run(&["test", "--no-cache"])
        .code(2)
        .says("INVALID a/bad")
        .says("E01")
        .last_line("1 passed, 1 failed, 0 skipped");
    ground.write("stillframe.toml", "[tests]\n");
    ground.run(&["test"]).code(2).complains("E0703");
}

#[test]
fn scenes_are_compared_with_scenes() {
    let ground = Ground::new("reftest");
    ground.ball("a/red", "#ff0000", "");
    ground.ball("a/linear", "#ff0000", "[test]\nequals = \"red.toml\"\naov = [\"color\", \"depth\"]\n");
    ground.ball("a/blue", "#0000ff", "[test]\ndiffers = \"red.toml\"\n");
    ground.run(&["test"]).code(5).last_line("2 passed, 0 failed, 0 skipped, 2 new");
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["test", "--no-cache"]).code(0).last_line("4 passed, 0 failed, 0 skipped");
    ground.ball("a/linear", "#fe0000", "[test]\nequals = \"red.toml\"\naov = [\"color\", \"depth\"]\n");
    ground.ball("a/blue", "#ff0000", "[test]\ndiffers = \"red.toml\"\n");
    ground.run(&["test", "--no-cache"]).code(1);
    assert_eq!(status(&ground, "a/linear"), Status::Differs);
    assert_eq!(status(&ground, "a/linear#depth"), Status::Pass);
    assert_eq!(status(&ground, "a/blue"), Status::Differs, "its reference is blue");
    ground.run(&["accept", "a/blue"]).code(0);
    ground.run(&["test", "a/blue", "--no-cache"]).code(1).says("SAME a/blue");
    ground.run(&["accept", "a/blue"]).code(4).complains("no pending case");
}

#[test]
fn a_known_failure_must_fail() {
    let ground = Ground::new("known");
    ground.ball("a/ball", "#ff0000", "");
    ground.settle();
    ground.ball("a/ball", "#fe0000", "[test]\nknown_failure = \"too dark\"\n");
    ground.run(&["test"]).code(0).last_line("1 passed, 0 failed, 0 skipped");
    assert_eq!(status(&ground, "a/ball"), Status::KnownFailure);
    ground.ball("a/ball", "#ff0000", "[test]\nknown_failure = \"too dark\"\n");
    ground.run(&["test", "--no-cache"]).code(1).says("FIXED a/ball");
}

#[test]
fn a_case_that_takes_too_long_ends() {
    let ground = Ground::new("timeout");
    ground.ball("a/quick", "#ff0000", "");
    ground.stage("a/slow", "#ff0000", "");
    let scene = ground.read("scenes/a/slow.toml");
    ground.write("scenes/a/slow.toml", scene.replace("[64, 48]", "[4096, 3072]"));
    ground.run(&["test", "--timeout", "0.5"]).code(3).says("TIMEOUT a/slow").says("NEW a/quick");
}
