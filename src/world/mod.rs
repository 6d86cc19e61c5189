//! World: the node tree of a scene with everything loaded, placed and measured.
//!
//! In: a `Scene` and an `asset::Store` filled by `import` and `bake`. Out: a [`World`]. Never here: cameras' choices,
//! pictures, wgpu.

use glam::Mat4;
use stillframe_base::geom::Aabb;

use crate::asset::{GeometryId, MaterialId};
use crate::scene::{LightKind, Projection};

/// A placed scene.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// Things to draw, in tree order (depth first, as the files list them): item `i` has object id `i + 1` unless several
    /// parts belong to one node, which share its id.
    pub items: Vec<Item>,
    pub lights: Vec<WorldLight>,
    pub cameras: Vec<WorldCamera>,
    /// `object_names[id - 1]`.
    pub object_names: Vec<String>,
    pub bounds: Aabb,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    pub geometry: GeometryId,
    pub material: MaterialId,
    pub world_from_local: Mat4,
    pub object_id: u32,
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
