//! Error: why clips cannot be baked for crowds.

use stillframe_base::tick::Tick;

/// What is wrong with clips, with how they were to be baked, or with a crowd.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CrowdError {
    #[error("clip {clip} lasts {} ticks", length.0)]
    Length { clip: usize, length: Tick },
    #[error("no frames per second, or fewer at most than at least")]
    Rate,
    /// More frames than a phase can tell apart, or than memory should hold.
    #[error("clip {clip}: {frames} frames, of at most {max}")]
    Frames { clip: usize, frames: u64, max: u64 },
    #[error("clip {clip}, {} ticks: number {number} is not finite", at.0)]
    NotFinite { clip: usize, at: Tick, number: usize },
    /// The end of a loop is not its start.
    #[error("clip {clip}: its end is {gap_m} m away from its start, more than {max_m}")]
    LoopOpen { clip: usize, gap_m: f64, max_m: f64 },
    /// No rate that is allowed is enough.
    #[error("clip {clip}, {} ticks: {error_m} m off with {frames} frames, more than {max_m}", at.0)]
    Bound { clip: usize, error_m: f64, at: Tick, frames: usize, max_m: f64 },
    #[error("{texels} texels do not fit into {width} x {height}")]
    Texture { texels: u64, width: u32, height: u32 },
    #[error("joint {joint} of the skin is joint {of} of {count}")]
    JointIndex { joint: usize, of: u16, count: usize },
    /// A bind matrix that cannot be inverted.
    #[error("joint {joint}: its inverse bind matrix cannot be inverted")]
    Bind { joint: usize },
    #[error("{what}: {count} where {want} are wanted")]
    Count { what: &'static str, count: usize, want: usize },
    #[error("actor {actor}, track {track}: clip {clip} of {count}")]
    Clip { actor: usize, track: usize, clip: u32, count: usize },
    /// A fade that is not in 0 to 1, or a place that is not finite.
    #[error("actor {actor}: {what}")]
    Actor { actor: usize, what: &'static str },
}
