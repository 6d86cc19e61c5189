//! The tools around a run: doctor, capsules, bisect, diff, mutate, the store.

use std::fs;

use stillframe_frames::{Picture, PngEffort, Samples, encode_npy, encode_png};

use super::ground::Ground;

#[test]
fn this_machine_is_well() {
    let ground = Ground::new("doctor");
    let ran = ground.run(&["doctor"]).code(0).says("64 of 64 scenes").says("scalar");
    assert!(ran.out.lines().count() >= 4, "{}", ran.out);
    for line in ground.run(&["doctor", "--json"]).code(0).out.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((value["scenes"].as_u64(), value["wrong"].as_array().map(Vec::len)), (Some(64), Some(0)));
    }
}

#[test]
fn a_capsule_proves_itself_elsewhere() {
    let ground = Ground::new("capsule");
    let picture = Picture::new(2, 2, 3, Samples::U8(vec![255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9])).unwrap();
    ground.write("scenes/assets/four.png", encode_png(&picture, PngEffort::Small).unwrap());
    ground.ball("a/ball", "#ffffff", "[test]\ntimes_s = [0.0, 1.0]\n");
    let scene = ground.read("scenes/a/ball.toml");
    ground.write(
        "scenes/a/ball.toml",
        scene.replace("unlit = true", "unlit = true\nbase_color_texture = \"../assets/four.png\""),
    );
    ground.run(&["repro", "save", "a/none"]).code(4);
    let saved = ground.run(&["repro", "save", "a/ball@1s"]).code(0).says("ball-1s.sfr").out;
    let hash = saved.trim_end().rsplit(' ').next().unwrap().to_string();
    let first = fs::read(ground.path("ball-1s.sfr")).unwrap();
    ground.run(&["repro", "save", "a/ball@1s"]).code(0);
    assert!(first == fs::read(ground.path("ball-1s.sfr")).unwrap(), "the same capsule has the same bytes");

    let elsewhere = Ground::new("capsule-elsewhere");
    fs::remove_file(elsewhere.path("stillframe.toml")).unwrap();
    elsewhere.write("ball.sfr", &first);
    elsewhere.run(&["repro", "run", "ball.sfr"]).code(0).says("match: a/ball@1s").says(&hash);
    let mut broken = first.clone();
    broken[60] ^= 0xFF;
    elsewhere.write("broken.sfr", &broken);
    elsewhere.run(&["repro", "run", "broken.sfr"]).code(2).complains("not a packed case");
    elsewhere.write("broken.sfr", &first[..first.len() / 2]);
    elsewhere.run(&["repro", "run", "broken.sfr"]).code(2);
    elsewhere.write("broken.sfr", b"PK");
    elsewhere.run(&["repro", "run", "broken.sfr"]).code(2);
}

#[test]
fn the_draw_that_differs_is_found() {
    let ground = Ground::new("bisect");
    ground.stage("a/stage", "#b03020", "");
    ground.settle();
    ground.git(&["init", "-q"]);
    ground.write(".gitignore", "target\n.cache\n");
    ground.git(&["add", "-A"]);
    ground.git(&["commit", "-q", "-m", "first"]);
    ground.run(&["bisect", "a/stage"]).code(0).says("every pass equals that of the reference");
    let scene = ground.read("scenes/a/stage.toml");
    ground.write("scenes/a/stage.toml", scene.replace("position = [0.8, 0.5, 0.0]", "position = [0.8, 0.5, 0.1]"));
    let found = ground.run(&["bisect", "a/stage"]).code(1).says("sun map 0").out;
    // The map is fitted to what casts into it: the first draw has moved in it, too.
    assert!(found.contains("draw 1/2 floor (stone)"), "{found}");
    let other = ground.run(&["bisect", "a/stage", "--against", "HEAD"]).code(1).out;
    assert_eq!(found, other, "the reference and the scene of its commit say the same");
    ground.run(&["bisect", "a/none"]).code(4);
    ground.run(&["bisect", "a/stage", "--against", "nowhere"]).code(2);
}

