//! Poses: many joints at once, in planes of sixteen lanes.
//!
//! In: blocks of joints in local space, parents, inverse binds. Out: blended poses, model matrices, palettes. Never
//! here: clips, time, meshes, files. Every job is a struct of borrowed slices with `validate`, which looks at every
//! number, and `run`, which trusts them, allocates nothing and gives the same bits on every instruction set.

mod additive;
mod affine;
mod blend;
mod block;
mod crowd;
mod delta;
mod error;
mod mask;
mod masked;
mod mesh_additive;
mod mesh_delta;
mod model;
mod palette;
#[cfg(test)]
mod tests;

pub use additive::{AddDeltas, DeltaLayer};
pub use affine::{Affine, AffineBlock};
pub(crate) use blend::load3;
pub use blend::{Blend, BlendLayer, LAYERS_MAX};
pub use block::{JointBlock, Trs};
pub use crowd::CrowdToModel;
pub use delta::{DeltaReference, MakeDelta};
pub use error::JobError;
pub(crate) use error::{check_finite, check_indices, check_length};
pub use mask::{mask_complement, mask_of_branches, pack_mask};
pub use masked::{MaskedBlend, MaskedLayer};
pub use mesh_additive::AddMeshDeltas;
pub use mesh_delta::MakeMeshDelta;
pub(crate) use model::check_parents;
pub use model::{LocalToModel, NO_PARENT};
pub use palette::Palette;
