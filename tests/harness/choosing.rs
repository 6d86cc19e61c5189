//! Which cases are run: filters, parts, what failed, what changed; and how decisions travel.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::Duration;

use stillframe_frames::run::{Run, Status};

use super::ground::{Ground, ran};

#[test]
fn every_variant_moment_and_view_is_a_case() {
    let ground = Ground::new("list");
    let test = "[test]\ntags = [\"slow\"]\ntimes_s = [0.0, 0.5]\naov = [\"color\", \"depth\"]\nmatrix = { samples = [1, 4] }\n";
    ground.ball("a/many", "#ff0000", test);
    ground.ball("b/one", "#ff0000", "");
    let all = ground.run(&["list"]).code(0).out;
    assert_eq!(all.lines().count(), 9, "{all}");
    assert!(all.contains("a/many[samples=4]@0.5s#depth\n"), "{all}");
    let count = |filter: &str| ground.run(&["list", filter]).out.lines().count();
    for (filter, want) in [("b/", 1), ("*[samples=1]*", 4), ("re:#depth$", 4), ("tag:slow", 8), ("=b/one", 1), ("x", 0)]
    {
        assert_eq!(count(filter), want, "{filter}");
    }
    ground.run(&["list", "x"]).code(4);
    ground.run(&["list", "re:("]).code(2);
    ground.settle();
    let records = Run::read(&ground.last_run()).unwrap().records;
    assert_eq!(records.iter().filter(|record| record.status == Status::Pass).count(), 9);
    assert!(
        ground.path("references/a").read_dir().unwrap().any(|e| e
            .unwrap()
            .path()
            .extension()
            .is_some_and(|x| x == "exr"))
    );
}

#[test]
fn parts_are_disjoint_and_complete() {
    let ground = Ground::new("parts");
    for index in 0..12 {
        ground.ball(&format!("a/s{index:02}"), &format!("#{index:02x}4080"), "");
    }
    for how in ["slice", "hash"] {
        let mut seen = BTreeSet::new();
        let mut total = 0;
        for part in 1..=4 {
            ground.run(&["test", "--no-tests=pass", "--partition", &format!("{how}:{part}/4")]);
            let run = Run::read(&ground.last_run()).unwrap();
            if run.header.partition != format!("{how}:{part}/4") {
                continue;
            }
            total += run.records.len();
            seen.extend(run.records.iter().map(|record| record.name.clone()));
        }
        assert_eq!((seen.len(), total), (12, 12), "{how}");
    }
    let gitlab = ground.run_with(&["test", "--partition", "auto", "--no-tests=pass"], |command| {
        command.env("CI_NODE_INDEX", "2").env("CI_NODE_TOTAL", "3");
    });
    assert!([0, 5].contains(&gitlab.code));
    assert_eq!(Run::read(&ground.last_run()).unwrap().header.partition, "hash:2/3");
    ground.run(&["test", "--partition", "auto"]).code(2).complains("CI_NODE_INDEX");
    ground.run(&["test", "--partition", "slice:5/4"]).code(2);
}

#[test]
fn one_layer_of_a_test_alone() {
    let ground = Ground::new("layers");
    ground.ball("a/ball", "#b03020", "[test]\ntimes_s = [0.0, 1.0]\naov = [\"color\", \"depth\", \"id\"]\n");
    ground.settle();
    for filter in ["=a/ball@0s#depth", "=a/ball@1s#id", "=a/ball@1s", "a/*#*"] {
        let count = if filter.starts_with('=') { 1 } else { 4 };
        let last = format!("{count} passed, 0 failed, 0 skipped");
        ground.run(&["test", "--no-cache", filter]).code(0).last_line(&last);
    }
}

