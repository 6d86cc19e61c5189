//! Models that a scene names.

use std::path::PathBuf;

use glam::Vec3;
use stillframe_base::tick::Tick;

use super::MaterialOverride;

/// `[model.NAME]`: a file, used by nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    pub name: String,
    /// Absolute path of the file.
    pub file: PathBuf,
    /// Material overrides by the model's material name; `"*"` is every material.
    pub overrides: Vec<(String, MaterialOverride)>,
    /// Only the sub-trees under the nodes of these names; all of it where there is none.
    pub nodes: Vec<String>,
    /// Only nodes that show meshes of these names; every one where there is none.
    pub meshes: Vec<String>,
    /// Which way is up in the file.
    pub up: Up,
    pub skinning: SkinBlend,
    pub proportions: Vec<Proportion>,
    pub clip: ClipChoice,
    /// Where in the clip the scene's second 0 is.
    pub clip_time_s: f64,
    /// Seconds of the clip a second of the scene.
    pub clip_speed: f64,
}

/// `[[model.NAME.proportion]]`: what a joint moves is larger, or stands elsewhere, than the file has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Proportion {
    pub joint: String,
    /// In the joint's own space.
    pub position: Vec3,
    pub scale: Vec3,
    /// Whether what joints below it move goes along.
    pub branch: bool,
    /// 0: as the file has it, 1: all of it.
    pub weight: f32,
}

/// Which way is up in a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Up {
    /// What the file's format says (glTF: +Y; STL and PLY: +Z).
    Auto,
    Y,
    /// Turned by -90 degrees about +X, so that the file's +Z becomes +Y.
    Z,
}

impl Up {
    /// As files and arguments spell them.
    pub const WORDS: &[(&str, Up)] = &[("auto", Up::Auto), ("y", Up::Y), ("z", Up::Z)];
}

/// How joints that pull at one vertex are blended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkinBlend {
    /// As the file says.
    #[default]
    File,
    /// As matrices: limbs that twist grow thin.
    Linear,
    /// As dual quaternions: volumes stay, bends bulge.
    DualQuaternion,
    /// As dual quaternions about optimised centres of rotation: neither.
    CentresOfRotation,
}

impl SkinBlend {
    pub const WORDS: &[(&str, SkinBlend)] = &[
        ("file", SkinBlend::File),
        ("linear", SkinBlend::Linear),
        ("dual_quaternion", SkinBlend::DualQuaternion),
        ("centres_of_rotation", SkinBlend::CentresOfRotation),
    ];
}

/// Which clips of a file move it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ClipChoice {
    /// It stands as its nodes are stored.
    #[default]
    None,
    /// Every one at once.
    All,
    /// In the order of the file, from 0.
    Number(usize),
    Named(String),
}

impl ClipChoice {
    /// As [`super::parse_clip`] takes it.
    pub fn words(&self) -> String {
        match self {
            ClipChoice::None => "none".to_string(),
            ClipChoice::All => "all".to_string(),
            ClipChoice::Number(number) => format!("#{number}"),
            ClipChoice::Named(name) => name.clone(),
        }
    }
}

impl Model {
    /// Where its clips are when the scene is at `time`.
    pub fn clip_tick(&self, time: Tick) -> Tick {
        if (self.clip_time_s, self.clip_speed) == (0.0, 1.0) {
            return time;
        }
        Tick::from_seconds(self.clip_time_s + time.seconds() * self.clip_speed)
    }

    /// A file, as it is.
    pub fn plain(name: String, file: PathBuf) -> Model {
        Model {
            name,
            file,
            overrides: Vec::new(),
            nodes: Vec::new(),
            meshes: Vec::new(),
            up: Up::Auto,
            skinning: SkinBlend::File,
            proportions: Vec::new(),
            clip: ClipChoice::None,
            clip_time_s: 0.0,
            clip_speed: 1.0,
        }
    }
}
