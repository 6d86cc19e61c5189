//! A project of the program `stillframe` whose pictures are in an object store: its whole life, by the command line
//! alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::everything::{Environment, program};
use crate::server::{Server, folder};

/// A clone of the project, and how programs are run in it.
struct Clone<'a> {
    root: PathBuf,
    environment: &'a Environment,
}

struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Ran {
    #[track_caller]
    fn code(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "\n--- out\n{}--- err\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn says(self, part: &str) -> Ran {
        let all = format!("{}{}", self.out, self.err);
        assert!(all.contains(part), "no {part:?} in\n{all}");
        self
    }
}

impl Clone<'_> {
    fn run(&self, arguments: &[&str]) -> Ran {
        let still = Path::new(program()).with_file_name(format!("stillframe{}", std::env::consts::EXE_SUFFIX));
        assert!(still.exists(), "{} is not built: run ci/steps/remote.sh", still.display());
        self.run_program(&still, arguments)
    }

    fn run_program(&self, program: &Path, arguments: &[&str]) -> Ran {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.root).env_remove("CI").envs(self.environment.iter().cloned());
        command.env("XDG_CACHE_HOME", self.root.join(".cache")).env("STILLFRAME_REMOTE_RETRIES", "1");
        let output = command.output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn ball(&self, name: &str, color: &str) {
        let text = format!(
            "title = \"A ball\"\n[output]\nsize_px = [32, 32]\n[camera.main]\nposition = [0.0, 0.0, 3.0]\nlook_at = [0.0, 0.0, 0.0]\n\
             [material.paint]\nbase_color = \"{color}\"\nunlit = true\n[[node]]\nname = \"ball\"\nshape = \"sphere\"\nmaterial = \"paint\"\n"
        );
        self.write(&format!("scenes/{name}.toml"), &text);
    }

    fn git(&self, arguments: &[&str]) {
        let identity = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false"];
        let run = Command::new("git").args(identity).args(arguments).current_dir(&self.root).output().unwrap();
        assert!(run.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    }

    /// What somebody else has who takes the repository.
    fn clone(&self, name: &str) -> Clone<'_> {
        let root = self.root.with_file_name(name);
        self.git(&["clone", "-q", ".", root.to_str().unwrap()]);
        Clone { root, environment: self.environment }
    }

    /// What the last run has to show of the old picture.
    fn last_run_has_old_picture(&self) -> bool {
        let mut runs: Vec<_> = fs::read_dir(self.root.join("target/stillframe/runs")).unwrap().flatten().collect();
        runs.retain(|entry| entry.path().join("run.jsonl").exists());
        runs.sort_by_key(|entry| entry.file_name());
        fs::read_to_string(runs.last().unwrap().path().join("run.jsonl")).unwrap().contains("\"old_picture\":")
    }
}

/// Accepted in one clone, pushed, judged and looked at in others; then the server goes.
pub fn whole_life(server: Server, address: &str) {
    let environment = server.environment();
    let root = folder("project").join("one");
    let one = Clone { root, environment: &environment };
    one.write("stillframe.toml", &format!("[test]\nstore = \"{address}\"\n"));
    one.write(".gitignore", "/target\n/.cache\n");
    one.run(&["init", "--ci", "none"]).code(0).says("kept stillframe.toml").says("accepted first/hello");
    one.ball("a/red", "#ff0000");
    one.ball("a/twin", "#ff0000");
    one.ball("a/blue", "#0000ff");
    one.run(&["test"]).code(5).says("1 passed, 0 failed, 0 skipped, 3 new");
    one.run(&["accept", "--all"]).code(0).says("accepted a/twin");
    assert!(!one.root.join("references/a/red.png").exists(), "pictures are not in the repository");
    // Equal pictures are one file; each has the hashes of its passes and its inputs, and equal lists are one as well.
    one.run(&["store", "verify"]).code(0).says("unpushed").says("whole: 4 cases");
    let pushed = one.run(&["store", "push"]).code(0).says("; 0 known there already").out;
    let count: usize = pushed.split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(count, 9, "{pushed}");
    one.run(&["store", "push"]).code(0).says(&format!("pushed 0 files, 0 bytes; {count} known there already"));
    let quiet = one.run(&["store", "verify"]).code(0).out;
    assert!(!quiet.contains("unpushed"), "{quiet}");
    one.git(&["init", "-q"]);
    one.git(&["add", "-A"]);
    one.git(&["commit", "-q", "-m", "first"]);

    let two = one.clone("two");
    two.run(&["test"]).code(0).says("4 passed, 0 failed, 0 skipped");
    assert!(!two.root.join("target/stillframe/store").exists(), "the lock decides, and nothing is fetched for it");
    two.run(&["store", "pull"]).code(0).says(&format!("pulled {count} files"));
    two.run(&["store", "verify"]).code(0).says("whole: 4 cases");
    two.run(&["store", "gc", "--dry-run"]).code(0).says("0 files, 0 bytes");
    two.ball("a/blue", "#0000fe");
    two.run(&["test"]).code(1).says("DIFFERS a/blue");
    assert!(two.last_run_has_old_picture());
    two.run(&["accept", "a/blue"]).code(0);
    two.run(&["store", "gc", "--dry-run"]).code(0).says("dead");
    two.run(&["store", "push"]).code(0).says("pushed 3 files");

    // What was never pulled is fetched when somebody has to look at it.
    let three = one.clone("three");
    three.ball("a/red", "#fe0000");
    three.run(&["test"]).code(1).says("DIFFERS a/red");
    assert!(three.last_run_has_old_picture());

    let four = one.clone("four");
    four.write("stillframe.toml", "[test]\nstore = \"s3://nothing/here\"\n");
    four.run(&["test"]).code(0);
    four.run(&["store", "pull"]).code(8).says("no such bucket").says("s3://nothing/here");
    four.ball("a/new", "#00ff00");
    four.run(&["test"]).code(5);
    four.run(&["accept", "a/new"]).code(0);
    four.run(&["store", "push"]).code(8).says("no such bucket");

    // Who has not installed the program for object stores is told how.
    let alone = four.root.join("stillframe");
    fs::copy(Path::new(program()).with_file_name("stillframe"), &alone).unwrap();
    four.write("bin/nothing", "");
    let paths = [("PATH", four.root.join("bin").display().to_string())];
    let four = Clone { root: four.root.clone(), environment: &paths };
    four.run_program(&alone, &["store", "pull"]).code(8).says("cargo install stillframe-remote");

    // Verdicts need no server; what needs it says so.
    drop(server);
    let five = one.clone("five");
    five.run(&["test"]).code(0).says("4 passed, 0 failed, 0 skipped");
    five.run(&["store", "pull"]).code(8).says("cannot be reached");
    five.ball("a/red", "#fe0000");
    five.run(&["test"]).code(1).says("DIFFERS a/red");
    assert!(!five.last_run_has_old_picture());
    five.run(&["accept", "a/red"]).code(0);
    five.run(&["test"]).code(0);
    five.run(&["store", "push"]).code(8);
}
