//! The model: what time control has to do, from the definition. Slow, exact, and sharing nothing with the code under
//! test but its plain data: every occurrence is listed as a set of integers, and what is inside of an interval is
//! picked.

use std::collections::{BTreeMap, BTreeSet};

use stillframe_anim::time::{AtEnd, Event, Mode, Playback, Repeat, Signal};

/// A sub-tick is 2^-16 ticks.
pub const SUB: i128 = 65_536;

/// A signal and its place on the unwrapped line, in sub-ticks.
pub type Entry = (i128, Signal);

/// What is played, as the oracle reads it. Places are relative to the window's start.
#[derive(Clone, Debug)]
pub struct Oracle {
    pub playback: Playback,
    pub events: Vec<Event>,
    pub min: i128,
    pub length: i128,
    /// None: endless both ways.
    pub passes: Option<i128>,
}

/// Order of signals at one instant, forward: the pass that they belong to, then leave, enter, moment, lap, finish; then
/// the list.
type Order = (i128, i128, u8, u32);

impl Oracle {
    pub fn new(playback: Playback, events: &[Event]) -> Oracle {
        let passes = match playback.mode {
            Mode::Once | Mode::Clamp => Some(1),
            Mode::Loop(Repeat::Times(n)) | Mode::PingPong(Repeat::Times(n)) => Some(i128::from(n)),
            Mode::Loop(Repeat::Forever) | Mode::PingPong(Repeat::Forever) => None,
        };
        let min = i128::from(playback.min.0) * SUB;
        let length = i128::from(playback.max.0) * SUB - min;
        Oracle { playback, events: events.to_vec(), min, length, passes }
    }

    fn ping_pong(&self) -> bool {
        matches!(self.playback.mode, Mode::PingPong(_))
    }

    /// Whether local time falls in pass `k`.
    fn falls(&self, k: i128) -> bool {
        self.playback.reverse != (self.ping_pong() && k.rem_euclid(2) == 1)
    }

    /// Where in pass `k` a local time lies, on the unwrapped line.
    fn place(&self, k: i128, local: i128) -> i128 {
        k * self.length + if self.falls(k) { self.length - local } else { local }
    }

    /// Passes that touch `[low, high]`.
    fn passes_near(&self, low: i128, high: i128) -> Vec<i128> {
        if self.length == 0 {
            return vec![0];
        }
        let (mut first, mut last) = (low.div_euclid(self.length) - 2, high.div_euclid(self.length) + 2);
        if let Some(passes) = self.passes {
            first = first.max(0);
            last = last.min(passes - 1);
        }
        (first..=last).collect()
    }

    /// Moments as a set: the number of a set's member is the first pass that has it.
    fn points(&self, low: i128, high: i128) -> Vec<(Order, Signal)> {
        let mut set: BTreeMap<(i128, u32), i128> = BTreeMap::new();
        let mut out = Vec::new();
        for k in self.passes_near(low, high) {
            for (index, event) in self.events.iter().enumerate() {
                let index = index as u32;
                let local = i128::from(event.begin.0) * SUB - self.min;
                if event.begin != event.end || local < 0 || local > self.length {
                    continue;
                }
                let x = self.place(k, local);
                if self.ping_pong() {
                    set.entry((x, index)).or_insert(k);
                } else {
                    out.push(((x, k, 2, index), Signal::Point(index)));
                }
            }
        }
        out.extend(set.into_iter().map(|((x, index), k)| ((x, k, 2, index), Signal::Point(index))));
        out
    }

    /// Half-open intervals `[begin, end)` in which spans are active, with their first and last pass.
    pub fn intervals(&self, low: i128, high: i128) -> Vec<(u32, i128, i128, i128, i128)> {
        let mut out: Vec<(u32, i128, i128, i128, i128)> = Vec::new();
        for (index, event) in self.events.iter().enumerate() {
            let index = index as u32;
            let begin = (i128::from(event.begin.0) * SUB - self.min).max(0);
            let end = (i128::from(event.end.0) * SUB - self.min).min(self.length);
            if event.begin == event.end || begin >= end {
                continue;
            }
            let of_event = out.len();
            for k in self.passes_near(low, high) {
                let (a, b) = (self.place(k, begin), self.place(k, end));
                let (a, b) = (a.min(b), a.max(b));
                match out[of_event..].last_mut() {
                    Some(last) if self.ping_pong() && last.2 == a => (last.2, last.4) = (b, k),
                    _ => out.push((index, a, b, k, k)),
                }
            }
        }
        out
    }

    /// Ends that a way can arrive at: (forward, backward).
    pub fn ends(&self) -> Option<(i128, i128)> {
        self.passes.map(|passes| (passes * self.length, 0))
    }

