//! The walk from one position to another over everything that happens on the way.
//!
//! A time line is a row of passes with boundaries between them. Forward, a walk is: the rest of a pass, the boundary at
//! its end, the next pass, and so on; backward the same in reverse. Boundaries know which sides they have, passes know
//! nothing of each other. In pseudo-code, forward from `a`:
//!
//! ```text
//! number = floor(a / length)
//! repeat: fire what is inside pass `number` after a; fire boundary number + 1; number += 1
//! until something lies beyond the target
//! ```

use std::ops::ControlFlow;

use super::timeline::{Key, Kind};
use super::{Fired, Position, Signal, Timeline};

/// A walk under way. Places are sub-ticks from the window's start.
pub(super) struct Walk<'t, V> {
    pub timeline: &'t Timeline,
    pub from: i128,
    /// Comes nearer when a visitor cuts the step.
    pub to: i128,
    /// Sub-ticks a tick, without sign; 0 for a way that takes no time and cannot be cut.
    pub pace: u64,
    pub forward: bool,
    /// Whole ticks after which the step ends, if a visitor cut it.
    pub cut_ticks: Option<i64>,
    pub visit: V,
}

impl<V: FnMut(Fired) -> ControlFlow<()>> Walk<'_, V> {
    /// Walks. `armed`: what lies at the start itself is told first.
    #[inline]
    pub fn run(&mut self, armed: bool) {
        if armed {
            self.announce();
        }
        if self.to == self.from {
            return;
        }
        if self.timeline.length == 0 {
            self.cross_no_length();
        } else if self.forward {
            self.walk_forward();
        } else {
            self.walk_backward();
        }
    }

    #[inline]
    fn fire(&mut self, at: i128, signal: Signal, departs: bool) {
        let fired = Fired {
            signal,
            at: Position::inside(at + self.timeline.min),
            travelled: if self.forward { at - self.from } else { self.from - at },
            pace: self.pace,
            departs,
        };
        if (self.visit)(fired).is_break() && self.cut_ticks.is_none() && self.pace > 0 {
            // What else happens in this tick has happened when it ends, so it is still told.
            let ticks = fired.ticks_into_step().0;
            self.cut_ticks = Some(ticks);
            let way = i128::from(self.pace) * i128::from(ticks);
            self.to = if self.forward { self.to.min(self.from + way) } else { self.to.max(self.from - way) };
        }
    }

    fn fire_forward(&mut self, at: i128, keys: &[Key]) {
        for key in keys {
            self.fire(at, key.signal(true), false);
        }
    }

    fn fire_backward(&mut self, at: i128, keys: &[Key], departs: bool) {
        for key in keys.iter().rev() {
            self.fire(at, key.signal(false), departs);
        }
    }

    /// The pass that holds `x`, with its start belonging to it, and how far from that `x` lies. One pass before the
    /// first and one after the last stand for all that is outside.
    #[inline]
    fn number_of(&self, x: i128) -> (i128, i128) {
        let timeline = self.timeline;
        match timeline.passes {
            Some(_) if x < 0 => (-1, x + timeline.length),
            Some(passes) if x >= timeline.whole => (passes, x - timeline.whole),
            _ => timeline.divisor.divide(x),
        }
    }

    fn is_played(&self, number: i128) -> bool {
        self.timeline.passes.is_none_or(|passes| 0 <= number && number < passes)
    }

    /// Whole ticks from `base` to the target, up to more than any pass has; negative ones are 0.
    #[inline]
    fn reach_ticks(&self, base: i128) -> u64 {
        let ticks = (self.to - base) >> 16;
        if ticks < 0 { 0 } else { u64::try_from(ticks).unwrap_or(u64::MAX) }
    }

    fn walk_forward(&mut self) {
        let timeline = self.timeline;
        let (mut number, within) = self.number_of(self.from);
        // Keys lie at whole ticks: after a place is after the tick that it is in.
        let mut passed_ticks = (within >> 16) as u64;
        let mut base = self.from - within;
        loop {
            if self.is_played(number) {
                let inside = &timeline.pass(number).inside;
                for key in &inside[inside.partition_point(|key| key.at_ticks <= passed_ticks)..] {
                    if key.at_ticks > self.reach_ticks(base) {
                        return;
                    }
                    self.fire(base + (i128::from(key.at_ticks) << 16), key.signal(true), false);
                }
            }
            number += 1;
            base += timeline.length;
            if base > self.to || timeline.passes.is_some_and(|passes| number > passes) {
                return;
            }
            self.arrive_forward(number, base);
            passed_ticks = 0;
        }
    }

    fn walk_backward(&mut self) {
        let timeline = self.timeline;
        // The pass that lies below the start; a boundary at the start itself is left.
        let (mut number, within) = self.number_of(self.from - 1);
        let mut base = self.from - 1 - within;
        if self.from == base + timeline.length {
            self.depart_backward(number + 1, self.from);
        }
        let mut upto_ticks = ((self.from - base) >> 16) as u64;
        loop {
            if self.is_played(number) {
                let inside = &timeline.pass(number).inside;
                for key in inside[..inside.partition_point(|key| key.at_ticks <= upto_ticks)].iter().rev() {
                    let at = base + (i128::from(key.at_ticks) << 16);
                    if at < self.to {
                        return;
                    }
                    let is_point = key.kind == Kind::Point;
                    let happens = if is_point { at < self.from } else { self.to < at };
                    if happens {
                        self.fire(at, key.signal(false), !is_point);
                    }
                }
            }
            if base < self.to || timeline.passes.is_some() && number < 0 {
                return;
            }
            self.arrive_backward(number, base);
            if base > self.to {
                self.depart_backward(number, base);
            }
            base -= timeline.length;
            number -= 1;
            upto_ticks = u64::MAX;
        }
    }

    /// Boundary `number`: pass `number - 1` ends, pass `number` begins, if they are played.
    fn arrive_forward(&mut self, number: i128, at: i128) {
        let timeline = self.timeline;
        let (ends, begins) = (self.is_played(number - 1), self.is_played(number));
        if ends {
            let pass = timeline.pass(number - 1);
            if !(timeline.ping_pong && begins) {
                self.fire_forward(at, &pass.end_edges);
            }
            self.fire_forward(at, &pass.end_points);
            self.fire(at, Signal::Lap, false);
            if !begins {
                self.fire(at, Signal::Finish, false);
            }
        }
        if begins && !(timeline.ping_pong && ends) {
            let pass = timeline.pass(number);
            self.fire_forward(at, &pass.start_edges);
            self.fire_forward(at, &pass.start_points);
        }
    }

    /// The same in reverse, but for spans, which change when the boundary is left.
    fn arrive_backward(&mut self, number: i128, at: i128) {
        let timeline = self.timeline;
        let (ends, begins) = (self.is_played(number - 1), self.is_played(number));
        let turn = timeline.ping_pong && ends && begins;
        if begins {
            if !turn {
                self.fire_backward(at, &timeline.pass(number).start_points, false);
            }
            self.fire(at, Signal::Lap, false);
        }
        if ends {
            self.fire_backward(at, &timeline.pass(number - 1).end_points, false);
        } else if begins {
            self.fire(at, Signal::Finish, false);
        }
    }

    fn depart_backward(&mut self, number: i128, at: i128) {
        let timeline = self.timeline;
        let (ends, begins) = (self.is_played(number - 1), self.is_played(number));
        if timeline.ping_pong && ends && begins {
            return;
        }
        if begins {
            self.fire_backward(at, &timeline.pass(number).start_edges, true);
        }
        if ends {
            self.fire_backward(at, &timeline.pass(number - 1).end_edges, true);
        }
    }

    /// A window of no length happens at its start, once an arrival.
    fn cross_no_length(&mut self) {
        let crossed = if self.forward { self.from < 0 && 0 <= self.to } else { self.to <= 0 && 0 < self.from };
        if crossed {
            self.all_of_no_length();
        }
    }

    fn all_of_no_length(&mut self) {
        let timeline = self.timeline;
        if self.forward {
            self.fire_forward(0, &timeline.even.start_points);
        } else {
            self.fire_backward(0, &timeline.even.start_points, false);
        }
        if timeline.passes.is_some() {
            self.fire(0, Signal::Finish, false);
        }
    }

    /// What holds at the start: active spans are entered, then the moments there. At a boundary only the pass ahead
    /// counts: a loop that begins does not end. With no pass ahead, the end: its moments and the finish.
    fn announce(&mut self) {
        let (timeline, at) = (self.timeline, self.from);
        if timeline.length == 0 {
            if at == 0 {
                self.all_of_no_length();
            }
            return;
        }
        let (number, within) = self.number_of(at);
        if self.is_played(number) {
            for index in timeline.spans_at(number, within) {
                self.fire(at, Signal::Enter(index), false);
            }
        }
        if within == 0 {
            let ahead = if self.forward { number } else { number - 1 };
            let behind = if self.forward { number - 1 } else { number };
            let (plays_on, has_played) = (self.is_played(ahead), self.is_played(behind));
            let points = |number: i128, at_its_start: bool| {
                let pass = timeline.pass(number);
                if at_its_start { &pass.start_points } else { &pass.end_points }
            };
            if plays_on {
                self.fire_all(at, points(ahead, self.forward));
            } else if has_played {
                self.fire_all(at, points(behind, !self.forward));
                self.fire(at, Signal::Finish, false);
            }
        } else if self.is_played(number) {
            let inside = &timeline.pass(number).inside;
            let first = inside.partition_point(|key| i128::from(key.at_ticks) << 16 < within);
            let last = inside.partition_point(|key| i128::from(key.at_ticks) << 16 <= within);
            let points = inside[first..last].partition_point(|key| key.kind != Kind::Point);
            self.fire_all(at, &inside[first + points..last]);
        }
    }

    fn fire_all(&mut self, at: i128, points: &[Key]) {
        if self.forward { self.fire_forward(at, points) } else { self.fire_backward(at, points, false) }
    }
}
