//! Wait: how far clocks have to their ends, and how long it is until something else may be decided.

use stillframe_base::tick::TICKS_PER_SECOND;

use super::GraphMistake;
use super::clock::speed_of;
use super::model::Character;
use super::own::{Lead, Own};
use super::script::{Part, Test};
use super::weigh::heaviest;

/// A machine keeps a state for a millisecond.
pub const KEPT: i64 = TICKS_PER_SECOND / 1000;

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

impl Character<'_> {
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

    /// Whether a condition holds, for a state that shows `shown`.
    pub fn holds(&self, test: &Test, shown: usize) -> bool {
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

    /// How far the clip of a node has to its end, or its loop to where it begins again.
    fn left(&self, node: usize) -> Option<Way> {
        let node = self.main_clock(node)?;
        let (oracle, u, pace) = match (self.part(node), &self.own[node]) {
            (Part::Clip { speed, .. }, Own::Clip { u, .. }) => {
                let oracle = self.world.oracles[node].as_ref().expect("a clip has one");
                (oracle, *u, i128::from(speed_of(*speed, &self.parameters)))
            }
            (Part::SyncSpace { .. }, Own::Sync { lead, .. }) => {
                let pace = self.pace_of_group(node);
                let Lead { leader, u } = if pace == 0 { *lead } else { self.leads(node) };
                (&self.world.reels[self.world.groups[node][leader].clip].line, u, pace)
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
            Own::Sync { lead, .. } => (&self.world.reels[self.world.groups[node][lead.leader].clip].line, lead.u),
            _ => unreachable!("clips and sync spaces have clocks"),
        };
        (oracle.length > 0).then(|| ((oracle.local(u) - oracle.min).clamp(0, oracle.length), oracle.length))
    }

    /// Ticks to the next moment at which something else may be decided.
    pub fn wait(&self) -> Option<i64> {
        let mut moments: Vec<i64> = Vec::new();
        for &node in self.world.order.iter().filter(|node| self.shown.active[**node]) {
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
