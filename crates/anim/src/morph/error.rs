//! Error: why targets, channels or a job's input cannot be used.

use crate::pose::JobError;

/// What is wrong with targets or weights.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MorphError {
    /// A length or a vertex.
    #[error(transparent)]
    Job(#[from] JobError),
    #[error("target {target}: {count} {what} for {want} vertices")]
    Length { target: usize, what: &'static str, count: usize, want: usize },
    #[error("target {target}: entry {entry} names vertex {vertex} of {count}")]
    VertexIndex { target: usize, entry: usize, vertex: u32, count: usize },
    /// Vertices of a target are listed in order, each once.
    #[error("target {target}: entry {entry} is not after the one before")]
    VertexOrder { target: usize, entry: usize },
    #[error("target {target}: entry {entry} is not finite")]
    NotFinite { target: usize, entry: usize },
    #[error("{count} {what}, of at most {max}")]
    TooMany { what: &'static str, count: usize, max: usize },
    #[error("target {target}: weight {weight} is not finite")]
    Weight { target: usize, weight: f32 },
    #[error("channel {channel}: weight {weight} is not finite")]
    ChannelWeight { channel: usize, weight: f64 },
    /// Weights at which shapes are full grow from above 0.
    #[error("channel {channel}: shape {shape} is full at {full}, which is not finite or not above {above}")]
    Full { channel: usize, shape: usize, full: f64, above: f64 },
    #[error("channel {channel}: shape {shape} is target {target} of {count}")]
    Target { channel: usize, shape: usize, target: usize, count: usize },
}
