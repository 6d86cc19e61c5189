//! The model: time, decisions, weights and events of a graph by their definitions, with whole numbers. Slow: everything
//! is found again from the lists of the script whenever it is asked for.
//!
//! What the definitions say, in one place. A step is played under the numbers that hold, then new ones are taken in. A
//! decision falls on the first tick at which its cause is there, and no node can decide anything more in that tick: so
//! a step of no time changes nothing, and cutting a step neither. Clocks of nodes that nothing shows stand still.
//! Weights of a moment follow from the state alone.

use std::collections::BTreeSet;

use stillframe_anim::graph::{GraphSignal, Play};
use stillframe_anim::time::{Repeat, Signal, Speed};
use stillframe_base::tick::TICKS_PER_SECOND;

use super::GraphMistake;
use super::journey::Journey;
use super::pose::{Offset, Pose};
use super::script::{Entry, GraphOp, Number, Part, Policy, Rule, Space, Test};
use super::world::{Member, World};
use crate::{Oracle, SUB};

/// A machine keeps a state for a millisecond.
const KEPT: i64 = TICKS_PER_SECOND / 1000;

/// Weights in units of 2^-32.
pub const ONE: u64 = 1 << 32;

/// The fastest speed.
const SPEED_MAX: f32 = 1024.0;

/// A step may have so many moments of decision, and clips so many passes in it; what would be more is not played.
const DECISIONS_MAX: usize = 500;
const PASSES_MAX: i128 = 200;

/// A fade: when it began and how long it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    pub start: i64,
    pub length: i64,
    pub smooth: bool,
}

impl Fade {
    pub fn weight(&self, time: i64) -> u64 {
        let since = i128::from(time) - i128::from(self.start);
        if since < 0 {
            return 0;
        }
        if since >= i128::from(self.length) {
            return ONE;
        }
        let linear = (since << 32) / i128::from(self.length);
        if self.smooth { ((linear * linear * ((3 << 32) - 2 * linear)) >> 64) as u64 } else { linear as u64 }
    }
}

/// A clip in a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playing {
    pub clip: usize,
    pub u: i128,
    pub armed: bool,
    pub speed: i64,
    pub end: Option<i128>,
    pub fade: Fade,
    from: u64,
    leaves: bool,
}

impl Playing {
    pub fn weight(&self, time: i64) -> u64 {
        let part = |rest: u64| ((u128::from(rest) * u128::from(self.fade.weight(time))) >> 32) as u64;
        if self.leaves { self.from - part(self.from) } else { self.from + part(ONE - self.from) }
    }

    pub fn is_at_end(&self) -> bool {
        self.end.is_some_and(|end| self.u >= end)
    }
}

/// Clips that a slot has room for.
pub const SLOT_MAX: usize = 4;

/// What a node remembers.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a slow model of a dozen nodes")]
pub enum Own {
    Nothing,
    Clip { u: i128, armed: bool },
    Sync { leader: usize, u: i128, armed: bool },
    Change { current: usize, last: usize, fade: Option<Fade>, interruptible: bool, chosen_at: Option<i64> },
    Slot([Option<Playing>; SLOT_MAX]),
}

impl Own {
    fn showing(input: usize) -> Own {
        Own::Change { current: input, last: input, fade: None, interruptible: true, chosen_at: None }
    }
}

/// Poses that a switch or a machine has shown, and what it fades from.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub pending: Option<Fade>,
    pub fade: Option<Fade>,
    /// The last one, and the one before, each with its time.
    pub seen: Vec<(i64, Pose)>,
    pub frozen: Pose,
    pub offsets: Vec<Offset>,
}

/// What was heard: when, of which node, what, and how much of it was shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    pub at: i64,
    pub node: usize,
    pub signal: GraphSignal,
    pub weight: f64,
}

/// Why a script is not played on, without a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It would take too long.
    TooMuch,
    /// The step cannot be taken, and nothing has happened.
    Refused,
}

/// How far it is to the end of a clip or of its present loop, in sub-ticks, and how fast.
#[derive(Clone, Copy, Debug)]
struct Way {
    left: i128,
    pace: i128,
}

impl Way {
    /// Ticks, rounded up; none for what does not move.
    fn ticks(self) -> Option<i128> {
        match (self.left, self.pace) {
            (left, _) if left <= 0 => Some(0),
            (_, 0) => None,
            (left, pace) => Some((left + pace - 1) / pace),
        }
    }

    /// Ticks that are left after `ticks` of them have passed.
    fn after(self, ticks: i128) -> Option<i128> {
        Way { left: self.left - ticks * self.pace, ..self }.ticks()
    }
}

/// Of signals of one clock: sub-ticks from the start of the step, whether it is heard on leaving, and what it is.
pub type Heard = (i128, bool, Signal);

