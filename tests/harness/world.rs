//! What the world does to a project: full disks, folders that cannot be written, broken files, several programs at
//! once. Whatever it is, it is told, it has its exit status, and nothing that was accepted is lost.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use stillframe_frames::run::{Run, Status};

use super::ground::{Ground, Ran, ran};

/// Every file of the references and its bytes, but not what the store keeps for itself.
fn references(ground: &Ground) -> Vec<(PathBuf, Vec<u8>)> {
    fn walk(folder: &Path, out: &mut Vec<(PathBuf, Vec<u8>)>) {
        for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.ends_with(".store") {
                continue;
            }
            if entry.is_dir() {
                walk(&entry, out);
            } else {
                out.push((entry.clone(), fs::read(&entry).unwrap()));
            }
        }
    }
    let mut out = Vec::new();
    walk(&ground.path("references"), &mut out);
    out.sort();
    out
}

fn start(ground: &Ground, arguments: &[&str]) -> Child {
    ground.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn end(child: Child) -> Ran {
    ran(child.wait_with_output().unwrap())
}

/// Files may grow to this much; a longer one is an error of writing, as on a full disk, in every process that the
/// program starts.
#[cfg(unix)]
fn with_little_room(ground: &Ground, kibibytes: u32, arguments: &[&str]) -> Ran {
    let program = ground.command(arguments);
    // Otherwise the system ends a process that writes more.
    let script = format!("trap '' XFSZ; ulimit -f {kibibytes}; exec \"$@\"");
    let mut shell = std::process::Command::new("bash");
    shell.args(["-c", &script, "bash"]).arg(program.get_program()).args(program.get_args());
    shell.current_dir(program.get_current_dir().unwrap());
    for (name, value) in program.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    ran(shell.output().unwrap())
}

#[cfg(unix)]
#[test]
fn a_full_disk_costs_nothing_that_was_accepted() {
    let ground = Ground::new("full");
    let large = |color: &str| {
        ground.stage("a/large", color, "");
        let scene = ground.read("scenes/a/large.toml");
        ground.write("scenes/a/large.toml", scene.replace("[64, 48]", "[256, 192]"));
    };
    large("#b03020");
    ground.ball("a/small", "#b03020", "");
    ground.settle();
    let before = references(&ground);
    large("#30b020");
    ground.ball("a/small", "#30b020", "");
    // Neither the pictures of the run nor its page have room.
    with_little_room(&ground, 1, &["test"]).code(8).complains("cannot be written");
    assert_eq!(references(&ground), before);
    // The records have room, the large picture has not.
    with_little_room(&ground, 8, &["test"]).code(8).complains("ENVIRONMENT").complains("cannot be written");
    assert_eq!(references(&ground), before);
    ground.run(&["test"]).code(1).last_line("0 passed, 2 failed, 0 skipped");
    // The small picture has room, the large one has not: neither is accepted.
    with_little_room(&ground, 2, &["accept", "--all"]).code(8).complains("cannot be written");
    assert_eq!(references(&ground), before);
    assert!(!ground.path("references/.store/staged").exists(), "what was staged is taken away");
    ground.run(&["store", "verify"]).code(0);
    ground.run(&["test"]).code(1).last_line("0 passed, 2 failed, 0 skipped");
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["test", "--no-cache"]).code(0).last_line("2 passed, 0 failed, 0 skipped");
}

/// Gives all of a folder to somebody whom permissions bind, and lets the program run as them. Who is not root is bound
/// already.
#[cfg(unix)]
fn as_somebody(ground: &Ground, arguments: &[&str]) -> Ran {
    use std::os::unix::fs::{MetadataExt, chown};
    use std::os::unix::process::CommandExt;
    fn give(path: &Path, to: u32) {
        chown(path, Some(to), Some(to)).unwrap();
        if path.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| give(&entry.unwrap().path(), to));
        }
    }
    const SOMEBODY: u32 = 65534;
    let mut command = ground.command(arguments);
    if fs::metadata(ground.path("stillframe.toml")).unwrap().uid() == 0 {
        // They may not reach the folder that the program lies in.
        let own = ground.path("program");
        if !own.exists() {
            // By another process: a file that this one writes may still be open in a child of another test, and cannot
            // be run then.
            let copied = std::process::Command::new("cp").arg(command.get_program()).arg(&own).status().unwrap();
            assert!(copied.success());
        }
        give(&ground.path(""), SOMEBODY);
        let mut copied = std::process::Command::new(own);
        copied.args(arguments).current_dir(ground.path("")).uid(SOMEBODY).gid(SOMEBODY);
        copied.env("XDG_CACHE_HOME", ground.path(".cache")).env_remove("CI");
        command = copied;
    }
    let done = ran(command.output().unwrap());
    if fs::metadata(ground.path("")).unwrap().uid() == SOMEBODY {
        give(&ground.path(""), 0);
    }
    done
}

