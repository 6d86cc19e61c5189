//! What scenes may be called, and where they may lie.

use stillframe_frames::Lock;
use stillframe_frames::run::Status;

use super::ground::{Ground, ran};

/// Names that a lock line cannot hold as they are.
const ODD: [&str; 6] = ["red ball", "#first", "tab\tbed", "no\u{a0}break", "\"quoted\"", "it's, \u{e9}"];

#[test]
fn scene_name_space() {
    let ground = Ground::new("names");
    ground.ball("first/plain", "#b03020", "");
    for name in ODD {
        ground.ball(&format!("first/{name}"), "#3030b0", "");
    }
    ground.ball("a folder/red ball", "#30b030", "[test]\naov = [\"color\", \"depth\"]\n");
    ground.settle();
    let text = ground.read("references/first/frames.lock");
    assert!(text.contains("\nplain soft/") && text.contains("\n\"red ball\" soft/"), "{text}");
    let lock = Lock::parse(&text).unwrap();
    assert!(ODD.iter().all(|name| lock.find(name).is_some()), "{text}");
    ground.run(&["store", "verify"]).code(0);
    ground.run(&["store", "gc"]).code(0).says("0 files");

    // What reads lock lines elsewhere: changes, patches, history.
    ground.git(&["init", "-q"]);
    ground.write(".gitignore", "target\n.cache\n");
    ground.git(&["add", "-A"]);
    ground.git(&["commit", "-q", "-m", "first"]);
    ground.ball("first/red ball", "#3030b1", "");
    ground.run(&["test", "--only-changed=HEAD"]).code(1).says("first/red ball");
    let patch = ground.run(&["pending", "--patch"]).code(5).out;
    assert_eq!(patch.lines().filter(|line| line.starts_with("-\"") || line.starts_with("+\"")).count(), 2, "{patch}");
    ground.write("change.patch", &patch);
    ground.git(&["apply", "change.patch"]);
    // The patch is of the lock alone.
    ground.run(&["test", "=first/red ball"]).code(5).says("DAMAGED first/red ball");
    ground.run(&["accept", "=first/red ball"]).code(0);
    ground.run(&["test", "=first/red ball"]).code(0);
    ground.git(&["add", "-A"]);
    ground.git(&["commit", "-q", "-m", "bluer"]);
    ground.run(&["log", "first/red ball"]).code(0).says("bluer");
    ground.run(&["test", "--identical-to", "HEAD", "--no-cache"]).code(0);
}

/// What is printed to be typed does, in a shell, what it says.
#[cfg(unix)]
#[test]
fn printed_commands_are_for_shells() {
    let ground = Ground::new("it's a $(touch no) ground");
    let name = "a/it's $(touch yes) `touch yes`; *";
    ground.ball(name, "#b03020", "");
    ground.ball("a/other", "#b03020", "");
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_stillframe"));
    #[expect(clippy::disallowed_methods, reason = "a shell finds its commands by it")]
    let others = std::env::var("PATH").unwrap();
    let path = format!("{}:{others}", program.parent().unwrap().display());
    let shell = |command: &str| {
        let mut typed = std::process::Command::new("sh");
        typed.args(["-c", command]).current_dir(ground.path("")).env("PATH", &path);
        for (name, value) in ground.command(&[]).get_envs() {
            match value {
                Some(value) => typed.env(name, value),
                None => typed.env_remove(name),
            };
        }
        ran(typed.output().unwrap())
    };
    let commands = |out: &str, verb: &str| -> Vec<String> {
        let found = out.lines().filter_map(|line| Some(line[line.find(verb)?..].to_string()));
        found.filter(|command| command.contains("it")).collect()
    };
    let told = ground.run(&["test"]).code(5).out;
    let record = ground.record(name);
    assert!(commands(&told, "stillframe test").contains(&record.command), "{told}");
    shell(&record.command).code(5).says(name).last_line("0 passed, 0 failed, 0 skipped, 1 new");
    let accept = commands(&told, "stillframe accept");
    assert_eq!(accept.len(), 1, "{told}");
    shell(&accept[0]).code(0);
    ground.run(&["test", "=a/other"]).code(5);
    ground.run(&["test", "--no-cache", &format!("={name}")]).code(0);
    ground.ball(name, "#b03020", "samples = 1\n");
    let told = ground.run(&["test", &format!("={name}")]).code(2).out;
    let check = commands(&told, "stillframe check");
    shell(&check[0]).code(2).complains("E0110");
    // A finding's file, too.
    let fuzzed = ground.run(&["fuzz", "scene", "--mutant", "panic", "--runs", "60", "-o", "it's here"]).code(1).out;
    shell(&format!("{} --mutant panic", commands(&fuzzed, "stillframe fuzz scene --replay")[0])).code(1);
    assert!(!ground.path("yes").exists() && !ground.path("no").exists());
}