/// A character of a graph.
#[derive(Clone, Debug)]
pub struct Character<'w> {
    pub world: &'w World<'w>,
    pub mistake: Option<GraphMistake>,
    pub time: i64,
    pub parameters: Vec<f32>,
    pub own: Vec<Own>,
    pub active: Vec<bool>,
    pub was_active: Vec<bool>,
    pub weights: Vec<f64>,
    pub memories: Vec<Memory>,
    /// Where the last step has led.
    pub way: Journey,
    /// Spans that were told to begin and not to end: node, which clip of it, clip and event.
    pub begun: BTreeSet<(usize, usize, u16, u32)>,
    /// Ends of spans whose place in a slot another clip has taken.
    ends: Vec<Told>,
    /// A slot was asked for something since the last decision.
    asked: bool,
    /// Something was asked that the definition leaves open.
    pub open: std::cell::Cell<bool>,
}

impl<'w> Character<'w> {
    pub fn new(world: &'w World<'w>, parameters: &[f32], mistake: Option<GraphMistake>) -> Character<'w> {
        let start = |(node, part): (usize, &Part)| match part {
            Part::Clip { .. } => {
                let oracle = world.oracles[node].as_ref().expect("a clip has one");
                Own::Clip { u: oracle.playback.phase.sub_ticks(), armed: true }
            }
            Part::SyncSpace { .. } => Own::Sync { leader: 0, u: 0, armed: true },
            Part::Switch { .. } => Own::showing(0),
            Part::Machine { initial, .. } => Own::showing(*initial),
            Part::Slot { .. } => Own::Slot([None; SLOT_MAX]),
            _ => Own::Nothing,
        };
        let count = world.script.nodes.len();
        let mut character = Character {
            world,
            mistake,
            time: 0,
            parameters: world.script.parameters.clone(),
            own: world.script.nodes.iter().enumerate().map(start).collect(),
            active: vec![false; count],
            was_active: vec![false; count],
            weights: vec![0.0; count],
            memories: vec![Memory::default(); count],
            way: Journey::default(),
            begun: BTreeSet::new(),
            ends: Vec::new(),
            asked: true,
            open: std::cell::Cell::new(false),
        };
        character.take_in(parameters);
        while character.decide_once(&mut Vec::new()) {}
        character
    }

    /// Numbers that are not finite change nothing.
    fn take_in(&mut self, parameters: &[f32]) {
        for (own, new) in self.parameters.iter_mut().zip(parameters).filter(|(_, new)| new.is_finite()) {
            *own = *new;
        }
    }

    pub fn is(&self, mistake: GraphMistake) -> bool {
        self.mistake == Some(mistake)
    }

    pub fn part(&self, node: usize) -> &'w Part {
        &self.world.script.nodes[node]
    }

    /// Plays a step and takes numbers in.
    pub fn step(&mut self, ticks: i64, parameters: &[f32]) -> Result<Vec<Told>, Stop> {
        const TIME_MAX: i64 = 1 << 60;
        if ticks < 0 || ticks > TIME_MAX - self.time {
            return Err(Stop::Refused);
        }
        if self.passes(ticks, parameters) > PASSES_MAX {
            return Err(Stop::TooMuch);
        }
        let mut events = Vec::new();
        self.way = Journey::default();
        if self.is(GraphMistake::EarlyParameters) {
            self.take_in(parameters);
            self.decide(&mut events);
        }
        if std::mem::take(&mut self.asked) {
            let time = self.time;
            events.extend(self.ends.drain(..).map(|told| Told { at: time, ..told }));
            self.decide(&mut events);
        }
        let (mut left, mut decisions, mut departure) = (ticks, 0, self.departure());
        while left > 0 {
            let part = if self.is(GraphMistake::LeftoverLost) {
                left
            } else {
                self.wait().map_or(left, |wait| wait.min(left))
            };
            self.advance(part, &mut events);
            left -= part;
            if left > 0 {
                let arrived = departure.as_ref().map(|_| (self.own.clone(), self.active.clone()));
                self.decide(&mut events);
                let is_other = |(own, active)| own != self.own || active != self.active || self.is_bend();
                if arrived.is_some_and(is_other) {
                    let now = self.departure();
                    self.arrive(std::mem::replace(&mut departure, now));
                }
            }
            decisions += 1;
            if decisions > DECISIONS_MAX {
                return Err(Stop::TooMuch);
            }
        }
        self.arrive(departure);
        self.take_in(parameters);
        self.decide(&mut events);
        Ok(events)
    }

    /// Whether something was decided that the definition leaves open.
    pub fn is_open(&self) -> bool {
        self.open.get()
    }

    /// Is written down and read again, which changes nothing.
    pub fn store(&mut self) {
        if self.is(GraphMistake::StoredCoarse) {
            for own in &mut self.own {
                if let Own::Clip { u, .. } | Own::Sync { u, .. } = own {
                    *u -= u.rem_euclid(SUB);
                }
            }
        }
    }

    pub fn ask(&mut self, op: &GraphOp) {
        let (GraphOp::Play { node, .. } | GraphOp::Stop { node }) = op else { return };
        let Part::Slot { fade_in, fade_out, .. } = *self.part(*node) else { return };
        let time = self.time;
        self.asked = true;
        let Own::Slot(slot) = &mut self.own[*node] else { unreachable!("a slot has room for clips") };
        let length = if matches!(op, GraphOp::Play { .. }) { fade_in } else { fade_out };
        slot.iter_mut().flatten().filter(|playing| !playing.leaves).for_each(|playing| playing.leave(time, length));
        if let GraphOp::Play { clip, speed, times, .. } = *op {
            let weights = slot.map(|playing| playing.map(|playing| playing.weight(time)));
            let lightest = (0..SLOT_MAX).min_by_key(|place| weights[*place]).unwrap_or(0);
            let length = self.world.loops[clip].length;
            let (ended, begun): (BTreeSet<_>, BTreeSet<_>) =
                std::mem::take(&mut self.begun).into_iter().partition(|own| (own.0, own.1) == (*node, lightest));
            self.begun = begun;
            for (node, _, clip, event) in ended {
                let signal = GraphSignal::Clip { clip, signal: Signal::Leave(event) };
                self.ends.push(Told { at: time, node, signal, weight: 0.0 });
            }
            slot[lightest] = Some(Playing {
                clip,
                u: 0,
                armed: true,
                speed: Speed::nearest(f64::from(speed.clamp(0.0, SPEED_MAX))).sub_ticks_per_tick.max(1),
                end: (times > 0).then(|| length * i128::from(times)),
                fade: Fade { start: time, length: fade_in, smooth: false },
                from: 0,
                leaves: false,
            });
        }
    }

    /// The most passes that a clip may make in a step, about.
    fn passes(&self, ticks: i64, parameters: &[f32]) -> i128 {
        let mut most = 0;
        for &node in &self.world.order {
            let part = self.part(node);
            let (Part::Clip { speed, .. } | Part::SyncSpace { speed, .. }) = part else { continue };
            let pace = [&self.parameters[..], parameters].map(|numbers| speed_of(*speed, numbers).abs());
            let mut way = i128::from(pace[0].max(pace[1])) * i128::from(ticks);
            let lengths = self.world.groups[node].iter().map(|member| self.world.loops[member.clip].length);
            // In a blended pace the longest member leads as fast as the shortest one is.
            let (shortest, longest) = (lengths.clone().min().unwrap_or(1), lengths.max().unwrap_or(1));
            way *= longest / shortest.max(1) + 1;
            let oracle = self.world.oracles[node].as_ref();
            let length = oracle.map_or(shortest, |oracle| oracle.length);
            let passes = oracle.and_then(|oracle| oracle.passes).unwrap_or(i128::MAX);
            if length > 0 {
                most = most.max((way / length).min(passes));
            }
        }
        for own in &self.own {
            let Own::Slot(slot) = own else { continue };
            for playing in slot.iter().flatten() {
                let length = self.world.loops[playing.clip].length.max(1);
                let way = i128::from(playing.speed) * i128::from(ticks);
                most = most.max(playing.end.map_or(way, |end| way.min(end)) / length);
            }
        }
        most
    }

    // Clocks.

    /// Where a clock of a line goes, and what it tells.
    pub fn walk(oracle: &Oracle, u: i128, armed: bool, pace: i128, ticks: i64) -> Option<(i128, Vec<Heard>)> {
        let goal = u + pace * i128::from(ticks);
        if goal == u {
            return None;
        }
        let to = oracle.stop(u, goal);
        let mut heard = Vec::new();
        if armed {
            heard.extend(oracle.announces(u, goal > u).into_iter().map(|(_, signal)| (0, false, signal)));
        }
        for (at, signal) in oracle.fires(u, to) {
            let departs = goal < u && matches!(signal, Signal::Enter(_) | Signal::Leave(_));
            heard.push(((at - u).abs(), departs, signal));
        }
        Some((to, heard))
    }

    /// Plays a part of a step in which nothing is decided.
    fn advance(&mut self, ticks: i64, events: &mut Vec<Told>) {
        let (world, start) = (self.world, self.time);
        let mut told: Vec<(usize, Told)> = Vec::new();
        let mut after = self.own.clone();
        for &node in &world.order {
            if !self.active[node] && !(self.is(GraphMistake::AsleepRuns)) {
                continue;
            }
            let mut tell = |node: usize,
                            (part, clip): (usize, usize),
                            pace: i128,
                            heard: Vec<Heard>,
                            share: &dyn Fn(i64) -> f64| {
                for (travelled, departs, signal) in heard {
                    let whole = if departs { travelled / pace + 1 } else { (travelled + pace - 1) / pace };
                    let at = start + (travelled / pace) as i64;
                    let then = if self.is(GraphMistake::LateWeight) { start + ticks } else { at };
                    let weight = self.weight_at(node, then) * share(then);
                    let signal = GraphSignal::Clip { clip: clip as u16, signal };
                    told.push((part, Told { at: start + whole.max(1) as i64, node, signal, weight }));
                }
            };
            match &mut after[node] {
                Own::Clip { u, armed } => {
                    let Part::Clip { clip, speed, .. } = self.part(node) else { unreachable!("it has a clip's clock") };
                    let oracle = world.oracles[node].as_ref().expect("a clip has one");
                    let pace = i128::from(speed_of(*speed, &self.parameters));
                    for (follower, clip) in self.followers(node) {
                        let line = &world.followed[follower][0];
                        if let Some((_, heard)) = Character::walk(line, *u, *armed, pace, ticks) {
                            tell(follower, (0, clip), pace.abs(), heard, &|_| 1.0);
                        }
                    }
                    if let Some((to, heard)) = Character::walk(oracle, *u, *armed, pace, ticks) {
                        tell(node, (0, *clip), pace.abs(), heard, &|_| 1.0);
                        (*u, *armed) = (to, false);
                    }
                }
                Own::Sync { leader, u, armed } => {
                    let pace = self.pace_of_group(node);
                    if pace != 0 {
                        let was = (*leader, *u);
                        (*leader, *u) = self.leads(node);
                        if was.0 != *leader && !*armed {
                            for (node, part, clip, signal) in self.changes_of_leader(node, was, (*leader, *u)) {
                                tell(node, (part, clip), pace.abs(), vec![(0, false, signal)], &|_| 1.0);
                            }
                        }
                        for (follower, clip) in self.followers(node) {
                            let line = &world.followed[follower][*leader];
                            if let Some((_, heard)) = Character::walk(line, *u, *armed, pace, ticks) {
                                tell(follower, (0, clip), pace.abs(), heard, &|_| 1.0);
                            }
                        }
                        let clip = world.groups[node][*leader].clip;
                        if let Some((to, heard)) = Character::walk(&world.loops[clip], *u, *armed, pace, ticks) {
                            let share = self.share_of_leader(node, *leader);
                            tell(node, (*leader, clip), pace.abs(), heard, &|_| share);
                            (*u, *armed) = (to, false);
                        }
                    }
                }
                Own::Slot(slot) => {
                    let before = *slot;
                    for (place, playing) in slot.iter_mut().enumerate() {
                        let Some(playing) = playing.as_mut().filter(|playing| !playing.is_at_end()) else { continue };
                        let pace = i128::from(playing.speed);
                        let oracle = &world.loops[playing.clip];
                        let left = playing.end.map_or(i128::MAX, |end| (end - playing.u + pace - 1) / pace);
                        let ticks = left.min(i128::from(ticks)) as i64;
                        let Some((to, mut heard)) = Character::walk(oracle, playing.u, playing.armed, pace, ticks)
                        else {
                            continue;
                        };
                        // The line is endless; the slot's part of it ends with a lap.
                        let at_end = |entry: &Heard| entry.2 == Signal::Lap && playing.end == Some(playing.u + entry.0);
                        if let Some(last) = heard.iter().position(at_end) {
                            heard.truncate(last + 1);
                        }
                        tell(node, (place, playing.clip), pace, heard, &|at| {
                            self.share_of_slot(&before, place, at, 1.0)
                        });
                        playing.u = playing.end.map_or(to, |end| to.min(end));
                        playing.armed = false;
                    }
                }
                Own::Nothing | Own::Change { .. } => {}
            }
        }
        for (part, told) in told {
            self.hear(part, told, events);
        }
        self.own = after;
        self.time += ticks;
    }

    /// Who leads a group in a step that moves, and where that one stands at its start.
    pub fn leads(&self, node: usize) -> (usize, i128) {
        let Own::Sync { leader, u, .. } = self.own[node] else { unreachable!("asked of sync spaces") };
        let Part::SyncSpace { space, speed, .. } = self.part(node) else { unreachable!("asked of sync spaces") };
        let parts = |share: f32| (f64::from(share) * ONE as f64) as u64;
        let members = self.members(node);
        let of = |member: usize| members.iter().find(|own| own.0 == member).map_or(0, |own| parts(own.1));
        if self.is(GraphMistake::LeaderStays) {
            return (leader, u);
        }
        let best = (0..self.world.groups[node].len()).map(of).max().unwrap_or(0);
        self.doubt(space, &members.iter().map(|own| f64::from(own.1)).collect::<Vec<_>>());
        if of(leader) == best {
            return (leader, u);
        }
        let new = (0..self.world.groups[node].len()).find(|member| of(*member) == best).unwrap_or(leader);
        let up = speed_of(*speed, &self.parameters) < 0;
        (new, self.place(node, (leader, u), new, up))
    }

    /// Where a member stands when another one stands at `u`: between the same borders at the same share.
    pub fn place(&self, node: usize, (leader, u): (usize, i128), member: usize, up: bool) -> i128 {
        if member == leader || self.is(GraphMistake::OwnPhases) {
            return u;
        }
        let group = &self.world.groups[node];
        let (from, to): (&Member, &Member) = (&group[leader], &group[member]);
        let length = |member: &Member| member.borders[member.borders.len() - 1];
        let (round, within) = ((u - from.origin).div_euclid(length(from)), (u - from.origin).rem_euclid(length(from)));
        let segment = (0..from.borders.len() - 1).rfind(|border| from.borders[*border] <= within).unwrap_or(0);
        let span = |member: &Member| member.borders[segment + 1] - member.borders[segment];
        let way = (within - from.borders[segment]) * span(to);
        let share = if up { -((-way).div_euclid(span(from))) } else { way.div_euclid(span(from)) };
        round * length(to) + to.origin + to.borders[segment] + share
    }

    /// The speed of a group's leader, in sub-ticks a tick.
    pub fn pace_of_group(&self, node: usize) -> i128 {
        let Part::SyncSpace { blended, speed, .. } = self.part(node) else { unreachable!("asked of sync spaces") };
        let speed = i128::from(speed_of(*speed, &self.parameters));
        if !*blended {
            return speed;
        }
        let parts = |share: f32| i128::from((f64::from(share) * ONE as f64) as u64);
        let ticks = |member: usize| self.world.loops[self.world.groups[node][member].clip].length / SUB;
        let (leader, _) = self.leads(node);
        let members = self.members(node);
        let sum: i128 = members.iter().map(|(_, share)| parts(*share)).sum();
        let lengths: i128 = members.iter().map(|(member, share)| parts(*share) * ticks(*member)).sum();
        // To the nearest, halves up.
        (2 * speed * ticks(leader) * sum + lengths).div_euclid(2 * lengths)
    }

    // Decisions.

    /// Decides until nothing more is decided in this tick.
    fn decide(&mut self, events: &mut Vec<Told>) {
        while self.decide_once(events) {}
        if !self.is(GraphMistake::LateStart) {
            self.announce(events);
        }
    }

    /// From the output down: every node decides before what it reads does. Whether something else is shown than before.
    fn decide_once(&mut self, events: &mut Vec<Told>) -> bool {
        let count = self.own.len();
        self.was_active = std::mem::replace(&mut self.active, vec![false; count]);
        self.weights = vec![0.0; count];
        (self.active[count - 1], self.weights[count - 1]) = (true, 1.0);
        let mut changed = false;
        for &node in self.world.order.iter().rev() {
            match (self.active[node], self.was_active[node]) {
                (true, was) => changed |= self.decide_node(node, !was, events),
                (false, true) => self.end_spans(node, |_| true, events),
                (false, false) => {}
            }
            if self.active[node] {
                for (input, share) in self.shares(node, self.time) {
                    self.active[input] = true;
                    self.weights[input] += self.weights[node] * share;
                }
            }
        }
        changed
    }

    fn decide_node(&mut self, node: usize, woke: bool, events: &mut Vec<Told>) -> bool {
        let mut changed = false;
        match self.part(node) {
            Part::Switch { index, inputs, fades, policy, smooth } => {
                let to = index.value(&self.parameters).clamp(0.0, (inputs.len() - 1) as f32) as usize;
                if woke {
                    let Own::Change { current, .. } = self.own[node] else { unreachable!("a switch changes over") };
                    changed = current != to;
                    self.own[node] = Own::showing(to);
                    self.memories[node] = Memory::default();
                } else {
                    self.expire(node);
                    let Own::Change { current, last, fade, .. } = self.own[node] else {
                        unreachable!("a switch changes over")
                    };
                    if to != current {
                        let from = if fade.is_some() && *policy == Policy::Book { last } else { current };
                        let fade = Fade { start: self.time, length: fades[from][to], smooth: *smooth };
                        self.change_over(node, inputs, to, fade, true, Entry::Restart, *policy);
                        changed = true;
                    }
                }
            }
            Part::Machine { states, rules, policy, smooth, .. } => {
                self.expire(node);
                let Own::Change { current, fade, interruptible, chosen_at, .. } = &mut self.own[node] else {
                    unreachable!("a machine changes over")
                };
                if woke {
                    self.memories[node] = Memory::default();
                    (*fade, *interruptible, *chosen_at) = (None, true, None);
                }
                let (current, fade, chosen_at) = (*current, *fade, *chosen_at);
                let waits = fade.is_some() && !*interruptible && self.mistake != Some(GraphMistake::AlwaysInterrupted);
                if woke {
                    self.own[node] = Own::showing(current);
                }
                if !waits
                    && chosen_at.is_none_or(|at| self.time >= at + KEPT)
                    && let Some(rule) = self.rule(rules, states, current)
                {
                    let fade = Fade { start: self.time, length: rule.fade, smooth: *smooth };
                    self.change_over(node, states, rule.to, fade, rule.interruptible, rule.enter, *policy);
                    let signal = GraphSignal::Entered { state: rule.to as u16 };
                    events.push(Told { at: self.time, node, signal, weight: self.weights[node] });
                    changed = true;
                }
            }
            Part::Slot { fade_out, .. } => self.decide_slot(node, *fade_out, events),
            _ => {}
        }
        self.begin_spans(node, woke, events);
        changed
    }

    /// The rule that is taken: of those that hold the one with the highest priority, then the first.
    fn rule(&self, rules: &'w [Rule], states: &[usize], current: usize) -> Option<&'w Rule> {
        let again = self.is(GraphMistake::Again);
        let holding = rules.iter().enumerate().filter(|(_, rule)| {
            (rule.to != current || again)
                && rule.from.is_none_or(|from| from == current)
                && self.holds(&rule.when, states[current])
        });
        let rank = |(place, rule): &(usize, &Rule)| {
            let priority = if self.is(GraphMistake::PriorityIgnored) { 0 } else { rule.priority };
            (-i64::from(priority), *place)
        };
        holding.min_by_key(rank).map(|(_, rule)| rule)
    }

    fn change_over(
        &mut self,
        node: usize,
        inputs: &[usize],
        to: usize,
        mut fade: Fade,
        interruptible: bool,
        enter: Entry,
        policy: Policy,
    ) {
        let Own::Change { current, last, fade: running, .. } = self.own[node] else { unreachable!("it changes over") };
        let is_book = policy == Policy::Book;
        let mut from = current;
        match running.filter(|_| is_book) {
            Some(running) if !self.is(GraphMistake::MindChanged) => (fade.start, from) = (running.start, last),
            _ => self.enter(inputs[to], inputs[current], enter),
        }
        let cut = fade.length == 0 || from == to;
        self.own[node] = Own::Change {
            current: to,
            last: if is_book && cut { to } else { from },
            fade: (!cut).then_some(fade),
            interruptible,
            chosen_at: Some(self.time),
        };
        if !is_book {
            self.memories[node].pending = Some(fade);
        }
    }

    fn expire(&mut self, node: usize) {
        let time = self.time;
        let Own::Change { current, last, fade, interruptible, .. } = &mut self.own[node] else { return };
        if fade.is_some_and(|fade| fade.weight(time) == ONE) {
            (*fade, *last, *interruptible) = (None, *current, true);
        }
    }

    /// Everything at and below a node.
    fn below(&self, node: usize) -> Vec<bool> {
        let mut below = vec![false; self.own.len()];
        below[node] = true;
        for at in (0..=node).rev() {
            if below[at] {
                self.part(at).reads().into_iter().for_each(|read| below[read] = true);
            }
        }
        below
    }

    /// Clocks of an input that is entered begin again, but for those that play already.
    fn enter(&mut self, to: usize, from: usize, how: Entry) {
        if how == Entry::Resume {
            return;
        }
        let phase = if how == Entry::Sync { self.phase(from) } else { None };
        let (to, from) = (self.below(to), self.below(from));
        for node in 0..self.own.len() {
            let plays = (from[node] || self.was_active[node]) && !self.is(GraphMistake::SharedRestart);
            if !to[node] || plays {
                continue;
            }
            let at = |start: i128, length: i128, first: i128| match phase {
                Some((way, of)) => first + way * length / of,
                None => start,
            };
            match self.part(node) {
                Part::Clip { .. } => {
                    let oracle = self.world.oracles[node].as_ref().expect("a clip has one");
                    let u = at(oracle.playback.phase.sub_ticks(), oracle.length, oracle.min);
                    self.own[node] = Own::Clip { u, armed: true };
                }
                Part::SyncSpace { .. } => {
                    let length = self.world.loops[self.world.groups[node][0].clip].length;
                    self.own[node] = Own::Sync { leader: 0, u: at(0, length, 0), armed: true };
                }
                Part::Machine { initial, .. } => self.own[node] = Own::showing(*initial),
                _ => {}
            }
        }
    }

    fn decide_slot(&mut self, node: usize, fade_out: i64, events: &mut Vec<Told>) {
        let (time, shown) = (self.time, self.weights[node]);
        let is_cut = self.is(GraphMistake::PlayedCut);
        let Own::Slot(slot) = &mut self.own[node] else { unreachable!("a slot has room for clips") };
        let mut gone = [false; SLOT_MAX];
        for (number, place) in slot.iter_mut().enumerate() {
            let Some(playing) = place else { continue };
            let clip = playing.clip as u16;
            if playing.is_at_end() && !playing.leaves {
                playing.leave(time, if is_cut { 0 } else { fade_out });
                events.push(Told { at: time, node, signal: GraphSignal::Played { clip }, weight: shown });
            }
            if playing.leaves && playing.fade.weight(time) == ONE {
                (*place, gone[number]) = (None, true);
            }
        }
        self.end_spans(node, |part| gone[part], events);
    }

    fn holds(&self, test: &Test, shown: usize) -> bool {
        match test {
            Test::Always => true,
            Test::Less { parameter, than } => self.parameters[*parameter] < *than,
            Test::AtLeast { parameter, than } => self.parameters[*parameter] >= *than,
            Test::TimeLeft(below) => {
                self.left(shown).and_then(Way::ticks).is_some_and(|left| left < i128::from(*below))
            }
            Test::Both(tests) => tests.iter().all(|test| self.holds(test, shown)),
            Test::Either(tests) => tests.iter().any(|test| self.holds(test, shown)),
            Test::Not(test) => !self.holds(test, shown),
        }
    }

    /// The clock that stands for a node.
    fn main_clock(&self, mut node: usize) -> Option<usize> {
        loop {
            node = match self.part(node) {
                Part::Clip { .. } | Part::SyncSpace { .. } => return Some(node),
                Part::Frame { .. } => return None,
                Part::Follow { leader: next, .. }
                | Part::Delta { source: next, .. }
                | Part::Additive { base: next, .. }
                | Part::Layers { base: next, .. }
                | Part::Slot { input: next, .. } => *next,
                Part::Space { space, inputs } => {
                    let of: Vec<(usize, f64)> = self.corners(space);
                    self.doubt(space, &of.iter().map(|corner| corner.1).collect::<Vec<_>>());
                    inputs[heaviest(&of).map_or(0, |corner| of[corner].0)]
                }
                Part::Partial { inputs, .. } => inputs[0].node,
                Part::Switch { inputs, .. } | Part::Machine { states: inputs, .. } => {
                    let Own::Change { current, .. } = self.own[node] else { unreachable!("it changes over") };
                    inputs[current]
                }
            };
        }
    }

    /// Where the heaviest of several is asked for and two are as heavy but for rounding, the definition leaves open
    /// which.
    fn doubt(&self, space: &Space, shares: &[f64]) {
        let mut falling = shares.to_vec();
        falling.sort_by(|a, b| b.total_cmp(a));
        let is_near = falling.len() > 1 && falling[0] - falling[1] < 1e-6;
        if is_near && (falling[0] != falling[1] || matches!(space, Space::Scatter { .. })) {
            self.open.set(true);
        }
    }

    /// How far the clip of a node has to its end, or its loop to where it begins again.
    fn left(&self, node: usize) -> Option<Way> {
        let node = self.main_clock(node)?;
        let (oracle, u, pace) = match (self.part(node), &self.own[node]) {
            (Part::Clip { speed, .. }, Own::Clip { u, .. }) => {
                let oracle = self.world.oracles[node].as_ref().expect("a clip has one");
                (oracle, *u, i128::from(speed_of(*speed, &self.parameters)))
            }
            (Part::SyncSpace { .. }, Own::Sync { leader, u, .. }) => {
                let pace = self.pace_of_group(node);
                let (leader, u) = if pace == 0 { (*leader, *u) } else { self.leads(node) };
                (&self.world.loops[self.world.groups[node][leader].clip], u, pace)
            }
            _ => unreachable!("clips and sync spaces have clocks"),
        };
        let at = u - oracle.min;
        let left = match oracle.ends() {
            Some((end, _)) if pace >= 0 => end - at,
            Some((_, start)) => at - start,
            None if oracle.length == 0 => return None,
            None if self.is(GraphMistake::SeamMissed) => oracle.length - at,
            // Up to the next border, not the one that it stands on.
            None if pace >= 0 => (at.div_euclid(oracle.length) + 1) * oracle.length - at,
            None => at - (-(-at).div_euclid(oracle.length) - 1) * oracle.length,
        };
        Some(Way { left, pace: pace.abs() })
    }

    /// How far the clip of a node is, and its length.
    pub fn phase(&self, node: usize) -> Option<(i128, i128)> {
        let node = self.main_clock(node)?;
        let (oracle, u) = match &self.own[node] {
            Own::Clip { u, .. } => (self.world.oracles[node].as_ref().expect("a clip has one"), *u),
            Own::Sync { leader, u, .. } => (&self.world.loops[self.world.groups[node][*leader].clip], *u),
            _ => unreachable!("clips and sync spaces have clocks"),
        };
        (oracle.length > 0).then(|| ((oracle.local(u) - oracle.min).clamp(0, oracle.length), oracle.length))
    }

    /// Ticks to the next moment at which something else may be decided.
    fn wait(&self) -> Option<i64> {
        let mut moments: Vec<i64> = Vec::new();
        for &node in self.world.order.iter().filter(|node| self.active[**node]) {
            match (self.part(node), &self.own[node]) {
                (part, Own::Change { current, fade, chosen_at, .. }) => {
                    moments.extend(fade.map(|fade| fade.start + fade.length));
                    moments.extend(chosen_at.map(|at| at + KEPT));
                    if let Part::Machine { states, rules, .. } = part {
                        let mut times = Vec::new();
                        rules.iter().for_each(|rule| rule.when.times(&mut times));
                        let way = if times.is_empty() { None } else { self.left(states[*current]) };
                        for below in times {
                            moments
                                .extend(way.and_then(|way| turns(way, i128::from(below))).map(|wait| self.time + wait));
                        }
                    }
                }
                (_, Own::Slot(slot)) => {
                    for playing in slot.iter().flatten() {
                        moments.push(playing.fade.start + playing.fade.length);
                        let way = playing.end.map(|end| Way { left: end - playing.u, pace: i128::from(playing.speed) });
                        let end = way.and_then(Way::ticks).and_then(|ticks| i64::try_from(ticks).ok());
                        moments.extend(end.and_then(|ticks| self.time.checked_add(ticks)));
                    }
                }
                _ => {}
            }
        }
        moments.into_iter().filter(|moment| *moment > self.time).min().map(|moment| moment - self.time)
    }
}

