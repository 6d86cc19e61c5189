//! Error: why a root's motion cannot be taken out or blended.

use stillframe_base::tick::Tick;

/// What is wrong with a root, its clip or weights.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RootError {
    #[error("joint {joint} of {count}")]
    Joint { joint: u16, count: usize },
    #[error("a clip of {} ticks in frames of {frame_ticks}", duration.0)]
    Span { duration: Tick, frame_ticks: i64 },
    #[error("{frames} frames, of at most {max}")]
    TooLong { frames: i64, max: i64 },
    #[error("joint {joint} at {} ticks: a number is not finite, or the rotation has no length", at.0)]
    NotFinite { joint: u16, at: Tick },
    /// What is above the root is part of the actor, which has one place.
    #[error("joint {joint}, above the root, moves at {} ticks", at.0)]
    AboveMoves { joint: u16, at: Tick },
    #[error("joint {joint}, above the root: its scale is not the same positive number in x, y and z")]
    AboveScale { joint: u16 },
    #[error("motion {motion}: weight {weight} is not finite")]
    Weight { motion: usize, weight: f32 },
}
