//! Session: the run that tests of one session share, and what is written and said of a failure.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use stillframe_base::bounded;

use super::Settings;
use super::command::cargo_test;
use crate::report::{PageOptions, Paint, Surroundings, failure_block, html, line, update_word};
use crate::review::change;
use crate::run::{CaseRecord, Run, RunFolder, RunHeader, newest, numbers};
use crate::store::Store;

/// What tests have in common whose failures belong into one run.
#[derive(Clone, Copy, Debug)]
pub struct Session<'a> {
    /// [`Settings::session`].
    pub name: &'a str,
    /// Of the first test that fails.
    pub adapter: &'a str,
    /// The folder of references and the address of the store, both from the project's folder.
    pub references: &'a str,
    pub store: &'a str,
}

/// The run's folder that the tests of one session share. It has no end: nobody knows which test is the last.
pub fn session_folder(runs: &Path, session: &Session<'_>) -> io::Result<RunFolder> {
    fs::create_dir_all(runs)?;
    // Tests of one session start together, each in a process of its own.
    let _guard = guard(runs)?;
    let known = format!("{}\n{}\n{}\n", session.name, session.references, session.store);
    let is_ours =
        |path: &Path| bounded::read_text(&path.join(SESSION), SMALL_MAX_BYTES).is_ok_and(|text| text == known);
    if let Some((_, path)) = numbers(runs)?.into_iter().rev().find(|(_, path)| is_ours(path)) {
        return Ok(RunFolder::open(&path));
    }
    let folder = RunFolder::create(runs)?;
    let header = RunHeader {
        id: folder.id(),
        adapter: session.adapter.into(),
        store: session.store.into(),
        references: session.references.into(),
        is_open: true,
        ..RunHeader::default()
    };
    folder.add_lines(&line("run/1", &header))?;
    fs::write(folder.path().join(SESSION), known)?;
    let of_tests: Vec<PathBuf> =
        numbers(runs)?.into_iter().map(|(_, path)| path).filter(|path| path.join(SESSION).exists()).collect();
    let old = of_tests.len().saturating_sub(KEPT_RUNS);
    of_tests[..old].iter().try_for_each(fs::remove_dir_all)?;
    Ok(folder)
}

/// Runs of tests that are kept; those of `stillframe test` are its own business.
const KEPT_RUNS: usize = 10;

/// Says that a case which waits for a decision in the newest run passes by now: its picture there must not become the
/// reference any more.
pub(super) fn withdraw(runs: &Path, record: &CaseRecord) -> io::Result<()> {
    let Some(path) = newest(runs)? else { return Ok(()) };
    let name = serde_json::to_string(&record.name)?;
    // Most tests pass and were never part of it; reading every record for each of them takes too long.
    if !path.join(SESSION).try_exists()? || !bounded::read_text(&path.join("run.jsonl"), RUN_MAX_BYTES)?.contains(&name)
    {
        return Ok(());
    }
    let run = Run::read(&path).map_err(io::Error::other)?;
    if run.find(&record.name).is_some_and(|found| found.status.is_pending()) {
        let folder = RunFolder::open(&path);
        folder.add_lines(&line("case/1", record))?;
        write_page(&folder)?;
    }
    Ok(())
}

/// Name of the file that tells whose folder it is.
const SESSION: &str = "session";
/// Bytes that this file, and a file of one number, may have.
const SMALL_MAX_BYTES: u64 = 1 << 20;
/// Bytes that the records of a run may have.
const RUN_MAX_BYTES: u64 = 2 << 30;
/// The page of a run.
const PAGE: &str = "report.html";
/// How much of the records the page shows, in bytes.
const PAGE_SHOWS: &str = "report.shows";

fn guard(runs: &Path) -> io::Result<File> {
    let guard = File::create(runs.join(".lock"))?;
    guard.lock()?;
    Ok(guard)
}

/// Writes the page of a run that others may be adding to. The last one who writes it has read everything.
fn write_page(folder: &RunFolder) -> io::Result<()> {
    let path = folder.path();
    let length = || fs::metadata(path.join("run.jsonl")).map(|found| found.len());
    // What must be on the page is in the records already.
    let own_end = length()?;
    let _guard = path.parent().map(guard).transpose()?;
    let shown = bounded::read_text(&path.join(PAGE_SHOWS), SMALL_MAX_BYTES)
        .ok()
        .and_then(|text| text.trim().parse::<u64>().ok());
    if shown.is_some_and(|shown| shown >= own_end) && path.join(PAGE).exists() {
        return Ok(());
    }
    let shows = length()?;
    let run = Run::read(path).map_err(io::Error::other)?;
    html(&run, &PageOptions::default()).write(&run, &path.join(PAGE))?;
    fs::write(path.join(PAGE_SHOWS), format!("{shows}\n"))
}

/// Writes records of failures and the page that shows them, makes references of those that the settings ask for, and
/// says what is wrong.
///
/// Errors: the words; also where a reference was written, which wants to be looked at once.
pub fn settle(folder: &RunFolder, store: &Store, settings: &Settings, records: &[CaseRecord]) -> Result<(), String> {
    let mut words = String::new();
    let mut changes = Vec::new();
    let path = folder.path().display().to_string();
    let told = |error: io::Error| format!("{path}: {error}");
    for record in records {
        if record.status.is_failure() {
            folder.add_lines(&line("case/1", record)).map_err(told)?;
            let around = Surroundings { clusters: &[], folder: &path, paint: Paint::Plain };
            words.push_str(&failure_block(record, &around));
        }
        if settings.writes(record.status) {
            changes.push(change(folder, record).map_err(|error| format!("{}: {error}", record.name))?);
            if record.status.is_failure() {
                words.push_str("   the picture is the reference now: look at it, then run again\n");
            }
        } else if record.owner.is_scene() && record.status.is_pending() && !settings.is_ci {
            let update = update_word(record.status);
            let command = cargo_test(settings);
            words.push_str(&format!("   without the program: STILLFRAME_UPDATE={update} {command}\n"));
        }
    }
    if !words.is_empty() {
        write_page(folder).map_err(told)?;
    }
    store.accept(&changes).map_err(|error| error.to_string())?;
    if words.is_empty() { Ok(()) } else { Err(words) }
}