/// What cannot be accepted is told, and the others are taken.
#[test]
fn scene_name_space_accept_all() {
    let ground = Ground::new("accept-all");
    ground.ball("a/small", "#b03020", "");
    ground.stage("a/large", "#b03020", "");
    ground.run(&["test"]).code(5);
    ground.write("stillframe.toml", "[test]\nmax_reference_bytes = 900\n");
    let strict = ground.run(&["accept", "a/small", "a/large"]).code(2).complains("more than the 900");
    assert_eq!(strict.out, "");
    let ran = ground.run(&["accept", "--all"]).code(2).says("accepted a/small").complains("a/large");
    assert!(!ran.out.contains("a/large"), "{}", ran.out);
    ground.run(&["test", "--no-cache"]).code(5);
    assert_eq!((ground.record("a/small").status, ground.record("a/large").status), (Status::Pass, Status::New));
    // A picture of the run that is gone is one case's trouble too.
    ground.write("stillframe.toml", "[test]\n");
    ground.ball("a/other", "#3030b0", "");
    ground.run(&["test"]).code(5);
    let lost = ground.record("a/other").new_picture.unwrap();
    std::fs::remove_file(ground.last_run().join(lost)).unwrap();
    ground.run(&["accept", "--all"]).code(2).says("accepted a/large").complains("a/other");
}

#[test]
fn scenes_need_no_folder() {
    let ground = Ground::new("root");
    ground.ball("stray", "#b03020", "[test]\naov = [\"color\", \"depth\"]\n");
    ground.ball("red ball", "#30b030", "");
    ground.ball("a/ball", "#3030b0", "");
    let listed = ground.run(&["list"]).code(0).out;
    assert_eq!(listed, "a/ball\nred ball\nstray\nstray#depth\n");
    ground.run(&["hash", "scenes/stray.toml"]).code(0).says("scenes/stray.toml");
    // What lies beside families belongs to nobody until a scene has references there.
    ground.write("references/notes.png", "a picture of somebody");
    ground.run(&["store", "gc"]).code(0).says("0 files");
    std::fs::remove_file(ground.path("references/notes.png")).unwrap();
    ground.settle();
    for file in ["frames.lock", "stray.png", "stray#depth.exr", "red%20ball.png", "a/ball.png"] {
        assert!(ground.path("references").join(file).exists(), "{file}");
    }
    ground.run(&["store", "verify"]).code(0);
    ground.run(&["store", "gc"]).code(0).says("0 files");
    ground.run(&["store", "stats"]).code(0).says(".  ");
    ground.run(&["test", "=stray"]).code(0).last_line("1 passed, 0 failed, 0 skipped");
    ground.git(&["init", "-q"]);
    ground.write(".gitignore", "target\n.cache\n");
    ground.git(&["add", "-A"]);
    ground.git(&["commit", "-q", "-m", "first"]);
    ground.ball("stray", "#b03021", "");
    ground.run(&["test", "--only-changed=HEAD"]).says("stray");
    ground.run(&["test"]).code(1);
    ground.run(&["accept", "--all"]).code(0).says("removed  stray#depth");
    ground.run(&["test"]).code(0);
    assert!(!ground.path("references/stray#depth.exr").exists());
    ground.run(&["log", "stray"]).code(0);

    // All of them gone: the lock goes, the folder of the others stays.
    std::fs::remove_file(ground.path("scenes/stray.toml")).unwrap();
    std::fs::remove_file(ground.path("scenes/red ball.toml")).unwrap();
    ground.run(&["test"]).code(5);
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["test"]).code(0);
    assert!(!ground.path("references/frames.lock").exists() && ground.path("references/a/frames.lock").exists());
}

/// Folders that some systems do not have are named before anything is accepted.
#[test]
fn folders_of_scenes_are_folders_everywhere() {
    let ground = Ground::new("folders");
    ground.ball("a/ball", "#3030b0", "");
    ground.ball("con/ball", "#3030b0", "");
    ground.run(&["list"]).code(2).complains("E0705").complains("`con`");
    ground.run(&["test"]).code(2);
    assert_eq!(ground.record("con/ball").status, Status::Invalid);
    ground.run(&["accept", "--all"]).code(0).says("accepted a/ball");
}
