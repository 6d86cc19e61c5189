//! Error: what `validate` of a solver refuses.

use crate::pose::JobError;

/// Why a solver's input cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum IkError {
    /// The pose or a count.
    #[error(transparent)]
    Pose(#[from] JobError),
    /// A chain of too few or too many joints.
    #[error("a chain of {count} joints, not of {min} to {max}")]
    ChainLength { count: usize, min: usize, max: usize },
    /// A joint of a chain that does not hang on the one before it.
    #[error("joint {joint} does not hang on joint {above}")]
    NotBelow { joint: u16, above: u16 },
    /// A scale above the end of a chain that is not even and positive.
    #[error("joint {joint}: its scale is not the same positive number in x, y and z")]
    Scale { joint: u16 },
    /// A number outside its range, or NaN.
    #[error("{what}: {value} is not in {min} to {max}")]
    Range { what: &'static str, value: f32, min: f32, max: f32 },
}
