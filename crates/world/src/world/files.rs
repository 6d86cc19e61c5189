//! Files: what a scene names, read, each once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use stillframe_anim::compress::NamedClip;

use crate::asset::{Image, LightFile};
use crate::import::{Model, Wishes};
use crate::scene::Scene;

/// What a scene says about its models' import.
pub fn import_wishes(scene: &Scene) -> Wishes {
    Wishes { max_bytes: scene.memory_max_bytes, stroke_width_ratio: scene.stroke_width_ratio() }
}

/// What could be read, by path.
#[derive(Debug, Default)]
pub struct Files {
    /// Of the scene's lights, by their names.
    pub lights: BTreeMap<String, Arc<LightFile>>,
    /// Pictures that light probes name.
    pub pictures: BTreeMap<PathBuf, Image>,
    pub models: BTreeMap<PathBuf, Model>,
    /// Compressed clips.
    pub clips: BTreeMap<PathBuf, Arc<NamedClip>>,
}