#[test]
fn pictures_are_compared_as_diff_does() {
    let ground = Ground::new("diff");
    let png =
        |values: Vec<u8>| encode_png(&Picture::new(2, 2, 3, Samples::U8(values)).unwrap(), PngEffort::Small).unwrap();
    ground.write("a.png", png(vec![9; 12]));
    ground.write(
        "same.png",
        encode_png(&Picture::new(2, 2, 3, Samples::U8(vec![9; 12])).unwrap(), PngEffort::Fast).unwrap(),
    );
    ground.write("b.png", png([vec![9; 11], vec![10]].concat()));
    ground.write(
        "large.png",
        encode_png(&Picture::new(1, 1, 3, Samples::U8(vec![9; 3])).unwrap(), PngEffort::Fast).unwrap(),
    );
    ground.write("text.png", "no picture");
    let asked = "[\"a.png\",\"same.png\"]\n[\"a.png\",\"b.png\",\"pair.png\"]\nnonsense\n[\"a.png\",\"none.png\"]\n";
    let answers = ground.run_reading(&["diff", "--stdin"], asked).code(2);
    let answers: Vec<serde_json::Value> = answers.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (answers.len(), &answers[0]["same"], &answers[1]["same"]),
        (4, &true.into(), &false.into()),
        "{answers:?}"
    );
    assert!(
        answers[2]["error"].is_string() && answers[3]["error"].as_str().unwrap().contains("none.png"),
        "{answers:?}"
    );
    assert!(ground.path("pair.png").exists());
    ground.run(&["diff"]).code(2);
    let silent = ground.run(&["diff", "a.png", "same.png"]).code(0);
    assert_eq!(silent.out, "");
    let told = ground
        .run(&["diff", "a.png", "b.png", "-o", "d.png"])
        .code(1)
        .says("1 of 4 px differ (25.00 %), max 1/255")
        .says("lsb");
    assert!(!told.out.contains('\x1b'), "no escapes in a pipe");
    assert!(fs::read(ground.path("d.png")).unwrap().starts_with(b"\x89PNG"));
    ground.run(&["diff", "a.png", "b.png", "--metric", "flip"]).code(1).says("FLIP mean");
    ground.run(&["diff", "a.png", "large.png"]).code(1);
    ground.run(&["diff", "a.png", "text.png"]).code(2);
    ground.run(&["diff", "a.png", "none.png"]).code(2);
    let npy = |value: f32| encode_npy(&Picture::new(1, 1, 1, Samples::F32(vec![value])).unwrap());
    ground.write("one.npy", npy(1.0));
    ground.write("next.npy", npy(1.0_f32.next_up()));
    ground.run(&["diff", "one.npy", "next.npy"]).code(1).says("(1 ulp)");
    let json = ground.run(&["diff", "a.png", "b.png", "--json"]).code(1).out;
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["layers"][0]["comparison"]["differing_pixel_count"], 1);
}

#[test]
fn faults_are_noticed_and_blamed() {
    let ground = Ground::new("mutate");
    ground.stage("a/stage", "#b03020", "");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    let faults = "[[fault]]\nname = \"dark\"\nstage = \"light\"\nnumber = [{ path = \"light.color\", scale = 0.5 }]\n\
                  [[fault]]\nname = \"moved\"\nstage = \"transform\"\nnumber = [{ path = \"item.x\", of = \"right\", add = 0.1 }]\n\
                  [[fault]]\nname = \"none\"\nstage = \"text\"\ntext = [{ find = \"nowhere to be found\", replace = \"\" }]\n";
    ground.write("faults.toml", faults);
    let told = ground
        .run(&["mutate", "--faults", "faults.toml"])
        .code(1)
        .says("2 of 3 faults noticed by 2 cases: score 66.7 %");
    assert!(told.out.lines().any(|line| line.starts_with("none") && line.ends_with("NOBODY")), "{}", told.out);
    ground
        .run(&["mutate", "--faults", "faults.toml", "a/ball", "--fault", "dark"])
        .code(1)
        .says("0 of 1 faults noticed by 1 case");
    ground.run(&["mutate", "--fault", "shadow-lostt"]).code(2).complains("did you mean `shadow-lost`?");
    ground.write("faults.toml", "[[fault]]\nname = \"x\"\n");
    ground.run(&["mutate", "--faults", "faults.toml"]).code(2).complains("changes nothing");
    ground.run(&["test", "--fault", "shadow-lost", "a/stage"]).code(1).says("sun map 0");
    ground.run(&["test", "--no-cache"]).code(0);
}

