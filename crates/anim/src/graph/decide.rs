//! Decide: what is active from this moment on, and what changes over.

use stillframe_base::tick::Tick;

use super::clock::at_phase;
use super::node::{Choice, Op};
use super::span::Voice;
use super::state::{Change, NodeState, SLOT_CLIPS_MAX};
use super::update::sync_start;
use super::weigh::Of;
use super::{Enter, FadePolicy, Graph, GraphEvent, GraphSignal, GraphState, STATE_TIME_MIN};
use crate::time::{Controller, Fade, Weight};

/// What a switch or a machine has decided.
struct Wish<'a> {
    to: u16,
    fade: Fade,
    interruptible: bool,
    enter: Enter,
    inputs: &'a [Choice],
    policy: FadePolicy,
    memory: Option<u16>,
}

impl Graph {
    /// Decides until nothing more is decided in this moment: a rule may wait for what an input decides after it.
    ///
    /// This ends: a switch changes once, and a machine keeps what it has changed to for [`STATE_TIME_MIN`].
    pub(super) fn decide(&self, state: &mut GraphState, events: &mut Vec<GraphEvent>) {
        while self.decide_once(state, events) {}
        self.announce(state, events);
    }

    /// From the output down: every node decides before its inputs do. Whether a switch or a machine shows something
    /// else now.
    pub(super) fn decide_once(&self, state: &mut GraphState, events: &mut Vec<GraphEvent>) -> bool {
        std::mem::swap(&mut state.active, &mut state.room.was_active);
        state.active.fill(false);
        state.weights.fill(0.0);
        let output = self.nodes.len() - 1;
        (state.active[output], state.weights[output]) = (true, 1.0);
        let mut changed = false;
        for node in (0..self.nodes.len()).rev() {
            match (state.active[node], state.room.was_active[node]) {
                (true, was) => changed |= self.decide_node(state, node, !was, events),
                (false, true) => self.end_spans(state, |voice| usize::from(voice.node) == node, events),
                (false, false) => {}
            }
            if !state.active[node] {
                continue;
            }
            let mut weights = std::mem::take(&mut state.weights);
            let mut active = std::mem::take(&mut state.active);
            self.shares(node, state, state.time, Of::Any, |input, share| {
                active[usize::from(input)] = true;
                weights[usize::from(input)] += weights[node] * share;
            });
            (state.weights, state.active) = (weights, active);
        }
        changed
    }

    fn decide_node(&self, state: &mut GraphState, node: usize, woke: bool, events: &mut Vec<GraphEvent>) -> bool {
        let mut changed = false;
        match &self.nodes[node].op {
            Op::Clip { speed, .. } => {
                let speed = speed.speed(&state.parameters);
                let NodeState::Clip(controller) = &mut state.nodes[node] else { unreachable!("a clip has a clock") };
                controller.speed = speed;
            }
            Op::Sync(sync) => {
                let speed = sync.speed.speed(&state.parameters);
                let NodeState::Sync(clock) = &mut state.nodes[node] else { unreachable!("a sync space has a clock") };
                clock.controller.speed = speed;
            }
            Op::Switch(switch) => {
                let count = switch.inputs.len();
                let to = switch.index.value(&state.parameters).clamp(0.0, (count - 1) as f32) as u16;
                if woke {
                    // Nobody has seen what was shown before.
                    changed = state.change(node).current != to;
                    state.nodes[node] = NodeState::Change(Change::at(to));
                    self.forget(state, switch.memory);
                    return changed;
                }
                self.expire(state, node);
                let Change { current, last, fade, .. } = *state.change(node);
                if to != current {
                    // The book's fade under way goes on, from what it comes from.
                    let from = if fade.is_some() && switch.policy == FadePolicy::Book { last } else { current };
                    let fade = switch.fades[usize::from(from) * count + usize::from(to)];
                    let (inputs, policy, memory) = (&switch.inputs, switch.policy, switch.memory);
                    let enter = Enter::Restart;
                    self.change_over(
                        state,
                        node,
                        Wish { to, fade, interruptible: true, enter, inputs, policy, memory },
                    );
                    changed = true;
                }
            }
            Op::Machine(machine) => {
                self.expire(state, node);
                if woke {
                    let current = state.change(node).current;
                    state.nodes[node] = NodeState::Change(Change::at(current));
                    self.forget(state, machine.memory);
                }
                let Change { current, fade, interruptible, chosen_at, .. } = *state.change(node);
                let dwells = chosen_at.is_some_and(|chosen_at| state.time < chosen_at + STATE_TIME_MIN);
                if fade.is_some() && !interruptible || dwells {
                    return false;
                }
                let shown = usize::from(machine.states[usize::from(current)].node);
                let taken = machine.transitions.iter().find(|transition| {
                    transition.to != current
                        && transition.from.is_none_or(|from| from == current)
                        && self.holds(&transition.condition, state, shown)
                });
                let Some(taken) = taken else { return false };
                let fade = Fade::new(state.time, taken.fade, machine.ease)
                    .unwrap_or_else(|_| unreachable!("compiling checks lengths of fades"));
                let wish = Wish {
                    to: taken.to,
                    fade,
                    interruptible: taken.interruptible,
                    enter: taken.enter,
                    inputs: &machine.states,
                    policy: machine.policy,
                    memory: machine.memory,
                };
                self.change_over(state, node, wish);
                let signal = GraphSignal::Entered { state: taken.to };
                events.push(GraphEvent { at: state.time, node: node as u16, signal, weight: state.weights[node] });
                changed = true;
            }
            Op::Slot { fade_out, .. } => self.decide_slot(state, node, *fade_out, events),
            _ => {}
        }
        if woke || !self.nodes[node].followers.is_empty() {
            self.begin_spans(state, node, woke, events);
        }
        changed
    }

