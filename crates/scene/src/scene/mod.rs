//! Scene: what a scene file says, resolved: every name found, every default filled in, every unit stated.
//!
//! In: TOML text (or a bare model and the command line's wishes). Out: a [`Scene`], or all diagnostics at once. Never
//! here: models' contents, wgpu, pictures.
//!
//! `text` is the language: it makes one checked tree of all that is written. `noun` holds the nouns, one file each: the
//! keys a file may write, their defaults, how they are read, printed and moved. `schema` and `key` are what a table of
//! keys is made of, `fields`, `resolver` and `printer` what nouns share; `resolve`, `print` and `moment` name the nouns
//! in order.

mod angle;
mod coat;
pub mod code;
mod curve;
mod describe;
mod expand;
mod fields;
mod json_schema;
mod key;
pub mod materialx;
mod moment;
mod noun;
mod own_names;
mod print;
mod printer;
mod read;
mod resolve;
mod resolver;
pub mod schema;
mod settle;
mod shot;
mod text;
mod track;
mod values;
mod view;
mod wish;
mod word;
mod written;

use std::path::PathBuf;
use std::sync::Arc;

use crate::source::{Diagnostic, Vfs};

pub use crate::asset::Shape;
pub use angle::direction;
pub use curve::{Curve, Extend, Form, Interpolation};
pub use describe::markdown;
pub use json_schema::json_schema;
pub use noun::SCENE;
pub use noun::accumulate::Accumulate;
pub use noun::animator::{
    Animator, AnimatorMorph, BendDef, ChainDef, EyeDef, JointShare, LimitDef, LimitKind, MaskShape, PlantingDef,
    PlayDef, RootMotion, SolverDef, SolverKind, TargetDef,
};
pub use noun::aov::{AOVS, Aov, AovRow, Held, LAYERS, Looks, Part, Reads, Shader, aov_words, layers_markdown};
pub use noun::camera::{
    Camera, CameraChoice, CameraControl, ControlInput, ControlKey, ControlKind, Lens, Projection, Turn, View,
    parse_look,
};
pub use noun::clip::{ClipEvent, ClipHome, ClipMarker, ClipNaming, Moment, SceneClip};
pub use noun::crowd::{Crowd, CrowdBaking, CrowdLod};
pub use noun::effect::{SceneEffect, is_developed};
pub use noun::environment::{Environment, EnvironmentSource, Sky};
pub use noun::light::{
    Light, LightFunction, LightKind, MapLayout, Rim, Serves, Shadow, ShadowFit, ShadowReads, ShadowRow,
    ShadowTechnique, Window, shadows_markdown,
};
pub use noun::light_probe::{LightProbe, ProbeBounds, ProbeSource};
pub use noun::material::{
    Coordinates, FromModel, MaterialGraph, MaterialOverride, Parameters, SceneMaterial, TextureChoice, TexturePath,
    TextureSource,
};
pub use noun::method::{Asks, LightingMethod, Likeness, Method, Sums};
pub use noun::model::{ClipChoice, Model, Proportion, SkinBlend, Up, parse_clip};
pub use noun::node::{Area, Content, Node, NodeMorph, Pattern, Show};
pub use noun::output::{
    Background, Display, Ground, Lighting, Output, SceneShot, Shading, Style, Tonemap, parse_background, parse_frames,
    parse_size, parse_stroke_width, parse_zoom,
};
pub use noun::placement::{Placement, look_rotation};
pub use noun::plan::PlanOptions;
pub use noun::render::{RenderOptions, Transparency};
pub use noun::test::{Axis, Moments, Test, Tolerance, Variant};
pub use noun::view::{Encoding, SceneView, Surround, ViewKind};
pub use read::{FreeSpace, Resolved, read, read_around, resolve_text, root_of};
pub use text::parse::{NotToml, toml_document};
pub use text::toml::{key as toml_key, scene_text as toml_text};
pub use track::{Thing, Track};
pub use values::{Values, WrittenValue, read_values};
pub use wish::{CameraWish, EnvironmentWish, Wishes};
pub use written::{Owner, Written};

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
    /// What each model may unpack to; `None`: as its size allows.
    pub memory_max_bytes: Option<u64>,
    pub output: Output,
    pub environment: Environment,
    pub cameras: Vec<Camera>,
    /// Which camera looks, after the command line had its say.
    pub camera: CameraChoice,
    /// How far the camera has gone round, where it does: it frames everything.
    pub turn: Option<Turn>,
    pub models: Vec<Model>,
    pub materials: Vec<SceneMaterial>,
    pub clips: Vec<SceneClip>,
    pub animators: Vec<Animator>,
    pub crowds: Vec<Crowd>,
    pub nodes: Vec<Node>,
    pub lights: Vec<Light>,
    pub light_probes: Vec<LightProbe>,
    /// One after the other.
    pub effects: Vec<SceneEffect>,
    /// Further pictures of the same moment; see [`Scene::show`].
    pub views: Vec<SceneView>,
    /// How what is left open is shown.
    pub style: Style,
    pub display: Display,
    /// Whether `lights` are those of the studio: set by [`Scene::settle`].
    pub is_studio: bool,
    /// Whether shadow maps are drawn at all.
    pub shadows: bool,
    /// What every model wears that has a variant of this name; models name others themselves.
    pub variant: Option<String>,
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
    pub accumulate: Accumulate,
    pub render: RenderOptions,
    pub plan: PlanOptions,
    pub test: Option<Test>,
    /// Where all of this is written, for errors.
    pub written: Written,
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
