//! Animate: animators of a scene play on its models.
//!
//! In: a scene's animators and clips, the models they move; a moment. Out: a [`Pose`](crate::pose::Pose) for each
//! animator, what has happened by then, and words about it. Never here: geometry, places of scene nodes (but for what
//! solvers reach for), wgpu.
//!
//! A [`Rig`] is a model as `stillframe_anim` wants it: every node a joint, clips as the file has them. A [`Source`] is
//! where a clip comes from: the model's file or another body, which is followed by names. A [`Player`] is an animator's
//! graph on a rig. It plays from the scene's start in updates of `1 / rate_hz`, the last one as short as needed, so
//! that a moment has one pose however one comes to it; the newest whole update is kept, since the next moment asked for
//! mostly lies just after it.

mod borrow;
mod globals;
mod lender;
mod player;
mod retarget;
mod rig;
mod solver;
mod source;

pub use borrow::{Borrowed, Unfit};
pub use lender::Lender;
pub use player::{Glance, Heard, Parameters, Played, Player, Shapes};
pub use rig::{Rig, RigClip, RigPart, part_of, played};
pub use solver::{Fault, Ground, Solving, check as check_solver, moves, solve};
pub use source::Source;
