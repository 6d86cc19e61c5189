//! Keep: which runs stay. A run that is under way is nobody's to remove, however many are newer.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

use stillframe_frames::run::prune;

/// Held by each run while it is under way. Ends with the process, whatever ends that.
const IN_USE: &str = ".in-use";

pub struct InUse {
    file: File,
}

impl InUse {
    /// To be taken before the run's folder is made. Waits for no run, only for one that is removing others.
    pub fn take(runs: &Path) -> io::Result<InUse> {
        std::fs::create_dir_all(runs)?;
        let file = OpenOptions::new().create(true).append(true).open(runs.join(IN_USE))?;
        match file.lock_shared() {
            // Some network file systems know no locks.
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            _ => Ok(InUse { file }),
        }
    }

    /// Removes all but the newest `kept`, unless others are under way: the last one of them does it.
    pub fn prune(self, runs: &Path, kept: usize) -> io::Result<()> {
        let _ = self.file.unlock();
        match self.file.try_lock() {
            Err(TryLockError::WouldBlock) => Ok(()),
            _ => prune(runs, kept),
        }
    }
}
