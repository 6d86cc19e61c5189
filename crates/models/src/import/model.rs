//! What a model file holds, as the file says it: raw types, filled by every importer alike.

use glam::{DMat4, DQuat, DVec3, Mat4};
use stillframe_anim::RawClip;

use super::{TransformStack, Trs};
use crate::asset::{Geometry, Image, Material};
use crate::source::Diagnostic;

/// A model: its node tree, flattened depth first in file order, and what it shows. Ids inside (`Part`, `Skin`,
/// `TextureSlot::image`, tracks of clips) are positions in the lists here.
///
/// Geometry is raw: checked (finite positions, indices in range, lists of one length), as stored: neither morphed nor
/// skinned, neither welded nor completed. Normals and tangents may be missing or of zero length.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Model {
    pub format: Format,
    /// Turns and scales the file's axes and unit into ours: right-handed, +Y up, metres. Applied to the roots.
    pub model_from_file: DMat4,
    /// Where the origin of everything here stands in the model's own space, in metres: zero, but for a model far from
    /// its file's origin, which was moved so that no digits are lost. Who places the model moves it back.
    pub origin: DVec3,
    /// Parents before their children.
    pub nodes: Vec<ModelNode>,
    pub geometries: Vec<ModelGeometry>,
    pub skins: Vec<Skin>,
    pub materials: Vec<Material>,
    pub images: Vec<Image>,
    /// In node order.
    pub cameras: Vec<ModelCamera>,
    /// In node order.
    pub lights: Vec<ModelLight>,
    /// In the order of the file.
    pub clips: Vec<RawClip>,
    /// Positions of nodes that are hidden, with everything below them; tracks may show them.
    pub hidden: Vec<usize>,
    /// Sets of materials that the file offers, in its order; parts name what is shown without one.
    pub variants: Vec<ModelVariant>,
    /// Width of its lines and points, as a part of the diagonal of everything that it shows; `None`: it has none.
    pub stroke_width_ratio: Option<f64>,
    /// Not part of a model that is stored: they speak of where its file lies.
    #[serde(skip)]
    pub warnings: Vec<Diagnostic>,
}

impl Model {
    /// The variant that a text means: one of this name, else `#N`, from 0.
    pub fn variant(&self, text: &str) -> Option<usize> {
        let numbered = || text.strip_prefix('#')?.parse().ok().filter(|number| *number < self.variants.len());
        self.variants.iter().position(|variant| variant.name == text).or_else(numbered)
    }

    /// The material of a node's part, with or without a variant: its position.
    pub fn material_of(&self, node: usize, part: usize, variant: Option<usize>) -> usize {
        let swaps = variant.map_or(&[][..], |variant| self.variants[variant].swaps.as_slice());
        match swaps.binary_search_by_key(&(node, part), |swap| (swap.node, swap.part)) {
            Ok(found) => swaps[found].material,
            Err(_) => self.nodes[node].parts[part].material,
        }
    }
}

/// A set of materials (KHR_materials_variants).
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ModelVariant {
    pub name: String,
    /// Ascending by node and part, each once.
    pub swaps: Vec<MaterialSwap>,
}

/// What a part shows instead of its own material. All are positions: of the node, among its parts, of the material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct MaterialSwap {
    pub node: usize,
    pub part: usize,
    pub material: usize,
}

/// What the file says about itself.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Format {
    /// In words, with the version: `glTF 2.0`, `FBX 7.4`.
    pub name: String,
    /// What wrote it, where it says so.
    pub generator: Option<String>,
    /// The axis that is up in the file; `None` where the format does not say.
    pub up: Option<Axis>,
    /// Metres per unit of length in the file; `None` where the format does not say.
    pub unit_m: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Axis {
    X,
    Y,
    Z,
}

#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ModelNode {
    /// The file's name, else `node 3` (its number in the file).
    pub name: String,
    /// Position in `Model::nodes`; less than this node's own.
    pub parent: Option<usize>,
    /// As stored: where the node stands when no clip plays.
    pub local: Local,
    /// Moves this node's own parts and nothing below it (FBX's geometric transform).
    pub local_from_parts: Mat4,
    /// Whether this node and what is below it is part of what the file shows; joints may be outside.
    pub shown: bool,
    /// The file's name of the mesh that is drawn here, else `mesh 3` (its number in the file).
    pub mesh: Option<String>,
    /// What is drawn; empty for groups, cameras and lights.
    pub parts: Vec<Part>,
    /// Position in `Model::skins`: the parts are bent by it, and the node's own place plays no part.
    pub skin: Option<usize>,
    /// What the parts' morph targets hang on.
    pub morphs: Vec<MorphChannel>,
}

