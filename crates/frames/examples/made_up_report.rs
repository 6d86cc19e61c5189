//! A run of made-up pictures and its reports, without a renderer: what the page's tests drive, and how a project with
//! pictures of its own makes a report.
//!
//! `cargo run -p stillframe-frames --example made_up_report -- FOLDER [--failures N] [--live TOKEN] [--inside BYTES]`

use std::path::PathBuf;

use stillframe_frames::report::{Live, PageOptions, html};
use stillframe_frames::run::{Run, RunFolder};
use stillframe_testkit::runs;

fn main() {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().expect("a folder for the run"));
    let (mut failures, mut options) = (0, PageOptions::default());
    while let Some(flag) = words.next() {
        let value = words.next().expect("a value after the flag");
        match flag.as_str() {
            "--failures" => failures = value.parse().expect("a number"),
            "--live" => options.live = Some(Live { token: value }),
            "--inside" => options.inside_max_bytes = value.parse().expect("a number of bytes"),
            other => panic!("{other} is no flag of this example"),
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    let made = RunFolder::create(&folder).expect("a folder that can be written");
    runs::write_run(&made, failures);
    let run = Run::read(made.path()).expect("what was written is read");
    let path = made.path().join("report.html");
    html(&run, &options).write(&run, &path).expect("a folder that can be written");
    println!("{}", path.display());
}
