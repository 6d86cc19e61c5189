//! Loading: every file once, by path.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::asset::{Image, ImageId, Store};
use crate::import;
use crate::source::Diagnostic;

/// Pictures that the scene names, each decoded once.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    ids: BTreeMap<PathBuf, ImageId>,
}

impl Pictures {
    pub fn load(&mut self, file: &Path, store: &mut Store, read: &import::Read<'_>) -> Result<ImageId, Diagnostic> {
        if let Some(id) = self.ids.get(file) {
            return Ok(*id);
        }
        let id = store.add_image(picture(file, read)?);
        self.ids.insert(file.to_path_buf(), id);
        Ok(id)
    }
}

/// Reads and decodes one picture of any kind.
pub fn picture(file: &Path, read: &import::Read<'_>) -> Result<Image, Diagnostic> {
    let bytes = read(file)?;
    import::picture(file, &bytes)
}