/// A node's own transform.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Local {
    Trs(Trs),
    Matrix(Box<DMat4>),
    /// FBX: pivots, offsets, Euler angles in some order, ways of inheriting scale.
    Stack(Box<TransformStack>),
}

/// Triangles with one material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Part {
    /// Position in `Model::geometries`. Nodes that show the same triangles share one.
    pub geometry: usize,
    /// Position in `Model::materials`.
    pub material: usize,
}

/// Triangles, what bends them and what they can turn into.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ModelGeometry {
    /// As stored, in the space of the node's parts.
    pub surface: Geometry,
    /// Which joints pull at each vertex; empty where there is no skin.
    pub influences: Influences,
    pub targets: Vec<MorphTarget>,
    /// By vertex, the number of the point it comes from (FBX control point, glTF `_VID`); empty where vertices are
    /// points.
    pub sources: Vec<u32>,
}

/// Joints and weights by vertex, as many a vertex as the file says.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Influences {
    /// Vertex `v` has the entries `starts[v] .. starts[v + 1]`; empty, or one more than there are vertices.
    pub starts: Vec<u32>,
    /// Positions in `Skin::joints`.
    pub joints: Vec<u32>,
    /// As stored; they may not add up to 1. Finite, and more than 0 in sum for every vertex that has any.
    pub weights: Vec<f32>,
    /// By vertex, how much of it goes with dual quaternions where the skin blends both ways, 0 to 1; empty: nothing.
    pub dual_shares: Vec<f32>,
}

/// What is added to some vertices.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MorphTarget {
    pub name: String,
    /// Which vertices, ascending.
    pub vertices: Vec<u32>,
    /// As many as `vertices`.
    pub positions: Vec<[f32; 3]>,
    /// As many, or none.
    pub normals: Vec<[f32; 3]>,
    /// As many, or none.
    pub tangents: Vec<[f32; 3]>,
}

/// One slider of a node: glTF's target weight, FBX's blend-shape channel.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct MorphChannel {
    pub name: String,
    /// As stored; 1 is the (last) full shape.
    pub weight: f64,
    /// `(weight at which it is full, position in the geometries' targets)`, ascending: in-between shapes come first.
    pub shapes: Vec<(f64, usize)>,
}

#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Skin {
    pub name: String,
    pub joints: Vec<Joint>,
    pub method: SkinMethod,
}

impl Skin {
    /// What 16 bits can number beside the node's own place.
    pub const JOINTS_MAX: usize = u16::MAX as usize;
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Joint {
    /// Position in `Model::nodes`.
    pub node: usize,
    /// Inverse bind matrix: from the space of the mesh to that of the joint as it stood when bound.
    pub joint_from_mesh: Mat4,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum SkinMethod {
    #[default]
    Linear,
    DualQuaternion,
    /// Both, vertex by vertex in shares ([`Influences::dual_shares`]).
    Blend,
}

/// Looks along its node's local -Z with +Y up.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ModelCamera {
    /// The node's name; the camera's own, else `camera 2` (its number in the file), where the node has none.
    pub name: String,
    /// Position in `Model::nodes`.
    pub node: usize,
    /// Turns the file's way of looking into ours; the identity for glTF.
    pub local_from_camera: DQuat,
    pub projection: ModelProjection,
    pub near_m: f32,
    /// `None`: infinitely far.
    pub far_m: Option<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum ModelProjection {
    Perspective { fov_y_rad: f32 },
    Orthographic { height_m: f32 },
}

/// Shines along its node's local -Z.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ModelLight {
    pub name: String,
    /// Position in `Model::nodes`.
    pub node: usize,
    /// Turns the file's way of shining into ours; the identity for glTF.
    pub local_from_light: DQuat,
    /// Linear.
    pub color: [f32; 3],
    pub kind: ModelLightKind,
    /// Whether it casts shadows.
    pub shadow: bool,
}

/// Units of KHR_lights_punctual: lux and candela; half angles.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum ModelLightKind {
    Directional { illuminance_lux: f32 },
    Point { intensity_cd: f32, range_m: Option<f32> },
    Spot { intensity_cd: f32, range_m: Option<f32>, inner_rad: f32, outer_rad: f32 },
}
