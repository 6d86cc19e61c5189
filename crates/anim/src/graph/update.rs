//! Update: time passes, and decisions are made.
//!
//! ```text
//! until the step is over: play to the next moment at which a decision may change, under the parameters that hold; then decide
//! at the step's end: take the new parameters in, decide
//! ```
//!
//! So every decision falls on the tick at which its cause does, and how a step is cut changes nothing. Sources: the
//! transitions of "Game engine: principles and practice" volume 2, section 3.6, with its rule for shared clips; state
//! machines as in Unreal and Unity.

use std::ops::ControlFlow;

use stillframe_base::tick::Tick;

use super::limit::bounded;
use super::memory::PoseMemory;
use super::node::{Op, Sync};
use super::span::{OpenSpans, Voice};
use super::state::{Change, NodeState, Play, Playing, Room, SLOT_CLIPS_MAX};
use super::tell::{Teller, share_of_slot};
use super::weigh::Of;
use super::{Graph, GraphEvent, GraphState, LeafMove, SPEED_MAX, TIME_MAX};
use crate::time::{
    Controller, Ease, Fade, Fired, Position, Repeat, Signal, Speed, SyncClock, TimeError, Timeline, Weight,
};

impl Graph {
    /// A character that begins to play, under these parameters. What lies at the start is told by the first update,
    /// also by one of no time; what machines decide in this moment is where they start and is not told.
    ///
    /// Shapes: a number a parameter. One that is not finite counts as the parameter's initial value.
    pub fn start(&self, parameters: &[f32]) -> GraphState {
        let mut slot_count = 0;
        let mut own = |op: &Op| match op {
            Op::Clip { timeline, .. } => NodeState::Clip(Controller::play(timeline)),
            Op::Sync(sync) => NodeState::Sync(sync_start(sync)),
            Op::Switch(_) => NodeState::Change(Change::at(0)),
            Op::Machine(machine) => NodeState::Change(Change::at(machine.initial)),
            Op::Slot { .. } => {
                slot_count += 1;
                NodeState::Slot(slot_count - 1)
            }
            _ => NodeState::Plain,
        };
        let memory = |op: &Op| match op {
            Op::Switch(switch) => switch.memory.map(|_| PoseMemory::new(switch.policy, self.rest.len())),
            Op::Machine(machine) => machine.memory.map(|_| PoseMemory::new(machine.policy, self.rest.len())),
            _ => None,
        };
        let count = self.nodes.len();
        let nodes = self.nodes.iter().map(|node| own(&node.op)).collect();
        let mut state = GraphState {
            time: Tick::ZERO,
            parameters: self.parameters.iter().map(|parameter| parameter.initial).collect(),
            nodes,
            slots: vec![[None; SLOT_CLIPS_MAX]; usize::from(slot_count)],
            weights: vec![0.0; count],
            active: vec![false; count],
            room: Room {
                weights_then: vec![0.0; count],
                weights_after: vec![0.0; count],
                was_active: vec![false; count],
                travel_weights: [0; 2].map(|zero| vec![0.0; self.root.map_or(zero, |_| count)]),
            },
            asked: true,
            open: OpenSpans::default(),
            moves: Vec::new(),
            memories: self.nodes.iter().filter_map(|node| memory(&node.op)).collect(),
        };
        assert_eq!(state.memories.len(), self.memory_count);
        state.take_in(parameters);
        // What happens in this moment is told by the first update.
        while self.decide_once(&mut state, &mut Vec::new()) {}
        state
    }

    /// Plays `step` ticks under the parameters that hold, then takes `parameters` in and decides. What happens is added
    /// to `events`, in order.
    ///
    /// Shapes: a number a parameter. One that is not finite leaves the parameter as it is.
    /// Errors: [`TimeError::NegativeStep`]; [`TimeError::Overflow`] beyond [`TIME_MAX`]. Then nothing has happened.
    pub fn update(
        &self,
        state: &mut GraphState,
        step: Tick,
        parameters: &[f32],
        events: &mut Vec<GraphEvent>,
    ) -> Result<(), TimeError> {
        if step < Tick::ZERO {
            return Err(TimeError::NegativeStep { step });
        }
        if step > Tick(TIME_MAX.0 - state.time.0) {
            return Err(TimeError::Overflow);
        }
        state.moves.clear();
        if std::mem::take(&mut state.asked) {
            self.end_replaced(state, events);
            self.decide(state, events);
        }
        let (mut left, mut stretch) = (step, 0);
        while left > Tick::ZERO {
            let part = self.wait(state).map_or(left, |wait| wait.min(left));
            self.advance(state, (part, stretch), events);
            left -= part;
            stretch += 1;
            if left > Tick::ZERO {
                self.decide(state, events);
            }
        }
        state.take_in(parameters);
        self.decide(state, events);
        Ok(())
    }

