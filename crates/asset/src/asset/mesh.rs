//! Geometry: triangles with one material.

use std::sync::Arc;

use stillframe_base::geom::Aabb;
use stillframe_base::id::Id;

/// Place in `Store::geometries`.
pub type GeometryId = Id<Arc<Geometry>>;

/// An indexed triangle list; one array an attribute. Right-handed, +Y up, metres; counter-clockwise front faces.
///
/// Empty arrays mean "not there" before baking. After baking `normals` and `tangents` are always filled, `uv0` too;
/// `uv1` and `colors` stay empty where the file has none.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Geometry {
    pub positions: Vec<[f32; 3]>,
    /// Unit vectors.
    pub normals: Vec<[f32; 3]>,
    /// xyz unit, w = +1 or -1: bitangent = w * cross(normal, tangent).
    pub tangents: Vec<[f32; 4]>,
    pub uv0: Vec<[f32; 2]>,
    pub uv1: Vec<[f32; 2]>,
    /// Linear RGBA, multiplied into the base colour.
    pub colors: Vec<[f32; 4]>,
    /// Three a triangle, each less than `positions.len()`.
    pub indices: Vec<u32>,
    /// Of `positions`; kept by `bake`.
    pub bounds: Aabb,
}
