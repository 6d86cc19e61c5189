//! Error: why there is no box.

use crate::pose::JobError;

/// What is wrong with a mesh, its weights or a palette.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BoundsError {
    /// A length, a joint or a number of a pose.
    #[error(transparent)]
    Job(#[from] JobError),
    #[error("vertex {vertex}: its box is empty or not finite")]
    Vertex { vertex: usize },
    #[error("vertex {vertex}: weight {weight} of joint {joint} is negative or not finite")]
    Weight { vertex: usize, joint: u16, weight: f32 },
    /// Such a vertex is drawn towards the origin, or away from it.
    #[error("vertex {vertex}: its weights sum to {sum}, not to 1")]
    WeightSum { vertex: usize, sum: f64 },
    /// Dual quaternions that are turned this far from each other may blend to anything.
    #[error("joints {first} and {second} move vertices of three or more joints and are turned by more than 90 degrees")]
    TurnedApart { first: u16, second: u16 },
}