    /// Starts a clip in a slot, now; what plays there is faded out meanwhile. A node that is no slot, or a clip that
    /// there is not, is a bug and asserts.
    pub fn play(&self, state: &mut GraphState, slot: usize, play: &Play) {
        let Op::Slot { fade_in, .. } = self.nodes[slot].op else {
            panic!("node \"{}\" is not a slot", self.names[slot])
        };
        let timeline = &self.clips[play.clip].whole;
        let speed = Speed::nearest(f64::from(play.speed.clamp(0.0, SPEED_MAX))).max(Speed::raw(1));
        let length = Position::of_tick(timeline.length()).sub_ticks();
        let end = match play.repeat {
            Repeat::Forever => None,
            Repeat::Times(loops) => Some(length * i128::from(loops)),
        };
        let time = state.time;
        leave_slot(state, slot, fade_in);
        let playing = state.slot_mut(slot);
        let free = playing.iter().position(Option::is_none);
        let lightest = || {
            let weights = playing.iter().map(|playing| playing.map_or(Weight::ZERO, |playing| playing.weight(time)));
            weights.enumerate().min_by_key(|(_, weight)| *weight).map_or(0, |(place, _)| place)
        };
        let place = free.unwrap_or_else(lightest);
        state.open.replace(slot as u16, place as u16);
        let playing = state.slot_mut(slot);
        playing[place] = Some(Playing {
            clip: play.clip as u16,
            controller: Controller { speed, ..Controller::play(timeline) },
            // A clip is no longer than 2^62 sub-ticks, and there are fewer than 2^32 loops.
            end: end.and_then(|end| Position::new(end).ok()),
            fade: slot_fade(time, fade_in),
            from: Weight::ZERO,
            leaves: false,
        });
    }

    /// Fades out what plays in a slot, from now on. A node that is no slot is a bug and asserts.
    pub fn stop(&self, state: &mut GraphState, slot: usize) {
        let Op::Slot { fade_out, .. } = self.nodes[slot].op else {
            panic!("node \"{}\" is not a slot", self.names[slot])
        };
        leave_slot(state, slot, fade_out);
    }

