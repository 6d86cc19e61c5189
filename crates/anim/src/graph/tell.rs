//! Tell: which of the clocks' signals are heard, and which spans have been told to begin.
//!
//! - What lies where a clock begins to play is told in the moment in which it does, if it moves; then what it arrives
//!   at.
//! - Moments are heard, and spans begin, where the weight of what tells them is at least the graph's least weight, and
//!   not 0.
//! - A span that was told to begin is told to end once: where its clock leaves it, whatever the weight then, or where
//!   nobody tells its clock any more, since its node is not active, another clip leads its space, or its place in a
//!   slot is another clip's. One that was not told to begin is not told to end.
//! - A span in which a clock already stands begins where its clock is told again, or for the first time.
//!
//! A sync space tells what its leader tells, with the weight of the whole space. What follows a clock tells the events
//! of its own clip where the clock passes their shares of the way, with its own weight.

use stillframe_base::tick::Tick;

use super::limit::{SYNC_CLIPS_MAX, bounded};
use super::node::{Op, Sync};
use super::span::{OpenSpans, Voice};
use super::state::{GraphState, NodeState, SLOT_CLIPS_MAX, SlotState};
use super::weigh::Of;
use super::{Graph, GraphEvent, GraphSignal};
use crate::time::{Controller, Fired, Position, Signal, Speed, SyncClock, Timeline, Weight};

/// Who hears what clocks tell in a part of an update.
pub(super) struct Teller<'a> {
    pub graph: &'a Graph,
    pub state: &'a GraphState,
    /// Weights depend on the time.
    pub fading: bool,
    /// Room for them.
    pub weights: &'a mut [f32],
    pub open: &'a mut OpenSpans,
    pub events: &'a mut Vec<GraphEvent>,
}

impl Teller<'_> {
    /// Passes on what a clock tells on its way. `share`: how much of its node it is.
    pub fn tell(&mut self, voice: Voice, fired: Fired, share: impl Fn(Tick) -> f32) {
        let time = self.state.time;
        // The last whole tick before it, so that the weight does not depend on where the step began.
        let then = Tick(time.0 + (fired.travelled / i128::from(fired.pace.max(1))) as i64);
        let at = Tick(time.0 + fired.ticks_into_step().0);
        self.pass_on(voice, fired.signal, (then, at), share(then));
    }

    /// Passes on what a clock tells when it begins to move: it is heard with the first tick.
    fn tell_first(&mut self, voice: Voice, signal: Signal) {
        let time = self.state.time;
        self.pass_on(voice, signal, (time, Tick(time.0 + 1)), 1.0);
    }

    fn pass_on(&mut self, voice: Voice, signal: Signal, (then, at): (Tick, Tick), share: f32) {
        let node = usize::from(voice.node);
        let mut weight = self.state.weights[node];
        if self.fading {
            self.graph.weigh(self.state, then, Of::Any, self.weights);
            weight = self.weights[node];
        }
        self.graph.pass_on(self.open, voice, signal, (at, weight * share), self.events);
    }

    /// Another clip leads a space: what the one before stood in ends, what the new one stands in begins.
    pub fn change_leader(&mut self, node: usize, sync: &Sync, before: &SyncClock, now: &SyncClock) {
        let voice = |leader: usize| Voice { node: node as u16, part: leader as u16, clip: sync.clips[leader] };
        let (from, to) = (sync.group.timeline(before.leader), sync.group.timeline(now.leader));
        each_active(from, before.controller.position, |event| {
            self.tell_first(voice(before.leader), Signal::Leave(event));
        });
        each_active(to, now.controller.position, |event| self.tell_first(voice(now.leader), Signal::Enter(event)));
        // What follows is put where the new leader is.
        for (voice, lines) in self.graph.followers(self.state, node) {
            let (from, to) = (&lines[before.leader], &lines[now.leader]);
            for event in 0..from.events().len() {
                let was = from.is_active(event, before.controller.position);
                let is = to.is_active(event, now.controller.position);
                if was != is {
                    let event = event as u32;
                    self.tell_first(voice, if is { Signal::Enter(event) } else { Signal::Leave(event) });
                }
            }
        }
    }
}

