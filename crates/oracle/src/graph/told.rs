//! Told: what is heard of a character, and the spans that were told to begin.

use std::collections::BTreeSet;

use stillframe_anim::graph::GraphSignal;
use stillframe_anim::time::Signal;

/// What was heard: when, of which node, what, and how much of it was shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    pub at: i64,
    pub node: usize,
    pub signal: GraphSignal,
    pub weight: f64,
}

/// Who tells a signal.
#[derive(Clone, Copy, Debug)]
pub struct Voice {
    pub node: usize,
    /// Which clip of a sync space, or which place of a slot; 0 for others.
    pub part: usize,
    pub clip: usize,
}

/// A span that was told to begin and not to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub node: usize,
    /// As of a [`Voice`].
    pub part: usize,
    pub clip: u16,
    pub event: u32,
}

/// Spans that go on, and the ends of others that are not told yet.
#[derive(Clone, Debug, Default)]
pub struct Spans {
    pub begun: BTreeSet<Span>,
    /// Of spans whose place in a slot another clip has taken.
    pub ends: Vec<Told>,
}

impl Spans {
    /// Ends some spans, with weight 0.
    pub fn end(&mut self, at: i64, is_over: impl Fn(&Span) -> bool) -> Vec<Told> {
        let (ended, begun): (BTreeSet<_>, BTreeSet<_>) = std::mem::take(&mut self.begun).into_iter().partition(is_over);
        self.begun = begun;
        let told = |Span { node, clip, event, .. }| {
            let signal = GraphSignal::Clip { clip, signal: Signal::Leave(event) };
            Told { at, node, signal, weight: 0.0 }
        };
        ended.into_iter().map(told).collect()
    }
}