    /// Changes over to another input.
    fn change_over(&self, state: &mut GraphState, node: usize, wish: Wish<'_>) {
        let Wish { to, mut fade, interruptible, enter, inputs, policy, memory } = wish;
        let Change { current, last, fade: running, .. } = *state.change(node);
        fade.start = state.time;
        let is_book = policy == FadePolicy::Book;
        let mut from = current;
        match running {
            Some(running) if is_book => {
                // Source: section 3.6, steps 2 and 4, with the jumps they have.
                (fade.start, from) = (running.start, last);
            }
            _ => self.enter(state, &inputs[usize::from(to)], &inputs[usize::from(current)], enter),
        }
        let cut = fade.length().0 == 0 || from == to;
        let last = if is_book && cut { to } else { from };
        *state.change_mut(node) =
            Change { current: to, last, fade: (!cut).then_some(fade), interruptible, chosen_at: Some(state.time) };
        if let Some(memory) = memory {
            state.memories[usize::from(memory)].pending = Some(fade);
        }
    }

    /// Ends a fade whose time is over.
    fn expire(&self, state: &mut GraphState, node: usize) {
        let time = state.time;
        let change = state.change_mut(node);
        if change.fade.is_some_and(|fade| fade.weight(time) == Weight::ONE) {
            (change.fade, change.last, change.interruptible) = (None, change.current, true);
        }
    }

    fn forget(&self, state: &mut GraphState, memory: Option<u16>) {
        if let Some(memory) = memory {
            state.memories[usize::from(memory)].forget();
        }
    }

    /// Puts the clocks of an input that is entered. Those that the one left has too go on, as in the book; so do those
    /// that play anywhere else, which would be seen to jump there.
    fn enter(&self, state: &mut GraphState, to: &Choice, from: &Choice, how: Enter) {
        if how == Enter::Resume {
            return;
        }
        let phase = if how == Enter::Sync { self.phase(state, usize::from(from.node)) } else { None };
        for &clock in &*to.clocks {
            let node = usize::from(clock);
            if from.clocks.binary_search(&clock).is_ok() || state.room.was_active[node] {
                continue;
            }
            let fresh = match &self.nodes[node].op {
                Op::Clip { timeline, .. } => {
                    let start = Controller::play(timeline);
                    NodeState::Clip(phase.and_then(|phase| at_phase(timeline, start, phase)).unwrap_or(start))
                }
                Op::Sync(sync) => {
                    let mut clock = sync_start(sync);
                    let start = clock.controller;
                    let timeline = sync.group.timeline(clock.leader);
                    clock.controller = phase.and_then(|phase| at_phase(timeline, start, phase)).unwrap_or(start);
                    NodeState::Sync(clock)
                }
                Op::Machine(machine) => NodeState::Change(Change::at(machine.initial)),
                // It takes the input that its parameter names when it wakes.
                _ => continue,
            };
            state.nodes[node] = fresh;
        }
    }

    /// A slot's clips that have ended are faded out; those that have been are gone.
    fn decide_slot(&self, state: &mut GraphState, node: usize, fade_out: Tick, events: &mut Vec<GraphEvent>) {
        let (time, weight) = (state.time, state.weights[node]);
        let mut is_gone = [false; SLOT_CLIPS_MAX];
        for (place, is_gone) in state.slot_mut(node).iter_mut().zip(&mut is_gone) {
            let Some(playing) = place else { continue };
            let clip = playing.clip;
            if playing.is_at_end() && !playing.leaves {
                playing.leave(time, fade_out);
                events.push(GraphEvent { at: time, node: node as u16, signal: GraphSignal::Played { clip }, weight });
            }
            if playing.is_over(time) {
                (*place, *is_gone) = (None, true);
            }
        }
        let is_over = |voice: Voice| {
            usize::from(voice.node) == node && is_gone.get(usize::from(voice.part)).is_some_and(|is_gone| *is_gone)
        };
        self.end_spans(state, is_over, events);
    }
}
