//! State: what one character plays. Plain data: to be cloned, compared, stored and continued at any moment.

use stillframe_base::tick::Tick;

use super::LeafMove;
use super::memory::PoseMemory;
use super::span::OpenSpans;
use crate::time::{Controller, Fade, Position, Repeat, SyncClock, Timeline, Weight};

/// What one character plays of a [`Graph`](super::Graph). Made by [`Graph::start`](super::Graph::start), and of use
/// with that graph only.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphState {
    pub(super) time: Tick,
    pub(super) parameters: Vec<f32>,
    pub(super) nodes: Vec<NodeState>,
    /// Of each node its weight in the output.
    pub(super) weights: Vec<f32>,
    pub(super) active: Vec<bool>,
    pub(super) room: Room,
    pub(super) slots: Vec<SlotState>,
    /// A slot was asked for something since the last decision, so that weights may be others now.
    pub(super) asked: bool,
    /// Spans that go on for those who hear.
    pub(super) open: OpenSpans,
    pub(super) moves: Vec<LeafMove>,
    pub(super) memories: Vec<PoseMemory>,
}

/// Room for what an update finds anew before it reads it, of each node. No state.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Room {
    /// Weights at the moment of a signal.
    pub weights_then: Vec<f32>,
    /// Weights at the end of a part of an update.
    pub weights_after: Vec<f32>,
    /// What was active before the present decision.
    pub was_active: Vec<bool>,
    /// Weights of the joint that travels, at both ends of a part of an update; empty without one.
    pub travel_weights: [Vec<f32>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum NodeState {
    /// Depends on its inputs and parameters alone.
    Plain,
    Clip(Controller),
    Sync(SyncClock),
    /// Of a switch or a machine.
    Change(Change),
    /// Its place among the slots.
    Slot(u16),
}

/// Which input is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Change {
    pub current: u16,
    /// What is faded out, or was last.
    pub last: u16,
    /// From `last` to `current`.
    pub fade: Option<Fade>,
    pub interruptible: bool,
    /// When a transition to `current` was taken.
    pub chosen_at: Option<Tick>,
}

/// Clips that a slot plays at once: one, and older ones that are being faded out. One more takes the place of the
/// lightest.
pub(super) const SLOT_CLIPS_MAX: usize = 4;

pub(super) type SlotState = [Option<Playing>; SLOT_CLIPS_MAX];

/// A clip in a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Playing {
    pub clip: u16,
    pub controller: Controller,
    /// Where its last loop ends; none for an endless one.
    pub end: Option<Position>,
    /// From `from`, to 1 or to 0.
    pub fade: Fade,
    pub from: Weight,
    pub leaves: bool,
}

/// What a slot is asked to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Play {
    /// The clip's place in the graph's list.
    pub clip: usize,
    /// Forward: limited to 1/65536 to [`SPEED_MAX`](super::SPEED_MAX).
    pub speed: f32,
    pub repeat: Repeat,
}

/// What a switch or a machine shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The place of the input, or of the state.
    pub current: usize,
    /// What is being faded out, or was last.
    pub last: usize,
    /// From `last` to `current`.
    pub fade: Option<Fade>,
}

impl GraphState {
    /// Time played since the start.
    pub fn time(&self) -> Tick {
        self.time
    }
    /// What holds now, in the order of the graph's parameters.
    pub fn parameters(&self) -> &[f32] {
        &self.parameters
    }
    /// The weight of a node in the output.
    pub fn weight(&self, node: usize) -> f32 {
        self.weights[node]
    }
    /// Whether a node's clock runs and its pose is made.
    pub fn is_active(&self, node: usize) -> bool {
        self.active[node]
    }
    /// What a switch or a machine shows. None for other nodes.
    pub fn shown(&self, node: usize) -> Option<Shown> {
        let NodeState::Change(Change { current, last, fade, .. }) = self.nodes[node] else { return None };
        Some(Shown { current: usize::from(current), last: usize::from(last), fade })
    }
    /// The clock of a clip, or of the clip that leads a sync space: its place among the space's clips, and its
    /// position. None for other nodes.
    pub fn clock(&self, node: usize) -> Option<(usize, Position)> {
        match &self.nodes[node] {
            NodeState::Clip(controller) => Some((0, controller.position)),
            NodeState::Sync(clock) => Some((clock.leader, clock.controller.position)),
            _ => None,
        }
    }
    /// What plays in a slot: clips, their positions, and their weights over the slot's input, which may be more than 1
    /// in all while one that leaves slowly is replaced by one that comes fast; then each shows its part of them.
    /// Nothing for other nodes.
    pub fn playing(&self, node: usize) -> impl Iterator<Item = (usize, Position, Weight)> + '_ {
        let slot = match self.nodes[node] {
            NodeState::Slot(slot) => &self.slots[usize::from(slot)][..],
            _ => &[],
        };
        slot.iter()
            .flatten()
            .map(|playing| (usize::from(playing.clip), playing.controller.position, playing.weight(self.time)))
    }
    pub(super) fn change(&self, node: usize) -> &Change {
        match &self.nodes[node] {
            NodeState::Change(change) => change,
            other => unreachable!("a switch or a machine has {other:?}"),
        }
    }
    pub(super) fn change_mut(&mut self, node: usize) -> &mut Change {
        match &mut self.nodes[node] {
            NodeState::Change(change) => change,
            other => unreachable!("a switch or a machine has {other:?}"),
        }
    }
    pub(super) fn slot(&self, node: usize) -> &SlotState {
        &self.slots[self.slot_index(node)]
    }
    pub(super) fn slot_mut(&mut self, node: usize) -> &mut SlotState {
        let index = self.slot_index(node);
        &mut self.slots[index]
    }
    fn slot_index(&self, node: usize) -> usize {
        match self.nodes[node] {
            NodeState::Slot(index) => usize::from(index),
            other => unreachable!("a slot has {other:?}"),
        }
    }

    /// Takes numbers of parameters in; what is not finite changes nothing.
    pub(super) fn take_in(&mut self, parameters: &[f32]) {
        assert_eq!(parameters.len(), self.parameters.len(), "a number a parameter");
        for (own, value) in self.parameters.iter_mut().zip(parameters) {
            if value.is_finite() {
                *own = *value;
            }
        }
    }

    /// The ways of the clocks in the last update, in the order in which they were gone.
    pub fn moves(&self) -> &[LeafMove] {
        &self.moves
    }
}

impl Change {
    pub fn at(input: u16) -> Change {
        Change { current: input, last: input, fade: None, interruptible: true, chosen_at: None }
    }
}

impl Playing {
    /// Its weight over the slot's input.
    pub fn weight(&self, at: Tick) -> Weight {
        let share = self.fade.weight(at);
        let along = |rest: u64| ((u128::from(rest) * u128::from(share.parts())) >> 32) as u64;
        if self.leaves {
            Weight::raw(self.from.parts() - along(self.from.parts()))
        } else {
            Weight::raw(self.from.parts() + along(self.from.rest().parts()))
        }
    }

    /// Where in its clip it is; `timeline` is all of that.
    pub fn at(&self, timeline: &Timeline) -> Tick {
        if self.is_at_end() { timeline.length() } else { self.controller.local(timeline).tick() }
    }

    /// Whether it has been faded out.
    pub fn is_over(&self, at: Tick) -> bool {
        self.leaves && self.fade.weight(at) == Weight::ONE
    }
}
