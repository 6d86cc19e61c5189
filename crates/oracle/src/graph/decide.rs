//! Decide: what is active from this tick on, and what changes over.

use stillframe_anim::graph::GraphSignal;

use super::GraphMistake;
use super::model::Character;
use super::own::{Fade, Lead, Memory, ONE, Own};
use super::script::{Entry, Part, Policy, Rule};
use super::told::Told;
use super::wait::KEPT;

impl<'w> Character<'w> {
    /// Decides until nothing more is decided in this tick.
    pub fn decide(&mut self, events: &mut Vec<Told>) {
        while self.decide_once(events) {}
        if !self.is(GraphMistake::LateStart) {
            self.announce(events);
        }
    }

    /// From the output down: every node decides before what it reads does. Whether something else is shown than before.
    pub fn decide_once(&mut self, events: &mut Vec<Told>) -> bool {
        let count = self.own.len();
        self.shown.was_active = std::mem::replace(&mut self.shown.active, vec![false; count]);
        self.shown.weights = vec![0.0; count];
        (self.shown.active[count - 1], self.shown.weights[count - 1]) = (true, 1.0);
        let mut changed = false;
        for &node in self.world.order.iter().rev() {
            match (self.shown.active[node], self.shown.was_active[node]) {
                (true, was) => changed |= self.decide_node(node, !was, events),
                (false, true) => self.end_spans(node, |_| true, events),
                (false, false) => {}
            }
            if self.shown.active[node] {
                for (input, share) in self.shares(node, self.time) {
                    self.shown.active[input] = true;
                    self.shown.weights[input] += self.shown.weights[node] * share;
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
                    events.push(Told { at: self.time, node, signal, weight: self.shown.weights[node] });
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
            let plays = (from[node] || self.shown.was_active[node]) && !self.is(GraphMistake::SharedRestart);
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
                    let length = self.world.reels[self.world.groups[node][0].clip].line.length;
                    self.own[node] = Own::Sync { lead: Lead { leader: 0, u: at(0, length, 0) }, armed: true };
                }
                Part::Machine { initial, .. } => self.own[node] = Own::showing(*initial),
                _ => {}
            }
        }
    }
}
