//! Files: what a scene names, read, each once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use stillframe_anim::compress::NamedClip;

use crate::import::Model;

/// What could be read, by path.
#[derive(Debug, Default)]
pub struct Files {
    pub models: BTreeMap<PathBuf, Model>,
    /// Compressed clips.
    pub clips: BTreeMap<PathBuf, Arc<NamedClip>>,
}
