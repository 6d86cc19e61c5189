//! Why a clip cannot be studied.

use stillframe_anim::bounds::BoundsError;
use stillframe_anim::pose::JobError;
use stillframe_anim::sample::{ClipError, SkeletonError};

use super::short;

/// Why a clip, a skin or a request has no answer. The words name what is missing; callers add the file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StudyError {
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    #[error(transparent)]
    Clip(#[from] ClipError),
    #[error(transparent)]
    Bounds(#[from] BoundsError),
    #[error(transparent)]
    Job(#[from] JobError),
    /// The nodes of a model do not make a rig.
    #[error("{0}")]
    Rig(String),
    #[error("there is no surface")]
    NoSurface,
    #[error("the skin of {node} blends dual quaternions")]
    DualQuaternions { node: String },
    #[error("the skin of {node} has no valid weights")]
    NoWeights { node: String },
    #[error("it moves {own} joints, and clip {clip:?} moves {want}")]
    OtherJoints { own: usize, clip: String, want: usize },
    #[error("it is {} s long, and clip {clip:?} is {} s long", short(*own_s as f32), short(*want_s as f32))]
    OtherLength { own_s: f64, clip: String, want_s: f64 },
    #[error("{count} frames are too few, or not of one figure")]
    TooFewFrames { count: usize },
    #[error("the model has no morphs")]
    NoMorphs,
    /// A name was asked for that does not exist; `names` are those that do.
    #[error("there is no {kind} \"{name}\"")]
    Unknown { kind: &'static str, name: String, names: Vec<String> },
    #[error("clip {clip:?} moves no {what}")]
    NothingMoves { clip: String, what: &'static str },
    #[error("clip {clip:?} moves no joint from its place")]
    NoRoot { clip: String },
}
