//! Travel: how far the root goes in a part of a step, by the definition: what the leaves of the root's pose travel at
//! once is blended by the logarithms of their motions, and parts are gone one after the other.
//!
//! A part of a step that is cut once more may come out a little different where weights or motions are not even: how
//! much is part of the error.

use stillframe_anim::time::Mode;
use stillframe_base::tick::Tick;

use super::GraphMistake;
use super::clock::speed_of;
use super::journey::{Journey, short};
use super::model::Character;
use super::own::{Lead, Own, Playing, weight};
use super::script::{Part, Weighted};
use crate::{Oracle, SUB};

/// What f32 makes of weights, as a share of the way.
const WEIGHTS_ERROR: f64 = 4e-5;

/// What is left of the weights of a pose counts from here on: less is rounding.
const REST_MIN: f64 = 1e-5;

/// What other cuts than those that are tried may make, as a share of the difference that these do.
const CUTS_ERROR: f64 = 16.0;

/// A clock that may travel: where it stands, and how much of its pose the root has.
struct Leaf<'w> {
    clip: usize,
    oracle: &'w Oracle,
    u: i128,
    pace: i128,
    weight: f64,
}

impl Leaf<'_> {
    /// Ticks to the end of its line, if it has one.
    fn stops_after(&self) -> Option<i64> {
        let (last, first) = self.oracle.ends()?;
        let end = self.oracle.min + if self.pace > 0 { last } else { first };
        if self.pace == 0 { None } else { i64::try_from((end - self.u) / self.pace).ok().filter(|ticks| *ticks > 0) }
    }
}

