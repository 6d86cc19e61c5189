//! Position and speed: sub-ticks and sub-ticks a tick.

use stillframe_base::tick::Tick;

use super::TimeError;

/// Sub-ticks in a tick: the fixed denominator of speeds.
pub const SUB_TICKS_PER_TICK: i128 = 1 << 16;

/// A place on a clip's unwrapped time line, in sub-ticks of clip time: a loop's second pass follows its first. Always within
/// [`LIMIT`](Position::LIMIT).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "i128", into = "i128"))]
pub struct Position(i128);

impl Position {
    pub const ZERO: Position = Position(0);
    /// The farthest from 0, either way: 2^104 ticks, so that no sum inside can overflow.
    pub const LIMIT: i128 = 1 << 120;

    /// Errors: [`TimeError::Overflow`] outside of [`LIMIT`](Position::LIMIT).
    pub const fn new(sub_ticks: i128) -> Result<Position, TimeError> {
        if -Position::LIMIT <= sub_ticks && sub_ticks <= Position::LIMIT {
            Ok(Position(sub_ticks))
        } else {
            Err(TimeError::Overflow)
        }
    }

    pub const fn of_tick(tick: Tick) -> Position {
        Position(tick.0 as i128 * SUB_TICKS_PER_TICK)
    }

    /// The nearest there is.
    pub(super) fn saturating(sub_ticks: i128) -> Position {
        Position(sub_ticks.clamp(-Position::LIMIT, Position::LIMIT))
    }

    pub const fn sub_ticks(self) -> i128 {
        self.0
    }

    /// The tick at or before this position: what a sampler of a clip takes. The ends of the range for what is outside.
    pub fn tick(self) -> Tick {
        let ticks = self.0 >> 16;
        Tick(ticks.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64)
    }
}

impl TryFrom<i128> for Position {
    type Error = TimeError;
    fn try_from(sub_ticks: i128) -> Result<Position, TimeError> {
        Position::new(sub_ticks)
    }
}

impl From<Position> for i128 {
    fn from(position: Position) -> i128 {
        position.0
    }
}

/// How fast a clip plays: a fraction with the denominator 65536. Negative plays backward, zero stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Speed {
    pub sub_ticks_per_tick: i64,
}

impl Speed {
    pub const ZERO: Speed = Speed::raw(0);
    pub const ONE: Speed = Speed::raw(SUB_TICKS_PER_TICK as i64);

    pub const fn raw(sub_ticks_per_tick: i64) -> Speed {
        Speed { sub_ticks_per_tick }
    }

    pub const fn whole(times: i32) -> Speed {
        Speed::raw(times as i64 * SUB_TICKS_PER_TICK as i64)
    }

    /// The speed nearest to a number, half to even; the ends of the range for what is outside, zero for NaN.
    pub fn nearest(times: f64) -> Speed {
        Speed::raw((times * SUB_TICKS_PER_TICK as f64).round_ties_even() as i64)
    }

    /// Sub-ticks moved in `time`, with their sign. 64 by 64 bits fit into 127.
    pub(super) fn distance(self, time: Tick) -> i128 {
        i128::from(self.sub_ticks_per_tick) * i128::from(time.0)
    }

    /// Sub-ticks a tick without the sign.
    pub(super) fn pace(self) -> u64 {
        self.sub_ticks_per_tick.unsigned_abs()
    }
}

impl Default for Speed {
    fn default() -> Speed {
        Speed::ONE
    }
}

/// Quotient and remainder of sub-ticks by a length of whole ticks, towards minus infinity; `length > 0`.
///
/// The fraction of a tick does not matter to the quotient, and ticks fit into 64 bits for 414 years, where a division is
/// several times faster than of 128.
#[inline]
pub(super) fn divide(x: i128, length: i128) -> (i128, i128) {
    debug_assert!(length > 0 && length % SUB_TICKS_PER_TICK == 0, "a length of {length} sub-ticks");
    let (ticks, fraction) = (x >> 16, x & (SUB_TICKS_PER_TICK - 1));
    if let (Ok(ticks), Ok(length)) = (i64::try_from(ticks), i64::try_from(length >> 16)) {
        let (mut quotient, mut rest) = (ticks / length, ticks % length);
        if rest < 0 {
            (quotient, rest) = (quotient - 1, rest + length);
        }
        return (i128::from(quotient), i128::from(rest) << 16 | fraction);
    }
    (x.div_euclid(length), x.rem_euclid(length))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn division_is_euclid_s(x in -Position::LIMIT..=Position::LIMIT, shift in 0..120u32, ticks in 1..=i64::MAX, less in 0..63u32) {
            let (x, length) = (x >> shift, i128::from((ticks >> less).max(1)) << 16);
            prop_assert_eq!(divide(x, length), (x.div_euclid(length), x.rem_euclid(length)));
            prop_assert_eq!(divide(x, 2 * length), (x.div_euclid(2 * length), x.rem_euclid(2 * length)));
        }
    }
}
