//! Crowds: many figures of one model.

use super::{Area, Placement, RootMotion};

/// `[[crowd]]`: figures of one model at random places, each somewhere else in one of some clips. Their poses are baked into textures
/// ahead of time and looked up by shaders.
#[derive(Clone, Debug, PartialEq)]
pub struct Crowd {
    pub name: String,
    /// Position in `Scene::models`.
    pub model: usize,
    /// Names of `[[clip]]`s, else of clips of the file. Each figure plays one of them.
    pub clips: Vec<String>,
    pub count: u32,
    /// Where they stand, about `placement`.
    pub area: Area,
    /// Each is turned about +Y by an angle between these two.
    pub turn_deg: [f64; 2],
    /// Each is as large as a number between these two.
    pub scale: [f64; 2],
    /// Each plays as fast as a number between these two.
    pub speed: [f64; 2],
    /// Each changes over to another of the clips every so many seconds; never where there is none.
    pub change_s: Option<f64>,
    /// What such a change takes.
    pub fade_s: f64,
    /// What of the root's way moves the figures instead of their poses; `None`: nothing.
    pub root_motion: Option<RootMotion>,
    pub seed: u64,
    pub baking: CrowdBaking,
    /// What baking may move a vertex by.
    pub error_mm: f64,
    pub lods: Vec<CrowdLod>,
    pub placement: Placement,
    /// Position in `Scene::materials`.
    pub material: Option<usize>,
    pub casts_shadow: bool,
}

/// What a texture holds of each frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrowdBaking {
    /// Joints' matrices.
    #[default]
    Joints,
    /// Vertices' places and normals.
    Vertices,
}

impl CrowdBaking {
    pub const WORDS: &[(&str, CrowdBaking)] = &[("joints", CrowdBaking::Joints), ("vertices", CrowdBaking::Vertices)];
}

/// How figures look that are farther from the eye.
#[derive(Clone, Debug, PartialEq)]
pub struct CrowdLod {
    /// From this distance on.
    pub from_m: f64,
    /// Position in `Scene::models`: another model of the same joints; `None`: nothing is drawn.
    pub model: Option<usize>,
}
