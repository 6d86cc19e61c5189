//! Samples: clips for the run time, and the job that makes a pose of one at a moment.
//!
//! In: a [`Skeleton`] and a [`RawClip`](crate::RawClip), or any pose over time. Out: a [`UniformClip`], a
//! [`ClipReport`] of what the packing has cost, and by [`Sample`] local poses. Never here: players, events, files. Time
//! is ticks from the clip's start; frames lie a fixed number of ticks apart, so a moment gives its frame by one
//! division: no cursor, no state, the same cost in every direction and the same bits on every instruction set.

mod bake;
mod error;
mod job;
mod raw;
mod report;
mod skeleton;
pub(crate) mod source;
mod uniform;

pub use bake::{Baking, bake, bake_raw};
pub use error::ClipError;
pub use job::Sample;
pub use raw::{DTrs, RawPose};
pub use report::{ClipReport, NLERP_ERROR_MAX_DEG, NLERP_KEY_ANGLE_DEG, VIRTUAL_VERTEX_M, Worst};
pub use skeleton::{RawJoint, Skeleton, SkeletonError};
pub use uniform::UniformClip;
pub(crate) use uniform::load_u16;
