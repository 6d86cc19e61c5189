//! World: the node tree of a scene with everything loaded, placed and measured.
//!
//! In: a `Scene` and a way to read its files. Out: a [`World`] and the [`Store`](crate::asset::Store) it points into,
//! complete: every file loaded once, everything baked, or all diagnostics at once. Never here: the choice of a camera,
//! culling, pictures, wgpu.

mod animate;
mod build;
mod crowd;
mod dump;
mod figure;
mod flat;
mod ground;
mod leaves;
mod load;
mod material;
mod moments;
mod order;
mod place;
mod proportion;
mod show;
mod worn;

use std::sync::Arc;

use glam::Mat4;
use stillframe_base::geom::Aabb;

use crate::asset::{Bent, CrowdPart, Figures, GeometryId, MaterialId};
use crate::scene::{LightKind, Projection};

pub use animate::drifting_spaces;
pub use build::{Built, Loaded, build, open, playing_clips};
pub use crowd::{BakedModel, Unbaked, bake as bake_bones, bake_vertices, bend_of};
pub use dump::dump;
pub use figure::{Figure, Solved};

/// A placed scene.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Things to draw, in tree order (depth first, as the files list them): item `i` has object id `i + 1` unless several
    /// parts belong to one node, which share its id.
    pub items: Vec<Item>,
    /// Geometry as it is bent at this moment.
    pub bents: Vec<Arc<Bent>>,
    /// One a crowd and level of detail.
    pub crowds: Vec<Arc<Figures>>,
    /// The scene's own in file order, then those of models in tree order.
    pub lights: Vec<WorldLight>,
    /// The scene's own in file order, then those of models in tree order.
    pub cameras: Vec<WorldCamera>,
    /// `object_names[id - 1]`.
    pub object_names: Vec<String>,
    /// Of all items.
    pub bounds: Aabb,
    /// Of all items but the ground: what a framing camera shows.
    pub subject_bounds: Aabb,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    pub geometry: GeometryId,
    /// Place in `World::bents`, where something bends the geometry.
    pub bent: Option<u32>,
    /// Where a figure of a crowd bends it.
    pub crowd: Option<CrowdPart>,
    /// Drawn from this distance to the eye on, and nearer than the second.
    pub distances_m: [f32; 2],
    pub material: MaterialId,
    pub world_from_local: Mat4,
    pub object_id: u32,
    /// Scene node, node of its model, part of that: the same at every moment, whatever else is seen.
    pub origin: [u32; 3],
    pub bounds: Aabb,
    pub casts_shadow: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WorldLight {
    pub name: String,
    pub kind: LightKind,
    pub color: [f32; 3],
    /// Shines along local -Z.
    pub world_from_local: Mat4,
    pub shadow: bool,
    /// Stored in a model file.
    pub from_model: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct WorldCamera {
    pub name: String,
    pub world_from_local: Mat4,
    pub projection: Projection,
    pub near_m: f32,
    pub far_m: Option<f32>,
    pub from_model: bool,
}

/// Codes of what can be wrong with a scene once its models are known.
pub mod code {
    pub const MODEL_NODE: &str = "E0502";
    pub const MODEL_MATERIAL: &str = "E0503";
    pub const CAMERA: &str = "E0504";
    pub const TOO_FAR: &str = "E0505";
    pub const MODEL_CLIP: &str = "E0506";
    pub const MODEL_MESH: &str = "E0507";
    pub const ANIMATOR: &str = "E0508";
    pub const RIG: &str = "E0509";
    pub const CROWD: &str = "E0510";
    pub const WORN: &str = "E0511";
    pub const SOLVER_CIRCLE: &str = "E0512";
    pub const CLIP_NAMES: &str = "E0513";
    pub const BEYOND_CLIP: &str = "E0514";
    pub const DEGENERATE: &str = "W0551";
    pub const NORMALS: &str = "W0552";
    pub const CROWDED: &str = "W0553";
    pub const SOLVER: &str = "W0554";
    pub const DRIFTING: &str = "W0555";
    pub const CLIP_UNMET: &str = "W0556";
}
