//! Span: which spans of events have been told to begin and not yet to end, and by whom.

use crate::time::Signal;

/// Who tells a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Voice {
    pub node: u16,
    /// Which clip of a sync space, or which place of a slot; 0 for others.
    pub part: u16,
    pub clip: u16,
}

impl Voice {
    /// Whether another clip has taken its place in a slot.
    pub fn is_replaced(&self) -> bool {
        self.part == REPLACED
    }
}

/// The part of a slot's clip whose place another clip has taken.
const REPLACED: u16 = u16::MAX;

/// A span that was told to begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct OpenSpan {
    voice: Voice,
    event: u32,
}

/// Spans that were told to begin and have not ended, in order.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct OpenSpans(Vec<OpenSpan>);

impl OpenSpans {
    /// Whether a signal is heard, which for spans depends on what has been.
    pub fn hear(&mut self, voice: Voice, signal: Signal, is_heavy: bool) -> bool {
        let find = |event| self.0.binary_search(&OpenSpan { voice, event });
        match signal {
            Signal::Point(_) => is_heavy,
            Signal::Enter(event) => match find(event) {
                Err(at) if is_heavy => {
                    self.0.insert(at, OpenSpan { voice, event });
                    true
                }
                _ => false,
            },
            Signal::Leave(event) => find(event).map(|at| self.0.remove(at)).is_ok(),
            Signal::Lap | Signal::Finish => true,
        }
    }

    /// Ends the spans of some voices.
    pub fn end(&mut self, is_over: impl Fn(Voice) -> bool, mut tell: impl FnMut(Voice, Signal)) {
        self.0.retain(|open| {
            let ends = is_over(open.voice);
            if ends {
                tell(open.voice, Signal::Leave(open.event));
            }
            !ends
        });
    }

    /// A clip's place in a slot is taken: its spans end with the next decision.
    pub fn replace(&mut self, node: u16, place: u16) {
        for open in self.0.iter_mut().filter(|open| (open.voice.node, open.voice.part) == (node, place)) {
            open.voice.part = REPLACED;
        }
        self.0.sort_unstable();
    }
}
