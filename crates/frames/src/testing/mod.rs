//! Testing: pictures in ordinary `cargo test`: the same references, the same lock, the same runs and reviews as the
//! command line has.
//!
//! ```no_run
//! use stillframe_frames::testing::Tests;
//! use stillframe_frames::{Picture, Samples};
//!
//! // In a file of `tests/`, below `#[test]`. `soft/1`: the software adapter with pixel contract 1 made the picture.
//! fn a_red_square() {
//!     let rendered = Picture::new(2, 2, 3, Samples::U8([255, 0, 0].repeat(4))).expect("three samples a pixel");
//!     Tests::at(env!("CARGO_MANIFEST_DIR")).made_by("soft/1").assert("square/red", &rendered);
//! }
//! # a_red_square();
//! ```
//!
//! [`assert_picture!`](crate::assert_picture) does the same in one line, and names the picture after the test.
//!
//! Without a reference, or with another picture, the test fails, says where and how much, and what to type. It leaves
//! the picture and a page for browsers in `target/stillframe/runs`. `STILLFRAME_UPDATE=missing|failing|all` makes the
//! picture the reference (once looked at, the next run is green), and so does the program `stillframe`. `CI` never
//! writes.

mod allowed;
mod call;
mod command;
mod comparing;
mod session;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

use crate::run::Status;

pub use call::Call;
pub use command::cargo_test;
pub use comparing::Tests;
pub use session::{Session, session_folder, settle};

/// What the environment says of tests: with the software adapter's options, all that a library here reads of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub update: Update,
    /// `CI` is set: nothing is written.
    pub is_ci: bool,
    /// What the tests of one run have in common; runs of one session share a folder.
    pub session: String,
    /// The package whose tests run, as cargo tells it; empty where nobody does.
    pub package: String,
}

/// Which references are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    #[default]
    No,
    /// Those that do not exist yet.
    Missing,
    /// Those too that differ.
    Failing,
    /// Every one.
    All,
}

impl Settings {
    /// `STILLFRAME_UPDATE` (`no`, `missing`, `failing`, `all`; insta's `new` and `always` and egui's `1` and `force`
    /// too), `CI`, and nextest's number of the run.
    ///
    /// Errors: a word that is none of these.
    #[expect(clippy::disallowed_methods, reason = "the one place of this crate that reads the environment")]
    pub fn from_env() -> Result<Settings, String> {
        let read = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let update = match read("STILLFRAME_UPDATE").as_deref() {
            None | Some("no" | "0") => Update::No,
            Some("missing" | "new") => Update::Missing,
            Some("failing" | "1" | "true") => Update::Failing,
            Some("all" | "always" | "force") => Update::All,
            Some(other) => return Err(format!("STILLFRAME_UPDATE={other}: no, missing, failing or all is expected")),
        };
        let session = read("NEXTEST_RUN_ID").unwrap_or_else(process);
        let package = read("CARGO_PKG_NAME").unwrap_or_default();
        Ok(Settings { update, is_ci: read("CI").is_some_and(|value| value != "false"), session, package })
    }

    /// Whether a case with this status gets its picture as reference.
    pub fn writes(&self, status: Status) -> bool {
        !self.is_ci
            && match self.update {
                Update::No => false,
                Update::Missing => status == Status::New,
                Update::Failing => status.is_pending(),
                Update::All => status.is_pending() || status == Status::Pass,
            }
    }
}

/// This process and no other: numbers of processes come again.
fn process() -> String {
    static WORD: OnceLock<u64> = OnceLock::new();
    let word = WORD.get_or_init(|| RandomState::new().build_hasher().finish());
    format!("process {} {word:016x}", std::process::id())
}
