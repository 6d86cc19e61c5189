//! Fades: a weight that goes from 0 to 1 over time, exact, so that what it lets through does not depend on steps.

use stillframe_base::tick::Tick;

use super::{Fired, TimeError};

/// A share from 0 to 1 in units of 2^-32. Two weights of a fade add up to 1 exactly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "u64", into = "u64"))]
pub struct Weight(u64);

impl Weight {
    pub const ZERO: Weight = Weight(0);
    pub const ONE: Weight = Weight(1 << 32);

    /// From units of 2^-32; more than 1 is 1.
    pub const fn raw(parts: u64) -> Weight {
        if parts > Weight::ONE.0 { Weight::ONE } else { Weight(parts) }
    }

    pub const fn parts(self) -> u64 {
        self.0
    }

    /// What is left to 1.
    pub const fn rest(self) -> Weight {
        Weight(Weight::ONE.0 - self.0)
    }

    /// The nearest f32. That of `rest()` may differ from `1.0 - value()` in the last bit: blend with one of them.
    pub fn value(self) -> f32 {
        self.0 as f32 * (1.0 / 4_294_967_296.0)
    }
}

impl From<u64> for Weight {
    fn from(parts: u64) -> Weight {
        Weight::raw(parts)
    }
}

impl From<Weight> for u64 {
    fn from(weight: Weight) -> u64 {
        weight.0
    }
}

/// How a weight grows over its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Ease {
    #[default]
    Linear,
    /// `3 w^2 - 2 w^3`: starts and ends without speed.
    Smooth,
}

/// A weight over time: 0 until `start`, 1 from `start + length` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "FadeRead"))]
pub struct Fade {
    pub start: Tick,
    length: Tick,
    pub ease: Ease,
}

/// A fade as it was written, not yet checked.
#[cfg(feature = "serde")]
#[derive(serde::Deserialize)]
struct FadeRead {
    start: Tick,
    length: Tick,
    ease: Ease,
}

#[cfg(feature = "serde")]
impl TryFrom<FadeRead> for Fade {
    type Error = TimeError;
    fn try_from(read: FadeRead) -> Result<Fade, TimeError> {
        Fade::new(read.start, read.length, read.ease)
    }
}

impl Fade {
    /// 55 hours.
    pub const LENGTH_MAX: Tick = Tick(1 << 47);

    /// Units:   ticks of played time, the same clock as that of the times asked for. A fade of no length is a cut at
    ///          `start`.
    /// Errors:  [`TimeError::FadeLength`].
    pub fn new(start: Tick, length: Tick, ease: Ease) -> Result<Fade, TimeError> {
        if length < Tick::ZERO || length > Fade::LENGTH_MAX {
            return Err(TimeError::FadeLength { length });
        }
        Ok(Fade { start, length, ease })
    }

    pub fn length(&self) -> Tick {
        self.length
    }

    /// The weight of what is faded in, rounded down. Its [`rest`](Weight::rest) is that of what is faded out.
    pub fn weight(&self, time: Tick) -> Weight {
        self.weight_between(time, 0, 1)
    }

    /// The weight at the instant of a signal, in a step that began at `step_start`: not at a step's end, so the same
    /// however time is cut. A signal that was scrubbed has the weight at `step_start`.
    pub fn weight_at(&self, step_start: Tick, fired: &Fired) -> Weight {
        if fired.pace == 0 {
            return self.weight(step_start);
        }
        let pace = i128::from(fired.pace);
        let (ticks, part) = (fired.travelled / pace, fired.travelled % pace);
        let Some(time) = i64::try_from(ticks).ok().and_then(|ticks| step_start.0.checked_add(ticks)) else {
            return Weight::ONE;
        };
        self.weight_between(Tick(time), part, pace)
    }

    /// The weight at `time + part / whole` ticks, with `0 <= part < whole < 2^64`.
    fn weight_between(&self, time: Tick, part: i128, whole: i128) -> Weight {
        let since = i128::from(time.0) - i128::from(self.start.0);
        if since < 0 {
            return Weight::ZERO;
        }
        if since >= i128::from(self.length.0) {
            return Weight::ONE;
        }
        // Below 2^47 * 2^64: 16 bits of the quotient at a time stay within 127.
        let numerator = since * whole + part;
        let denominator = i128::from(self.length.0) * whole;
        let high = (numerator << 16) / denominator;
        let low = (((numerator << 16) % denominator) << 16) / denominator;
        self.ease.shape(Weight(((high << 16) | low) as u64))
    }
}

impl Ease {
    fn shape(self, weight: Weight) -> Weight {
        match self {
            Ease::Linear => weight,
            Ease::Smooth => {
                // w^2 (3 - 2 w) with 32 binary places each: below 2^98.
                let parts = u128::from(weight.0);
                Weight(((parts * parts * ((3 << 32) - 2 * parts)) >> 64) as u64)
            }
        }
    }
}
