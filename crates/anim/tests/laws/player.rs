//! Players of scripts: the controller, and players with one mistake each, planted here. The judge tells them apart.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use stillframe_anim::time::{Controller, Mode, Signal, Speed, Timeline};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

use crate::oracle::{Entry, Oracle, SUB};
use crate::script::{Op, Script, position};

/// Something that plays scripts.
pub trait Player {
    /// Does one thing and says what fired.
    fn play(&mut self, op: &Op) -> Vec<Entry>;
    /// Local time in sub-ticks.
    fn local(&self) -> i128;
}

/// The controller under test.
pub struct Real {
    pub timeline: Timeline,
    pub controller: Controller,
}

impl Real {
    pub fn new(script: &Script) -> Real {
        let controller = Controller { armed: script.armed, ..Controller::at(script.start, script.speed) };
        Real { timeline: script.case.timeline(), controller }
    }
}

/// Steps and collects.
pub fn advance(controller: &mut Controller, timeline: &Timeline, step: i64) -> Vec<Entry> {
    let mut log = Vec::new();
    controller
        .advance(timeline, Tick(step), |fired| {
            log.push((fired.at.sub_ticks(), fired.signal));
            ControlFlow::Continue(())
        })
        .expect("far from the limit");
    log
}

impl Player for Real {
    fn play(&mut self, op: &Op) -> Vec<Entry> {
        let mut log = Vec::new();
        match *op {
            Op::Step(step) => log = advance(&mut self.controller, &self.timeline, step),
            Op::Speed(speed) => self.controller.speed = speed,
            Op::Seek(place) => self.controller.seek(place),
            Op::Pause(paused) => self.controller.paused = paused,
            Op::Scrub(to) => {
                self.controller.scrub(&self.timeline, to, |fired| log.push((fired.at.sub_ticks(), fired.signal)));
            }
        }
        log
    }

    fn local(&self) -> i128 {
        self.controller.local(&self.timeline).sub_ticks()
    }
}

/// Runs a script on a player beside the oracle; what the first difference is.
pub fn judge(script: &Script, player: &mut dyn Player) -> Result<(), String> {
    let oracle = script.case.oracle();
    let (mut u, mut speed, mut paused, mut armed) = (script.start.sub_ticks(), script.speed, false, script.armed);
    for (number, op) in script.ops.iter().enumerate() {
        let mut wanted = Vec::new();
        let mut target = None;
        match *op {
            Op::Step(step) if !paused => target = Some(u + i128::from(step) * i128::from(speed.sub_ticks_per_tick)),
            Op::Step(_) => {}
            Op::Speed(new) => speed = new,
            Op::Seek(place) => (u, armed) = (place.sub_ticks(), false),
            Op::Pause(pause) => paused = pause,
            Op::Scrub(to) => target = Some(to.sub_ticks()),
        }
        if let Some(target) = target.filter(|target| *target != u) {
            if armed {
                wanted = oracle.announces(u, target > u);
                armed = false;
            }
            let to = oracle.stop(u, target);
            wanted.extend(oracle.fires(u, to));
            u = to;
        }
        let heard = player.play(op);
        if heard != wanted {
            return Err(format!("op {number}, {op:?}: heard {heard:?}, not {wanted:?}"));
        }
        if player.local() != oracle.local(u) {
            return Err(format!("op {number}, {op:?}: local {}, not {}", player.local(), oracle.local(u)));
        }
    }
    Ok(())
}

/// A mistake that a clock of this world has made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// None: the planted player itself is right, so that a mistake is all that is found.
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

/// The fourteen, with where they were seen.
pub const MISTAKES: [(Mistake, &str); 14] = [
    (Mistake::ClosedBothEnds, "interval closed at both ends (the book, E1)"),
    (Mistake::OpenBothEnds, "interval open at both ends"),
    (Mistake::DepartureForward, "departure forward, arrival backward"),
    (Mistake::OneWrap, "one wrap per update (the book, E5; Bevy)"),
    (Mistake::OncePerUpdate, "once per update per event"),
    (Mistake::ParkedFiresAgain, "clamp fires again when parked (the book, E2; Spine)"),
    (Mistake::TruncatingRemainder, "truncating % for negative time"),
    (Mistake::TurnTwice, "ping-pong turn counted twice (the book, E4)"),
    (Mistake::SpeedTimesTotal, "speed times total elapsed (the book)"),
    (Mistake::SeekFires, "seek fires what it jumps over"),
    (Mistake::SinglePrecision, "f32 accumulation"),
    (Mistake::SecondsInDouble, "f64 seconds accumulation"),
    (Mistake::LongStepsCut, "step cut to 250 ms (Bevy's default)"),
    (Mistake::LoopEndDropped, "event at the loop's end dropped (the book, E3; Unity)"),
];

/// A player made of the oracle's sets, with one mistake.
pub struct Planted {
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
        let u = script.start.sub_ticks();
        let mut planted = Planted {
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
        if self.mistake == Mistake::ParkedFiresAgain && target > self.u && ends.is_some_and(|end| self.u >= end) {
            let end = ends.expect("just seen");
            log = self
                .oracle
                .fires(end - 1, end)
                .into_iter()
                .filter(|(_, signal)| matches!(signal, Signal::Point(_)))
                .collect();
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
}

impl Player for Planted {
    fn play(&mut self, op: &Op) -> Vec<Entry> {
        match *op {
            Op::Step(_) if self.paused => Vec::new(),
            Op::Step(step) => {
                let target = self.target(step);
                self.go(target)
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
                let log = if self.mistake == Mistake::SeekFires && place != self.u {
                    self.fires(self.u, place)
                } else {
                    Vec::new()
                };
                self.armed = false;
                self.put(place);
                log
            }
            Op::Scrub(to) => {
                let log = self.go(to.sub_ticks());
                self.put(self.u);
                log
            }
        }
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
}

/// A controller at a place with a speed.
pub fn controller(place: i128, speed: Speed) -> Controller {
    Controller::at(position(place), speed)
}
