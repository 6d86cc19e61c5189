//! Reports: every text that a run becomes is held by a file in `tests/data/report`, and joined runs lose and invent
//! nothing.
//!
//! `STILLFRAME_UPDATE=all cargo test -p stillframe-frames --test pictures report` writes the files anew; look at what
//! changed.

mod merging;
mod page;
mod schema;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};

use stillframe_frames::run::{Run, RunFolder};
use stillframe_testkit::runs;

/// A folder for one test alone.
fn scratch(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}"));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// The made-up run: a case of every status.
fn sample(name: &str) -> Run {
    let folder = RunFolder::create(&scratch(name)).unwrap();
    runs::write_run(&folder, 0);
    Run::read(folder.path()).unwrap()
}

/// Demands that `text` is what the file holds.
#[track_caller]
#[expect(clippy::disallowed_methods, reason = "whoever runs the tests says whether the files are written anew")]
fn hold(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/report").join(name);
    if std::env::var("STILLFRAME_UPDATE").is_ok_and(|word| word == "all") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let want = fs::read_to_string(&path).unwrap_or_default();
    if text != want {
        let differing = text.lines().zip(want.lines()).position(|(got, want)| got != want);
        let at = differing.unwrap_or_else(|| text.lines().count().min(want.lines().count()));
        let line = |text: &str| text.lines().nth(at).unwrap_or("(nothing)").to_string();
        panic!("{name}:{}: got\n  {}\nwhere the file has\n  {}", at + 1, line(text), line(&want));
    }
}
