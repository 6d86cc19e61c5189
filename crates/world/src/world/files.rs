//! Files: what a scene names, read, each once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use stillframe_anim::compress::NamedClip;

use crate::import::{Memory, Model};
use crate::scene::Scene;

/// What the models of a scene may unpack to.
pub fn memory(scene: &Scene) -> Memory {
    Memory { max_bytes: scene.memory_max_bytes }
}

/// What could be read, by path.
#[derive(Debug, Default)]
pub struct Files {
    pub models: BTreeMap<PathBuf, Model>,
    /// Compressed clips.
    pub clips: BTreeMap<PathBuf, Arc<NamedClip>>,
}
