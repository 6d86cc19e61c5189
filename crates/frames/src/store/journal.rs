//! Changes of many files that happen all or not at all, whenever the power goes.
//!
//! 1. Every new file is written to `.store/staged/` and waited for.
//! 2. One small file, the journal, says where each goes and what is removed; it is renamed to `.store/journal`. That
//!    rename is the change: before it nothing happened, after it everything will have.
//! 3. Files are renamed to their places, removals done, folders waited for, the journal removed.
//!
//! Whoever opens a store with a journal in it does the third step again; doing it twice is doing it once. Staged files
//! without a journal belong to a change that never happened and are removed. Source: write-ahead logging as data bases
//! do it, with renames for records.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use stillframe_base::bounded;

use crate::store::disk::{self, CONTROL, Guard};
use crate::store::error::StoreError;

const STAGED: &str = "staged";
const JOURNAL: &str = "journal";
const JOURNAL_NEW: &str = "journal.new";
const FIRST_LINE: &str = "stillframe-store 1";
const LAST_LINE: &str = "end";

/// One step of a change. Paths are under the folder of references, with slashes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Step {
    Put {
        path: String,
        from: u32,
    },
    Remove {
        path: String,
    },
    /// If nothing is left in it.
    RemoveFolder {
        path: String,
    },
}

/// What an interrupted change left, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// It was recorded: it was finished now. Paths that it changed, under the folder of references.
    Finished { paths: Vec<String> },
    /// It was not recorded: its files were removed.
    Undone { file_count: usize },
}

/// A change that is being put together. Dropped before [`Stage::commit`] it never happened.
pub struct Stage<'a> {
    root: &'a Path,
    staged: PathBuf,
    steps: Vec<Step>,
    file_count: u32,
    is_committed: bool,
}

impl<'a> Stage<'a> {
    /// Begins a change of the files under `root`, whose lock is held. What stood staged is removed.
    pub fn begin(root: &'a Path, _guard: &Guard) -> Result<Stage<'a>, StoreError> {
        let staged = root.join(CONTROL).join(STAGED);
        clear(&staged).map_err(StoreError::write(&staged))?;
        let stage = Stage { root, staged, steps: Vec::new(), file_count: 0, is_committed: false };
        fs::create_dir_all(&stage.staged).map_err(StoreError::write(&stage.staged))?;
        Ok(stage)
    }

    /// `bytes` will stand at `path`.
    pub fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let from = self.file_count;
        self.file_count += 1;
        disk::write_new(&self.staged.join(from.to_string()), bytes)?;
        // Now rather than after the change was recorded: a full disk shows here.
        let target = disk::join(self.root, path);
        let folder = target.parent().unwrap_or(self.root);
        fs::create_dir_all(folder).map_err(StoreError::write(folder))?;
        if disk::known(&target)?.is_some_and(|known| known.is_dir()) {
            return Err(StoreError::write(&target)(bounded::Refusal::Folder.into()));
        }
        self.steps.push(Step::Put { path: path.to_string(), from });
        Ok(())
    }

    /// Nothing will stand at `path`.
    pub fn remove(&mut self, path: &str) {
        self.steps.push(Step::Remove { path: path.to_string() });
    }

    /// The folder at `path` goes if nothing is left in it.
    pub fn remove_folder(&mut self, path: &str) {
        self.steps.push(Step::RemoveFolder { path: path.to_string() });
    }

    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Makes the change.
    ///
    /// Errors: before it is recorded, those of writing, and nothing happened; after it, [`StoreError::Unfinished`].
    pub fn commit(mut self) -> Result<(), StoreError> {
        if self.is_empty() {
            return Ok(());
        }
        let control = self.root.join(CONTROL);
        disk::sync_folder(&self.staged).map_err(StoreError::write(&self.staged))?;
        let mut text = format!("{FIRST_LINE}\n");
        for step in &self.steps {
            text.push_str(&serde_json::to_string(step).expect("a step is plain text and numbers"));
            text.push('\n');
        }
        text.push_str(LAST_LINE);
        text.push('\n');
        let (new, journal) = (control.join(JOURNAL_NEW), control.join(JOURNAL));
        let recorded = disk::write_new(&new, text.as_bytes())
            .and_then(|()| fs::rename(&new, &journal).map_err(StoreError::write(&journal)));
        if let Err(error) = recorded {
            // The first failure is the one worth telling.
            let _ = fs::remove_file(&new);
            return Err(error);
        }
        self.is_committed = true;
        disk::sync_folder(&control).map_err(|source| StoreError::Unfinished { path: control, source })?;
        apply(self.root, &self.steps)
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        if !self.is_committed {
            // Nothing is lost if it fails: the next one who opens the store tries again.
            let _ = clear(&self.staged);
        }
    }
}

