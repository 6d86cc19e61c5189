//! The time line: how unwrapped positions become local time, and where on it events lie.

use stillframe_base::tick::Tick;

use super::position::Divisor;
use super::{Event, Position, Signal, Speed, TimeError, Track};

/// How often a window is played, forward from position `min`. A ping-pong's way back is a pass of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Repeat {
    #[default]
    Forever,
    /// At least 1. Ends at `min + passes * length`, holding the last pass's end.
    Times(u32),
}

/// What becomes of time outside of the window. The book's names in brackets; its reverse modes are
/// [`Playback::reverse`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// Local time runs on outside of the window (NONE).
    Once,
    /// The nearer end holds (CLAMP).
    #[default]
    Clamp,
    /// The window begins again (WRAP). Endless, it never reaches `max`.
    Loop(Repeat),
    /// Forward, then backward (CYCLE).
    PingPong(Repeat),
}

/// What a controller does with time that is left when the last pass is completed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AtEnd {
    /// The position stays at the end, and leaves it at once when the speed turns.
    #[default]
    Stop,
    /// The position runs on beyond the end, unseen in modes that hold it, and comes back all the way (the book's
    /// formula).
    RunOn,
}

/// What is played, and how. Any values may stand here; [`Timeline::new`] checks them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Playback {
    /// The window of the clip, in ticks of clip time.
    pub min: Tick,
    pub max: Tick,
    pub mode: Mode,
    /// Local time is mirrored: `min + max - forward`.
    pub reverse: bool,
    pub at_end: AtEnd,
    /// The position at time 0. The book's formula has 0 here; a window that is to start at its start has `min`.
    pub phase: Position,
}

impl Playback {
    /// A window played from its start.
    pub fn new(min: Tick, max: Tick, mode: Mode) -> Playback {
        Playback { min, max, mode, phase: Position::of_tick(min), ..Playback::default() }
    }
}

/// One instant of a pass, in ticks from where the pass starts in unwrapped time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub at_ticks: u64,
    pub kind: Kind,
    pub index: u32,
}

/// Named for forward motion. In this order at one instant: spans change backward on departure, so they come last there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Leave,
    Enter,
    Point,
}

impl Key {
    #[inline]
    pub(super) fn signal(self, forward: bool) -> Signal {
        match (self.kind, forward) {
            (Kind::Point, _) => Signal::Point(self.index),
            (Kind::Enter, true) | (Kind::Leave, false) => Signal::Enter(self.index),
            (Kind::Leave, true) | (Kind::Enter, false) => Signal::Leave(self.index),
        }
    }
}

/// The instants of a pass, those of its two ends apart: neighbours share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Pass {
    pub start_edges: Box<[Key]>,
    pub start_points: Box<[Key]>,
    pub inside: Box<[Key]>,
    pub end_edges: Box<[Key]>,
    pub end_points: Box<[Key]>,
}

impl Pass {
    /// `mirrored`: a pass that runs from `max` to `min`.
    fn new(events: &[Event], min: Tick, max: Tick, mirrored: bool) -> Pass {
        let length = min.0.abs_diff(max.0);
        let mut keys = Vec::new();
        for (index, event) in events.iter().enumerate() {
            let index = index as u32;
            if event.is_point() && (event.begin < min || event.begin > max) {
                continue;
            }
            let (begin, end) = (min.0.abs_diff(event.begin.max(min).0), min.0.abs_diff(event.end.clamp(min, max).0));
            if event.is_point() {
                keys.push(Key { at_ticks: if mirrored { length - begin } else { begin }, kind: Kind::Point, index });
            } else if event.begin <= max && begin < end {
                let (begin, end) = if mirrored { (length - end, length - begin) } else { (begin, end) };
                keys.push(Key { at_ticks: begin, kind: Kind::Enter, index });
                keys.push(Key { at_ticks: end, kind: Kind::Leave, index });
            }
        }
        keys.sort_unstable();
        let pick = |wanted: &dyn Fn(&Key) -> bool| keys.iter().copied().filter(|key| wanted(key)).collect();
        let point = |key: &Key| key.kind == Kind::Point;
        // Without a length both ends are one instant; it is the start.
        Pass {
            start_edges: pick(&|key| key.at_ticks == 0 && !point(key)),
            start_points: pick(&|key| key.at_ticks == 0 && point(key)),
            inside: pick(&|key| 0 < key.at_ticks && key.at_ticks < length),
            end_edges: pick(&|key| 0 < key.at_ticks && key.at_ticks == length && !point(key)),
            end_points: pick(&|key| 0 < key.at_ticks && key.at_ticks == length && point(key)),
        }
    }
}

