//! Somebody else's renderer, tested by `stillframe-frames` alone: whatever a failure prints is run as it stands, with
//! the program `stillframe` and without it.
//!
//! Building a package of its own for that takes minutes. Its test is `small` of this file, in a folder that is made for
//! it, and `cargo` is a script that starts this very binary as cargo starts tests.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use stillframe_frames::testing::{Settings, Tests};
use stillframe_frames::{Picture, Samples};

use super::ground::{Ground, Ran, ran, scene};

/// What the renderer draws: the colour is in a file, as if its code had changed.
fn drawn(root: &Path) -> Picture {
    let color: u8 = fs::read_to_string(root.join("color")).unwrap().trim().parse().unwrap();
    let values = (0..16 * 16 * 4).map(|at| if at % 7 == 0 { color } else { 200 }).collect();
    Picture::new(16, 16, 4, Samples::U8(values)).unwrap()
}

/// The test of somebody else's program, in the folder that the tests below name. Alone, it has a folder without
/// references.
#[test]
#[expect(clippy::disallowed_methods, reason = "the script says where the package is, as cargo would")]
fn small() {
    match std::env::var("OWN_PICTURES_PACKAGE") {
        Ok(root) => Tests::at(&root).made_by("tiny-skia/0.12").assert("shapes/small", &drawn(Path::new(&root))),
        Err(_) => {
            let package = Package::new("own-small");
            package.draw(1);
            let root = package.ground.path("");
            let tests = Tests::at(&root).settings(Settings::default());
            let words = tests.check("shapes/small", &drawn(&root)).unwrap_err();
            assert!(words.starts_with("NEW shapes/small"), "{words}");
        }
    }
}

/// The package `shapes`, and what people type there.
struct Package {
    ground: Ground,
}

/// The lines of a failure that are to be typed or opened.
#[derive(Debug)]
struct Words {
    page: PathBuf,
    accept: String,
    or: String,
    repeat: String,
}

impl Package {
    fn new(name: &str) -> Package {
        let ground = Ground::new(name);
        fs::remove_file(ground.path("stillframe.toml")).unwrap();
        fs::remove_dir(ground.path("scenes")).unwrap();
        fs::create_dir_all(ground.path("elsewhere")).unwrap();
        let own = std::env::current_exe().unwrap();
        let script = format!(
            "#!/bin/sh\n[ \"$1 $2 $3 $5 $6\" = 'test -p shapes -- --exact' ] || exit 99\n\
             unset CI NEXTEST_RUN_ID\nexport CARGO_PKG_NAME=shapes OWN_PICTURES_PACKAGE='{}'\n\
             exec '{}' \"$4\" --exact\n",
            ground.path("").display(),
            own.display()
        );
        ground.write("bin/cargo", script);
        fs::set_permissions(ground.path("bin/cargo"), fs::Permissions::from_mode(0o755)).unwrap();
        Package { ground }
    }

    fn install(&self) {
        symlink(env!("CARGO_BIN_EXE_stillframe"), self.ground.path("bin/stillframe")).unwrap();
    }

    fn draw(&self, color: u8) {
        self.ground.write("color", color.to_string());
    }

    /// Types a line in a folder that is neither the package's nor above it.
    fn types(&self, line: &str) -> Ran {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", line]).current_dir(self.ground.path("elsewhere"));
        shell.env("PATH", format!("{}:/usr/bin:/bin", self.ground.path("bin").display())).env_remove("CI");
        ran(shell.output().unwrap())
    }

    fn test(&self) -> Ran {
        self.types("cargo test -p shapes own_pictures::small -- --exact")
    }

    /// Runs the test, which must fail, and reads what it says.
    #[track_caller]
    fn fails(&self, status: &str) -> Words {
        let ran = self.test().code(101);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains(&format!("{status} shapes/small")), "{said}");
        let after = |key: &str| {
            let key = format!("   {key:<7} ");
            let found = said.lines().find_map(|line| line.strip_prefix(&key));
            found.unwrap_or_else(|| panic!("no {key:?} in\n{said}")).to_string()
        };
        let page = after("see").split('#').next().unwrap().into();
        Words { page, accept: after("accept"), or: after("or"), repeat: after("repeat") }
    }

    fn lock(&self) -> String {
        self.ground.read("references/shapes/frames.lock")
    }
}

