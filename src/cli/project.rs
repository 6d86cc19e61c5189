//! The project that a command works in, and the cases that its filters choose.

use std::path::{Path, PathBuf};
use stillframe_frames::Filter;
use stillframe_frames::run::{CaseRecord, RunFolder};
use stillframe_frames::store::{Store, StoreError};

use super::Surroundings;
use super::status::Failure;
use crate::harness::{Judge, Listed, Look, Project, References, Rendering, Setup, list};

/// The project around the working folder.
pub fn project() -> Result<Project, Failure> {
    marked(&working_folder()?)?.ok_or_else(no_project)
}

/// The project around the working folder, or the folder nearer than it where tests of a program keep references.
pub fn with_references() -> Result<Project, Failure> {
    let folder = working_folder()?;
    match Project::of_tests(&folder) {
        Some(own) => Ok(own),
        None => marked(&folder)?.ok_or_else(no_project),
    }
}

/// The project around the working folder; without one, the folder where tests of a program keep references.
pub fn with_scenes() -> Result<Project, Failure> {
    let folder = working_folder()?;
    let marked = marked(&folder)?;
    marked.or_else(|| Project::of_tests(&folder)).ok_or_else(no_project)
}

/// The project that a run lies in whose tests wrote it, wherever this program is run.
pub fn of_run(run: &Path) -> Result<Option<Project>, Failure> {
    Project::of_run(run).map_err(|diagnostics| Failure::Files { diagnostics, edits: Vec::new() })
}

fn working_folder() -> Result<PathBuf, Failure> {
    let told = |error| Failure::Environment(format!("cannot get the working folder: {error}"));
    std::env::current_dir().map_err(told)
}

fn marked(folder: &Path) -> Result<Option<Project>, Failure> {
    Project::around(folder).map_err(|diagnostics| Failure::Files { diagnostics, edits: Vec::new() })
}

fn no_project() -> Failure {
    let help = "`stillframe init` creates one here".to_string();
    Failure::Usage("no `stillframe.toml` in this folder or above it".to_string(), Some(help))
}

/// Its scenes and their cases.
pub fn cases(project: &Project) -> Result<Vec<Listed>, Failure> {
    list(project)
        .map_err(|(folder, error)| Failure::Environment(format!("{} cannot be read: {error}", folder.display())))
}

/// The filters of the command line.
pub fn filters(words: &[String]) -> Result<Vec<Filter>, Failure> {
    words.iter().map(|word| Filter::parse(word).map_err(|error| Failure::usage(error.to_string()))).collect()
}

/// The store that the project names.
pub fn store(project: &Project) -> Result<Store, Failure> {
    setup(project).open_store().map_err(of_store)
}

/// How its cases are judged, with the program that its store may need.
pub fn setup(project: &Project) -> Setup {
    let plain = Setup::of(project);
    Setup { references: References { remote: Some(remote(project)), ..plain.references }, ..plain }
}

/// The program for object stores, next to this one or on the path, and the folder where it keeps downloads.
fn remote(project: &Project) -> (PathBuf, PathBuf) {
    let name = format!("stillframe-remote{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join(&name)));
    let program = beside.filter(|path| path.exists()).unwrap_or_else(|| PathBuf::from(name));
    (program, project.target().join("store"))
}

/// What a store's trouble means for a shell.
pub fn of_store(error: StoreError) -> Failure {
    if error.is_environment() {
        let help = error.help().map_or(String::new(), |help| format!(" ({help})"));
        return Failure::Environment(format!("{error}{help}"));
    }
    Failure::Usage(error.to_string(), error.help().map(str::to_string))
}

/// What a store's trouble with one case means for a shell.
pub fn of_case(record: &CaseRecord, error: StoreError) -> Failure {
    match of_store(error) {
        Failure::Usage(message, help) => Failure::Usage(format!("{}: {message}", record.name), help),
        other => other,
    }
}

/// Asks a judge whose run folder is removed at the end: its results are printed, not kept.
pub fn with_judge<T>(
    project: &Project,
    look: Look,
    surroundings: &Surroundings,
    ask: impl FnOnce(&mut Judge<'_>) -> Result<T, String>,
) -> Result<T, Failure> {
    let folder = project.target().join("asked");
    let run = RunFolder::create(&folder).map_err(|error| Failure::of_write(&folder, &error))?;
    let rendering = Rendering { look, ..Rendering::default() };
    let setup = Setup { run: run.path().to_path_buf(), known: None, rendering, ..setup(project) };
    let elapsed_ms = || surroundings.elapsed_ms();
    let asked = Judge::new(setup, &elapsed_ms).map_err(of_store).map(|mut judge| ask(&mut judge));
    let _ = std::fs::remove_dir_all(run.path());
    asked?.map_err(Failure::usage)
}