/// A checked [`Playback`] with its events laid out for walking. Made once a clip, shared by its controllers.
#[derive(Clone, Debug)]
pub struct Timeline {
    playback: Playback,
    events: Box<[Event]>,
    /// `min` and the window's length in sub-ticks.
    pub(super) min: i128,
    pub(super) length: i128,
    pub(super) divisor: Divisor,
    /// None: endless both ways. A window of no length that is repeated for ever has none either.
    pub(super) passes: Option<i128>,
    /// All passes, in sub-ticks from `min`, or more than there can be.
    pub(super) whole: i128,
    pub(super) ping_pong: bool,
    /// Passes with even and with odd numbers.
    pub(super) even: Pass,
    odd: Pass,
}

impl Timeline {
    /// Events outside of the window do not happen; spans are cut to it, and gone if nothing is left.
    ///
    /// Errors:  [`TimeError::WindowOrder`] if `min > max`, [`TimeError::NoPasses`].
    pub fn new(playback: Playback, track: &Track) -> Result<Timeline, TimeError> {
        let Playback { min, max, mode, reverse, at_end: _, phase: _ } = playback;
        if min > max {
            return Err(TimeError::WindowOrder { min, max });
        }
        let passes = match mode {
            Mode::Once | Mode::Clamp => Some(1),
            Mode::Loop(Repeat::Times(passes)) | Mode::PingPong(Repeat::Times(passes)) => Some(i128::from(passes)),
            Mode::Loop(Repeat::Forever) | Mode::PingPong(Repeat::Forever) => None,
        };
        if passes == Some(0) {
            return Err(TimeError::NoPasses);
        }
        let ping_pong = matches!(mode, Mode::PingPong(_));
        let even = Pass::new(track.events(), min, max, reverse);
        let odd = if ping_pong { Pass::new(track.events(), min, max, !reverse) } else { even.clone() };
        let min = Position::of_tick(min).sub_ticks();
        let length = Position::of_tick(max).sub_ticks() - min;
        let whole = passes.map_or(4 * Position::LIMIT, |passes| passes * length);
        Ok(Timeline {
            playback,
            events: track.events().into(),
            min,
            length,
            divisor: Divisor::new(length),
            passes,
            whole,
            ping_pong,
            even,
            odd,
        })
    }

    pub fn playback(&self) -> &Playback {
        &self.playback
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The length of one pass.
    pub fn length(&self) -> Tick {
        // The window may be as wide as all ticks, which is one bit more than a tick holds.
        Position::saturating(self.length).tick()
    }

    /// Where the last pass ends. None for what never ends.
    pub fn end(&self) -> Option<Position> {
        self.passes.map(|_| Position::inside(self.min + self.whole))
    }

    /// The position after `elapsed` at one speed: `speed * elapsed + phase`.
    ///
    /// Errors: [`TimeError::Overflow`]. Source: book section 2.1, `c = f t + phase`.
    pub fn position(&self, elapsed: Tick, speed: Speed) -> Result<Position, TimeError> {
        Position::new(self.playback.phase.sub_ticks() + speed.distance(elapsed))
    }

    /// Local time at a position: `min..=max` in every mode but [`Mode::Once`] (and there without a length), below `max`
    /// in an endless loop (above `min` if reversed). Before the first pass and after the last the nearer end of the
    /// played time holds.
    ///
    /// Units:   sub-ticks of clip time, both.
    /// Source:  book section 2.1, table of modes; a range of no length gives `min`.
    pub fn local(&self, position: Position) -> Position {
        let within = self.within(position.sub_ticks() - self.min);
        Position::saturating(self.min + if self.playback.reverse { self.length - within } else { within })
    }

    /// Forward local time from the start of the window.
    fn within(&self, x: i128) -> i128 {
        if self.length == 0 {
            return 0;
        }
        match self.playback.mode {
            Mode::Once => return x,
            Mode::Clamp => return x.clamp(0, self.length),
            Mode::Loop(_) | Mode::PingPong(_) => {}
        }
        let x = match self.passes {
            Some(_) => x.clamp(0, self.whole),
            None => x,
        };
        let (number, within) = self.divisor.divide(x);
        if self.ping_pong {
            return if number % 2 == 0 { within } else { self.length - within };
        }
        // A loop that is over stands at the end of its last pass, not at the start of another.
        if self.passes == Some(number) { self.length } else { within }
    }

    /// Whether a span is active at a position. A moment never is.
    ///
    /// A number that is not in the list is a bug and asserts.
    pub fn is_active(&self, event: usize, position: Position) -> bool {
        assert!(event < self.events.len(), "event {event} of {}", self.events.len());
        let x = position.sub_ticks() - self.min;
        if self.length == 0 || x < 0 && self.passes.is_some() {
            return false;
        }
        let (number, within) = self.divisor.divide(x);
        self.passes.is_none_or(|passes| number < passes) && self.holds(self.events[event], number, within)
    }

    /// Whether a span holds `within` pass `number`.
    fn holds(&self, event: Event, number: i128, within: i128) -> bool {
        let begin = (Position::of_tick(event.begin).sub_ticks() - self.min).max(0);
        let end = (Position::of_tick(event.end).sub_ticks() - self.min).min(self.length);
        let mirrored = self.playback.reverse != (self.ping_pong && number % 2 != 0);
        // For a moment, and for a span outside of the window, both ranges are empty.
        if mirrored {
            (self.length - end..self.length - begin).contains(&within)
        } else {
            (begin..end).contains(&within)
        }
    }

    /// The spans that hold `within` pass `number`, in the order of the list.
    pub(super) fn spans_at(&self, number: i128, within: i128) -> impl Iterator<Item = u32> + '_ {
        let held = move |(index, event): (usize, &Event)| self.holds(*event, number, within).then_some(index as u32);
        self.events.iter().enumerate().filter_map(held)
    }

