//! Error: why a definition is no graph.

use stillframe_base::tick::Tick;

use crate::pose::JobError;
use crate::time::TimeError;

/// What is wrong with a definition. Everything is named as the definition names it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// Two things of a kind with one name.
    #[error("{what} \"{name}\" is there twice")]
    Twice { what: &'static str, name: String },
    /// A name of something that there is not. `node` is empty where the graph itself names it.
    #[error("node \"{node}\": there is no {what} \"{name}\"")]
    Unknown { node: String, what: &'static str, name: String },
    /// Nodes that feed themselves.
    #[error("node \"{node}\" feeds itself")]
    Cycle { node: String },
    /// Lists that belong together do not.
    #[error("node \"{node}\": {count} {what} where {want} are wanted")]
    Count { node: String, what: &'static str, count: usize, want: usize },
    /// Nothing to choose from.
    #[error("node \"{node}\" has no {what}")]
    Empty { node: String, what: &'static str },
    /// More inputs than a blend has room for.
    #[error("node \"{node}\": {count} inputs, of at most {max}")]
    TooMany { node: String, count: usize, max: usize },
    /// More masks than there are numbers for: those of the definition and, of partial nodes that name joints, one for
    /// every input.
    #[error("node \"{node}\": with its masks there are more than {max} in the graph")]
    TooManyMasks { node: String, max: usize },
    /// A number that is NaN, infinite or not in its range.
    #[error("node \"{node}\": {what} {value} is not in its range")]
    Range { node: String, what: &'static str, value: f32 },
    /// A time or a span of time that is not in its range.
    #[error("node \"{node}\": {what} of {} s is not in its range", Tick(*ticks).seconds())]
    Ticks { node: String, what: &'static str, ticks: i64 },
    /// Points that lie in one place.
    #[error("node \"{node}\": points {first} and {second} of its space are the same")]
    SamePoint { node: String, first: usize, second: usize },
    /// Columns or rows that do not rise.
    #[error("node \"{node}\": {axis} {index} of its grid does not lie past the one before")]
    GridOrder { node: String, axis: &'static str, index: usize },
    /// A pose where a delta is wanted, or the other way round.
    #[error("node \"{node}\": its input \"{input}\" is a {is} where a {want} is wanted")]
    Kind { node: String, input: String, is: &'static str, want: &'static str },
    /// A node that follows something without a phase.
    #[error("node \"{node}\" follows \"{leader}\", which is not a clip with a length")]
    NoPhase { node: String, leader: String },
    /// A joint that is listed twice.
    #[error("{owner}: joint \"{joint}\" is listed twice")]
    JointTwice { owner: String, joint: String },
    /// A joint that the skeleton has not.
    #[error("{owner}: the skeleton has no joint \"{joint}\"")]
    UnknownJoint { owner: String, joint: String },
    /// A mask that is none.
    #[error("mask \"{mask}\": {error}")]
    Mask { mask: String, error: JobError },
    /// A clip whose events are not in order.
    #[error("clip \"{clip}\": {error}")]
    Clip { clip: String, error: TimeError },
    /// A window, a phase, markers that cannot be matched.
    #[error("node \"{node}\": {error}")]
    Time { node: String, error: TimeError },
}
