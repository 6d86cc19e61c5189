//! Error: why vertices, meshes and palettes cannot be skinned.

/// What is wrong with influences, with how they were to be laid out, or with a palette.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SkinError {
    /// No influences at all, or weights that sum to next to nothing.
    #[error("vertex {vertex}: its weights sum to {sum}, and no joint moves it")]
    NoWeight { vertex: usize, sum: f64 },
    /// A weight that is NaN, infinite or negative.
    #[error("vertex {vertex}: weight {weight} of joint {joint} is not a share")]
    Weight { vertex: usize, joint: u16, weight: f32 },
    #[error("vertex {vertex} names joint {joint} of {count}")]
    UnknownJoint { vertex: usize, joint: u16, count: usize },
    /// More influences a vertex than joints a block or a part may have.
    #[error("vertex {vertex} has {count} joints, of at most {max}")]
    VertexJoints { vertex: usize, count: usize, max: usize },
    #[error("triangle {triangle} names vertex {vertex} of {count}")]
    UnknownVertex { triangle: usize, vertex: u32, count: usize },
    /// A matrix of a palette that does more than turn, move and scale evenly; `off` is relative to its size.
    #[error("joint {joint}: its matrix is {off} away from a turn with an even scale")]
    NotRigid { joint: usize, off: f64 },
    /// Two slices that belong together do not.
    #[error("{what}: {count} where {want} are wanted")]
    Length { what: &'static str, count: usize, want: usize },
}
