//! Event: what an update tells and how often, and the way of each clock in it.

use stillframe_base::tick::Tick;

use crate::time::{Position, Signal};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphSignal {
    /// An event of a clip, by its place in the clip's list, or a lap or the end of the clip.
    Clip { clip: u16, signal: Signal },
    /// A machine entered this state, by its place in the machine's list.
    Entered { state: u16 },
    /// A slot's clip has played to its end.
    Played { clip: u16 },
}

/// A signal, and when and where in the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphEvent {
    /// The graph's time at which it is heard with steps of one tick.
    pub at: Tick,
    /// The node's place in the order of evaluation: [`Graph::node_name`](super::Graph::node_name).
    pub node: u16,
    pub signal: GraphSignal,
    /// The weight in the output, at that moment, of what tells it: of the clip, of a slot's clip its part of what the
    /// slot shows; of a sync space, whose leader speaks for all of it, the weight of the space. 0 for the end of a span
    /// that is told because nobody tells its clock any more.
    pub weight: f32,
}

/// How often one moment is told in an update that passes it several times, as long steps over short loops do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EventPolicy {
    /// As often as it is passed: the sum over all updates does not depend on how time is cut.
    #[default]
    Exact,
    /// Once, the first time. Source: section 2.2 of the book, where it is so of turns.
    OncePerUpdate,
}

impl EventPolicy {
    /// Leaves of what one update has told, from the place `first` of the list on, what the policy wants. Moments and
    /// laps are the same if they are of one node and one clip. Spans stay, so that each that begins ends, and so does
    /// what machines and slots tell.
    pub fn apply(self, events: &mut Vec<GraphEvent>, first: usize) {
        if self == EventPolicy::Exact {
            return;
        }
        let mut kept = first;
        for at in first..events.len() {
            let GraphEvent { node, signal, .. } = events[at];
            let repeats = matches!(signal, GraphSignal::Clip { signal: Signal::Point(_) | Signal::Lap, .. });
            let is_told = |told: &GraphEvent| (told.node, told.signal) == (node, signal);
            if repeats && events[first..kept].iter().any(is_told) {
                continue;
            }
            events[kept] = events[at];
            kept += 1;
        }
        events.truncate(kept);
    }
}

/// The way of a clip's clock in an update, or in a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LeafMove {
    pub node: u16,
    /// Which clip of a sync space, or which place of a slot; 0 for a clip's own node.
    pub part: u16,
    pub clip: u16,
    /// On the unwrapped line of [`Graph::leaf_timeline`](super::Graph::leaf_timeline).
    pub from: Position,
    pub to: Position,
    /// The mean of its weights in the output at both ends.
    pub weight: f32,
    /// The same of the joint that travels, 0 without one: see [`Graph::with_root`](super::Graph::with_root).
    pub travel_weight: f32,
    /// Which part of the update, from one decision to the next: ways of one part are gone at once, those of the next
    /// after them.
    pub stretch: u32,
}
