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

    /// Removes all but the newest `kept`, and never `own` or a newer one; nothing while others are under way: the last
    /// one of them does it.
    pub fn prune(self, own: &Path, kept: usize) -> io::Result<()> {
        let runs = own.parent().expect("a folder of runs");
        let _ = self.file.unlock();
        if matches!(self.file.try_lock(), Err(TryLockError::WouldBlock)) {
            return Ok(());
        }
        let names = std::fs::read_dir(runs)?.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>()?;
        let from_own = names.iter().filter(|name| Some(name.as_os_str()) >= own.file_name()).count();
        prune(runs, kept.max(from_own))
    }
}