#[test]
fn pictures_of_a_fault_are_not_accepted() {
    let ground = Ground::new("mutate-accept");
    ground.stage("a/stage", "#b03020", "");
    ground.settle();
    ground.run(&["test", "--no-cache", "--fault", "shadow-lost"]).code(1);
    for arguments in [&["accept", "--all"][..], &["accept", "a/stage"], &["pending", "--patch"]] {
        ground.run(arguments).code(2).complains("planted fault `shadow-lost`");
    }
    ground.run(&["test", "--no-cache"]).code(0);
}

/// A project changes its store, and loses nothing.
#[test]
fn a_new_store_gets_the_old_pictures() {
    let ground = Ground::new("new-store");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    ground.write("stillframe.toml", "[test]\nstore = \"dir:shots\"\n");
    ground.ball("a/ball", "#3020b0", "");
    ground.run(&["test"]).code(1).says("the old picture is not in the store dir:shots");
    for arguments in [&["store", "gc", "--dry-run"][..], &["store", "gc"]] {
        ground.run(arguments).code(2).complains("would be lost").complains("stillframe store copy --from git");
    }
    ground.run(&["store", "pull"]).code(2).complains("stillframe store copy --from ADDRESS");
    ground.run(&["store", "copy", "--from", "git"]).code(0).says("copied 3 files");
    ground.run(&["store", "copy", "--from", "git"]).code(0).says("copied 0 files, 0 bytes; 3 already there");
    ground.run(&["store", "copy", "--from", "ftp://x"]).code(2);
    ground.run(&["test", "--no-cache"]).code(1).says("max ");
    ground.run(&["store", "gc"]).code(0).says("3 files");
    ground.run(&["store", "verify"]).code(0).says("whole");
    ground.write("stillframe.toml", "[test]\n");
    ground.run(&["store", "copy", "--from", "dir:shots"]).code(0).says("copied 3 files");
    ground.run(&["store", "verify"]).code(0).says("whole");
}

#[test]
fn dead_files_are_found_and_removed() {
    let ground = Ground::new("gc");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    ground.write("references/a/dead.png", "x");
    ground.run(&["store", "gc", "--dry-run"]).code(0).says("dead.png").says("1 file");
    assert!(ground.path("references/a/dead.png").exists());
    ground.run(&["store", "gc"]).code(0);
    assert!(!ground.path("references/a/dead.png").exists());
    ground.run(&["store", "stats"]).code(0).says("all");
    ground.run(&["store", "export", "out"]).code(0).says("3 files in out");
    ground.run(&["store", "push"]).code(2);
    fs::remove_file(ground.path("references/a/ball.png")).unwrap();
    ground.run(&["store", "verify"]).code(5).says("missing").says("not whole");
    // Its line still says what the pixels must be; that its picture is lost is told all the same.
    ground.run(&["test", "--no-cache"]).code(5).says("DAMAGED a/ball").says("git checkout -- references/a/ball.png");
    ground.write("stillframe.toml", "[test]\nstore = \"dir:pictures\"\n");
    ground.ball("a/twin", "#b03020", "");
    ground.run(&["test", "a/twin"]).code(5);
    ground.run(&["accept", "a/twin"]).code(0);
    assert_eq!(walk(&ground.path("pictures")), 4, "a picture, its passes, its inputs, and a note of what was drawn");
    ground.write("stillframe.toml", "[test]\nstore = \"none\"\n");
    ground.run(&["test", "--no-cache"]).code(0).last_line("2 passed, 0 failed, 0 skipped");
    ground.write("stillframe.toml", "[test]\nstore = \"ftp://x\"\n");
    ground.run(&["test"]).code(2);
}

fn walk(folder: &std::path::Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { walk(&path) } else { usize::from(path.extension().is_some()) }).sum()
}
