//! Kept: the sum of a picture that is the mean of many, in a file beside it while it is drawn.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::{Surroundings, stderr};
use crate::take::{Partial, TakeError};

/// Pixels that are drawn between two times that a sum is written down.
const PIXELS_BETWEEN: u64 = 1 << 21;

/// The file beside a picture.
pub struct Kept<'a> {
    path: PathBuf,
    surroundings: &'a Surroundings,
}

impl<'a> Kept<'a> {
    pub fn beside(picture: &Path, surroundings: &'a Surroundings) -> Kept<'a> {
        let mut name = picture.as_os_str().to_owned();
        name.push(".partial");
        Kept { path: name.into(), surroundings }
    }

    /// What an earlier run has left.
    pub fn read(&self) -> Option<Partial> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return None,
            Err(error) => {
                stderr::note(&format!("cannot read {}: {error}; starting again", self.path.display()));
                return None;
            }
        };
        let partial = Partial::from_bytes(&bytes);
        if partial.is_none() {
            stderr::note(&format!("{} is damaged; starting again", self.path.display()));
        }
        partial
    }

    /// Writes a sum down if it is time to.
    pub fn hear(&self, partial: &Partial) -> Result<(), TakeError> {
        let [width_px, height_px] = partial.size_px.map(u64::from);
        let between = (PIXELS_BETWEEN / (width_px * height_px)).max(1);
        if !u64::from(partial.done).is_multiple_of(between) || partial.done == partial.count {
            return Ok(());
        }
        let written = self.surroundings.unfinished.write(&self.path, &partial.to_bytes());
        written.map_err(|error| TakeError::World(format!("cannot write {}: {error}", self.path.display())))
    }

    /// The picture is there: nothing is kept any more.
    pub fn remove(&self) {
        // There may be none, and nothing depends on it.
        let _ = fs::remove_file(&self.path);
    }
}