#[test]
fn only_what_failed_or_changed() {
    let ground = Ground::new("changed");
    for name in ["a/one", "a/two", "b/three"] {
        ground.ball(name, "#ff0000", "");
    }
    ground.settle();
    ground.git(&["init", "-q"]);
    ground.write(".gitignore", "target\n.cache\n");
    ground.git(&["add", "-A"]);
    ground.git(&["commit", "-q", "-m", "first"]);
    ground.run(&["test", "--only-changed=HEAD"]).code(0).complains("0 passed");
    ground.ball("a/two", "#00ff00", "");
    ground.run(&["test", "--only-changed=HEAD"]).code(1).last_line("0 passed, 1 failed, 0 skipped");
    ground.run(&["test"]).code(1).says("2 unchanged since").last_line("2 passed, 1 failed, 0 skipped");
    ground.run(&["test", "--last-failed"]).code(1).last_line("0 passed, 1 failed, 0 skipped");
    ground.run(&["test", "--max-failures", "1", "-j", "1", "--no-cache"]).code(1);
    ground.run(&["test", "--only-changed=nowhere"]).code(2);

    ground.run(&["test", "a/two"]).code(1);
    ground.run(&["accept", "a/two"]).code(0);
    ground.git(&["add", "-A"]);
    ground.git(&["commit", "-q", "-m", "two is green"]);
    let log = ground.run(&["log", "a/two"]).code(0).out;
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(log.lines().next().unwrap().contains("two is green"), "{log}");
    ground.run(&["log", "a/none"]).code(4);
    ground
        .run(&["test", "--identical-to", "HEAD", "--no-cache"])
        .code(0)
        .says("identical to ")
        .says("3 cases, 6 targets, 0 bits changed");
    ground.run(&["test", "--identical-to", "HEAD~1"]).code(1).says("changed a/two: the picture");
}

#[test]
fn decisions_come_from_elsewhere() {
    let ground = Ground::new("from");
    ground.ball("a/one", "#ff0000", "");
    ground.ball("a/two", "#ff0000", "");
    ground.run(&["test"]).code(5);
    let run = ground.last_run();
    let zip = ground.path("artifact.zip");
    let python = "import shutil,sys; shutil.make_archive(sys.argv[1], 'zip', sys.argv[2])";
    let made = std::process::Command::new("python3")
        .args(["-c", python, zip.with_extension("").to_str().unwrap(), run.to_str().unwrap()])
        .status()
        .expect("python3 makes the archive");
    assert!(made.success());
    fs::remove_dir_all(ground.path("target")).unwrap();
    ground.run(&["accept", "--all"]).code(2).complains("no runs yet");
    ground.run(&["pending", "--from", "artifact.zip"]).code(5).says("a/two");
    ground.run(&["accept", "a/one", "--from", "artifact.zip"]).code(0).says("accepted a/one");
    ground.run(&["test"]).code(5).last_line("1 passed, 0 failed, 0 skipped, 1 new");
    let hash = ground.record("a/two").hash.unwrap();
    let decision = |name: &str, hash: &str, verb: &str| {
        format!("{{\"decisions\":[{{\"name\":\"{name}\",\"hash\":\"{hash}\",\"decision\":\"{verb}\"}}]}}")
    };
    let zeros = format!("b3:{}", "0".repeat(64));
    ground.write("decisions.json", decision("a/two", &zeros, "accept"));
    ground.run(&["accept", "--from", "decisions.json"]).complains("a different picture");
    ground.write("decisions.json", decision("a/two", &hash.to_string(), "reject"));
    ground.run(&["accept", "--from", "decisions.json"]).code(0).says("rejected a/two");
    ground.run(&["pending"]).code(0);
    ground.write("decisions.json", decision("a/two", &hash.to_string(), "accept"));
    ground.run(&["accept", "--from", "decisions.json"]).code(0).says("accepted a/two");
    ground.run(&["test"]).code(0);
    ground.write("decisions.json", "{}");
    ground.run(&["accept", "--from", "decisions.json"]).code(2);
}

#[test]
fn clusters_are_settled_together() {
    let ground = Ground::new("cluster");
    for name in ["a/one", "a/two"] {
        ground.ball(name, "#ff0000", "");
    }
    ground.stage("b/stage", "#ff0000", "");
    ground.settle();
    for name in ["a/one", "a/two"] {
        ground.ball(name, "#800000", "");
    }
    let stage = ground.read("scenes/b/stage.toml");
    ground.write("scenes/b/stage.toml", stage.replace("[-0.8, 0.5, 0.0]", "[-0.7, 0.5, 0.0]"));
    ground.run(&["test"]).code(1).says("c1").says("c2");
    let why = |name: &str| ground.record(name).why_differs.unwrap();
    assert_eq!(
        (why("a/one").cluster, why("a/two").cluster, why("b/stage").cluster),
        ("c1".into(), "c1".into(), "c2".into())
    );
    assert_eq!(why("b/stage").first_pass.unwrap().name, "sun map 0");
    ground.run(&["accept", "--cluster", "c9"]).code(2).complains("clusters are c1, c2");
    ground.run(&["accept", "--cluster", "c1"]).code(0).says("a/one").says("a/two");
    ground.run(&["reject", "--cluster", "c2"]).code(0).says("rejected b/stage");
    ground.run(&["test"]).code(1).last_line("2 passed, 1 failed, 0 skipped");
}

