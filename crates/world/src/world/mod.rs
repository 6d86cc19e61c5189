//! World: the node tree of a scene with everything loaded, placed and measured.
//!
//! In: a `Scene` and a way to read its files. Out: a [`World`] with the [`Store`] it points into, complete: every file
//! loaded once, everything baked, or all diagnostics at once. Never here: the choice of a camera, culling, pictures,
//! wgpu.
//!
//! [`open`] makes a scene [`Loaded`]; its `place` runs three links, `poses -> stand -> emit` (`chain`), whose pieces
//! are in `place`. What moves and fills a scene next to its nodes is a family (`family`).

mod chain;
mod clips;
mod dim;
mod dump;
mod family;
mod files;
mod framing;
mod loaded;
mod names;
mod open;
mod place;
mod proportion;
mod stage;
mod tree;
mod worn;

use std::sync::Arc;

use glam::Mat4;
use stillframe_base::geom::{Aabb, Reach};

use crate::asset::{Bent, CrowdPart, Figures, GeometryId, LightFile, MaterialId, Store};
use crate::scene::{Lens, LightKind, Projection, Shadow};

pub use dump::dump;
pub use family::animation::{Figure, Solved, drifting_spaces};
pub use family::crowd::{BakedModel, NodePart, Unbaked, bake as bake_bones, bake_vertices, bend_of};
pub use files::import_wishes;
pub use framing::framing;
pub use loaded::{Loaded, Placed};
pub use names::playing_clips;
pub use open::{Built, build, open};

/// A placed scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// What ids are of, those of this world alone.
    pub store: Store,
    /// Things to draw, in tree order (depth first, as the files list them): item `i` has object id `i + 1` unless
    /// several parts belong to one node, which share its id.
    pub items: Vec<Item>,
    /// Geometry as it is bent at this moment.
    pub bents: Vec<Arc<Bent>>,
    /// One a crowd and level of detail.
    pub crowds: Vec<Arc<Figures>>,
    /// The scene's own by the path of their names, then those of models likewise; lights of one path in file order.
    pub lights: Vec<WorldLight>,
    /// The scene's own in file order, then those of models in tree order.
    pub cameras: Vec<WorldCamera>,
    /// `object_names[id - 1]`.
    pub object_names: Vec<String>,
    /// Of all items.
    pub bounds: Aabb,
    /// Of all items but the ground, at this moment or over a sequence: what a framing camera shows.
    pub subject_bounds: Aabb,
    /// How far the points of all of that reach along the sides of the camera that frames it; empty if none does.
    pub subject_reach: Reach,
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
    pub origin: Origin,
    pub bounds: Aabb,
    pub casts_shadow: bool,
}

/// What an item is: the same at every moment, whatever else is seen. Nodes are those of the scene without patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    Shape {
        node: usize,
    },
    /// A part of a node of the model that a node shows.
    Part {
        node: usize,
        model_node: usize,
        part: usize,
    },
    /// What a node shows next to its model's surface.
    Drawing {
        node: usize,
        drawing: usize,
    },
    /// A part of a figure. Levels of detail are counted over all crowds.
    Figure {
        level: u32,
        figure: u32,
        model_node: usize,
        part: usize,
    },
    Ground {
        part: usize,
    },
}

impl Origin {
    /// The node of the scene that shows it.
    pub const fn node(self) -> Option<usize> {
        match self {
            Origin::Shape { node } | Origin::Part { node, .. } | Origin::Drawing { node, .. } => Some(node),
            Origin::Figure { .. } | Origin::Ground { .. } => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct WorldLight {
    pub name: String,
    pub kind: LightKind,
    pub color: [f32; 3],
    /// Shines along local -Z.
    pub world_from_local: Mat4,
    /// `None`: it casts none.
    pub shadow: Option<Shadow>,
    /// What the file holds that its kind names.
    pub file: Option<Arc<LightFile>>,
    pub function: Option<WorldFunction>,
    /// Stored in a model file.
    pub from_model: bool,
}

/// What multiplies a light by its direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldFunction {
    /// A square from -1 to 1 across z.
    pub geometry: GeometryId,
    /// Its base colour counts.
    pub material: MaterialId,
    /// Of directional lights: what it covers once.
    pub size_m: [f32; 2],
}

#[derive(Clone, Debug, PartialEq)]
pub struct WorldCamera {
    pub name: String,
    pub world_from_local: Mat4,
    pub projection: Projection,
    /// What blurs what is not in focus, where something does.
    pub lens: Option<Lens>,
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
    pub const MODEL_VARIANT: &str = "E0515";
    pub const DEGENERATE: &str = "W0551";
    pub const NORMALS: &str = "W0552";
    pub const CROWDED: &str = "W0553";
    pub const SOLVER: &str = "W0554";
    pub const DRIFTING: &str = "W0555";
    pub const CLIP_UNMET: &str = "W0556";
    pub const DARK: &str = "W0557";
}
