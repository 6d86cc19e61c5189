//! Players of scripts: the controller under test, and the model that says what is right.

use std::ops::ControlFlow;

use stillframe_anim::time::{Controller, Fired, Position, Signal, Speed, Step, TimeError, Timeline};
use stillframe_base::tick::Tick;

use crate::{Entry, Op, Oracle, Script};

/// Signals of one operation that are still listed. What would fire more is not played on.
pub const SIGNALS_MAX: u128 = 1 << 16;

/// What an operation brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    pub log: Vec<Entry>,
    /// Of a leap: how often each event fired. None for spans.
    pub counts: Vec<Option<u128>>,
    pub finished: bool,
    /// Sub-ticks past the end.
    pub beyond: i128,
    /// Ticks that were not played, because the step was cut.
    pub unspent: i64,
    /// Why nothing happened.
    pub error: Option<TimeError>,
}

/// Something that plays scripts: a controller, as the judge sees it.
pub trait Player {
    /// Does one thing, and tells what came of it.
    fn play(&mut self, op: &Op) -> Heard;
    /// Local time, within the clip, in sub-ticks.
    fn local(&self) -> i128;
    /// The position on the unwrapped line of time, in sub-ticks. A profile says whether it is compared.
    fn position(&self) -> i128;
}

/// The controller under test.
#[derive(Clone, Debug)]
pub struct Real {
    pub timeline: Timeline,
    pub controller: Controller,
}

impl Real {
    pub fn new(script: &Script) -> Real {
        let start = Controller::at(script.case.playback.phase, script.speed);
        Real { timeline: script.case.timeline(), controller: Controller { armed: script.armed, ..start } }
    }

