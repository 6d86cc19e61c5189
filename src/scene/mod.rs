//! Scene: what a scene file says, resolved: every name found, every default filled in, every unit stated.
//!
//! In: TOML text (or a bare model and the command line's wishes). Out: a [`Scene`], or all diagnostics at once. Never
//! here: models' contents, wgpu, pictures.
//!
//! `syntax` is what was written, `parse` reads it, `include` lays files over each other, `param` puts parameters in, `schema` is
//! the one table of kinds and keys, `keyed` takes key frames out, `resolve` makes the types below. One file per resolved noun.

mod angle;
mod animator;
mod camera;
mod check;
mod coat;
pub mod code;
mod color;
mod condition;
mod control;
mod crowd;
mod curve;
mod describe;
mod edit;
mod environment;
mod expand;
mod formula;
mod include;
mod json_schema;
mod keyed;
mod light;
mod material;
mod model;
mod node;
mod output;
mod overlay;
mod param;
mod parse;
mod pattern;
mod plan;
mod print;
mod read;
mod resolve;
pub mod schema;
mod settle;
mod shot;
mod syntax;
mod test;
mod toml;
mod track;
mod weigh;
mod wish;
mod words;

use std::path::PathBuf;
use std::sync::Arc;

use crate::source::{Diagnostic, Vfs};

pub use animator::{
    Animator, AnimatorMorph, BendDef, ChainDef, ClipEvent, ClipHome, ClipMarker, ClipNaming, EyeDef, JointShare,
    LimitDef, LimitKind, MaskShape, Moment, PlantingDef, PlayDef, RootMotion, SceneClip, Show, SolverDef, SolverKind,
    TargetDef,
};
pub use camera::{Camera, CameraChoice, Projection};
pub use control::{CameraControl, ControlInput, ControlKey, ControlKind};
pub use crowd::{Crowd, CrowdBaking, CrowdLod};
pub use curve::{Curve, Extend, Form, Interpolation};
pub use describe::markdown;
pub use environment::{Background, Environment, EnvironmentSource, Sky};
pub use json_schema::json_schema;
pub use light::{Light, LightKind};
pub use material::{MaterialOverride, SceneMaterial, TextureChoice, TexturePath};
pub use model::{ClipChoice, Model, Proportion, SkinBlend};
pub use node::{Content, Node, NodeMorph, Placement, Shape};
pub use output::{Aov, Output, Tonemap, parse_frames};
pub use pattern::{Area, Pattern};
pub use plan::PlanOptions;
pub use read::{FreeSpace, Resolved, read, resolve_text, root_of};
pub use settle::look_rotation;
pub use shot::SceneShot;
pub use test::{Axis, Moments, Test, Tolerance, Variant};
pub use track::{Thing, Track};
pub(crate) use weigh::weigh;
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
    pub clips: Vec<SceneClip>,
    pub animators: Vec<Animator>,
    pub crowds: Vec<Crowd>,
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
    /// The moment shown, seconds from the start. Every value here is the one it has then.
    pub time_s: f64,
    /// Values that change with time, by thing and key; see [`Scene::at`].
    pub tracks: Vec<Track>,
    /// More pictures of this scene; see [`Scene::for_shot`].
    pub shots: Vec<SceneShot>,
    /// Parameters that the test's matrix varies: name and value as TOML.
    pub params: Vec<(String, String)>,
    pub plan: PlanOptions,
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
