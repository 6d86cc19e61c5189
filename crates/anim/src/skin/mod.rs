//! Skin: vertices bent by joints, sixteen at a time.
//!
//! In: a palette of matrices, vertices in planes of sixteen lanes, the joints and weights that move them. Out:
//! vertices. Never here: skeletons, poses, files.
//!
//! At import: [`InfluenceList`] brings weights into order, [`sort_blocks`] lays vertices out in blocks that share
//! joints, [`centres_of_rotation`] finds what [`SkinCentres`] turns about. Every frame: [`SkinSorted`] is the fast way,
//! [`SkinMesh`] takes vertices in any order, [`SkinDualQuaternion`] and [`SkinCentres`] keep volume where limbs twist,
//! [`SkinBlended`] does so in the share of each vertex. A palette holds one entry for each joint of a skin; the skins
//! of a mesh are ranges of one palette.

mod blended;
mod centres;
mod dual;
mod dual_joint;
mod error;
mod influence;
mod mesh;
mod sort;
mod sorted;
mod sums;
#[cfg(test)]
mod tests;
mod vertex;

pub use blended::SkinBlended;
pub use centres::{CentreBlock, SkinCentres, centres_of_rotation};
pub use dual::SkinDualQuaternion;
pub use dual_joint::{DualJoint, dual_palette};
pub use error::SkinError;
pub use influence::{
    INFLUENCES_MAX, Influence, InfluenceBlock, InfluenceList, MeshInfluences, SHARE_MIN, SUM_MIN, reduce_influences,
    weights_u8,
};
pub use mesh::SkinMesh;
pub use sort::{BLOCK_JOINTS_MAX, BlockReport, NO_VERTEX, SortedMesh, sort_blocks};
pub use sorted::{SkinSorted, SortedInfluences};
pub use vertex::{Directions, VertexBlock};