/// The process that renders is killed from outside: whatever it was at is a crash, everything else has its result.
#[cfg(target_os = "linux")]
#[test]
fn a_crash_costs_its_case_alone() {
    let ground = Ground::new("crash");
    for index in 0..40 {
        ground.stage(&format!("a/s{index:02}"), &format!("#{index:02x}4080"), "");
    }
    let child = ground.command(&["test", "-j", "1"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Whichever of its threads has started the process that renders.
    let worker = || {
        let threads = fs::read_dir(format!("/proc/{}/task", child.id())).ok()?;
        let children =
            threads.flatten().map(|thread| fs::read_to_string(thread.path().join("children")).unwrap_or_default());
        children.flat_map(|list| list.split_whitespace().map(str::to_string).collect::<Vec<_>>()).next()
    };
    let mut killed = false;
    // A minute at most.
    for _ in 0..30_000 {
        if killed {
            break;
        }
        let runs = ground.path("target/stillframe/runs/000001/run.jsonl");
        let some_done = fs::read_to_string(&runs).is_ok_and(|text| text.lines().count() > 5);
        if let (true, Some(worker)) = (some_done, worker()) {
            killed = std::process::Command::new("kill").args(["-9", &worker]).status().unwrap().success();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(killed, "there was a worker to kill");
    ran(child.wait_with_output().unwrap()).code(3).says("CRASH a/s").last_line("0 passed, 1 failed, 0 skipped, 39 new");
    let records = Run::read(&ground.last_run()).unwrap().records;
    let count = |status: Status| records.iter().filter(|record| record.status == status).count();
    assert_eq!((count(Status::Crash), count(Status::New)), (1, 39));
}

#[test]
fn a_run_that_was_cut_off_says_so() {
    let ground = Ground::new("cut");
    ground.ball("a/one", "#ff0000", "");
    ground.run(&["test"]).code(5);
    let file = ground.last_run().join("run.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    let whole: Vec<&str> = text.lines().collect();
    let mut cut = fs::File::create(&file).unwrap();
    writeln!(cut, "{}\n{}", whole[0], whole[1]).unwrap();
    write!(cut, "{}", &whole[2][..20]).unwrap();
    ground.run(&["accept", "--all"]).code(0).complains("is incomplete");
    fs::write(&file, "{\"schema\":\"strange/1\"}\n").unwrap();
    ground.run(&["accept", "--all"]).code(2).complains("run.jsonl:1");
}

#[test]
fn other_routes_give_the_same_bytes() {
    let ground = Ground::new("via");
    ground.stage("a/stage", "#ff0000", "");
    ground.settle();
    ground.run(&["test", "--via", "all"]).code(0).last_line("1 passed, 0 failed, 0 skipped");
    ground.run(&["test", "--audit"]).code(0);
    ground.run(&["test", "--repeat-each", "3"]).code(0);
    ground.run(&["test", "--capture", "off", "--no-cache"]).code(0);
    ground.run(&["test", "--capture", "draws", "--no-cache"]).code(0);
    let json = ground.run(&["test", "--json", "--no-cache"]).code(0).out;
    assert!(json.lines().count() >= 2, "{json}");
    for line in json.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(value["stillframe"].is_string() && value["schema"].is_string(), "{line}");
    }
}

#[test]
fn a_base_draws_the_old_pictures_that_no_store_holds() {
    let ground = Ground::new("base");
    ground.write("stillframe.toml", "[test]\nstore = \"none\"\n");
    ground.stage("a/stage", "#b03020", "[test]\naov = [\"color\", \"depth\"]\n");
    ground.run(&["test"]).code(5);
    ground.run(&["accept", "--all"]).code(0);
    ground.write(".gitignore", "target\n.cache\n");
    ground.git(&["init", "-q"]);
    ground.git(&["add", "-A"]);
    ground.git(&["commit", "-q", "-m", "first"]);
    assert!(!ground.path("references/a/stage.png").exists(), "the hash is all there is");
    ground.run(&["test", "--no-cache"]).code(0).last_line("2 passed, 0 failed, 0 skipped");

    let scene = ground.read("scenes/a/stage.toml");
    ground.write(
        "scenes/a/stage.toml",
        scene.replace("radius_m = 0.5\nposition = [0.8", "radius_m = 0.4\nposition = [0.8"),
    );
    ground.run(&["test"]).code(1).last_line("0 passed, 2 failed, 0 skipped");
    assert_eq!(ground.record("a/stage").old_picture, None);
    ground.run(&["test", "--base", "HEAD"]).code(1).last_line("0 passed, 2 failed, 0 skipped");
    for name in ["a/stage", "a/stage#depth"] {
        let record = ground.record(name);
        let why = record.why_differs.expect("it says why");
        assert!(record.old_picture.is_some() && why.pixels > 0, "{name}: {why:?}");
        assert!(why.first_pass.is_some(), "{name}: {why:?}");
        assert!(why.objects.iter().any(|object| object.node == "right"), "{name}: {why:?}");
    }
    // A scene that is not the reference's any more proves nothing, and neither does a program that is none.
    ground.git(&["commit", "-q", "-a", "-m", "second"]);
    ground.run(&["test", "--base", "HEAD"]).code(1).says("picture is not the reference");
    assert_eq!(ground.record("a/stage").old_picture, None);
    ground.run(&["test", "--base", "stillframe.toml"]).code(1).says("no picture of this case");
    ground.run(&["test", "--base", env!("CARGO_BIN_EXE_stillframe")]).code(1).says("picture is not the reference");
    ground.run(&["test", "--base", "no-such"]).code(2);
}

#[test]
fn what_one_machine_knows_is_unchanged_on_another() {
    let (one, other) = (Ground::new("known-one"), Ground::new("known-other"));
    let shared = one.path("shared");
    let config = format!("[test]\nstore = \"dir:{}\"\n", shared.display());
    for ground in [&one, &other] {
        ground.write("stillframe.toml", &config);
        ground.ball("a/ball", "#b03020", "");
        ground.ball("a/other", "#30b020", "");
    }
    one.settle();
    one.run(&["test", "--no-cache"]).code(0);
    other.write("references/a/frames.lock", one.read("references/a/frames.lock"));
    other.run(&["test"]).code(0).says("2 unchanged since").last_line("2 passed, 0 failed, 0 skipped");
    // Another scene is another input.
    other.ball("a/ball", "#b03021", "");
    other.run(&["test"]).code(1).says("1 unchanged since").last_line("1 passed, 1 failed, 0 skipped");
    one.ball("a/ball", "#b03021", "");
    one.run(&["test", "a/ball"]).code(1).says("DIFFERS");
    one.run(&["store", "verify"]).code(0);
    one.run(&["store", "gc"]).code(0);
    let notes = || fs::read_dir(&shared).unwrap().flatten().filter(|entry| entry.file_name().len() == 2).count();
    assert!(notes() >= 3, "what is no reference stays");
}

#[test]
fn what_is_known_is_held_to_what_is_drawn() {
    let ground = Ground::new("distrust");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    let mut spoiled = 0;
    let known = ground.path("target/stillframe/known");
    for folder in fs::read_dir(&known).unwrap().flatten() {
        for file in fs::read_dir(folder.path()).unwrap().flatten() {
            let text = fs::read_to_string(file.path()).unwrap();
            let at = text.find("\"pixels\":\"b3:").unwrap() + 13;
            let digit = if &text[at..=at] == "0" { "1" } else { "0" };
            fs::write(file.path(), format!("{}{digit}{}", &text[..at], &text[at + 1..])).unwrap();
            spoiled += 1;
        }
    }
    assert!(spoiled > 0);
    ground.run(&["test", "--no-cache"]).code(6).says("the cache was wrong");
    // It has been put right.
    ground.run(&["test", "--no-cache"]).code(0).last_line("1 passed, 0 failed, 0 skipped");
}

#[test]
fn a_printed_patch_makes_the_run_green() {
    let ground = Ground::new("patch");
    ground.ball("a/ball", "#b03020", "");
    ground.ball("a/gone", "#b03020", "");
    ground.ball("b/kept", "#b03020", "");
    ground.settle();
    ground.write(".gitignore", "target\n.cache\n*.patch\n");
    ground.git(&["init", "-q"]);
    ground.git(&["add", "-A"]);
    ground.git(&["commit", "-q", "-m", "first"]);
    ground.run(&["pending", "--patch"]).code(0);
    ground.ball("a/ball", "#30b020", "");
    ground.ball("c/new", "#30b020", "");
    fs::remove_file(ground.path("scenes/a/gone.toml")).unwrap();
    ground.run(&["test"]).code(1);
    let patch = ground.run(&["pending", "--patch"]).code(5).out;
    assert!(!patch.contains("kept") && patch.contains("new file mode"), "{patch}");
    ground.write("x.patch", patch);
    ground.git(&["apply", "x.patch"]);
    // It has lines alone: pictures beside them are still the old ones, and that is told.
    ground.run(&["test", "--no-cache"]).code(5).says("DAMAGED a/ball").says("DAMAGED c/new");
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["test", "--no-cache"]).code(0).last_line("3 passed, 0 failed, 0 skipped");
}
