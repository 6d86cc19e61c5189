//! Check: which numbers solvers take.

use super::IkError;
use super::turn::LENGTH_MIN;

/// Positions and targets are no farther from 0 on any axis: beyond it squares lose what a solver compares.
pub const POSITION_MAX_M: f32 = 1e6;

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
    check_range(what, vector.abs().max_element(), LENGTH_MIN, f32::MAX)
}

/// What solvers that go on until they are near enough are given.
pub(super) fn check_goal(target: glam::Vec3, pole: glam::Vec3, tolerance_m: f32, weight: f32) -> Result<(), IkError> {
    check_vector("target", target, POSITION_MAX_M)?;
    check_vector("pole", pole, f32::MAX)?;
    check_range("tolerance", tolerance_m, 0.0, POSITION_MAX_M)?;
    check_range("weight", weight, 0.0, 1.0)
}
