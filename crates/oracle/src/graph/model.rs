//! The model: time, decisions, weights and events of a graph by their definitions, with whole numbers. Slow: everything
//! is found again from the lists of the script whenever it is asked for.
//!
//! What the definitions say, in short. A step is played under the numbers that hold, then new ones are taken in. A
//! decision falls on the first tick at which its cause is there, and no node can decide anything more in that tick: so
//! a step of no time changes nothing, and cutting a step neither. Clocks of nodes that nothing shows stand still.
//! Weights of a moment follow from the state alone.

use super::GraphMistake;
use super::journey::Journey;
use super::own::{Lead, Memory, Own, SLOT_MAX, Shown};
use super::script::Part;
use super::told::{Spans, Told};
use super::world::World;
use crate::SUB;

/// A step may have so many moments of decision, and clips so many passes in it; what would be more is not played.
const DECISIONS_MAX: usize = 500;
const PASSES_MAX: i128 = 200;

/// Why a script is not played on, without a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It would take too long.
    TooMuch,
    /// The step cannot be taken, and nothing has happened.
    Refused,
}

/// A character of a graph.
#[derive(Clone, Debug)]
pub struct Character<'w> {
    pub world: &'w World<'w>,
    pub mistake: Option<GraphMistake>,
    pub time: i64,
    pub parameters: Vec<f32>,
    pub own: Vec<Own>,
    pub shown: Shown,
    pub memories: Vec<Memory>,
    /// Where the last step has led.
    pub way: Journey,
    pub spans: Spans,
    /// A slot was asked for something since the last decision.
    pub asked: bool,
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
            Part::SyncSpace { .. } => Own::Sync { lead: Lead { leader: 0, u: 0 }, armed: true },
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
            shown: Shown { active: vec![false; count], was_active: vec![false; count], weights: vec![0.0; count] },
            memories: vec![Memory::default(); count],
            way: Journey::default(),
            spans: Spans::default(),
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
            events.extend(self.spans.ends.drain(..).map(|told| Told { at: time, ..told }));
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
                let arrived = departure.as_ref().map(|_| (self.own.clone(), self.shown.active.clone()));
                self.decide(&mut events);
                let is_other = |(own, active)| own != self.own || active != self.shown.active || self.is_bend();
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
                if let Own::Clip { u, .. } | Own::Sync { lead: Lead { u, .. }, .. } = own {
                    *u -= u.rem_euclid(SUB);
                }
            }
        }
    }
}
