//! What a model file holds, as the file says it.

use glam::Mat4;

use crate::asset::{Geometry, Image, Material};
use crate::source::Diagnostic;

/// A model: its default scene, flattened depth first in file order. Ids inside (`Part`, `TextureSlot::image`) are
/// positions in the lists here.
///
/// Geometry is raw: checked (finite positions, indices in range, lists of one length), skinned and morphed to the pose
/// that the nodes are stored in, but neither welded nor completed. Normals and tangents may be missing or of zero length.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Parents before their children.
    pub nodes: Vec<ModelNode>,
    pub geometries: Vec<Geometry>,
    pub materials: Vec<Material>,
    pub images: Vec<Image>,
    /// In node order.
    pub cameras: Vec<ModelCamera>,
    /// In node order.
    pub lights: Vec<ModelLight>,
    pub warnings: Vec<Diagnostic>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ModelNode {
    /// The file's name, else `node 3` (its number in the file).
    pub name: String,
    /// Position in `Model::nodes`; less than this node's own.
    pub parent: Option<usize>,
    /// Product of all transforms from the root.
    pub model_from_local: Mat4,
    /// Where `parts` stand: `model_from_local`, or the identity where a skin has already put them into model space.
    pub model_from_parts: Mat4,
    /// What is drawn; empty for groups, cameras and lights.
    pub parts: Vec<Part>,
}

/// Triangles with one material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Position in `Model::geometries`. Nodes that show the same triangles share one.
    pub geometry: usize,
    /// Position in `Model::materials`.
    pub material: usize,
}

/// Looks along its node's local -Z with +Y up.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCamera {
    /// The node's name; the camera's own, else `camera 2` (its number in the file), where the node has none.
    pub name: String,
    /// Position in `Model::nodes`.
    pub node: usize,
    pub projection: ModelProjection,
    pub near_m: f32,
    /// `None`: infinitely far.
    pub far_m: Option<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModelProjection {
    Perspective { fov_y_rad: f32 },
    Orthographic { height_m: f32 },
}

/// Shines along its node's local -Z.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelLight {
    pub name: String,
    /// Position in `Model::nodes`.
    pub node: usize,
    /// Linear.
    pub color: [f32; 3],
    pub kind: ModelLightKind,
}

/// Units of KHR_lights_punctual: lux and candela; half angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ModelLightKind {
    Directional { illuminance_lux: f32 },
    Point { intensity_cd: f32, range_m: Option<f32> },
    Spot { intensity_cd: f32, range_m: Option<f32>, inner_rad: f32, outer_rad: f32 },
}