impl Graph {
    /// Active nodes that follow a node.
    pub(super) fn followers<'a>(
        &'a self,
        state: &'a GraphState,
        node: usize,
    ) -> impl Iterator<Item = (Voice, &'a [Timeline])> {
        let followers = self.nodes[node].followers.iter().copied().filter(|node| state.active[usize::from(*node)]);
        followers.map(|node| match &self.nodes[usize::from(node)].op {
            Op::Follow { clip, lines, .. } => (Voice { node, part: 0, clip: *clip }, &**lines),
            other => unreachable!("{other:?} follows nothing"),
        })
    }

    fn pass_on(
        &self,
        open: &mut OpenSpans,
        voice: Voice,
        signal: Signal,
        (at, weight): (Tick, f32),
        events: &mut Vec<GraphEvent>,
    ) {
        let is_heavy = weight > 0.0 && weight >= self.event_weight_min;
        if open.hear(voice, signal, is_heavy) {
            let signal = GraphSignal::Clip { clip: voice.clip, signal };
            events.push(GraphEvent { at, node: voice.node, signal, weight });
        }
    }

    /// Ends the spans of some voices, now, with weight 0.
    pub(super) fn end_spans(
        &self,
        state: &mut GraphState,
        is_over: impl Fn(Voice) -> bool,
        events: &mut Vec<GraphEvent>,
    ) {
        let at = state.time;
        state.open.end(is_over, |voice, signal| {
            let signal = GraphSignal::Clip { clip: voice.clip, signal };
            events.push(GraphEvent { at, node: voice.node, signal, weight: 0.0 });
        });
    }

    /// Ends the spans of clips whose places in slots were taken.
    pub(super) fn end_replaced(&self, state: &mut GraphState, events: &mut Vec<GraphEvent>) {
        self.end_spans(state, |voice| voice.is_replaced(), events);
    }

    /// Begins the spans in which the clocks of a node stand that goes on, and of what follows it.
    pub(super) fn begin_spans(&self, state: &mut GraphState, node: usize, woke: bool, events: &mut Vec<GraphEvent>) {
        let mut open = std::mem::take(&mut state.open);
        let mut tell = |voice: Voice, timeline: &Timeline, position: Position, share: f32| {
            let weight = state.weights[usize::from(voice.node)] * share;
            each_active(timeline, position, |event| {
                self.pass_on(&mut open, voice, Signal::Enter(event), (state.time, weight), events);
            });
        };
        let woken = |voice: &Voice| !state.room.was_active[usize::from(voice.node)];
        // What has not been told yet is told when it moves.
        match (&self.nodes[node].op, &state.nodes[node]) {
            (Op::Clip { clip, timeline, .. }, NodeState::Clip(controller)) if !controller.armed => {
                if woke {
                    tell(Voice { node: node as u16, part: 0, clip: *clip }, timeline, controller.position, 1.0);
                }
                for (voice, lines) in self.followers(state, node).filter(|(voice, _)| woken(voice)) {
                    tell(voice, &lines[0], controller.position, 1.0);
                }
            }
            (Op::Sync(sync), NodeState::Sync(clock)) if !clock.controller.armed => {
                let (leader, position) = (clock.leader, clock.controller.position);
                if woke {
                    let voice = Voice { node: node as u16, part: leader as u16, clip: sync.clips[leader] };
                    tell(voice, sync.group.timeline(leader), position, 1.0);
                }
                for (voice, lines) in self.followers(state, node).filter(|(voice, _)| woken(voice)) {
                    tell(voice, &lines[leader], position, 1.0);
                }
            }
            (Op::Slot { .. }, NodeState::Slot(_)) if woke => {
                let slot = state.slot(node);
                for (place, playing) in slot.iter().enumerate() {
                    let Some(playing) = playing.filter(|playing| !playing.is_at_end() && !playing.controller.armed)
                    else {
                        continue;
                    };
                    let voice = Voice { node: node as u16, part: place as u16, clip: playing.clip };
                    let share = share_of_slot(slot, place, state.time, 1.0);
                    tell(voice, &self.clips[usize::from(playing.clip)].whole, playing.controller.position, share);
                }
            }
            _ => {}
        }
        state.open = open;
    }

    /// Tells what lies where clocks begin to play that move from now on.
    pub(super) fn announce(&self, state: &mut GraphState, events: &mut Vec<GraphEvent>) {
        let mut open = std::mem::take(&mut state.open);
        for node in 0..self.nodes.len() {
            if !state.active[node] {
                continue;
            }
            // A copy begins, so that the state can be looked at meanwhile.
            let mut own = state.nodes[node];
            let mut tell = |voice: Voice, share: f32, controller: &mut Controller, timeline: &Timeline| {
                let weight = state.weights[usize::from(voice.node)] * share;
                controller.announce(timeline, |fired| {
                    self.pass_on(&mut open, voice, fired.signal, (state.time, weight), events);
                });
            };
            match (&self.nodes[node].op, &mut own) {
                (Op::Clip { clip, timeline, .. }, NodeState::Clip(controller)) if controller.armed => {
                    for (voice, lines) in self.followers(state, node) {
                        tell(voice, 1.0, &mut controller.clone(), &lines[0]);
                    }
                    tell(Voice { node: node as u16, part: 0, clip: *clip }, 1.0, controller, timeline);
                }
                (Op::Sync(sync), NodeState::Sync(clock)) if clock.controller.armed => {
                    let speed = self.lead(sync, clock, state);
                    let mut controller = Controller { speed, ..clock.controller };
                    let leader = clock.leader;
                    for (voice, lines) in self.followers(state, node) {
                        tell(voice, 1.0, &mut controller.clone(), &lines[leader]);
                    }
                    let voice = Voice { node: node as u16, part: leader as u16, clip: sync.clips[leader] };
                    tell(voice, 1.0, &mut controller, sync.group.timeline(leader));
                    clock.controller.armed = controller.armed;
                }
                (Op::Slot { .. }, NodeState::Slot(_)) => {
                    let mut slot = *state.slot(node);
                    if !slot.iter().flatten().any(|playing| playing.controller.armed) {
                        continue;
                    }
                    for place in 0..SLOT_CLIPS_MAX {
                        let share = share_of_slot(&slot, place, state.time, 1.0);
                        let Some(playing) = &mut slot[place] else { continue };
                        if !playing.is_at_end() {
                            let voice = Voice { node: node as u16, part: place as u16, clip: playing.clip };
                            let timeline = &self.clips[usize::from(playing.clip)].whole;
                            tell(voice, share, &mut playing.controller, timeline);
                        }
                    }
                    *state.slot_mut(node) = slot;
                    continue;
                }
                _ => continue,
            }
            state.nodes[node] = own;
        }
        state.open = open;
    }

    /// Lets the clip of a space lead that is the heaviest by the parameters that hold, if the space moves, and says how
    /// fast.
    pub(super) fn lead(&self, sync: &Sync, clock: &mut SyncClock, state: &GraphState) -> Speed {
        let mut weights = [Weight::ZERO; SYNC_CLIPS_MAX];
        let weights = &mut weights[..sync.clips.len()];
        for (member, share) in sync.shares(&state.parameters).iter() {
            weights[member] = Weight::raw((f64::from(share) * Weight::ONE.parts() as f64) as u64);
        }
        bounded(sync.group.take_over(clock, weights))
    }
}

/// How much a clip of a slot has of what the slot shows, as in the pose: its weight over the input, or where those of
/// all clips, each with this weight of the mask, are more than 1, its part of them.
pub(super) fn share_of_slot(slot: &SlotState, place: usize, at: Tick, mask: f32) -> f32 {
    let weight = |playing: &super::state::Playing| playing.weight(at).value();
    let sum: f32 = slot.iter().flatten().map(|playing| weight(playing) * mask).sum();
    slot[place].as_ref().map_or(0.0, weight) / sum.max(1.0)
}

/// The spans that hold a position.
fn each_active(timeline: &Timeline, position: Position, mut visit: impl FnMut(u32)) {
    for event in 0..timeline.events().len() {
        if timeline.is_active(event, position) {
            visit(event as u32);
        }
    }
}