#[test]
fn every_line_of_a_failure_works_without_the_program() {
    let package = Package::new("own-alone");
    package.draw(1);
    for (color, status) in [(1, "NEW"), (2, "DIFFERS")] {
        package.draw(color);
        let words = package.fails(status);
        let page = fs::read_to_string(&words.page).expect("the page that is named");
        assert!(page.contains("\"name\":\"shapes/small\""));
        package.types(&words.repeat).code(101);
        package.types(&words.or).code(127).complains("stillframe");
        // What was accepted wants to be looked at once.
        package.types(&words.accept).code(101).says("the picture is the reference now");
        package.types(&words.repeat).code(0);
        assert!(package.lock().contains("small tiny-skia/0.12 16x16 rgba8 b3:"), "{}", package.lock());
    }
}

#[test]
fn every_line_of_a_failure_works_with_the_program() {
    let package = Package::new("own-program");
    package.install();
    for (color, status) in [(1, "NEW"), (2, "DIFFERS")] {
        package.draw(color);
        let words = package.fails(status);
        package.types(&words.or).code(0).says("accepted shapes/small");
        package.types(&words.repeat).code(0);
        assert!(package.lock().ends_with(" owner=tests\n"), "{}", package.lock());
        let shown = package.ground.run(&["report", "show"]).code(0).out;
        assert!(Path::new(shown.trim()).is_file(), "{shown}");
    }
}

/// `test`, `accept`, `review`, `pending` and `report` find the folder without a `stillframe.toml`.
#[test]
fn references_of_tests_are_never_gone() {
    let package = Package::new("own-gone");
    let ground = &package.ground;
    ground.run(&["pending"]).code(2).complains("no `stillframe.toml`");
    package.draw(1);
    package.fails("NEW");
    ground.run(&["pending"]).code(5).says("NEW      shapes/small");
    ground.run(&["pending", "--patch"]).code(5).says("+small tiny-skia/0.12 16x16 rgba8").says("owner=tests");
    ground.run(&["review"]).code(2).complains("needs a terminal");
    ground.run(&["reject", "shapes/small"]).code(0).says("rejected shapes/small");
    ground.run(&["accept", "=shapes/small"]).code(0).says("accepted shapes/small");
    ground.run(&["pending"]).code(0);
    ground.run(&["store", "verify"]).code(0).says("whole: 1 case");
    let lock = package.lock();
    let others = "1 reference belongs to tests of a program: `cargo test` compares them";
    // There is nothing that this command compares.
    ground.run(&["test"]).code(4).complains(others);
    ground.run(&["test", "--no-tests=pass"]).code(0);
    // A clone has no runs; the lock tells enough.
    fs::remove_dir_all(ground.path("target")).unwrap();
    ground.run(&["test"]).code(4).complains(others);
    ground.run(&["pending"]).code(2).complains("no runs yet").complains("cargo test");
    package.test().code(0);
    // With scenes beside them, each has its own.
    ground.write("stillframe.toml", "[test]\n");
    ground.ball("shapes/ball", "#b03020", "");
    ground
        .run(&["test"])
        .code(5)
        .says("NEW shapes/ball")
        .complains(others)
        .last_line("0 passed, 0 failed, 0 skipped, 1 new");
    ground.run(&["accept", "--all"]).code(0);
    ground.run(&["test", "--no-cache"]).code(0).last_line("1 passed, 0 failed, 0 skipped");
    ground.run(&["test", "ball"]).code(0);
    assert!(package.lock().contains(lock.trim()), "{}", package.lock());
    package.test().code(0);
    // A scene cannot take the name of a test's picture.
    ground.write("scenes/shapes/small.toml", scene("#b03020", ""));
    ground.run(&["test", "=shapes/small"]).code(2).says("INVALID shapes/small").says("belongs to tests of a program");
    ground.run(&["accept", "--all"]).code(4);
    package.test().code(0);
}

/// A package within a project of scenes: what is nearer counts, but scenes are tested from everywhere.
#[test]
fn a_package_within_a_project_has_its_own_references() {
    let ground = Ground::new("own-inner");
    ground.ball("a/ball", "#b03020", "");
    ground.settle();
    ground.write("crates/shapes/color", "1");
    let root = ground.path("crates/shapes");
    let tests = Tests::at(&root).settings(Settings::default());
    tests.check("shapes/small", &drawn(&root)).unwrap_err();
    let inside = |arguments: &[&str]| {
        ground.run_with(arguments, |command| {
            command.current_dir(&root);
        })
    };
    inside(&["test", "--no-cache"]).code(0).last_line("1 passed, 0 failed, 0 skipped");
    inside(&["pending"]).code(5).says("NEW      shapes/small");
    ground.run(&["pending"]).code(0);
    inside(&["accept", "--all"]).code(0).says("accepted shapes/small");
    assert!(root.join("references/shapes/frames.lock").exists() && !ground.path("references/shapes").exists());
    tests.check("shapes/small", &drawn(&root)).unwrap();
}