#[cfg(unix)]
#[test]
fn references_that_cannot_be_written_still_judge() {
    use std::os::unix::fs::PermissionsExt;
    let ground = Ground::new("readonly");
    ground.ball("a/ball", "#b03020", "");
    ground.ball("a/other", "#b03020", "");
    ground.settle();
    let before = references(&ground);
    let allow = |mode: u32| {
        for folder in ["references", "references/a", "references/.store"] {
            fs::set_permissions(ground.path(folder), fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    allow(0o555);
    as_somebody(&ground, &["test", "--no-cache"]).code(0).last_line("2 passed, 0 failed, 0 skipped");
    as_somebody(&ground, &["store", "verify"]).code(0);
    ground.ball("a/ball", "#30b020", "");
    as_somebody(&ground, &["test"]).code(1).says("DIFFERS a/ball");
    as_somebody(&ground, &["accept", "--all"]).code(8).complains("references").complains("ermission denied");
    allow(0o755);
    assert_eq!(references(&ground), before);
    ground.run(&["pending"]).code(5).says("a/ball");
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["test"]).code(0);

    // A file that cannot be read is told by its name.
    fs::set_permissions(ground.path("references/a/frames.lock"), fs::Permissions::from_mode(0o000)).unwrap();
    as_somebody(&ground, &["test"]).code(8).complains("frames.lock cannot be read");
    fs::set_permissions(ground.path("references/a/frames.lock"), fs::Permissions::from_mode(0o644)).unwrap();
    // Neither can the folder of runs be written, and then there is no run.
    fs::set_permissions(ground.path("target/stillframe/runs"), fs::Permissions::from_mode(0o555)).unwrap();
    as_somebody(&ground, &["test"]).code(8).complains("runs cannot be written");
    fs::set_permissions(ground.path("target/stillframe/runs"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_broken_reference_picture_is_damaged_and_shown_to_nobody() {
    let ground = Ground::new("broken");
    ground.stage("a/ball", "#b03020", "");
    ground.stage("a/other", "#3020b0", "");
    ground.settle();
    let whole = fs::read(ground.path("references/a/ball.png")).unwrap();
    let other = fs::read(ground.path("references/a/other.png")).unwrap();
    for (bytes, kind) in [
        (&whole[..whole.len() / 2], "unreadable"),
        (b"no picture", "unreadable"),
        (b"", "unreadable"),
        (&other, "other"),
    ] {
        ground.write("references/a/ball.png", bytes);
        ground.run(&["store", "verify"]).code(5).says(kind).says("ball.png").says("not whole");
        let ran = ground.run(&["test", "--no-cache"]);
        ran.code(5).says("DAMAGED a/ball").last_line("1 passed, 1 failed, 0 skipped");
        ground.stage("a/ball", "#30b020", "");
        ground
            .run(&["test"])
            .code(1)
            .says("DIFFERS a/ball")
            .says("ball.png")
            .last_line("1 passed, 1 failed, 0 skipped");
        assert_eq!(
            ground.record("a/ball").old_picture,
            None,
            "{kind}: nobody is shown another picture than the reference's"
        );
        ground.stage("a/ball", "#b03020", "");
    }
    ground.stage("a/ball", "#30b020", "");
    ground.run(&["test"]).code(1);
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["store", "verify"]).code(0);
}

#[test]
fn a_merge_that_was_left_is_never_written_over() {
    let ground = Ground::new("conflict");
    ground.ball("a/ball", "#b03020", "");
    ground.ball("b/ball", "#b03020", "");
    ground.settle();
    ground.ball("a/ball", "#30b020", "");
    ground.ball("b/ball", "#30b020", "");
    ground.run(&["test"]).code(1);
    let lock = ground.read("references/a/frames.lock");
    ground.write("references/a/frames.lock", format!("<<<<<<< ours\n{lock}=======\n{lock}>>>>>>> theirs\n"));
    let before = references(&ground);
    let refused = |arguments: &[&str]| {
        let ran = ground.run(arguments).code(2).complains("frames.lock: line 1");
        ran.complains("conflict marker").complains("solve the merge")
    };
    let both = &["accept", "a/ball", "b/ball"];
    for arguments in [&both[..], &["accept", "a/ball"], &["pending"], &["test"], &["store", "gc"]] {
        refused(arguments);
    }
    assert_eq!(references(&ground), before, "nor is the other family, which was to change with it");
    // Of all that waits, what is not in that file is taken.
    let conflict = ground.read("references/a/frames.lock");
    let ran = refused(&["accept", "--all"]).says("accepted b/ball");
    assert!(!ran.out.contains("a/ball") && ground.read("references/a/frames.lock") == conflict, "{}", ran.out);
    ground.write("references/a/frames.lock", lock);
    ground.run(&["accept", "a/ball"]).code(0);
    ground.run(&["test"]).code(0);
}

/// With one run kept, whoever ends first must not take the folder of the others away.
#[test]
fn several_runs_at_once_all_end() {
    let ground = Ground::new("runs");
    ground.write("stillframe.toml", "[test]\nkept_runs = 1\n");
    for index in 0..12 {
        ground.stage(&format!("a/s{index:02}"), &format!("#{index:02x}4080"), "");
    }
    // The second has less to do, so that it ends while the first is under way.
    let all: Vec<Child> = [&["test", "-j", "1"][..], &["test", "-j", "1", "a/s00"], &["test", "-j", "1", "a/s0"]]
        .iter()
        .map(|words| start(&ground, words))
        .collect();
    let lines: Vec<String> =
        all.into_iter().map(|child| end(child).code(5).out.lines().last().unwrap_or_default().to_string()).collect();
    assert_eq!(lines, ["12 new", "1 new", "10 new"].map(|new| format!("0 passed, 0 failed, 0 skipped, {new}")));
    let runs = || -> Vec<PathBuf> {
        let entries = fs::read_dir(ground.path("target/stillframe/runs")).unwrap().map(|entry| entry.unwrap().path());
        entries.filter(|path| path.is_dir()).collect()
    };
    for path in runs() {
        let run = Run::read(&path).unwrap();
        assert!(
            run.end.is_some() && run.records.iter().all(|record| record.status == Status::New),
            "{}",
            path.display()
        );
    }
    ground.run(&["test"]).code(5).last_line("0 passed, 0 failed, 0 skipped, 12 new");
    assert_eq!(runs().len(), 1, "once nobody is under way, old runs go");
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["test"]).code(0);
}

#[test]
fn several_decisions_at_once_all_stand() {
    let ground = Ground::new("accepts");
    let names: Vec<String> = (0..8).map(|index| format!("a/s{index}")).collect();
    for (index, name) in names.iter().enumerate() {
        ground.ball(name, &format!("#{index:02x}4080"), "");
    }
    ground.run(&["test"]).code(5);
    let all: Vec<Child> = names.iter().map(|name| start(&ground, &["accept", name])).collect();
    for child in all {
        end(child).code(0).says("accepted a/s");
    }
    ground.run(&["test", "--no-cache"]).code(0).last_line("8 passed, 0 failed, 0 skipped");
    ground.run(&["store", "verify"]).code(0).says("whole: 8 cases");
    let said: BTreeSet<String> = Run::read(&first_run(&ground)).unwrap().decisions.into_keys().collect();
    assert_eq!(said, names.iter().cloned().collect());
}

fn first_run(ground: &Ground) -> PathBuf {
    ground.path("target/stillframe/runs/000001")
}

#[test]
fn who_waits_too_long_says_so() {
    let ground = Ground::new("busy");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    ground.ball("a/ball", "#30b020", "");
    ground.run(&["test"]).code(1);
    let before = references(&ground);
    // What a program holds that is changing the references.
    let held = File::options().append(true).open(ground.path("references/.store/lock")).unwrap();
    held.lock().unwrap();
    // Of this run, whichever other one begins before it has looked.
    let failed = ground.last_run();
    let waiting = start(&ground, &["accept", "--all", "--from", failed.to_str().unwrap()]);
    ground.run(&["test", "--no-cache"]).code(1);
    end(waiting).code(8).complains("another program is changing").complains("try again when it has finished");
    assert_eq!(references(&ground), before);
    let waiting = start(&ground, &["accept", "--all"]);
    std::thread::sleep(std::time::Duration::from_millis(300));
    held.unlock().unwrap();
    end(waiting).code(0).says("accepted a/ball");
    ground.run(&["test"]).code(0);
}