    #[inline]
    pub(super) fn pass(&self, number: i128) -> &Pass {
        if number % 2 == 0 { &self.even } else { &self.odd }
    }

    /// Where a way from `from` towards `to` ends: what lies beyond the end is not travelled, unless time runs on.
    #[inline]
    pub(super) fn stop(&self, from: i128, to: i128) -> i128 {
        if self.passes.is_none() || self.playback.at_end == AtEnd::RunOn {
            to
        } else if to >= from {
            to.min(self.min + self.whole).max(from)
        } else {
            to.max(self.min).min(from)
        }
    }

    /// How much of the way from `from` to `to` lies past the end that it runs towards, in sub-ticks. There is an end.
    #[inline]
    pub(super) fn beyond(&self, from: i128, to: i128) -> i128 {
        if to >= from { (to - (self.min + self.whole).max(from)).max(0) } else { (self.min.min(from) - to).max(0) }
    }

    /// Whether the end that a way runs towards is arrived at; `armed` counts a start there. There is an end.
    #[inline]
    pub(super) fn finishes(&self, from: i128, to: i128, forward: bool, armed: bool) -> bool {
        let end = if forward { self.min + self.whole } else { self.min };
        let arrives = if forward { from < end && end <= to } else { to <= end && end < from };
        arrives || armed && from == end
    }

    /// How often a moment fires on the way between two positions, whatever the distance: no walking.
    ///
    /// None for a span. A number that is not in the list is a bug and asserts. The end does not stop this way.
    pub fn count(&self, event: usize, from: Position, to: Position) -> Option<u128> {
        assert!(event < self.events.len(), "event {event} of {}", self.events.len());
        let Event { begin, end } = self.events[event];
        if begin != end {
            return None;
        }
        let forward_at = Position::of_tick(begin).sub_ticks() - self.min;
        let at = if self.playback.reverse { self.length - forward_at } else { forward_at };
        if !(0..=self.length).contains(&at) {
            return Some(0);
        }
        // Forward (from, to], backward [to, from): what has happened up to and including the last sub-tick of each.
        let (from, to) = (from.sub_ticks() - self.min, to.sub_ticks() - self.min);
        let (low, high) = if from <= to { (from, to) } else { (to - 1, from - 1) };
        let difference = |first: i128, period: i128, times: Option<i128>| {
            up_to(high, first, period, times) - up_to(low, first, period, times)
        };
        let (length, passes) = (self.length, self.passes);
        let count = if length == 0 {
            difference(0, 1, Some(1))
        } else if !self.ping_pong {
            difference(at, length, passes)
        } else if at == 0 {
            difference(0, 2 * length, passes.map(|passes| passes / 2 + 1))
        } else if at == length {
            difference(at, 2 * length, passes.map(|passes| (passes + 1) / 2))
        } else {
            difference(at, 2 * length, passes.map(|passes| (passes + 1) / 2))
                + difference(2 * length - at, 2 * length, passes.map(|passes| passes / 2))
        };
        Some(count as u128)
    }
}

/// How many of `first`, `first + period`, ... (`times` of them, or endless both ways and counted from `first`) are at
/// most `x`.
fn up_to(x: i128, first: i128, period: i128, times: Option<i128>) -> i128 {
    let count = (x - first).div_euclid(period) + 1;
    times.map_or(count, |times| count.clamp(0, times))
}
