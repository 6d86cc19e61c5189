//! Scene: what a scene file says, resolved: every name found, every default filled in, every unit stated.
//!
//! In: TOML text (or a bare model and the command line's wishes). Out: a [`Scene`], or all diagnostics at once. Never
//! here: models' contents, wgpu, pictures.
//!
//! `syntax` is what was written, `parse` reads it, `schema` is the one table of kinds and keys, `resolve` makes the
//! types below. One file per resolved noun.

mod angle;
mod camera;
mod check;
pub mod code;
mod color;
mod describe;
mod edit;
mod environment;
mod light;
mod material;
mod node;
mod output;
mod parse;
mod print;
mod read;
mod resolve;
pub mod schema;
mod settle;
mod syntax;
mod weigh;
mod wish;

use std::path::PathBuf;
use std::sync::Arc;

use crate::source::{Diagnostic, Vfs};

pub use camera::{Camera, CameraChoice, Projection};
pub use describe::{json_schema, markdown};
pub use environment::{Background, Environment, EnvironmentSource, Sky};
pub use light::{Light, LightKind};
pub use material::{MaterialOverride, SceneMaterial, TexturePath};
pub use node::{Content, Node, Placement, Shape};
pub use output::{Aov, Output, Tonemap};
pub use read::{Resolved, read, resolve_text, root_of};
pub use settle::look_rotation;
pub use wish::{
    CameraWish, EnvironmentWish, Ground, Lighting, Up, Wishes, parse_background, parse_clip, parse_look, parse_size,
};

/// A resolved scene. Indices are positions in the lists here; node parents come before their children.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    pub title: String,
    /// Whether a model file was named where a scene could be: its objects are called as its nodes are.
    pub bare_model: bool,
    /// Folder that every file must lie under.
    pub root: PathBuf,
    /// Files named on the command line, absolute: they may lie anywhere.
    pub named_files: Vec<PathBuf>,
    /// Files that are no files, with absolute paths where they could lie.
    pub given_files: Vec<(PathBuf, Arc<[u8]>)>,
    pub output: Output,
    pub environment: Environment,
    pub cameras: Vec<Camera>,
    /// Which camera looks, after the command line had its say.
    pub camera: CameraChoice,
    pub models: Vec<Model>,
    pub materials: Vec<SceneMaterial>,
    pub nodes: Vec<Node>,
    pub lights: Vec<Light>,
    /// Whether shadow maps are drawn at all.
    pub shadows: bool,
    /// Which lights shine. `File` for scene files; settled by [`Scene::settle`].
    pub lighting: Lighting,
    /// Whether lights stored in model files shine. Kept in step with `lighting` by [`Scene::settle`].
    pub model_lights: bool,
    /// Whether a plane is put under everything. `Off` for scene files; settled by [`Scene::settle`].
    pub ground: Ground,
    /// Texture levels above this are not used.
    pub max_mip: Option<u32>,
    /// The moment shown, seconds from the start.
    pub time_s: f64,
    pub test: Option<Test>,
}

impl Scene {
    /// Reads what this scene may read.
    pub fn vfs(&self) -> Result<Vfs, Diagnostic> {
        let mut vfs = Vfs::open(&self.root)?;
        self.named_files.iter().for_each(|file| vfs.allow(file));
        self.given_files.iter().for_each(|(path, bytes)| vfs.give(path, bytes.clone()));
        Ok(vfs)
    }
}

/// `[model.NAME]`: a file, used by nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub name: String,
    /// Absolute path of the file.
    pub file: PathBuf,
    /// Material overrides by the model's material name; `"*"` is every material.
    pub overrides: Vec<(String, MaterialOverride)>,
    /// Only the sub-tree under the node of this name, when given.
    pub node: Option<String>,
    /// Which way is up in the file.
    pub up: Up,
    /// Which of the file's clips play.
    pub clip: ClipChoice,
}

/// Which clips of a model play, each from its start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClipChoice {
    /// The model stands as its nodes are stored.
    #[default]
    None,
    /// Every clip of the file at once.
    All,
    Named(String),
    /// From 0.
    Number(usize),
}

/// `[test]`: read by the harness.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Test {
    pub why: String,
    pub aov: Vec<Aov>,
}
