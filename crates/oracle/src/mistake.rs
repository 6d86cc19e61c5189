//! Mistakes: players that are right but for one thing, each a thing that a clock of this world has got wrong. The judge
//! must find every one of them, or it is blind.

use std::collections::BTreeSet;

use stillframe_anim::time::{Mode, Signal, Speed};
use stillframe_base::tick::TICKS_PER_SECOND;

use crate::player::event_of;
use crate::{Entry, Heard, Model, Op, Oracle, Player, SUB, Script};

/// What a clock got wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Nothing: the player itself is right, so that a mistake is all that is found.
    Nothing,
    ClosedBothEnds,
    OpenBothEnds,
    DepartureForward,
    OneWrap,
    OncePerUpdate,
    ParkedFiresAgain,
    TruncatingRemainder,
    TurnTwice,
    SpeedTimesTotal,
    SeekFires,
    SinglePrecision,
    SecondsInDouble,
    LongStepsCut,
    LoopEndDropped,
}

/// Every mistake: its name, and what it does.
pub const MISTAKES: [(Mistake, &str, &str); 14] = [
    (Mistake::ClosedBothEnds, "closed-interval", "a step fires events at both of its ends (the book, E1)"),
    (Mistake::OpenBothEnds, "open-interval", "a step fires events at neither of its ends"),
    (Mistake::DepartureForward, "departure", "forward, events fire on leaving instead of arriving"),
    (Mistake::OneWrap, "one-wrap", "at most one wrap per update (the book, E5; Bevy)"),
    (Mistake::OncePerUpdate, "once-per-update", "an event fires at most once per update"),
    (Mistake::ParkedFiresAgain, "parked", "a held end fires on every step (the book, E2; Spine)"),
    (Mistake::TruncatingRemainder, "truncating", "the remainder of negative time is negative"),
    (Mistake::TurnTwice, "turn-twice", "the turn of a ping-pong counts twice (the book, E4)"),
    (Mistake::SpeedTimesTotal, "speed-times-total", "a speed change also affects earlier time (the book)"),
    (Mistake::SeekFires, "seek-fires", "a seek fires the events that it skips"),
    (Mistake::SinglePrecision, "f32", "time is summed in f32"),
    (Mistake::SecondsInDouble, "f64-seconds", "time is summed in f64 seconds"),
    (Mistake::LongStepsCut, "long-steps-cut", "steps are limited to 250 ms (Bevy's default)"),
    (Mistake::LoopEndDropped, "loop-end-dropped", "events at a loop's end never fire (the book, E3; Unity)"),
];

/// A player made of the oracle's sets, with one mistake.
#[derive(Clone, Debug)]
pub struct Planted {
    /// Beside it, for what no mistake is about.
    model: Model,
    oracle: Oracle,
    mistake: Mistake,
    u: i128,
    speed: Speed,
    paused: bool,
    armed: bool,
    /// Where it was last put, and the time since.
    origin: i128,
    elapsed: i128,
    ticks: f32,
    seconds: f64,
}

impl Planted {
    pub fn new(script: &Script, mistake: Mistake) -> Planted {
        let u = script.case.playback.phase.sub_ticks();
        let mut planted = Planted {
            model: Model::new(script),
            oracle: script.case.oracle(),
            mistake,
            u,
            speed: script.speed,
            paused: false,
            armed: script.armed,
            origin: u,
            elapsed: 0,
            ticks: 0.0,
            seconds: 0.0,
        };
        planted.put(u);
        planted
    }

    fn put(&mut self, u: i128) {
        (self.u, self.origin, self.elapsed) = (u, u, 0);
        self.ticks = u as f32 / SUB as f32;
        self.seconds = u as f64 / SUB as f64 / TICKS_PER_SECOND as f64;
    }

    /// Where a step leads, by a wrong clock.
    fn target(&mut self, step: i64) -> i128 {
        let step = match self.mistake {
            Mistake::LongStepsCut => step.min(TICKS_PER_SECOND / 4),
            _ => step,
        };
        let raw = self.speed.sub_ticks_per_tick;
        self.elapsed += i128::from(step);
        match self.mistake {
            Mistake::SpeedTimesTotal => self.origin + i128::from(raw) * self.elapsed,
            Mistake::SinglePrecision => {
                self.ticks += step as f32 * (raw as f32 / SUB as f32);
                (f64::from(self.ticks) * SUB as f64) as i128
            }
            Mistake::SecondsInDouble => {
                self.seconds += step as f64 / TICKS_PER_SECOND as f64 * (raw as f64 / SUB as f64);
                (self.seconds * TICKS_PER_SECOND as f64 * SUB as f64) as i128
            }
            _ => self.u + i128::from(raw) * i128::from(step),
        }
    }

