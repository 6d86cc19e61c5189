//! Skin: vertices bent by joints, sixteen at a time.
//!
//! In: a palette of matrices, vertices in planes of sixteen lanes, the joints and weights that move them. Out: vertices. Never
//! here: skeletons, poses, files. Normals and tangents go through the same blended matrix as positions: right where joints
//! turn, move and scale evenly; they are not made unit again.

mod mesh;
mod sorted;
#[cfg(test)]
mod tests;
mod vertex;

pub use mesh::{InfluenceBlock, SkinMesh};
pub use sorted::{SkinSorted, SortedInfluences};
pub use vertex::VertexBlock;
