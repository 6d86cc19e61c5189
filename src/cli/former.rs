//! Former: what references were before an `accept`, kept in the run's folder, so that `reject` can undo it.

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};
use stillframe_base::bounded;
use stillframe_base::par::Pool;
use stillframe_frames::run::{CaseRecord, Run, RunFolder, Status, split_name};
use stillframe_frames::store::{Change, Pixels, Store};
use stillframe_frames::{Lock, LockLine, PixelHash};

use super::project;
use super::status::Failure;

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Former {
    /// The case that was accepted, and its picture.
    name: String,
    hash: Option<PixelHash>,
    /// The lines that this replaced or removed, by the names of their cases; no line: there was none.
    lines: Vec<(String, Option<String>)>,
}

const FILE: &str = "former.jsonl";
const FILE_MAX_BYTES: u64 = 1 << 30;

/// Lock files, each of which is read once.
pub struct Locks<'a> {
    store: &'a Store,
    by_family: BTreeMap<String, Lock>,
}

impl<'a> Locks<'a> {
    pub fn new(store: &'a Store) -> Locks<'a> {
        Locks { store, by_family: BTreeMap::new() }
    }

    pub fn line(&mut self, name: &str) -> Result<Option<&LockLine>, Failure> {
        let (family, behaviour) = split_name(name);
        if !self.by_family.contains_key(family) {
            let lock = self.store.lock(family).map_err(project::of_store)?;
            self.by_family.insert(family.to_string(), lock);
        }
        Ok(self.by_family[family].find(behaviour))
    }

    /// Whether the reference is already what accepting the record makes it.
    pub fn is_reference(&mut self, record: &CaseRecord) -> Result<bool, Failure> {
        let store = self.store;
        Ok(is_line(store, record, self.line(&record.name)?))
    }
}

/// As [`Locks::is_reference`], from what the lock has.
fn is_line(store: &Store, record: &CaseRecord, line: Option<&LockLine>) -> bool {
    let Some(line) = line else { return record.status == Status::Gone };
    let (family, _) = split_name(&record.name);
    let has_lost = || record.status == Status::Damaged && store.check_kept(family, line, None).is_err();
    Some(line.pixels) == record.hash && line.adapter == record.adapter && !has_lost()
}

/// Keeps what the references of these records are now, before they change.
///
/// Errors: the run's folder cannot be written.
pub fn keep(run: &Run, locks: &mut Locks<'_>, records: &[&CaseRecord]) -> Result<(), Failure> {
    let folder = RunFolder::open(&run.folder);
    let told = |error: io::Error| Failure::of_write(&run.folder, &error);
    let (mut text, store) = (String::new(), locks.store);
    for record in records {
        // Accepted a second time, it is its own former self. Of a lock that cannot be read, the store says so when it
        // is to change.
        if locks.is_reference(record).unwrap_or(true) {
            continue;
        }
        let mut lines = Vec::new();
        for name in std::iter::once(&record.name).chain(&record.moved_from) {
            let line = locks.line(name)?;
            if let Some(line) = line {
                keep_files(&folder, store, name, line).map_err(told)?;
            }
            lines.push((name.clone(), line.map(|line| line.to_string())));
        }
        let former = Former { name: record.name.clone(), hash: record.hash, lines };
        text += &serde_json::to_string(&former).map_err(|error| Failure::Fault(error.to_string()))?;
        text.push('\n');
    }
    if text.is_empty() { Ok(()) } else { folder.append(FILE, &text).map_err(told) }
}

/// Files of a reference that change with it. What the store has lost or cannot read cannot come back.
fn keep_files(folder: &RunFolder, store: &Store, name: &str, line: &LockLine) -> io::Result<()> {
    let (family, _) = split_name(name);
    if let Some(picture) = store.picture(family, line).ok().flatten() {
        folder.keep(&picture, &Pool::new(1))?;
    }
    if let Some(passes) = store.passes(family, line).ok().flatten() {
        folder.keep_passes(&passes)?;
    }
    if let Some(inputs) = store.inputs(family, line).ok().flatten() {
        folder.keep_inputs(&inputs)?;
    }
    Ok(())
}

/// The changes that bring back what a record's reference was before it was accepted.
///
/// Errors: it is not known.
pub fn way_back(run: &Run, record: &CaseRecord) -> Result<Vec<Change>, Failure> {
    let folder = RunFolder::open(&run.folder);
    let told = |error: io::Error| Failure::Environment(format!("{}: {error}", run.folder.display()));
    let file = bounded::read_text(&run.folder.join(FILE), FILE_MAX_BYTES);
    let text = match file {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        text => text.map_err(told)?,
    };
    let all = text.lines().filter_map(|line| serde_json::from_str::<Former>(line).ok());
    let last = all.rev().find(|former| former.name == record.name && former.hash == record.hash);
    let former = last.ok_or_else(|| unknown(record))?;
    former.lines.iter().map(|(name, line)| change(&folder, name, line.as_deref(), record)).collect()
}

fn change(folder: &RunFolder, name: &str, line: Option<&str>, record: &CaseRecord) -> Result<Change, Failure> {
    let (family, behaviour) = split_name(name);
    let family = family.to_string();
    let told = |error: io::Error| Failure::Environment(format!("{name}: {error}"));
    let Some(text) = line else { return Ok(Change::Remove { family, name: behaviour.to_string() }) };
    let lock = Lock::parse(text).map_err(|_| unknown(record))?;
    let line = lock.find(behaviour).ok_or_else(|| unknown(record))?.clone();
    Ok(Change::Set {
        family,
        pixels: folder.picture(line.pixels, line.format).map_err(told)?.map_or(Pixels::Kept, Pixels::Picture),
        passes: line.passes.map(|root| folder.passes(root)).transpose().map_err(told)?.flatten(),
        inputs: line.inputs.map(|root| folder.inputs(root)).transpose().map_err(told)?.flatten(),
        line,
    })
}

/// A decision must not say other than what the references are.
fn unknown(record: &CaseRecord) -> Failure {
    let help = "restore the old reference from version control".to_string();
    Failure::Usage(format!("{}: is the reference, and the run does not know the former one", record.name), Some(help))
}
