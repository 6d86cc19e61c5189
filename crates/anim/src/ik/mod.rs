//! Inverse kinematics: rotations of a chain of joints so that its end is where it should be.
//!
//! In: a local pose, parents, a chain, a target in the model's space (metres). Out: the same pose with other rotations
//! of the chain, and whether the target was [`Reach`]ed. Never here: model matrices, clips, ray casts, time other than
//! a step that is handed in.
//!
//! Every job is a struct with `validate`, which looks at every number, and `run`, which trusts them, allocates nothing
//! and is plain scalar f32 in one order: the same bits everywhere. Jobs read positions from the local pose alone, so no
//! matrix can be stale; run [`LocalToModel`](crate::pose::LocalToModel) after the last one.
//!
//! Scales above the end of a chain must be even and positive; what is between two joints of a chain moves as one piece
//! with the upper one. A `weight` of 0 keeps every bit of the pose, 1 is the solution, between them each rotation is
//! nlerp. [`Reach`] always speaks of the solution.

mod aim;
mod ccd;
mod chain;
mod check;
mod copy_rotation;
mod error;
mod fabrik;
mod foot;
mod jacobian;
mod limit;
mod straight;
mod target;
mod turn;
mod twist;
mod two_bone;

pub use aim::{Aim, AimJoint};
pub use ccd::Ccd;
pub use chain::{CHAIN_MAX, Reach, Rig};
pub use check::POSITION_MAX_M;
pub use copy_rotation::CopyRotation;
pub use error::IkError;
pub use fabrik::Fabrik;
pub use foot::{Foot, FootPlant, GroundHit};
pub use jacobian::JacobianTranspose;
pub use limit::{JointLimit, Limit};
pub use target::{weighted_target, weighted_turn};
pub use twist::Twist;
pub use two_bone::TwoBone;
