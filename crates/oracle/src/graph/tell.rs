//! Tell: what of clocks is heard, by the definition.
//!
//! A span that was told to begin is told to end once: where its clock leaves it, or where nobody tells its clock any
//! more. What lies where a clock begins is told in the moment in which it moves from then on.

use stillframe_anim::graph::GraphSignal;
use stillframe_anim::time::Signal;

use super::GraphMistake;
use super::clock::speed_of;
use super::model::Character;
use super::own::{Lead, Own, Playing, SLOT_MAX, weight};
use super::script::Part;
use super::told::{Span, Told, Voice};
use crate::Oracle;

/// Weights of f32 are as near as this.
pub const WEIGHT_ERROR: f64 = 1e-5;
/// Weights this near the least that is heard may be heard or not; one that has reached it in the mathematics is,
/// whatever rounding does.
pub const BORDER: f64 = 2.0 * WEIGHT_ERROR;

impl Character<'_> {
    /// Adds a signal of a clock to what is heard, if it is.
    pub fn hear(&mut self, part: usize, told: Told, events: &mut Vec<Told>) {
        let min = f64::from(self.world.script.event_weight_min);
        let is_heavy = told.weight > 0.0 && told.weight >= min;
        let GraphSignal::Clip { clip, signal } = told.signal else { unreachable!("clocks report clips") };
        let is_heard = match signal {
            Signal::Point(_) => is_heavy,
            Signal::Enter(event) => {
                // What follows from it is another thing if rounding makes it heard, or not.
                let is_near = |bound: f64| told.weight != bound && (told.weight - bound).abs() < BORDER;
                if is_near(min) || is_near(0.0) {
                    self.open.set(true);
                }
                is_heavy && self.spans.begun.insert(Span { node: told.node, part, clip, event })
            }
            Signal::Leave(event) => {
                self.spans.begun.remove(&Span { node: told.node, part, clip, event })
                    || self.is(GraphMistake::EndsAlone)
            }
            Signal::Lap | Signal::Finish => true,
        };
        if is_heard {
            events.push(told);
        }
    }

    /// Active nodes that follow another one, and their clips.
    pub fn followers(&self, leader: usize) -> Vec<(usize, usize)> {
        let follows = |node: &usize| match self.part(*node) {
            Part::Follow { clip, leader: own } if *own == leader && self.shown.active[*node] => Some((*node, *clip)),
            _ => None,
        };
        let is_mute = self.is(GraphMistake::FollowersMute);
        self.world.order.iter().filter_map(follows).filter(|_| !is_mute).collect()
    }

    /// Spans that end and begin where another clip leads.
    pub fn changes_of_leader(&self, node: usize, was: Lead, now: Lead) -> Vec<(Voice, Signal)> {
        let world = self.world;
        let mut out = Vec::new();
        let clip = |lead: Lead| world.groups[node][lead.leader].clip;
        let voice = |lead: Lead| Voice { node, part: lead.leader, clip: clip(lead) };
        if !self.is(GraphMistake::SpansLeft) {
            let old = spans(&world.reels[clip(was)].line, was.u);
            out.extend(old.into_iter().map(|event| (voice(was), Signal::Leave(event))));
        }
        let new = spans(&world.reels[clip(now)].line, now.u);
        out.extend(new.into_iter().map(|event| (voice(now), Signal::Enter(event))));
        for (follower, clip) in self.followers(node) {
            let lines = &world.followed[follower];
            let (old, new) = (spans(&lines[was.leader], was.u), spans(&lines[now.leader], now.u));
            let ends = old.iter().filter(|event| !new.contains(event)).map(|event| Signal::Leave(*event));
            let begins = new.iter().filter(|event| !old.contains(event)).map(|event| Signal::Enter(*event));
            out.extend(ends.chain(begins).map(|signal| (Voice { node: follower, part: 0, clip }, signal)));
        }
        out
    }

    /// The share of the whole space, for which its leader speaks.
    pub fn share_of_leader(&self, node: usize, leader: usize) -> f64 {
        let own = || self.members(node).into_iter().find(|member| member.0 == leader);
        if self.is(GraphMistake::LeaderAlone) { own().map_or(0.0, |member| f64::from(member.1)) } else { 1.0 }
    }

    /// How much of what a slot shows is of one of its clips: all of them have 1 at most.
    pub fn share_of_slot(&self, slot: &[Option<Playing>; SLOT_MAX], place: usize, at: i64, mask: f64) -> f64 {
        let of = |playing: &Playing| weight(playing.weight(at));
        let sum: f64 = slot.iter().flatten().map(|playing| of(playing) * mask).sum();
        let sum = if self.is(GraphMistake::SlotHeavy) { 1.0 } else { sum.max(1.0) };
        slot[place].as_ref().map_or(0.0, of) / sum
    }

    /// The lines of a node and of what follows it on which signals come now.
    fn lines(&self, node: usize) -> Vec<Line<'_>> {
        let world = self.world;
        let mut out = Vec::new();
        match (self.part(node), &self.own[node]) {
            (Part::Clip { clip, speed, .. }, Own::Clip { u, armed }) => {
                let oracle = world.oracles[node].as_ref().expect("a clip has one");
                let pace = i128::from(speed_of(*speed, &self.parameters));
                let line = Line { node, part: 0, clip: *clip, oracle, u: *u, pace, share: 1.0, armed: *armed };
                for (node, clip) in self.followers(node) {
                    out.push(Line { node, clip, oracle: &world.followed[node][0], ..line });
                }
                out.push(line);
            }
            (Part::SyncSpace { .. }, Own::Sync { lead, armed }) => {
                let pace = self.pace_of_group(node);
                let Lead { leader, u } = if *armed && pace != 0 { self.leads(node) } else { *lead };
                let clip = world.groups[node][leader].clip;
                let share = self.share_of_leader(node, leader);
                let line =
                    Line { node, part: leader, clip, oracle: &world.reels[clip].line, u, pace, share, armed: *armed };
                for (node, clip) in self.followers(node) {
                    out.push(Line { node, part: 0, clip, oracle: &world.followed[node][leader], share: 1.0, ..line });
                }
                out.push(line);
            }
            (Part::Slot { .. }, Own::Slot(slot)) => {
                for (part, playing) in slot.iter().enumerate() {
                    let Some(playing) = playing.filter(|playing| !playing.is_at_end()) else { continue };
                    let Playing { clip, u, armed, speed, .. } = playing;
                    let share = self.share_of_slot(slot, part, self.time, 1.0);
                    let pace = i128::from(speed);
                    out.push(Line { node, part, clip, oracle: &world.reels[clip].line, u, pace, share, armed });
                }
            }
            _ => {}
        }
        out
    }

    /// Spans in which clocks stand begin where a node goes on.
    pub fn begin_spans(&mut self, node: usize, woke: bool, events: &mut Vec<Told>) {
        let mut told = Vec::new();
        for line in self.lines(node) {
            let begins = if line.node == node { woke } else { !self.shown.was_active[line.node] };
            if begins && !line.armed {
                told.extend(spans(line.oracle, line.u).into_iter().map(|event| line.told(self, Signal::Enter(event))));
            }
        }
        told.into_iter().for_each(|(part, told)| self.hear(part, told, events));
    }

    /// Spans of a node end where nobody tells its clocks.
    pub fn end_spans(&mut self, node: usize, is_over: impl Fn(usize) -> bool, events: &mut Vec<Told>) {
        events.extend(self.spans.end(self.time, |span| span.node == node && is_over(span.part)));
    }

    /// What lies where clocks begin is told, if they move.
    pub fn announce(&mut self, events: &mut Vec<Told>) {
        for node in self.world.order.clone() {
            if !self.shown.active[node] {
                continue;
            }
            let mut told = Vec::new();
            for line in self.lines(node).into_iter().filter(|line| line.armed && line.pace != 0) {
                let heard = line.oracle.announces(line.u, line.pace > 0);
                told.extend(heard.into_iter().map(|(_, signal)| line.told(self, signal)));
            }
            told.into_iter().for_each(|(part, told)| self.hear(part, told, events));
            let moves = self.lines(node).iter().any(|line| line.pace != 0);
            let led = if let Own::Sync { armed: true, .. } = self.own[node] { Some(self.leads(node)) } else { None };
            match &mut self.own[node] {
                Own::Clip { armed, .. } if moves => *armed = false,
                Own::Sync { lead, armed } if moves => {
                    *lead = led.unwrap_or(*lead);
                    *armed = false;
                }
                Own::Slot(slot) => {
                    slot.iter_mut().flatten().filter(|playing| !playing.is_at_end()).for_each(|own| own.armed = false);
                }
                _ => {}
            }
        }
    }
}

/// The spans that hold a place.
fn spans(oracle: &Oracle, u: i128) -> Vec<u32> {
    let x = u - oracle.min;
    let mut of: Vec<u32> =
        oracle.intervals(x, x).into_iter().filter(|i| i.1 <= x && x < i.2).map(|interval| interval.0).collect();
    of.sort_unstable();
    of.dedup();
    of
}

/// A line on which signals come.
#[derive(Clone, Copy)]
struct Line<'w> {
    node: usize,
    part: usize,
    clip: usize,
    oracle: &'w Oracle,
    u: i128,
    pace: i128,
    share: f64,
    /// What lies where it begins has not been told.
    armed: bool,
}

impl Line<'_> {
    /// A signal that comes now.
    fn told(&self, character: &Character<'_>, signal: Signal) -> (usize, Told) {
        let weight = character.shown.weights[self.node] * self.share;
        let signal = GraphSignal::Clip { clip: self.clip as u16, signal };
        (self.part, Told { at: character.time, node: self.node, signal, weight })
    }
}
