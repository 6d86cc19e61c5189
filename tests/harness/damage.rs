//! References whose pictures were lost, and files that must not be read to their end.

use std::fs;
use std::process::Command;

use super::ground::Ground;

/// `test` itself notices it, from the cache and without it; what it names brings the picture back.
#[test]
fn a_reference_that_is_missing_cut_short_or_another_is_noticed_by_test() {
    for store in ["git", "dir:shots"] {
        let ground = Ground::new(&format!("damage-{}", &store[..3]));
        ground.write("stillframe.toml", format!("[test]\nstore = \"{store}\"\n"));
        ground.ball("a/ball", "#b03020", "");
        ground.ball("a/other", "#3020b0", "");
        ground.settle();
        let spare = if store == "git" { "dir:spare" } else { "git" };
        ground.write("stillframe.toml", format!("[test]\nstore = \"{spare}\"\n"));
        ground.run(&["store", "copy", "--from", store]).code(0);
        ground.write("stillframe.toml", format!("[test]\nstore = \"{store}\"\n"));
        ground.run(&["test"]).code(0);
        let path = ground.picture("a/ball");
        let good = fs::read(&path).unwrap();
        let other = fs::read(ground.picture("a/other")).unwrap();
        for (damage, words) in [
            (None, "the picture of `a/ball` is missing"),
            (Some(&good[..good.len() - 20]), "is not a readable picture"),
            (Some(&other[..]), "is not the picture that frames.lock names for `a/ball`"),
        ] {
            match damage {
                Some(bytes) => fs::write(&path, bytes).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            let mends =
                if store == "git" { "`git checkout -- references/a/ball.png`" } else { "`stillframe store copy" };
            for arguments in [&["test"][..], &["test", "--no-cache"]] {
                let ran = ground.run(arguments).code(5).says("DAMAGED a/ball").says(words).says(mends);
                ran.says("stillframe accept '=a/ball'").says(", 1 failed, ");
                assert!(fs::read_to_string(ground.last_run().join("report.html")).unwrap().contains("damaged"));
            }
            ground.run(&["pending"]).code(5).says("DAMAGED  a/ball");
            ground.run(&["accept", "a/ball"]).code(0).says("accepted a/ball");
            assert_eq!(fs::read(&path).unwrap(), good);
            ground.run(&["pending"]).code(0);
            ground.run(&["test"]).code(0);
            match damage {
                Some(bytes) => fs::write(&path, bytes).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            ground.run(&["store", "copy", "--from", spare]).code(0).says("copied 1 file");
            ground.run(&["test"]).code(0);
        }
    }
}

/// A lock is parsed once a run, not once a case: this took over 80 s.
#[cfg(unix)]
#[test]
fn ten_thousand_gone_cases_take_a_moment() {
    let ground = Ground::new("many-gone");
    ground.ball("a/ball", "#b03020", "");
    let hash = "0123456789abcdef".repeat(4);
    let lines = (0..10_000).map(|at| format!("z{at:05} soft/1 64x64 rgba8 b3:{hash} scene=b3:{hash}\n"));
    ground.write("references/a/frames.lock", lines.collect::<String>());
    // `timeout` ends a program that takes longer, with status 124.
    let within = |arguments: &[&str], code: i32| {
        let mut command = Command::new("timeout");
        command.args(["10", env!("CARGO_BIN_EXE_stillframe")]).args(arguments);
        let ran = command.current_dir(ground.path("")).env_remove("CI").output().unwrap();
        assert_eq!(ran.status.code(), Some(code), "{arguments:?}");
        String::from_utf8(ran.stdout).unwrap()
    };
    assert!(within(&["test"], 5).ends_with("0 passed, 10000 failed, 0 skipped, 1 new\n"));
    within(&["pending", "--patch"], 5);
    within(&["accept", "--all"], 0);
    ground.run(&["test"]).code(0);
}

/// Each of these hung, or took all memory there is.
#[cfg(unix)]
#[test]
fn endless_files_are_refused_with_words() {
    let ground = Ground::new("endless");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    let pipe = ground.path("pipe.png");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", ground.path("zero.png")).unwrap();
    fs::File::create(ground.path("vast.png")).unwrap().set_len(100 << 30).unwrap();
    let sound = "references/a/ball.png";
    for (file, words) in [("pipe.png", "a device or a pipe"), ("zero.png", "a device or a pipe"), ("vast.png", "4 GiB")]
    {
        ground.run(&["diff", file, sound]).code(2).complains(file).complains(words);
        ground.run(&["diff", sound, file]).code(2).complains(file).complains(words);
    }
    for name in ["pipe.png", "zero.png"] {
        ground.run(&["accept", "--all", "--from", name]).code(2).complains("a device or a pipe");
        ground.run(&["repro", "run", name]).code(2).complains("a device or a pipe");
    }
    // A shell's pipe is open already.
    let program = env!("CARGO_BIN_EXE_stillframe");
    let script = format!("'{program}' diff <(cat {sound}) {sound}");
    let ran = Command::new("bash").args(["-c", &script]).current_dir(ground.path("")).status().unwrap();
    assert!(ran.success());
    let run = ground.last_run();
    fs::remove_file(run.join("run.jsonl")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", run.join("run.jsonl")).unwrap();
    ground.run(&["accept", "--all"]).code(2).complains("run.jsonl cannot be read: it is a device or a pipe");
    fs::remove_file(run.join("run.jsonl")).unwrap();
    fs::remove_file(ground.path("stillframe.toml")).unwrap();
    assert!(Command::new("mkfifo").arg(ground.path("scenes/b.toml")).status().unwrap().success());
    ground.write("stillframe.toml", "[test]\n");
    ground.run(&["test"]).says("scenes/b");
}

/// A case whose list of passes cannot be read keeps the one that it has.
#[test]
fn passes_that_cannot_be_read_stop_accept() {
    let ground = Ground::new("lost-passes");
    ground.ball("a/ball", "#b03020", "");
    ground.run(&["test"]).code(5);
    let root = ground.record("a/ball").passes_root.unwrap();
    let file = ground.last_run().join(format!("passes/{}.passes", root.hex()));
    let good = fs::read_to_string(&file).unwrap();
    for damage in [&good[..good.len() / 2], "", "scene b3:00\n"] {
        fs::write(&file, damage).unwrap();
        let ran = ground.run(&["accept", "--all"]);
        assert_ne!(ran.code, 0, "{}", ran.out);
        ran.complains(".passes: it is cut short, or another list");
        assert!(!ground.path("references/a/frames.lock").exists());
    }
    fs::write(&file, &good).unwrap();
    ground.run(&["accept", "--all"]).code(0);
    assert!(ground.read("references/a/frames.lock").contains(" passes=b3:"));
}
