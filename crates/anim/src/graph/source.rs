//! Source: where a number that a node reads comes from.

use super::SPEED_MAX;
use crate::time::Speed;

/// A number that a node reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    Number(f32),
    Parameter(u16),
}

impl Source {
    pub fn value(self, parameters: &[f32]) -> f32 {
        match self {
            Source::Number(number) => number,
            Source::Parameter(parameter) => parameters[usize::from(parameter)],
        }
    }

    /// Limited to 0 to 1.
    pub fn share(self, parameters: &[f32]) -> f32 {
        self.value(parameters).clamp(0.0, 1.0)
    }

    /// As the speed of a clip, limited to [`SPEED_MAX`] either way.
    pub fn speed(self, parameters: &[f32]) -> Speed {
        Speed::nearest(f64::from(self.value(parameters).clamp(-SPEED_MAX, SPEED_MAX)))
    }
}
