//! Shared: what other machines found out, in a store that they share, and what this one does.
//!
//! Entries are found by everything that goes into a case and hold identities, no verdicts; the judge checks the files
//! that they list. So a case that any machine has drawn need not be drawn again. Trouble with the store costs only
//! time, and is reported.

use std::path::PathBuf;
use stillframe_frames::PixelHash;
use stillframe_frames::store::Store;

use super::workers::Task;
use crate::cli::{project, stderr};
use crate::harness::{Project, Setup, known};

/// What this run may add.
pub struct Shared {
    store: Store,
    folder: PathBuf,
    /// Those that nobody knew.
    unknown: Vec<PixelHash>,
}

/// Fetches what is not known here. `None`: nothing is shared.
pub fn fetch(project: &Project, setup: &Setup, tasks: &[Task]) -> Option<Shared> {
    let folder = setup.known.clone()?.folder;
    let store = project::store(project).ok().filter(Store::shares_notes)?;
    let keys = tasks.iter().filter_map(|task| known::key_of(setup, &task.piece));
    let mut unknown: Vec<PixelHash> = keys.filter(|key| known::bytes(&folder, *key).is_none()).collect();
    unknown.sort();
    unknown.dedup();
    let fetched = store.notes(&unknown, &mut |key, bytes| known::keep_bytes(&folder, key, &bytes));
    if let Err(error) = fetched {
        stderr::note(&format!("cannot fetch the results of other machines: {error}"));
        return None;
    }
    unknown.retain(|key| known::bytes(&folder, *key).is_none());
    Some(Shared { store, folder, unknown })
}

impl Shared {
    /// Adds what this run found out.
    pub fn add(self) {
        let added = self.store.add_notes(&self.unknown, &mut |key| known::bytes(&self.folder, key));
        if let Err(error) = added {
            stderr::note(&format!("cannot share the results of this run: {error}"));
        }
    }
}