    /// Plays a part of a step in which nothing is decided.
    fn advance(&self, state: &mut GraphState, (part, stretch): (Tick, u32), events: &mut Vec<GraphEvent>) {
        let after = Tick(state.time.0 + part.0);
        let mut room = std::mem::take(&mut state.room);
        let mut moves = std::mem::take(&mut state.moves);
        let fading = self.is_fading(state);
        if fading {
            self.weigh(state, after, Of::Any, &mut room.weights_after);
        } else {
            room.weights_after.copy_from_slice(&state.weights);
        }
        if let Some(root) = self.root {
            for (weights, at) in room.travel_weights.iter_mut().zip([state.time, after]) {
                self.weigh(state, at, Of::Travel(root), weights);
            }
        }
        let mut open = std::mem::take(&mut state.open);
        let first = events.len();
        for node in 0..self.nodes.len() {
            if !state.active[node] {
                continue;
            }
            // A copy moves, so that the state can be looked at meanwhile.
            let mut own = state.nodes[node];
            let mut slot = if let NodeState::Slot(_) = own { *state.slot(node) } else { [None; SLOT_CLIPS_MAX] };
            let weights = [state.weights[node], room.weights_after[node]];
            let travels = room.travel_weights.each_ref().map(|weights| weights.get(node).copied().unwrap_or(0.0));
            let own_mask = if let Op::Slot { mask, .. } = self.nodes[node].op { mask } else { None };
            let own_share = self.root.map_or(0.0, |root| self.mask_weight(own_mask, Of::Travel(root)));
            let mut go = |part: u16, clip: u16, from: Position, to: Position, shares: [[f32; 2]; 2]| {
                let mean = |of: [f32; 2], shares: [f32; 2]| 0.5 * (of[0] * shares[0] + of[1] * shares[1]);
                let (weight, travel_weight) = (mean(weights, shares[0]), mean(travels, shares[1]) * own_share);
                moves.push(LeafMove { node: node as u16, part, clip, from, to, weight, travel_weight, stretch });
            };
            let mut teller = Teller {
                graph: self,
                state,
                fading,
                weights: &mut room.weights_then,
                open: &mut open,
                events: &mut *events,
            };
            let voice = |part: usize, clip: u16| Voice { node: node as u16, part: part as u16, clip };
            match (&self.nodes[node].op, &mut own) {
                (Op::Clip { clip, timeline, .. }, NodeState::Clip(controller)) => {
                    let before = *controller;
                    play(timeline, controller, part, |fired| teller.tell(voice(0, *clip), fired, |_| 1.0));
                    go(0, *clip, before.position, controller.position, [[1.0; 2]; 2]);
                    follow(&mut teller, node, (0, before), part);
                }
                (Op::Sync(sync), NodeState::Sync(clock)) => {
                    let before = *clock;
                    let speed = self.lead(sync, clock, state);
                    let leader = clock.leader;
                    if leader != before.leader {
                        teller.change_leader(node, sync, &before, clock);
                    }
                    let begun = Controller { speed, ..clock.controller };
                    let mut controller = begun;
                    play(sync.group.timeline(leader), &mut controller, part, |fired| {
                        teller.tell(voice(leader, sync.clips[leader]), fired, |_| 1.0);
                    });
                    clock.controller = Controller { speed: clock.controller.speed, ..controller };
                    follow(&mut teller, node, (leader, begun), part);
                    for (member, share) in sync.shares(&state.parameters).iter() {
                        let place = |clock: &SyncClock| bounded(sync.group.position(clock, member));
                        go(member as u16, sync.clips[member], place(&before), place(clock), [[share; 2]; 2]);
                    }
                }
                (Op::Slot { .. }, NodeState::Slot(_)) => {
                    let before = slot;
                    let shares =
                        |place: usize, mask: f32| [state.time, after].map(|at| share_of_slot(&before, place, at, mask));
                    for (place, playing) in slot.iter_mut().enumerate() {
                        let Some(playing) = playing else { continue };
                        let (clip, from) = (playing.clip, playing.controller.position);
                        self.advance_slot(playing, part, |fired| {
                            teller.tell(voice(place, clip), fired, |at| share_of_slot(&before, place, at, 1.0));
                        });
                        let shares = [shares(place, 1.0), shares(place, own_share)];
                        go(place as u16, clip, from, playing.controller.position, shares);
                    }
                }
                _ => {}
            }
            state.nodes[node] = own;
            if let NodeState::Slot(_) = own {
                *state.slot_mut(node) = slot;
            }
        }
        events[first..].sort_by_key(|event| (event.at, event.node));
        (state.time, state.open) = (after, open);
        (state.room, state.moves) = (room, moves);
    }

    /// Plays a clip of a slot, no further than to its end.
    fn advance_slot(&self, playing: &mut Playing, part: Tick, mut visit: impl FnMut(Fired)) {
        let Playing { clip, end, .. } = *playing;
        if playing.is_at_end() {
            return;
        }
        let mut over = false;
        play(&self.clips[usize::from(clip)].whole, &mut playing.controller, part, |fired| {
            // The line is endless; the slot's part of it ends with a lap.
            if !over {
                visit(fired);
            }
            over |= fired.signal == Signal::Lap && end == Some(fired.at);
        });
        playing.controller.position =
            end.map_or(playing.controller.position, |end| playing.controller.position.min(end));
    }
}

/// Tells what follows a clock: the clock's own way over the events of others.
fn follow(teller: &mut Teller<'_>, node: usize, (leader, controller): (usize, Controller), part: Tick) {
    for (voice, lines) in teller.graph.followers(teller.state, node) {
        play(&lines[leader], &mut controller.clone(), part, |fired| teller.tell(voice, fired, |_| 1.0));
    }
}

fn play(timeline: &Timeline, controller: &mut Controller, step: Tick, mut visit: impl FnMut(Fired)) {
    bounded(controller.advance(timeline, step, |fired| {
        visit(fired);
        ControlFlow::Continue(())
    }));
}

pub(super) fn sync_start(sync: &Sync) -> SyncClock {
    let controller = Controller::play(sync.group.timeline(0));
    SyncClock { leader: 0, controller, pace: sync.pace }
}

pub(super) fn slot_fade(start: Tick, length: Tick) -> Fade {
    Fade::new(start, length, Ease::Linear).unwrap_or_else(|_| unreachable!("compiling checks lengths of fades"))
}

fn leave_slot(state: &mut GraphState, slot: usize, length: Tick) {
    let time = state.time;
    state.asked = true;
    for playing in state.slot_mut(slot).iter_mut().flatten().filter(|playing| !playing.leaves) {
        playing.leave(time, length);
    }
}

impl Playing {
    pub fn leave(&mut self, time: Tick, length: Tick) {
        (self.from, self.fade, self.leaves) = (self.weight(time), slot_fade(time, length), true);
    }
}
