//! Output of `test`: a line when a case fails, a block per failure at the end, the last line with the counts, and
//! reports that were asked for.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use stillframe_frames::report::{self as reports, PageOptions, Paint, failure_block};
use stillframe_frames::run::{CaseRecord, Run, Status};

use super::args::{ReportWish, TestArgs};
use crate::cli::progress::Count;
use crate::cli::status::Failure;
use crate::cli::{Surroundings, json as words, stderr, stdout};
use crate::source::count;

/// Failures whose blocks are printed; the report has them all.
const BLOCKS_MAX: usize = 40;
/// New cases that have a block each.
const NEW_MAX: usize = 2;
/// New cases that are named where there are more.
const NEW_NAMES_MAX: usize = 20;

/// A case has ended.
pub fn as_it_ends(record: &CaseRecord, progress: &Count, surroundings: &Surroundings) {
    if surroundings.json.is_some() {
        if let Ok(value) = serde_json::to_value(record) {
            // A reader that has gone away does not matter.
            let _ = words::line("case/1", value, surroundings);
        }
        return;
    }
    let line = |word: &str| {
        progress.over(|| stderr::note(&format!("{word:<13} [{:>8.3} s] {}", record.render_ms / 1000.0, record.name)));
    };
    if record.slow {
        line("SLOW");
    }
    if surroundings.verbose || (record.status.is_failure() && !surroundings.quiet) {
        line(&record.status.word().to_uppercase());
    }
}

/// Files that were asked for; a page wherever something failed. The page's path, if there is one.
pub fn files(args: &TestArgs, run: &Run, surroundings: &Surroundings) -> Result<Option<PathBuf>, Failure> {
    let folder = run.folder.display().to_string();
    let around = around(run, &folder, Paint::Plain);
    let mut page = None;
    if run.records.iter().any(|record| record.status.is_failure()) {
        page = Some(run.folder.join("report.html"));
    }
    for wish in &args.report {
        match wish {
            ReportWish::Html(path) => write_page(run, path)?,
            ReportWish::Junit(path) => write(path, &reports::junit(run, &around))?,
            ReportWish::Json(path) => write(path, &reports::json_lines(run))?,
            ReportWish::Github => github(run, &around, surroundings)?,
        }
    }
    if let Some(path) = &page {
        write_page(run, path)?;
    }
    Ok(page)
}

fn around<'a>(run: &'a Run, folder: &'a str, paint: Paint) -> reports::Surroundings<'a> {
    reports::Surroundings { clusters: run.clusters(), folder, paint }
}

/// Writes a run as a page.
pub fn write_page(run: &Run, path: &Path) -> Result<(), Failure> {
    make_folder(path)?;
    let page = reports::html(run, &PageOptions::default());
    page.write(run, path).map_err(|error| Failure::of_write(path, &error))
}

/// Writes a text to a file, the folder made if need be.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    make_folder(path)?;
    stillframe_frames::write_file(path, text.as_bytes()).map_err(|error| Failure::of_write(path, &error))
}

fn make_folder(path: &Path) -> Result<(), Failure> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => std::fs::create_dir_all(folder).map_err(|error| Failure::of_write(folder, &error)),
        None => Ok(()),
    }
}

/// Annotations on standard output, where GitHub reads them, and the step's summary in its file.
fn github(run: &Run, around: &reports::Surroundings<'_>, surroundings: &Surroundings) -> Result<(), Failure> {
    if surroundings.json.is_none() {
        stdout::write(reports::github(run, around).as_bytes())?;
    }
    let Some(path) = summary_file() else { return Ok(()) };
    let mut file = OpenOptions::new().create(true).append(true).open(&path);
    let text = reports::step_summary(run, around);
    let written = file.as_mut().map_err(|error| std::io::Error::other(error.to_string()));
    written.and_then(|file| file.write_all(text.as_bytes())).map_err(|error| Failure::of_write(&path, &error))
}

#[expect(clippy::disallowed_methods, reason = "GitHub says where the summary goes")]
fn summary_file() -> Option<PathBuf> {
    std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Blocks of failures, where to go from here, and the last line.
pub fn summary(run: &Run, page: Option<&Path>, surroundings: &Surroundings) -> Result<(), Failure> {
    let end = run.end.as_ref().expect("a run that ended");
    if surroundings.json.is_some() {
        let value = serde_json::to_value(end).map_err(|error| Failure::Fault(error.to_string()))?;
        return words::line("run-end/1", value, surroundings);
    }
    let folder = run.folder.display().to_string();
    let around = around(run, &folder, if surroundings.color { Paint::Colored } else { Paint::Plain });
    let failures: Vec<_> = run.records.iter().filter(|record| record.status.is_failure()).collect();
    let new: Vec<_> = failures.iter().copied().filter(|record| record.status == Status::New).collect();
    // Each is the same story: a list of names tells it.
    let are_listed = new.len() > NEW_MAX;
    let failures: Vec<_> = failures.into_iter().filter(|record| !are_listed || record.status != Status::New).collect();
    for record in failures.iter().take(BLOCKS_MAX) {
        stdout::write(failure_block(record, &around).as_bytes())?;
    }
    if failures.len() > BLOCKS_MAX {
        stdout::line(&format!("... and {} more in the report", failures.len() - BLOCKS_MAX))?;
    }
    if are_listed {
        list_new(&new, &around)?;
    }
    if end.clusters.len() > 1 || end.clusters.iter().any(|cluster| cluster.cases.len() > 1) {
        stdout::line("causes")?;
        for cluster in &end.clusters {
            let count = count(cluster.cases.len(), "case", "cases");
            stdout::line(&format!("   {:<4} {count}, {}", cluster.id, cluster.words()))?;
        }
    }
    if let Some(page) = page {
        stdout::line(&format!("report  {}", page.display()))?;
        if run.pending().next().is_some() {
            stdout::line("review  stillframe review, or stillframe review --web")?;
        }
    }
    if end.tally.unchanged > 0 {
        stdout::line(&format!("{} unchanged since an earlier run", end.tally.unchanged))?;
    }
    stdout::line(&end.tally.to_string())
}

/// Cases without a reference: their names, and the command that accepts them all.
fn list_new(new: &[&CaseRecord], around: &reports::Surroundings<'_>) -> Result<(), Failure> {
    for record in new.iter().take(NEW_NAMES_MAX) {
        stdout::write(reports::head_line(record, around.paint).as_bytes())?;
    }
    if new.len() > NEW_NAMES_MAX {
        stdout::line(&format!("... and {} more in the report", new.len() - NEW_NAMES_MAX))?;
    }
    stdout::line(&format!(
        "{} new cases have no reference yet: look at their pictures, then accept all of them",
        new.len()
    ))?;
    stdout::line("   accept  stillframe accept --new")
}
