//! What is wrong with the input of time control.

use std::fmt;

use stillframe_base::tick::Tick;

/// Why a timeline, a sync group or a fade cannot be made, or a step cannot be taken. Nothing has changed when one is
/// returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeError {
    /// The window or the clip ends before it starts. Equal ends are a window of no length, which is allowed.
    WindowOrder { min: Tick, max: Tick },
    /// This event begins before the one listed before it.
    EventOrder { index: usize },
    /// This event ends before it begins.
    EventEnd { index: usize },
    /// This event does not lie inside its clip.
    EventRange { index: usize },
    /// A repeat of no passes.
    NoPasses,
    /// A step of less than no time. Time runs forward; a negative speed plays backward.
    NegativeStep { step: Tick },
    /// The position would leave [`Position::LIMIT`](super::Position::LIMIT).
    Overflow,
    /// A fade of less than no time, or longer than [`Fade::LENGTH_MAX`](super::Fade::LENGTH_MAX).
    FadeLength { length: Tick },
    /// A group without members, or with other than one weight for each.
    GroupSize { members: usize, weights: usize },
    /// Sync needs a loop without an end; this member does not play one, or it has no length.
    GroupMode { member: usize },
    /// Markers of this member do not rise strictly, or do not lie in `min..max`.
    MarkerOrder { member: usize },
    /// The labels of this member's markers are not those of the first member in the same circle.
    MarkerLabels { member: usize },
}

impl fmt::Display for TimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeError::WindowOrder { min, max } => {
                write!(f, "the window ends at {} s, before it starts at {} s", max.seconds(), min.seconds())
            }
            TimeError::EventOrder { index } => write!(f, "event {index} begins before the one before it"),
            TimeError::EventEnd { index } => write!(f, "event {index} ends before it begins"),
            TimeError::EventRange { index } => write!(f, "event {index} is outside of its clip"),
            TimeError::NoPasses => write!(f, "a repeat of no passes"),
            TimeError::NegativeStep { step } => write!(f, "a step of {} s", step.seconds()),
            TimeError::Overflow => write!(f, "the position leaves its range"),
            TimeError::FadeLength { length } => write!(f, "a fade of {} s", length.seconds()),
            TimeError::GroupSize { members, weights } => write!(f, "{members} members and {weights} weights"),
            TimeError::GroupMode { member } => write!(f, "member {member} is not an endless loop of some length"),
            TimeError::MarkerOrder { member } => {
                write!(f, "the markers of member {member} do not rise inside its window")
            }
            TimeError::MarkerLabels { member } => {
                write!(f, "the markers of member {member} are others than the first's")
            }
        }
    }
}

impl std::error::Error for TimeError {}
