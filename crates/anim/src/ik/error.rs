//! Error: what `validate` of a solver refuses.

use super::chain::POSITION_MAX_M;
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

/// NaN is in no range.
pub(super) fn check_range(what: &'static str, value: f32, min: f32, max: f32) -> Result<(), IkError> {
    if value >= min && value <= max { Ok(()) } else { Err(IkError::Range { what, value, min, max }) }
}

/// Every number within `max` of 0.
pub(super) fn check_vector(what: &'static str, vector: glam::Vec3, max: f32) -> Result<(), IkError> {
    vector.to_array().into_iter().try_for_each(|value| check_range(what, value, -max, max))
}

/// Something that a direction can be read from.
pub(super) fn check_direction(what: &'static str, vector: glam::Vec3) -> Result<(), IkError> {
    check_vector(what, vector, f32::MAX)?;
    check_range(what, vector.abs().max_element(), super::turn::LENGTH_MIN, f32::MAX)
}

/// What solvers that go on until they are near enough are given.
pub(super) fn check_goal(target: glam::Vec3, pole: glam::Vec3, tolerance_m: f32, weight: f32) -> Result<(), IkError> {
    check_vector("target", target, POSITION_MAX_M)?;
    check_vector("pole", pole, f32::MAX)?;
    check_range("tolerance", tolerance_m, 0.0, POSITION_MAX_M)?;
    check_range("weight", weight, 0.0, 1.0)
}
