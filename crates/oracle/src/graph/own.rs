//! Own: what nodes of a character remember from one step to the next, with whole numbers.

use super::pose::{Offset, Pose};

/// Weights in units of 2^-32.
pub const ONE: u64 = 1 << 32;

pub fn weight(parts: u64) -> f64 {
    parts as f64 / ONE as f64
}

/// A fade: when it began and how long it takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fade {
    pub start: i64,
    pub length: i64,
    pub smooth: bool,
}

impl Fade {
    pub fn weight(&self, time: i64) -> u64 {
        let since = i128::from(time) - i128::from(self.start);
        if since < 0 {
            return 0;
        }
        if since >= i128::from(self.length) {
            return ONE;
        }
        let linear = (since << 32) / i128::from(self.length);
        if self.smooth { ((linear * linear * ((3 << 32) - 2 * linear)) >> 64) as u64 } else { linear as u64 }
    }
}

/// A clip in a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playing {
    pub clip: usize,
    pub u: i128,
    pub armed: bool,
    pub speed: i64,
    pub end: Option<i128>,
    pub fade: Fade,
    pub from: u64,
    pub leaves: bool,
}

impl Playing {
    pub fn weight(&self, time: i64) -> u64 {
        let part = |rest: u64| ((u128::from(rest) * u128::from(self.fade.weight(time))) >> 32) as u64;
        if self.leaves { self.from - part(self.from) } else { self.from + part(ONE - self.from) }
    }

    pub fn is_at_end(&self) -> bool {
        self.end.is_some_and(|end| self.u >= end)
    }

    /// Is faded out from now on.
    pub fn leave(&mut self, time: i64, length: i64) {
        (self.from, self.fade, self.leaves) = (self.weight(time), Fade { start: time, length, smooth: false }, true);
    }
}

/// Clips that a slot has room for.
pub const SLOT_MAX: usize = 4;

/// Who leads clips in one phase, and where that one stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// Its place in the group.
    pub leader: usize,
    /// Sub-ticks.
    pub u: i128,
}

/// What a node remembers.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a slow model of a dozen nodes")]
pub enum Own {
    Nothing,
    Clip { u: i128, armed: bool },
    Sync { lead: Lead, armed: bool },
    Change { current: usize, last: usize, fade: Option<Fade>, interruptible: bool, chosen_at: Option<i64> },
    Slot([Option<Playing>; SLOT_MAX]),
}

impl Own {
    pub fn showing(input: usize) -> Own {
        Own::Change { current: input, last: input, fade: None, interruptible: true, chosen_at: None }
    }
}

/// Poses that a switch or a machine has shown, and what it fades from.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pub pending: Option<Fade>,
    pub fade: Option<Fade>,
    /// The last one, and the one before, each with its time.
    pub seen: Vec<(i64, Pose)>,
    pub frozen: Pose,
    pub offsets: Vec<Offset>,
}

/// What of a graph is shown, node by node.
#[derive(Clone, Debug)]
pub struct Shown {
    pub active: Vec<bool>,
    /// What was active before the last decision.
    pub was_active: Vec<bool>,
    /// In the output.
    pub weights: Vec<f64>,
}
