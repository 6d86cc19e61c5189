//! Clock: where clocks go and what they tell, and who leads clips in one phase.

use stillframe_anim::graph::GraphSignal;
use stillframe_anim::time::{Signal, Speed};

use super::GraphMistake;
use super::model::Character;
use super::own::{Lead, ONE, Own};
use super::script::{Number, Part};
use super::told::{Told, Voice};
use super::world::Member;
use crate::{Oracle, SUB};

/// The fastest speed.
pub const SPEED_MAX: f32 = 1024.0;

/// A signal of a clock on its way.
struct Heard {
    /// Sub-ticks from the start of the step.
    travelled: i128,
    /// Whether it is heard on leaving.
    departs: bool,
    signal: Signal,
}

pub fn speed_of(speed: Number, parameters: &[f32]) -> i64 {
    let times = speed.value(parameters).clamp(-SPEED_MAX, SPEED_MAX);
    Speed::nearest(f64::from(times)).sub_ticks_per_tick
}

/// Where a clock of a line goes, and what it tells.
fn walk(oracle: &Oracle, u: i128, armed: bool, pace: i128, ticks: i64) -> Option<(i128, Vec<Heard>)> {
    let goal = u + pace * i128::from(ticks);
    if goal == u {
        return None;
    }
    let to = oracle.stop(u, goal);
    let mut heard = Vec::new();
    if armed {
        let announced = oracle.announces(u, goal > u).into_iter();
        heard.extend(announced.map(|(_, signal)| Heard { travelled: 0, departs: false, signal }));
    }
    for (at, signal) in oracle.fires(u, to) {
        let departs = goal < u && matches!(signal, Signal::Enter(_) | Signal::Leave(_));
        heard.push(Heard { travelled: (at - u).abs(), departs, signal });
    }
    Some((to, heard))
}