    /// Everything that fires on the way from `a` to `b`, unwrapped sub-ticks, in order.
    pub fn fires(&self, a: i128, b: i128) -> Vec<Entry> {
        let (a, b) = (a - self.min, b - self.min);
        let (low, high) = (a.min(b), a.max(b));
        // (place, departs, order)
        let mut all: Vec<(Order, bool, Signal)> = Vec::new();
        if a < b {
            all.extend(self.points(low, high).into_iter().map(|(order, signal)| (order, false, signal)));
            for (index, begin, end, first, last) in self.intervals(low, high) {
                all.push(((begin, first, 1, index), false, Signal::Enter(index)));
                all.push(((end, last, 0, index), false, Signal::Leave(index)));
            }
            if self.length > 0 {
                for k in self.passes_near(low, high) {
                    all.push((((k + 1) * self.length, k, 3, 0), false, Signal::Lap));
                }
            }
            if let Some((end, _)) = self.ends() {
                all.push(((end, i128::MAX, 4, 0), false, Signal::Finish));
            }
            all.retain(|(order, _, _)| a < order.0 && order.0 <= b);
            all.sort_by_key(|(order, _, _)| *order);
        } else {
            all.extend(self.points(low, high).into_iter().map(|(order, signal)| (order, false, signal)));
            for (index, begin, end, first, last) in self.intervals(low, high) {
                all.push(((begin, first, 1, index), true, Signal::Leave(index)));
                all.push(((end, last, 0, index), true, Signal::Enter(index)));
            }
            if self.length > 0 {
                for k in self.passes_near(low, high) {
                    all.push(((k * self.length, k - 1, 3, 0), false, Signal::Lap));
                }
            }
            if self.ends().is_some() {
                all.push(((0, i128::MIN, 0, 0), false, Signal::Finish));
            }
            // Arrival is [b, a), departure (b, a].
            all.retain(
                |(order, departs, _)| {
                    if *departs { b < order.0 && order.0 <= a } else { b <= order.0 && order.0 < a }
                },
            );
            all.sort_by(|(x, x_departs, _), (y, y_departs, _)| {
                y.0.cmp(&x.0).then(x_departs.cmp(y_departs)).then(y.cmp(x))
            });
        }
        all.into_iter().map(|(order, _, signal)| (order.0 + self.min, signal)).collect()
    }

    /// What a play that begins at `u` tells first.
    pub fn announces(&self, u: i128, forward: bool) -> Vec<Entry> {
        let x = u - self.min;
        let mut out: Vec<Signal> = Vec::new();
        let active: BTreeSet<u32> =
            self.intervals(x, x).iter().filter(|(_, begin, end, _, _)| *begin <= x && x < *end).map(|i| i.0).collect();
        out.extend(active.into_iter().map(Signal::Enter));
        let mut points: Vec<(Order, Signal)> =
            self.points(x, x).into_iter().filter(|(order, _)| order.0 == x).collect();
        let end = self.ends().map(|(last, first)| if forward { last } else { first });
        let is_end = end == Some(x);
        // A seam has moments of two passes: those of the pass ahead count, if there is one.
        if !is_end && self.length > 0 && !self.ping_pong() && x.rem_euclid(self.length) == 0 {
            let ahead = x.div_euclid(self.length) - i128::from(!forward);
            points.retain(|(order, _)| order.1 == ahead);
        }
        points.sort_by_key(|(order, _)| *order);
        if !forward {
            points.reverse();
        }
        out.extend(points.into_iter().map(|(_, signal)| signal));
        if is_end {
            out.push(Signal::Finish);
        }
        out.into_iter().map(|signal| (u, signal)).collect()
    }

    /// Where a way from `a` towards `b` ends.
    pub fn stop(&self, a: i128, b: i128) -> i128 {
        let Some((last, first)) = self.ends() else { return b };
        if self.playback.at_end == AtEnd::RunOn {
            return b;
        }
        let (last, first) = (last + self.min, first + self.min);
        if b > a && b > last {
            return last.max(a);
        }
        if b < a && b < first {
            return first.min(a);
        }
        b
    }

    /// Local time: the window as a strip that is laid end to end, or folded.
    pub fn local(&self, u: i128) -> i128 {
        let mut x = u - self.min;
        let length = self.length;
        if length == 0 {
            return self.min;
        }
        if self.playback.mode != Mode::Once
            && let Some((last, first)) = self.ends()
        {
            x = x.clamp(first, last);
        }
        let forward = match self.playback.mode {
            Mode::Once | Mode::Clamp => x,
            Mode::Loop(_) if self.ends().is_some_and(|(last, _)| x == last) => length,
            Mode::Loop(_) => {
                let mut k = x / length;
                while k * length > x {
                    k -= 1;
                }
                x - k * length
            }
            // The distance to the nearest even fold.
            Mode::PingPong(_) => (x - 2 * length * (x + length).div_euclid(2 * length)).abs(),
        };
        self.min + if self.playback.reverse { length - forward } else { forward }
    }
}
