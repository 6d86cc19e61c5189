//! Runs that people name: the last one, a folder, a zip file of one as CI systems hand it out, or decisions that a
//! report's page saved.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use stillframe_base::bounded;
use stillframe_frames::run::{Decision, Run, newest, parse_decisions};

use super::status::Failure;
use super::{files, project};
use crate::harness::Project;

/// A run, and decisions that came with it.
pub struct Source {
    pub run: Run,
    pub decisions: Vec<Decision>,
    /// Where a zip file was unpacked; removed in the end.
    #[expect(dead_code, reason = "held until the run is done with")]
    unpacked: Option<Unpacked>,
}

struct Unpacked(PathBuf);

impl Drop for Unpacked {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Bytes that a zip file may unpack to.
const UNPACKED_MAX_BYTES: u64 = 8 << 30;

/// Opens what `--from` names, and the project whose references it is about. Without a name, the last run of the project
/// here.
pub fn open_here(from: Option<&Path>) -> Result<(Project, Source), Failure> {
    let own = from.map(project::of_run).transpose()?.flatten();
    let project = own.map_or_else(project::with_references, Ok)?;
    let source = open(&project, from)?;
    Ok((project.for_run(&source.run.header), source))
}

/// Opens what `--from` names; without a name the project's last run.
pub fn open(project: &Project, from: Option<&Path>) -> Result<Source, Failure> {
    let Some(path) = from else {
        return Ok(Source { run: last(project)?, decisions: Vec::new(), unpacked: None });
    };
    if path.is_dir() || is_zip(path)? {
        return open_path(path).map(|mut sources| sources.pop().expect("at least one"));
    }
    let text = files::text(path)?;
    let decisions = parse_decisions(&text)
        .map_err(|(line, message)| Failure::usage(format!("{}:{line}: {message}", path.display())))?;
    Ok(Source { run: last(project)?, decisions, unpacked: None })
}

/// Opens the runs of a folder or a zip file: it is one, or holds some. At least one.
pub fn open_path(path: &Path) -> Result<Vec<Source>, Failure> {
    let unpacked = if path.is_dir() { None } else { Some(unpack(path)?) };
    let folder = unpacked.as_ref().map_or(path, |unpacked| unpacked.0.as_path());
    let mut runs = Vec::new();
    find(folder, 0, &mut runs);
    runs.sort();
    if runs.is_empty() {
        return Err(Failure::usage(format!("no run in {}", path.display())));
    }
    let mut unpacked = unpacked;
    let mut out = Vec::new();
    // The folder lives as long as the last of them.
    let last = runs.len() - 1;
    for (index, run) in runs.iter().enumerate() {
        let unpacked = if index == last { unpacked.take() } else { None };
        out.push(Source { run: read(run)?, decisions: Vec::new(), unpacked });
    }
    Ok(out)
}

/// Folders of runs below one, not deep.
fn find(folder: &Path, depth: usize, out: &mut Vec<PathBuf>) {
    if folder.join("run.jsonl").exists() {
        return out.push(folder.to_path_buf());
    }
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir() && depth < 4) {
        find(&path, depth + 1, out);
    }
}

fn is_zip(path: &Path) -> Result<bool, Failure> {
    let unreadable = |error: io::Error| Failure::usage(format!("{} cannot be read: {error}", path.display()));
    let mut start = Vec::new();
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(unreadable(bounded::Refusal::NotPlain.into()));
    }
    File::open(path).map_err(unreadable)?.take(2).read_to_end(&mut start).map_err(unreadable)?;
    Ok(start == b"PK")
}

fn last(project: &Project) -> Result<Run, Failure> {
    let unreadable = |error| Failure::Environment(format!("{} cannot be read: {error}", project.runs().display()));
    let path = newest(&project.runs())
        .map_err(unreadable)?
        .ok_or_else(|| Failure::Usage("no runs yet".into(), Some(starts_one(project))))?;
    read(&path)
}

fn starts_one(project: &Project) -> String {
    match project.is_marked() {
        true => "`stillframe test` starts one".into(),
        false => "a test that fails starts one: `cargo test`".into(),
    }
}

fn read(path: &Path) -> Result<Run, Failure> {
    Run::read(path).map_err(|error| Failure::usage(error.to_string()))
}

/// Unpacks a zip file into a folder of its own. Names that lead outside are left out by the crate.
fn unpack(path: &Path) -> Result<Unpacked, Failure> {
    let wrong = |error: &dyn std::fmt::Display| {
        Failure::usage(format!("{} is not a zip file of a run: {error}", path.display()))
    };
    let folder = std::env::temp_dir().join(format!(
        "stillframe-from-{}-{}",
        std::process::id(),
        blake3::hash(path.as_os_str().as_encoded_bytes())
    ));
    let unpacked = Unpacked(folder);
    fs::create_dir_all(&unpacked.0).map_err(|error| Failure::of_write(&unpacked.0, &error))?;
    let file = File::open(path).map_err(|error| wrong(&error))?;
    let mut archive = zip::ZipArchive::new(io::BufReader::new(file)).map_err(|error| wrong(&error))?;
    let mut left = UNPACKED_MAX_BYTES;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| wrong(&error))?;
        let Some(name) = entry.enclosed_name() else { continue };
        let to = unpacked.0.join(name);
        if entry.is_dir() {
            fs::create_dir_all(&to).map_err(|error| Failure::of_write(&to, &error))?;
            continue;
        }
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent).map_err(|error| Failure::of_write(parent, &error))?;
        }
        let mut out = File::create(&to).map_err(|error| Failure::of_write(&to, &error))?;
        let mut limited = entry.take(left + 1);
        let written = io::copy(&mut limited, &mut out).map_err(|error| wrong(&error))?;
        left = left.checked_sub(written).ok_or_else(|| wrong(&"it unpacks to more than 8 GiB"))?;
    }
    Ok(unpacked)
}