impl Character<'_> {
    /// The most passes that a clip may make in a step, about.
    pub fn passes(&self, ticks: i64, parameters: &[f32]) -> i128 {
        let mut most = 0;
        for &node in &self.world.order {
            let part = self.part(node);
            let (Part::Clip { speed, .. } | Part::SyncSpace { speed, .. }) = part else { continue };
            let pace = [&self.parameters[..], parameters].map(|numbers| speed_of(*speed, numbers).abs());
            let mut way = i128::from(pace[0].max(pace[1])) * i128::from(ticks);
            let lengths = self.world.groups[node].iter().map(|member| self.world.reels[member.clip].line.length);
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
                let length = self.world.reels[playing.clip].line.length.max(1);
                let way = i128::from(playing.speed) * i128::from(ticks);
                most = most.max(playing.end.map_or(way, |end| way.min(end)) / length);
            }
        }
        most
    }

    /// Plays a part of a step in which nothing is decided.
    pub fn advance(&mut self, ticks: i64, events: &mut Vec<Told>) {
        let (world, start) = (self.world, self.time);
        let mut told: Vec<(usize, Told)> = Vec::new();
        let mut after = self.own.clone();
        for &node in &world.order {
            if !self.shown.active[node] && !(self.is(GraphMistake::AsleepRuns)) {
                continue;
            }
            let mut tell = |voice: Voice, pace: i128, heard: Vec<Heard>, share: &dyn Fn(i64) -> f64| {
                let Voice { node, part, clip } = voice;
                for Heard { travelled, departs, signal } in heard {
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
                        if let Some((_, heard)) = walk(line, *u, *armed, pace, ticks) {
                            tell(Voice { node: follower, part: 0, clip }, pace.abs(), heard, &|_| 1.0);
                        }
                    }
                    if let Some((to, heard)) = walk(oracle, *u, *armed, pace, ticks) {
                        tell(Voice { node, part: 0, clip: *clip }, pace.abs(), heard, &|_| 1.0);
                        (*u, *armed) = (to, false);
                    }
                }
                Own::Sync { lead, armed } => {
                    let pace = self.pace_of_group(node);
                    if pace != 0 {
                        let was = *lead;
                        *lead = self.leads(node);
                        if was.leader != lead.leader && !*armed {
                            for (voice, signal) in self.changes_of_leader(node, was, *lead) {
                                let heard = vec![Heard { travelled: 0, departs: false, signal }];
                                tell(voice, pace.abs(), heard, &|_| 1.0);
                            }
                        }
                        for (follower, clip) in self.followers(node) {
                            let line = &world.followed[follower][lead.leader];
                            if let Some((_, heard)) = walk(line, lead.u, *armed, pace, ticks) {
                                tell(Voice { node: follower, part: 0, clip }, pace.abs(), heard, &|_| 1.0);
                            }
                        }
                        let clip = world.groups[node][lead.leader].clip;
                        if let Some((to, heard)) = walk(&world.reels[clip].line, lead.u, *armed, pace, ticks) {
                            let share = self.share_of_leader(node, lead.leader);
                            tell(Voice { node, part: lead.leader, clip }, pace.abs(), heard, &|_| share);
                            (lead.u, *armed) = (to, false);
                        }
                    }
                }
                Own::Slot(slot) => {
                    let before = *slot;
                    for (place, playing) in slot.iter_mut().enumerate() {
                        let Some(playing) = playing.as_mut().filter(|playing| !playing.is_at_end()) else { continue };
                        let pace = i128::from(playing.speed);
                        let oracle = &world.reels[playing.clip].line;
                        let left = playing.end.map_or(i128::MAX, |end| (end - playing.u + pace - 1) / pace);
                        let ticks = left.min(i128::from(ticks)) as i64;
                        let Some((to, mut heard)) = walk(oracle, playing.u, playing.armed, pace, ticks) else {
                            continue;
                        };
                        // The line is endless; the slot's part of it ends with a lap.
                        let at_end = |entry: &Heard| {
                            entry.signal == Signal::Lap && playing.end == Some(playing.u + entry.travelled)
                        };
                        if let Some(last) = heard.iter().position(at_end) {
                            heard.truncate(last + 1);
                        }
                        tell(Voice { node, part: place, clip: playing.clip }, pace, heard, &|at| {
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
    pub fn leads(&self, node: usize) -> Lead {
        let Own::Sync { lead, .. } = self.own[node] else { unreachable!("asked of sync spaces") };
        let Part::SyncSpace { space, speed, .. } = self.part(node) else { unreachable!("asked of sync spaces") };
        let parts = |share: f32| (f64::from(share) * ONE as f64) as u64;
        let members = self.members(node);
        let of = |member: usize| members.iter().find(|own| own.0 == member).map_or(0, |own| parts(own.1));
        if self.is(GraphMistake::LeaderStays) {
            return lead;
        }
        let best = (0..self.world.groups[node].len()).map(of).max().unwrap_or(0);
        self.doubt(space, &members.iter().map(|own| f64::from(own.1)).collect::<Vec<_>>());
        if of(lead.leader) == best {
            return lead;
        }
        let leader = (0..self.world.groups[node].len()).find(|member| of(*member) == best).unwrap_or(lead.leader);
        let up = speed_of(*speed, &self.parameters) < 0;
        Lead { leader, u: self.place(node, lead, leader, up) }
    }

    /// Where a member stands when another one leads: between the same borders at the same share.
    pub fn place(&self, node: usize, Lead { leader, u }: Lead, member: usize, up: bool) -> i128 {
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
        let ticks = |member: usize| self.world.reels[self.world.groups[node][member].clip].line.length / SUB;
        let Lead { leader, .. } = self.leads(node);
        let members = self.members(node);
        let sum: i128 = members.iter().map(|(_, share)| parts(*share)).sum();
        let lengths: i128 = members.iter().map(|(member, share)| parts(*share) * ticks(*member)).sum();
        // To the nearest, halves up.
        (2 * speed * ticks(leader) * sum + lengths).div_euclid(2 * lengths)
    }
}
