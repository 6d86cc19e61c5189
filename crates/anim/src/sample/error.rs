//! Error: why a clip cannot be baked.

use stillframe_base::tick::Tick;

/// What is wrong with a clip, or with how it was to be baked. Tracks are named by their position in their layer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClipError {
    #[error("the clip ends at {} ticks, before it starts at {}", end.0, start.0)]
    Span { start: Tick, end: Tick },
    #[error("{samples} joints times frames, of at most {max}")]
    TooLong { samples: u128, max: usize },
    #[error("no frames per second")]
    Rate,
    /// Points that errors are told of.
    #[error("points {shell_m} m from a joint: more than 0 is expected")]
    Shell { shell_m: f64 },
    /// Layers are mixed by whoever knows the nodes' rules; what comes out can be baked.
    #[error("{count} layers where one is wanted")]
    Layers { count: usize },
    /// No track moves a joint, though tracks move nodes.
    #[error("none of the clip's {tracks} tracks moves a joint of the skeleton")]
    OtherSkeleton { tracks: usize },
    #[error("tracks {first} and {second} move the same property of a joint")]
    Twice { first: usize, second: usize },
    #[error("track {track} has no keys")]
    NoKeys { track: usize },
    #[error("track {track}: {width} numbers a key where {want} are wanted")]
    Width { track: usize, width: usize, want: usize },
    /// The order of its angles is the node's, which a clip does not know.
    #[error("track {track}: a rotation in angles")]
    Angles { track: usize },
    #[error("track {track}: key {key} is not later than the one before")]
    Order { track: usize, key: usize },
    #[error("track {track}: key {key} has a number that is not finite")]
    NotFinite { track: usize, key: usize },
    /// Also a rotation of no length.
    #[error("joint {joint} at {} ticks: a number is not finite or beyond {max}", at.0)]
    OutOfRange { joint: usize, at: Tick, max: f64 },
    #[error("the clip is {worst_m} m off at joint {joint}, more than {max_m}")]
    Error { worst_m: f64, joint: usize, max_m: f64 },
}
