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
//! Without a reference, or with another picture, the test fails, says where and how much, and leaves the picture in
//! `target/stillframe/runs`; `STILLFRAME_UPDATE=missing|failing|all` makes it the reference (once looked at, the next
//! run is green). `CI` never writes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use stillframe_base::par::Pool;

use crate::report::{Paint, Surroundings, failure_block, line};
use crate::review::change;
use crate::run::{CaseRecord, RunFolder, RunHeader, Status, Why};
use crate::store::{Store, StoreAddress, StoreOptions};
use crate::{Picture, difference_picture};

/// What the environment says of tests: with the software adapter's options, all that a library here reads of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    pub update: Update,
    /// `CI` is set: nothing is written.
    pub is_ci: bool,
    /// What the tests of one run have in common; runs of one session share a folder.
    pub session: String,
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
        let session = read("NEXTEST_RUN_ID").unwrap_or_else(|| format!("process {}", std::process::id()));
        Ok(Settings { update, is_ci: read("CI").is_some_and(|value| value != "false"), session })
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

/// Tests of one package.
#[derive(Clone, Debug)]
pub struct Tests {
    root: PathBuf,
    adapter: String,
    settings: Settings,
    address: StoreAddress,
}

impl Tests {
    /// Tests whose references lie in `references/` below a folder: `Tests::at(env!("CARGO_MANIFEST_DIR"))`.
    ///
    /// Panics on a `STILLFRAME_UPDATE` that is none.
    pub fn at(folder: impl AsRef<Path>) -> Tests {
        let settings = Settings::from_env().unwrap_or_else(|message| panic!("{message}"));
        Tests {
            root: folder.as_ref().to_path_buf(),
            adapter: "unknown/0".into(),
            settings,
            address: StoreAddress::parse("git").expect("the default"),
        }
    }

    /// Who made the pictures, as the lock names it: `soft/1` is the software adapter with pixel contract 1. References
    /// of another one are never compared with.
    pub fn made_by(self, adapter: &str) -> Tests {
        assert!(
            adapter.contains('/') && !adapter.contains(char::is_whitespace),
            "an adapter is written `soft/1`, not {adapter:?}"
        );
        Tests { adapter: adapter.into(), ..self }
    }

    /// Another store than the pictures beside their lock lines.
    pub fn store(self, address: StoreAddress) -> Tests {
        Tests { address, ..self }
    }

    /// What the environment would say.
    pub fn settings(self, settings: Settings) -> Tests {
        Tests { settings, ..self }
    }

    /// Compares a picture with the reference `FAMILY/NAME`.
    ///
    /// Panics where it is not the reference's, with what `stillframe test` would say.
    #[track_caller]
    pub fn assert(&self, name: &str, picture: &Picture) {
        if let Err(words) = self.check(name, picture) {
            panic!("{words}");
        }
    }

    /// [`Tests::assert`] for who wants the words.
    ///
    /// Errors: the words.
    pub fn check(&self, name: &str, picture: &Picture) -> Result<(), String> {
        let store =
            Store::open(&self.root.join("references"), self.address.clone().under(&self.root), StoreOptions::default())
                .map_err(|error| error.to_string())?;
        let mut record = CaseRecord {
            name: name.into(),
            adapter: self.adapter.clone(),
            size_px: [picture.width_px, picture.height_px],
            format: picture.format().to_string(),
            hash: Some(picture.hash()),
            ..CaseRecord::default()
        };
        let (family, behaviour) = crate::run::split_name(name);
        let lock = store.lock(family).map_err(|error| error.to_string())?;
        let line = lock.find(behaviour);
        record.want = line.map(|line| line.pixels);
        record.status = match line {
            None => Status::New,
            Some(line)
                if (line.width_px, line.height_px, line.format)
                    != (picture.width_px, picture.height_px, picture.format()) =>
            {
                Status::Size
            }
            Some(line) if line.adapter != self.adapter => {
                record.message =
                    Some(format!("the reference was made by {}, this picture by {}", line.adapter, self.adapter));
                Status::Adapter
            }
            Some(line) if line.pixels != picture.hash() => Status::Differs,
            Some(_) => Status::Pass,
        };
        if record.status == Status::Pass && self.settings.update != Update::All {
            return Ok(());
        }
        let told = |error: io::Error| format!("{}: {error}", self.runs().display());
        let folder = session_folder(&self.runs(), &self.settings.session, &self.adapter).map_err(told)?;
        let pool = Pool::new(1);
        record.new_picture = Some(folder.keep(picture, &pool).map_err(told)?);
        let old = line.and_then(|line| store.picture(family, line).ok().flatten());
        if let Some(old) = old.filter(|_| record.status == Status::Differs) {
            record.old_picture = Some(folder.keep(&old, &pool).map_err(told)?);
            record.why_differs = Why::of(&old, picture, &pool);
            if let Ok(found) = crate::Differences::of(&old, picture) {
                record.diff_picture = Some(folder.keep(&difference_picture(&found), &pool).map_err(told)?);
            }
        }
        settle(&folder, &store, &self.settings, &[record])
    }

    fn runs(&self) -> PathBuf {
        self.root.join("target").join("stillframe").join("runs")
    }
}

/// The run's folder that the tests of one session share. It has no end: nobody knows which test is the last.
pub fn session_folder(runs: &Path, session: &str, adapter: &str) -> io::Result<RunFolder> {
    fs::create_dir_all(runs)?;
    // Tests of one session start together, each in a process of its own.
    let guard = fs::File::create(runs.join(".lock"))?;
    guard.lock()?;
    if let Some(newest) = crate::run::newest(runs)
        && fs::read_to_string(newest.join(SESSION)).is_ok_and(|known| known == session)
    {
        return Ok(RunFolder::open(&newest));
    }
    let folder = RunFolder::create(runs)?;
    fs::write(folder.path().join(SESSION), session)?;
    let header = RunHeader { id: folder.id(), adapter: adapter.into(), is_open: true, ..RunHeader::default() };
    folder.add_lines(&line("run/1", &header))?;
    Ok(folder)
}

/// Name of the file that tells whose folder it is.
const SESSION: &str = "session";

/// Writes records of failures, makes references of those that the settings ask for, and says what is wrong.
///
/// Errors: the words; also where a reference was written, which wants to be looked at once.
pub fn settle(folder: &RunFolder, store: &Store, settings: &Settings, records: &[CaseRecord]) -> Result<(), String> {
    let mut words = String::new();
    let mut changes = Vec::new();
    let path = folder.path().display().to_string();
    for record in records {
        if record.status.is_failure() {
            folder.add_lines(&line("case/1", record)).map_err(|error| format!("{path}: {error}"))?;
            let around = Surroundings { clusters: &[], folder: &path, paint: Paint::Plain };
            words.push_str(&failure_block(record, &around));
        }
        if settings.writes(record.status) {
            changes.push(change(folder, record).map_err(|error| format!("{}: {error}", record.name))?);
            if record.status.is_failure() {
                words.push_str("   the picture is the reference now: look at it, then run again\n");
            }
        }
    }
    store.accept(&changes).map_err(|error| error.to_string())?;
    if words.is_empty() {
        return Ok(());
    }
    if changes.is_empty() && !settings.is_ci {
        words.push_str("   without the command line: STILLFRAME_UPDATE=failing makes what differs the reference, =missing what is new\n");
    }
    Err(words)
}