impl<'w> Character<'w> {
    /// What is known now, for the way from here on. None where no clip travels.
    pub fn departure(&mut self) -> Option<Character<'w>> {
        self.world.script.travels().then(|| {
            let memories = std::mem::take(&mut self.memories);
            let departure = self.clone();
            self.memories = memories;
            departure
        })
    }

    /// Whether weights in a slot stop to change now, which nobody decides.
    pub fn is_bend(&self) -> bool {
        let is_over = |playing: &Playing| playing.fade.start + playing.fade.length == self.time;
        let is_bent = |own: &Own| matches!(own, Own::Slot(slot) if slot.iter().flatten().any(is_over));
        // Nobody looks at slots that are asleep.
        self.own.iter().zip(&self.shown.active).any(|(own, is_active)| *is_active && is_bent(own))
    }

    /// Goes the way from a departure until now. Nothing has been decided in between.
    pub fn arrive(&mut self, departure: Option<Character<'w>>) {
        if let Some(departure) = departure {
            self.way = self.way.then(departure.way_of(self.time - departure.time));
        }
    }

    fn way_of(&self, ticks: i64) -> Journey {
        let (from, to) = (self.leaves(0), self.leaves(ticks));
        let mut way = self.piece(&from, &to);
        let turns = |clip: usize| {
            let track = &self.world.reels[clip].track;
            track.as_ref().is_some_and(|track| Journey::of(&track.travel(track.duration())).turn != 0.0)
        };
        let turns = from.iter().zip(&to).any(|(a, b)| a.weight + b.weight > 0.0 && turns(a.clip));
        let is_alone = |leaves: &[Leaf<'_>]| {
            let mut shown = leaves.iter().map(|leaf| leaf.weight).filter(|weight| *weight > 0.0);
            (shown.next(), shown.next()) == (Some(1.0), None)
        };
        let is_even = from
            .iter()
            .zip(&to)
            .zip(&self.leaves((ticks + 2) / 3))
            .all(|((a, b), c)| (a.weight - b.weight).abs() < 1e-12 && (a.weight - c.weight).abs() < 1e-12);
        if !is_even || turns && !is_alone(&from) {
            // Shares without a symmetry in which errors could cancel: a cut at each, and at all.
            let shares = |of: i64| [3, 28, 57, 79].map(|percent| (i128::from(of) * percent / 100) as i64);
            // What ends early is cut within its way.
            let stop = from.iter().filter_map(Leaf::stops_after).filter(|stop| *stop < ticks / 4).max();
            let mut places = [shares(stop.unwrap_or(0)), shares(ticks)].concat();
            places.sort_unstable();
            let between: Vec<Vec<Leaf<'_>>> =
                places.into_iter().filter(|place| *place > 0).map(|place| self.leaves(place)).collect();
            let (mut before, mut all) = (&from, Journey::default());
            for after in between.iter().chain([&to]) {
                all = all.then(self.piece(before, after));
                before = after;
            }
            let once = |middle: &Vec<Leaf<'w>>| self.piece(&from, middle).then(self.piece(middle, &to));
            let cuts: Vec<Journey> = between.iter().map(once).chain([all]).collect();
            let apart = |of: &dyn Fn(&Journey) -> f64| CUTS_ERROR * cuts.iter().map(of).fold(0.0, f64::max);
            // Clips are looked at on whole ticks, so that a cut may count one of them more by another weight.
            let tick = |leaf: &Leaf<'_>| {
                let ticks = (leaf.oracle.length / SUB).max(1) as f64;
                let whole = self.world.reels[leaf.clip]
                    .track
                    .as_ref()
                    .map(|track| Journey::of(&track.travel(track.duration())));
                whole.map_or((0.0, 0.0), |whole| (whole.shift.length() / ticks, whole.turn.abs() / ticks))
            };
            let tick = from.iter().map(tick).fold((0.0, 0.0), |a, b| (f64::max(a.0, b.0), f64::max(a.1, b.1)));
            way.shift_error += apart(&|cut| (way.shift - cut.shift).length()) + 2.0 * tick.0;
            way.turn_error += apart(&|cut| short(way.turn - cut.turn).abs()) + 2.0 * tick.1;
        }
        way
    }

    /// The way from leaves to where they stand later.
    fn piece(&self, from: &[Leaf<'w>], to: &[Leaf<'w>]) -> Journey {
        let mut parts: Vec<(Journey, f64)> = Vec::new();
        for (a, b) in from.iter().zip(to) {
            let share = if self.is(GraphMistake::LateTravel) { b.weight } else { (a.weight + b.weight) / 2.0 };
            if share > 0.0 {
                parts.push((self.between(a, b), share));
            }
        }
        let sum: f64 = parts.iter().map(|part| part.1).sum();
        let (mut length, mut spin) = (0.0, 0.0);
        for part in &parts {
            length = f64::max(length, part.0.shift.length() + part.0.length);
            spin = f64::max(spin, part.0.turn.abs() + part.0.spin);
        }
        // Poses that stay where they are have the rest.
        let rest = if self.is(GraphMistake::StillTravels) { 0.0 } else { 1.0 - sum };
        let mut way = match &parts[..] {
            [] => return Journey::default(),
            // What is nearly all of the weight may be taken for all of it.
            [(only, _)] if rest <= REST_MIN => {
                Journey { spin: if rest < REST_MIN / 2.0 { 0.0 } else { spin }, ..*only }
            }
            _ => {
                let whole = if rest <= REST_MIN { sum } else { 1.0 };
                parts.iter_mut().for_each(|part| part.1 /= whole);
                Journey { spin, ..Journey::mean(&parts) }
            }
        };
        way.shift_error += WEIGHTS_ERROR * length * (1.0 + spin);
        way.turn_error += WEIGHTS_ERROR * spin;
        way.length = length;
        way
    }

    /// What a clip travels from one place of its line to another: back to the first key, over whole loops, and on.
    fn between(&self, from: &Leaf<'_>, to: &Leaf<'_>) -> Journey {
        let Some(track) = &self.world.reels[from.clip].track else { return Journey::default() };
        let travel = |sub_ticks: i128| Journey::of(&track.travel(Tick(sub_ticks.div_euclid(SUB) as i64)));
        let oracle = from.oracle;
        let way = |u: i128| travel(oracle.local(u));
        let mut whole = way(from.u).inverse();
        let loops = pass_of(oracle, to.u) - pass_of(oracle, from.u);
        let (mut start, mut end) = (travel(oracle.min), travel(oracle.min + oracle.length));
        if oracle.playback.reverse {
            (start, end) = (end, start);
        }
        let seam = end.then(start.inverse());
        let seam = if loops < 0 { seam.inverse() } else { seam };
        if !self.is(GraphMistake::SeamLost) {
            (0..loops.abs()).for_each(|_| whole = whole.then(seam));
        }
        // What comes back has gone further than it seems.
        let round = |u: i128| if oracle.length == 0 { 0 } else { (u - oracle.min).div_euclid(oracle.length) };
        let is_back = matches!(oracle.playback.mode, Mode::PingPong(_)) && round(from.u) != round(to.u);
        let length = if is_back { seam.shift.length() } else { 0.0 };
        // Where a turn is taken back, it matters most how a blend of it is cut.
        let spin = if is_back && seam.turn != 0.0 { std::f64::consts::PI } else { 0.0 };
        Journey { length, spin, ..whole.then(way(to.u)) }
    }

    /// Every clock that runs, as it is so many ticks after now.
    fn leaves(&self, ticks: i64) -> Vec<Leaf<'w>> {
        let (world, at) = (self.world, self.time + ticks);
        let weights = self.root_weights(at);
        let mut out = Vec::new();
        for &node in world.order.iter().filter(|node| self.shown.active[**node]) {
            match (&world.script.nodes[node], &self.own[node]) {
                (Part::Clip { clip, speed, .. }, Own::Clip { u, .. }) => {
                    let oracle = world.oracles[node].as_ref().expect("a clip has one");
                    let pace = i128::from(speed_of(*speed, &self.parameters));
                    let u = oracle.stop(*u, u + pace * i128::from(ticks));
                    out.push(Leaf { clip: *clip, oracle, u, pace, weight: weights[node] });
                }
                (Part::SyncSpace { .. }, Own::Sync { lead, .. }) => {
                    let pace = self.pace_of_group(node);
                    let now = if pace == 0 || ticks == 0 { *lead } else { self.leads(node) };
                    let then = Lead { u: now.u + pace * i128::from(ticks), ..now };
                    for (member, share) in self.members(node) {
                        let clip = world.groups[node][member].clip;
                        let u = self.place(node, then, member, false);
                        let weight = weights[node] * f64::from(share);
                        out.push(Leaf { clip, oracle: &world.reels[clip].line, u, pace, weight });
                    }
                }
                (Part::Slot { mask, .. }, Own::Slot(slot)) => {
                    for (place, playing) in slot.iter().enumerate() {
                        let Some(playing) = playing else { continue };
                        let mask = self.at_root(*mask);
                        let weight = weights[node] * self.share_of_slot(slot, place, at, mask) * mask;
                        let oracle = &world.reels[playing.clip].line;
                        let (clip, pace) = (playing.clip, i128::from(playing.speed));
                        out.push(Leaf { clip, oracle, u: playing.after(ticks), pace, weight });
                    }
                }
                _ => {}
            }
        }
        out
    }

    /// How much of a mask the root has.
    fn at_root(&self, mask: Option<usize>) -> f64 {
        if self.is(GraphMistake::MostTravels) {
            f64::from(self.world.mask_max(mask))
        } else {
            self.world.masked(mask, 0)
        }
    }

    /// How much of each node is in the root's pose at a moment of the present part of a step.
    fn root_weights(&self, at: i64) -> Vec<f64> {
        let mut weights = vec![0.0; self.own.len()];
        weights[self.own.len() - 1] = 1.0;
        for &reader in self.world.order.iter().rev() {
            if weights[reader] > 0.0 {
                for (input, share) in self.root_shares(reader, at) {
                    weights[input] += weights[reader] * share;
                }
            }
        }
        weights
    }

    fn root_shares(&self, node: usize, at: i64) -> Vec<(usize, f64)> {
        let numbers = &self.parameters[..];
        match &self.world.script.nodes[node] {
            // What is added on top takes the root nowhere.
            Part::Additive { base, .. } => vec![(*base, 1.0)],
            Part::Delta { .. } => Vec::new(),
            Part::Partial { inputs, joints, .. } => {
                let weight = |(number, own): (usize, &Weighted)| {
                    let of = |joint| self.part_weight((number, own), joints, joint);
                    let all = 0..self.world.joint_count();
                    if self.is(GraphMistake::MostTravels) { all.map(of).fold(0.0, f64::max) } else { of(0) }
                };
                let weights: Vec<f64> = inputs.iter().enumerate().map(weight).collect();
                let sum: f64 = weights.iter().sum();
                inputs.iter().zip(weights).filter(|own| own.1 > 0.0).map(|(own, w)| (own.node, w / sum)).collect()
            }
            Part::Layers { base, layers } => {
                let (mut left, mut out) = (1.0, Vec::new());
                for own in layers.iter().rev().filter(|own| !own.add) {
                    let share = f64::from(own.weight.share(numbers)) * self.at_root(own.mask);
                    out.push((own.node, share * left));
                    left *= 1.0 - share;
                }
                out.push((*base, left));
                out
            }
            Part::Slot { input, mask, .. } => {
                let Own::Slot(slot) = &self.own[node] else { unreachable!("a slot has room for clips") };
                let sum: f64 = slot.iter().flatten().map(|playing| weight(playing.weight(at))).sum();
                vec![(*input, (1.0 - sum * self.at_root(*mask)).max(0.0))]
            }
            _ => self.shares(node, at),
        }
    }
}

impl Playing {
    /// Where it stands so many ticks later.
    fn after(&self, ticks: i64) -> i128 {
        let goal = self.u + i128::from(self.speed) * i128::from(ticks);
        self.end.map_or(goal, |end| if self.u >= end { self.u } else { goal.min(end) })
    }
}

/// The loop whose travel a place has. The end of the last one is not the start of another; what comes back goes
/// nowhere.
fn pass_of(oracle: &Oracle, u: i128) -> i128 {
    if !matches!(oracle.playback.mode, Mode::Loop(_)) || oracle.length == 0 {
        return 0;
    }
    let x = u - oracle.min;
    match oracle.passes {
        Some(passes) => (x.div_euclid(oracle.length)).clamp(0, passes - 1),
        None => x.div_euclid(oracle.length),
    }
}
