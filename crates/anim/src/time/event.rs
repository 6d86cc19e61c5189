//! Events of a clip: what is listed, and what is heard when one fires.

use stillframe_base::tick::Tick;

use super::{Position, TimeError};

/// A named moment of a clip, or a span of it, in ticks of clip time. What it means is the caller's: events are told by
/// their place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    pub begin: Tick,
    /// Equal to `begin`: a moment.
    pub end: Tick,
}

impl Event {
    pub const fn point(at: Tick) -> Event {
        Event { begin: at, end: at }
    }

    pub const fn span(begin: Tick, end: Tick) -> Event {
        Event { begin, end }
    }

    /// A moment at the share `part / whole` of a clip, rounded down to a tick: scaling a clip does not move its events.
    ///
    /// A `whole` of 0, a share above 1 and a clip that ends before it starts are bugs and assert.
    /// Source: book section 2.2 (events are stored as fractions).
    pub fn share(part: u32, whole: u32, start: Tick, end: Tick) -> Event {
        assert!(part <= whole && whole > 0, "a share of {part} / {whole}");
        assert!(start <= end, "a clip from {} to {}", start.0, end.0);
        let length = i128::from(end.0) - i128::from(start.0);
        Event::point(Tick((i128::from(start.0) + length * i128::from(part) / i128::from(whole)) as i64))
    }

    pub fn is_point(self) -> bool {
        self.begin == self.end
    }
}

/// The checked events of one clip: inside of it, in the order in which they begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Track {
    events: Vec<Event>,
}

impl Track {
    /// Units:   ticks of clip time; `start..=end` is the clip.
    /// Errors:  [`TimeError::WindowOrder`], [`EventOrder`](TimeError::EventOrder), [`EventEnd`](TimeError::EventEnd),
    ///          [`EventRange`](TimeError::EventRange).
    pub fn new(start: Tick, end: Tick, events: Vec<Event>) -> Result<Track, TimeError> {
        if start > end {
            return Err(TimeError::WindowOrder { min: start, max: end });
        }
        for (index, event) in events.iter().enumerate() {
            if event.begin > event.end {
                return Err(TimeError::EventEnd { index });
            }
            if event.begin < start || event.end > end {
                return Err(TimeError::EventRange { index });
            }
            if index > 0 && events[index - 1].begin > event.begin {
                return Err(TimeError::EventOrder { index });
            }
        }
        Ok(Track { events })
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }
}

/// What happened. Numbers are places in the track's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// The position arrived at this event.
    Point(u32),
    /// This span became active: at its begin, or at its end when it is played backward.
    Enter(u32),
    /// This span is no longer active.
    Leave(u32),
    /// A pass was completed: a loop's seam, a ping-pong's turn, the end. A window of no length has no passes.
    Lap,
    /// The last pass was completed, or backward the first. After all else of its instant.
    Finish,
}

/// A signal with its instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fired {
    pub signal: Signal,
    /// The instant on the unwrapped time line.
    pub at: Position,
    /// Sub-ticks of clip time from where the step began; never negative.
    pub travelled: i128,
    /// Sub-ticks a tick, without sign, during this step; 0 when scrubbing.
    pub pace: u64,
    /// Whether it fires on leaving its instant, as spans do backward, instead of on arriving.
    pub departs: bool,
}

impl Fired {
    /// Whole ticks after which a step has fired this: with steps of one tick it is heard in this one, counted from 1. 0
    /// when scrubbing.
    pub fn ticks_into_step(&self) -> Tick {
        if self.pace == 0 {
            return Tick::ZERO;
        }
        let pace = i128::from(self.pace);
        let whole = if self.departs { self.travelled / pace + 1 } else { (self.travelled + pace - 1) / pace };
        // No step is longer than an i64 of ticks.
        Tick(whole.max(1) as i64)
    }
}