    /// What fires from `a` to `b`, by wrong intervals.
    fn fires(&self, a: i128, b: i128) -> Vec<Entry> {
        let oracle = &self.oracle;
        let right = oracle.fires(a, b);
        let is_point = |entry: &Entry| matches!(entry.1, Signal::Point(_));
        let (min, length) = (oracle.min, oracle.length);
        let cyclic = matches!(oracle.playback.mode, Mode::Loop(_) | Mode::PingPong(_)) && length > 0;
        match self.mistake {
            Mistake::ClosedBothEnds => {
                let mut log: Vec<Entry> = oracle.fires(a - (b - a).signum(), b);
                log.retain(|entry| is_point(entry) || right.contains(entry));
                log
            }
            Mistake::OpenBothEnds => right.into_iter().filter(|entry| !is_point(entry) || entry.0 != b).collect(),
            Mistake::DepartureForward if b > a => {
                let mut log = oracle.fires(a - 1, b - 1);
                log.retain(is_point);
                log.extend(right.into_iter().filter(|entry| !is_point(entry)));
                log.sort_by_key(|entry| entry.0);
                log
            }
            Mistake::OneWrap if cyclic => {
                // All of the first pass, and of the last.
                let number = |x: i128| (x - min).div_euclid(length);
                let (first, last) = (number(a), number(b));
                right.into_iter().filter(|entry| number(entry.0) == first || number(entry.0) == last).collect()
            }
            Mistake::OncePerUpdate => {
                let mut seen = BTreeSet::new();
                right
                    .into_iter()
                    .filter(|(_, signal)| match signal {
                        Signal::Point(index) => seen.insert(*index),
                        _ => true,
                    })
                    .collect()
            }
            Mistake::TurnTwice if matches!(oracle.playback.mode, Mode::PingPong(_)) => right
                .into_iter()
                .flat_map(|entry| {
                    let turn = length > 0 && (entry.0 - min) % length == 0 && is_point(&entry);
                    std::iter::repeat_n(entry, if turn { 2 } else { 1 })
                })
                .collect(),
            Mistake::LoopEndDropped if matches!(oracle.playback.mode, Mode::Loop(_)) => {
                let at_end = |index: u32| oracle.events[index as usize].begin == oracle.playback.max;
                right.into_iter().filter(|(_, signal)| !matches!(signal, Signal::Point(i) if at_end(*i))).collect()
            }
            _ => right,
        }
    }

    fn go(&mut self, target: i128) -> Vec<Entry> {
        let mut log = Vec::new();
        let ends = self.oracle.ends().map(|(last, _)| last + self.oracle.min);
        if self.mistake == Mistake::ParkedFiresAgain
            && let Some(end) = ends.filter(|end| target > self.u && self.u >= *end)
        {
            log = self.oracle.fires(end - 1, end);
            log.retain(|(_, signal)| matches!(signal, Signal::Point(_)));
        }
        if target == self.u {
            return log;
        }
        if self.armed {
            log.extend(self.oracle.announces(self.u, target > self.u));
            self.armed = false;
        }
        let to = self.oracle.stop(self.u, target);
        log.extend(self.fires(self.u, to));
        self.u = to;
        log
    }

    /// What fires, by wrong clocks and wrong intervals.
    fn heard(&mut self, op: &Op) -> Vec<Entry> {
        match *op {
            Op::Step(_) | Op::Until(..) | Op::Leap(_) if self.paused => Vec::new(),
            Op::Step(step) | Op::Leap(step) => {
                let target = self.target(step);
                self.go(target)
            }
            Op::Until(step, event) => {
                // Cut where it is cut in truth.
                let unspent = self.model.clone().play(op).unspent;
                let target = self.target(step - unspent);
                let log = self.go(target);
                debug_assert!(
                    unspent == 0
                        || self.mistake != Mistake::Nothing
                        || log.iter().any(|(_, s)| event_of(*s) == Some(event))
                );
                log
            }
            Op::Speed(speed) => {
                self.speed = speed;
                Vec::new()
            }
            Op::Pause(paused) => {
                self.paused = paused;
                Vec::new()
            }
            Op::Seek(place) => {
                let place = place.sub_ticks();
                let fires = self.mistake == Mistake::SeekFires && place != self.u;
                let log = if fires { self.fires(self.u, place) } else { Vec::new() };
                self.armed = false;
                self.put(place);
                log
            }
            Op::Play => {
                (self.armed, self.paused) = (true, false);
                self.put(self.oracle.playback.phase.sub_ticks());
                Vec::new()
            }
            Op::Scrub(to) => {
                let log = self.go(to.sub_ticks());
                self.put(self.u);
                log
            }
        }
    }
}

impl Player for Planted {
    fn play(&mut self, op: &Op) -> Heard {
        let log = self.heard(op);
        let right = self.model.play(op);
        if let Op::Leap(_) = op {
            return right;
        }
        Heard { log, ..right }
    }

    fn local(&self) -> i128 {
        if self.mistake == Mistake::TruncatingRemainder && self.oracle.length > 0 && self.oracle.ends().is_none() {
            let (min, length) = (self.oracle.min, self.oracle.length);
            let x = (self.u - min) % length;
            if x < 0 && !self.oracle.playback.reverse && matches!(self.oracle.playback.mode, Mode::Loop(_)) {
                return min + x;
            }
        }
        self.oracle.local(self.u)
    }

    fn position(&self) -> i128 {
        self.u
    }
}
