//! Place: the pieces of the three links from a scene at a moment to a world.
//!
//! [`Poses`] say where the joints of models are, a [`Standing`] where the nodes of the scene are, an [`Emitter`] what
//! there is to draw. Never here: what a family does between them, the order of the links.

mod emit;
mod ground;
mod material;
mod part;
mod poses;
mod scene_at;
mod stand;
mod surfaces;

pub use emit::{Drawn, Emitter, NewItem};
pub use material::{Materials, unreadable_pictures};
pub use poses::{PoseId, Poser, Poses, chosen_clips, clip_pose};
pub use scene_at::{Body, Part, SceneAt, StoredGeometry};
pub use stand::{SolverResult, Standing};
pub use surfaces::{BendKey, Surface, SurfaceCache, SurfaceKey, SurfaceSource, Surfaces, picture};

use crate::source::Diagnostic;

/// What was found wrong on the way.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    pub errors: Vec<Diagnostic>,
    pub warnings: Vec<Diagnostic>,
}
