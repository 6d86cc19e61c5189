//! Scripts: what is played, and what is done to it.

use stillframe_anim::time::{Event, Playback, Position, Speed, TimeError, Timeline, Track};
use stillframe_base::tick::Tick;

use crate::Oracle;

/// A clip and how it is played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    pub playback: Playback,
    /// In the order in which they begin.
    pub events: Vec<Event>,
}

/// One thing that is done to a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Ticks of time.
    Step(i64),
    /// Ticks of time, cut in the tick in which this event is heard.
    Until(i64, u32),
    /// Ticks of time in silence.
    Leap(i64),
    Speed(Speed),
    Seek(Position),
    Scrub(Position),
    Pause(bool),
    /// From the phase again, with what lies there.
    Play,
}

/// What happens to one controller, from the phase on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    pub case: Case,
    pub speed: Speed,
    /// The first step that moves tells what lies at the start.
    pub armed: bool,
    pub ops: Vec<Op>,
}

impl Case {
    /// The clip: the window, and what lies outside of it.
    pub fn clip(&self) -> (Tick, Tick) {
        let start = self.events.iter().map(|event| event.begin).fold(self.playback.min, Tick::min);
        let end = self.events.iter().map(|event| event.end).fold(self.playback.max, Tick::max);
        (start, end)
    }

    /// Errors: as [`Track::new`] and [`Timeline::new`].
    pub fn try_timeline(&self) -> Result<Timeline, TimeError> {
        let (start, end) = self.clip();
        Timeline::new(self.playback, &Track::new(start, end, self.events.clone())?)
    }

    /// The timeline of a case that was drawn.
    pub fn timeline(&self) -> Timeline {
        self.try_timeline().expect("drawn in order")
    }

    pub fn oracle(&self) -> Oracle {
        Oracle::new(self.playback, &self.events)
    }

    pub fn length(&self) -> i64 {
        self.playback.max.0 - self.playback.min.0
    }
}

/// A position that is known to be far from the limit.
pub fn position(sub_ticks: i128) -> Position {
    Position::new(sub_ticks).expect("far from the limit")
}

/// Cuts a step at shares of 65535; equal shares are steps of no time.
pub fn cut(step: i64, shares: &[u16]) -> Vec<i64> {
    let mut places: Vec<i64> =
        shares.iter().map(|share| (i128::from(step) * i128::from(*share) / 65_535) as i64).chain([0, step]).collect();
    places.sort_unstable();
    places.windows(2).map(|pair| pair[1] - pair[0]).collect()
}