/// Finishes or undoes what was interrupted under `root`.
///
/// Where nothing can be written, or somebody is at work, files that are merely staged are left alone; a recorded change
/// must be finished before anyone may read.
pub fn recover(root: &Path, wait: Duration) -> Result<Option<Recovery>, StoreError> {
    let control = root.join(CONTROL);
    let exists = |name: &str| disk::known(&control.join(name)).map(|known| known.is_some());
    let has_journal = exists(JOURNAL)?;
    if !has_journal && !exists(JOURNAL_NEW)? && !exists(STAGED)? {
        return Ok(None);
    }
    let guard = match Guard::take(root, if has_journal { wait } else { Duration::ZERO }) {
        Ok(guard) => guard,
        // The one who was at work may have recorded a change since.
        Err(error) if !has_journal && may_wait(&error) && !exists(JOURNAL)? => return Ok(None),
        Err(StoreError::Busy { .. }) if !has_journal => Guard::take(root, wait)?,
        Err(error) => return Err(error),
    };
    recover_held(root, &guard)
}

fn may_wait(error: &StoreError) -> bool {
    matches!(error, StoreError::Busy { .. }) || disk::is_read_only(error)
}

/// [`recover`] by one who holds the lock.
pub fn recover_held(root: &Path, _guard: &Guard) -> Result<Option<Recovery>, StoreError> {
    let control = root.join(CONTROL);
    let journal = control.join(JOURNAL);
    if let Some(bytes) = disk::read(&journal, disk::TEXT_MAX_BYTES)? {
        let steps = parse(&bytes).map_err(|message| StoreError::Journal { path: journal, message })?;
        apply(root, &steps)?;
        let paths = steps.into_iter().filter_map(|step| match step {
            Step::Put { path, .. } | Step::Remove { path } => Some(path),
            Step::RemoveFolder { .. } => None,
        });
        return Ok(Some(Recovery::Finished { paths: paths.collect() }));
    }
    let (staged, new) = (control.join(STAGED), control.join(JOURNAL_NEW));
    let mut file_count = disk::list(&staged)?.len();
    let (has_new, has_staged) = (disk::known(&new)?.is_some(), disk::known(&staged)?.is_some());
    file_count += usize::from(has_new);
    disk::remove(&new).map_err(StoreError::write(&new))?;
    clear(&staged).map_err(StoreError::write(&staged))?;
    Ok((has_new || has_staged).then_some(Recovery::Undone { file_count }))
}

fn parse(bytes: &[u8]) -> Result<Vec<Step>, String> {
    let text = str::from_utf8(bytes).map_err(|_| "it is not text".to_string())?;
    let mut lines = text.lines();
    if lines.next() != Some(FIRST_LINE) {
        return Err(format!("its first line is not `{FIRST_LINE}`"));
    }
    let mut steps = Vec::new();
    let mut is_whole = false;
    for (index, line) in lines.enumerate() {
        if is_whole {
            return Err(format!("line {}: after the end", index + 2));
        }
        if line == LAST_LINE {
            is_whole = true;
            continue;
        }
        let step: Step = serde_json::from_str(line).map_err(|error| format!("line {}: {error}", index + 2))?;
        let (Step::Put { path, .. } | Step::Remove { path } | Step::RemoveFolder { path }) = &step;
        if path.split('/').any(|part| part.is_empty() || part.starts_with('.') || part.contains(['\\', ':', '\0'])) {
            return Err(format!("line {}: `{path}` is not in the folder of references", index + 2));
        }
        steps.push(step);
    }
    if is_whole { Ok(steps) } else { Err("its end is missing".into()) }
}

/// Does what a journal says, then removes it. Steps that were done are left as they are.
fn apply(root: &Path, steps: &[Step]) -> Result<(), StoreError> {
    let control = root.join(CONTROL);
    let staged = control.join(STAGED);
    let mut folders: Vec<PathBuf> = Vec::new();
    for step in steps {
        let (Step::Put { path, .. } | Step::Remove { path } | Step::RemoveFolder { path }) = step;
        let target = disk::join(root, path);
        let folder = target.parent().unwrap_or(root).to_path_buf();
        apply_step(step, &staged, &target, &folder)
            .map_err(|source| StoreError::Unfinished { path: target, source })?;
        if folders.last() != Some(&folder) {
            folders.push(folder);
        }
    }
    folders.sort();
    folders.dedup();
    for folder in folders {
        match disk::sync_folder(&folder) {
            // The last file of a family takes its folder with it.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            done => done.map_err(|source| StoreError::Unfinished { path: folder, source })?,
        }
    }
    let journal = control.join(JOURNAL);
    disk::remove(&journal).map_err(|source| StoreError::Unfinished { path: journal.clone(), source })?;
    // The change is made; what is left of its folder goes with the next one.
    let _ = clear(&staged);
    disk::sync_folder(&control).map_err(|source| StoreError::Unfinished { path: journal, source })
}

fn apply_step(step: &Step, staged: &Path, target: &Path, folder: &Path) -> io::Result<()> {
    match step {
        Step::Put { from, .. } => {
            let from = staged.join(from.to_string());
            fs::create_dir_all(folder)?;
            match fs::rename(&from, target) {
                // It went there before.
                Err(error) if error.kind() == io::ErrorKind::NotFound && fs::symlink_metadata(target).is_ok() => Ok(()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    Err(io::Error::new(io::ErrorKind::NotFound, "the file that was to go there is gone"))
                }
                done => done,
            }
        }
        Step::Remove { .. } => disk::remove(target),
        Step::RemoveFolder { .. } => {
            // Not empty, or gone: both are as it should be.
            let _ = fs::remove_dir(target);
            Ok(())
        }
    }
}

fn clear(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
