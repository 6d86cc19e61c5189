//! Bounds: boxes around what joints bend, without bending it.
//!
//! In: what moves which vertex ([`JointBoxes`], made once a mesh), a palette or a clip. Out: boxes in the space that
//! the palette leads to. Never here: cameras, culling, scenes.
//!
//! **Why it holds.** A vertex under linear blend skinning is a mean, by weight, of where each of its joints alone would
//! put it; so it is in the hull of its joints' boxes, moved each by its joint. Rounding of the kernels and weights that
//! do not quite sum to 1 are added ([`JointBoxes::slack`]). Under dual quaternion skinning it is not such a mean;
//! [`dual_quaternion_bounds`] is for that.
//!
//! Sources: per-joint boxes, as many engines have them; "Game engine: principles and practice"
//! volume 2, sections 1.10 and 2.8, whose own box does not hold all vertices (D7).

mod clip;
mod dual;
mod error;
mod job;
mod joints;

pub use clip::{SkinJoints, clip_bounds};
pub use dual::dual_quaternion_bounds;
pub use error::BoundsError;
pub use job::PaletteBounds;
pub use joints::{JointBoxes, point_boxes};