    fn advance(&mut self, step: i64, until: Option<u32>) -> Heard {
        let mut log = Vec::new();
        let done = self.controller.advance(&self.timeline, Tick(step), |fired: Fired| {
            log.push((fired.at.sub_ticks(), fired.signal));
            if until.is_some() && event_of(fired.signal) == until {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        told(done, log)
    }

    fn leap(&mut self, step: i64) -> Heard {
        let done = self.controller.leap(&self.timeline, Tick(step));
        let mut heard = told(done, Vec::new());
        if let Ok(step) = done {
            let events = 0..self.timeline.events().len();
            heard.counts = events.map(|event| self.timeline.count(event, step.from, step.to)).collect();
        }
        heard
    }
}

/// The event that a signal is about.
pub(crate) fn event_of(signal: Signal) -> Option<u32> {
    match signal {
        Signal::Point(event) | Signal::Enter(event) | Signal::Leave(event) => Some(event),
        Signal::Lap | Signal::Finish => None,
    }
}

fn told(done: Result<Step, TimeError>, log: Vec<Entry>) -> Heard {
    match done {
        Ok(Step { finished, beyond, unspent, .. }) => {
            Heard { log, finished, beyond, unspent: unspent.0, ..Heard::default() }
        }
        Err(error) => Heard { log, error: Some(error), ..Heard::default() },
    }
}

impl Player for Real {
    fn play(&mut self, op: &Op) -> Heard {
        let mut heard = Heard::default();
        match *op {
            Op::Step(step) => heard = self.advance(step, None),
            Op::Until(step, event) => heard = self.advance(step, Some(event)),
            Op::Leap(step) => heard = self.leap(step),
            Op::Speed(speed) => self.controller.speed = speed,
            Op::Seek(place) => self.controller.seek(place),
            Op::Pause(paused) => self.controller.paused = paused,
            Op::Play => {
                let Controller { speed, .. } = self.controller;
                self.controller = Controller { speed, ..Controller::play(&self.timeline) };
            }
            Op::Scrub(to) => {
                let log = &mut heard.log;
                self.controller.scrub(&self.timeline, to, |fired| log.push((fired.at.sub_ticks(), fired.signal)));
            }
        }
        heard
    }

    fn local(&self) -> i128 {
        self.controller.local(&self.timeline).sub_ticks()
    }

    fn position(&self) -> i128 {
        self.controller.position.sub_ticks()
    }
}

/// What is right: the state by definition, and what fires from the oracle's sets.
#[derive(Clone, Debug)]
pub struct Model {
    pub oracle: Oracle,
    pub u: i128,
    pub speed: Speed,
    pub paused: bool,
    pub armed: bool,
}

impl Model {
    pub fn new(script: &Script) -> Model {
        let oracle = script.case.oracle();
        let u = script.case.playback.phase.sub_ticks();
        Model { oracle, u, speed: script.speed, paused: false, armed: script.armed }
    }

    /// Where an operation would lead if nothing stopped it; none if it does not move.
    pub(crate) fn goal(&self, op: &Op) -> Option<i128> {
        let goal = match *op {
            Op::Step(step) | Op::Until(step, _) | Op::Leap(step) if step >= 0 && !self.paused => self.after(step),
            Op::Scrub(to) => to.sub_ticks(),
            _ => return None,
        };
        (goal != self.u).then_some(goal)
    }

    fn after(&self, step: i64) -> i128 {
        self.u + i128::from(self.speed.sub_ticks_per_tick) * i128::from(step)
    }

    /// Whether an operation would fire more than [`SIGNALS_MAX`]; it may also say so for a little less.
    pub fn is_too_much(&self, op: &Op) -> bool {
        let Some(goal) = self.goal(op) else { return false };
        if matches!(op, Op::Leap(_)) && self.oracle.ends().is_none() {
            return false;
        }
        let to = self.oracle.stop(self.u, goal);
        let (low, high) = (self.u.min(to), self.u.max(to));
        let passes = match (self.oracle.length, self.oracle.ends()) {
            (0, _) => 1,
            (length, None) => (high - low) / length + 2,
            (length, Some((last, first))) => {
                let inside = (high - self.oracle.min).min(last) - (low - self.oracle.min).max(first);
                inside.max(0) / length + 2
            }
        };
        passes as u128 * (2 * self.oracle.events.len() as u128 + 1) > SIGNALS_MAX
    }

    /// What fires on the way to `to`, what lies at the start first.
    fn way(&self, to: i128, goal: i128) -> Vec<Entry> {
        let mut log = if self.armed { self.oracle.announces(self.u, goal > self.u) } else { Vec::new() };
        log.extend(self.oracle.fires(self.u, to));
        log
    }

    /// How often each moment fires on the way to `to`. Without an end whole periods all fire the same.
    fn counts(&self, to: i128) -> Vec<Option<u128>> {
        let period = if self.oracle.ends().is_none() { 2 * self.oracle.length * (to - self.u).signum() } else { 0 };
        let periods = if period == 0 { 0 } else { (to - self.u) / period };
        let once = self.oracle.fires(self.u, self.u + if periods > 0 { period } else { 0 });
        let rest = self.oracle.fires(self.u + periods * period, to);
        let of = |fires: &[Entry], event: usize| {
            fires.iter().filter(|(_, signal)| *signal == Signal::Point(event as u32)).count() as u128
        };
        let count = |event: usize| periods as u128 * of(&once, event) + of(&rest, event);
        let events = self.oracle.events.iter().enumerate();
        events.map(|(index, event)| event.is_point().then(|| count(index))).collect()
    }

    /// The tick of the step, counted from 1, in which `event` is heard first.
    fn tick_of(&self, event: u32, log: &[Entry], announced: usize) -> Option<i64> {
        let pace = i128::from(self.speed.sub_ticks_per_tick).abs();
        let backward = self.speed < Speed::ZERO;
        let (index, (at, signal)) = log.iter().enumerate().find(|(_, (_, signal))| event_of(*signal) == Some(event))?;
        let travelled = (at - self.u).abs();
        let departs = backward && index >= announced && !matches!(signal, Signal::Point(_));
        // The first n with n * pace >= travelled, or > where it fires on leaving.
        let ticks = if departs { travelled / pace + 1 } else { -(-travelled).div_euclid(pace) };
        Some(ticks.max(1) as i64)
    }

    fn step(&mut self, step: i64, until: Option<u32>, is_silent: bool) -> Heard {
        if step < 0 {
            return Heard { error: Some(TimeError::NegativeStep { step: Tick(step) }), ..Heard::default() };
        }
        let Some(mut goal) = self.goal(&Op::Step(step)) else { return Heard::default() };
        let mut to = self.oracle.stop(self.u, goal);
        if to.abs() > Position::LIMIT {
            return Heard { error: Some(TimeError::Overflow), ..Heard::default() };
        }
        let mut heard = Heard::default();
        if is_silent {
            heard.counts = self.counts(to);
        }
        // A leap without an end has nothing to tell but its counts, and may be too long to be listed.
        if !is_silent || self.oracle.ends().is_some() {
            heard.log = self.way(to, goal);
        }
        let announced = if self.armed { self.oracle.announces(self.u, goal > self.u).len() } else { 0 };
        if let Some(ticks) = until.and_then(|event| self.tick_of(event, &heard.log, announced)) {
            goal = self.after(ticks);
            to = if goal > self.u { to.min(goal) } else { to.max(goal) };
            heard.log = self.way(to, goal);
            heard.unspent = step - ticks;
        }
        heard.finished = heard.log.iter().any(|(_, signal)| *signal == Signal::Finish);
        if let Some((last, first)) = self.oracle.ends() {
            let (last, first) = (last + self.oracle.min, first + self.oracle.min);
            let over = if goal > self.u { goal - last.max(self.u) } else { first.min(self.u) - goal };
            heard.beyond = over.max(0);
        }
        if is_silent {
            heard.log.clear();
        }
        (self.u, self.armed) = (to, false);
        heard
    }
}

impl Player for Model {
    fn play(&mut self, op: &Op) -> Heard {
        match *op {
            Op::Step(step) => return self.step(step, None, false),
            Op::Until(step, event) => return self.step(step, Some(event), false),
            Op::Leap(step) => {
                let mut heard = self.step(step, None, true);
                if heard.error.is_none() && heard.counts.is_empty() {
                    heard.counts = self.oracle.events.iter().map(|event| event.is_point().then_some(0)).collect();
                }
                return heard;
            }
            Op::Speed(speed) => self.speed = speed,
            Op::Pause(paused) => self.paused = paused,
            Op::Seek(place) => (self.u, self.armed) = (place.sub_ticks(), false),
            Op::Play => {
                (self.u, self.armed, self.paused) = (self.oracle.playback.phase.sub_ticks(), true, false);
            }
            Op::Scrub(_) => {
                let Some(goal) = self.goal(op) else { return Heard::default() };
                let to = self.oracle.stop(self.u, goal);
                let log = self.way(to, goal);
                (self.u, self.armed) = (to, false);
                return Heard { log, ..Heard::default() };
            }
        }
        Heard::default()
    }

    fn local(&self) -> i128 {
        self.oracle.local(self.u)
    }

    fn position(&self) -> i128 {
        self.u
    }
}