/// The first tick after now at which less than `below` is left, or at which a new loop begins.
fn turns(way: Way, below: i128) -> Option<i64> {
    let seam = way.ticks()?;
    if seam == 0 {
        return None;
    }
    // Less and less is left up to the seam: the first tick at which it is little enough, by halving.
    let (mut low, mut high) = (0, seam);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if way.after(middle).is_some_and(|left| left < below) { high = middle } else { low = middle }
    }
    let first = if way.after(0).is_some_and(|left| left < below) { seam } else { high };
    i64::try_from(first).ok().filter(|first| *first < 1 << 61)
}

impl Test {
    fn times(&self, out: &mut Vec<i64>) {
        match self {
            Test::Always | Test::Less { .. } | Test::AtLeast { .. } => {}
            Test::TimeLeft(below) => out.push(*below),
            Test::Both(tests) | Test::Either(tests) => tests.iter().for_each(|test| test.times(out)),
            Test::Not(test) => test.times(out),
        }
    }
}

impl Playing {
    fn leave(&mut self, time: i64, length: i64) {
        (self.from, self.fade, self.leaves) = (self.weight(time), Fade { start: time, length, smooth: false }, true);
    }
}

/// The spans that hold a place.
pub fn spans(oracle: &Oracle, u: i128) -> Vec<u32> {
    let x = u - oracle.min;
    let mut of: Vec<u32> =
        oracle.intervals(x, x).into_iter().filter(|i| i.1 <= x && x < i.2).map(|interval| interval.0).collect();
    of.sort_unstable();
    of.dedup();
    of
}

pub fn heaviest(of: &[(usize, f64)]) -> Option<usize> {
    // The first of those that are as heavy.
    (0..of.len()).rev().max_by(|a, b| of[*a].1.total_cmp(&of[*b].1))
}

pub fn weight(parts: u64) -> f64 {
    parts as f64 / ONE as f64
}

pub fn speed_of(speed: Number, parameters: &[f32]) -> i64 {
    let times = speed.value(parameters).clamp(-SPEED_MAX, SPEED_MAX);
    Speed::nearest(f64::from(times)).sub_ticks_per_tick
}

/// What a slot is asked, as the code under test takes it.
pub fn play_of(clip: usize, speed: f32, times: u32) -> Play {
    Play { clip, speed, repeat: if times == 0 { Repeat::Forever } else { Repeat::Times(times) } }
}
