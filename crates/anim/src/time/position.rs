//! Position and speed: sub-ticks and sub-ticks a tick.

use stillframe_base::tick::Tick;

use super::TimeError;

/// Sub-ticks in a tick: the fixed denominator of speeds.
pub const SUB_TICKS_PER_TICK: i128 = 1 << 16;

/// A place on a clip's unwrapped time line, in sub-ticks of clip time: a loop's second pass follows its first. Always
/// within [`LIMIT`](Position::LIMIT).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "i128", into = "i128"))]
pub struct Position(i128);

impl Position {
    pub const ZERO: Position = Position(0);
    /// The farthest from 0, either way: 2^104 ticks, so that no sum inside can overflow.
    pub const LIMIT: i128 = 1 << 120;

    /// Errors: [`TimeError::Overflow`] outside of [`LIMIT`](Position::LIMIT).
    #[inline]
    pub const fn new(sub_ticks: i128) -> Result<Position, TimeError> {
        if sub_ticks.unsigned_abs() <= Position::LIMIT as u128 {
            Ok(Position(sub_ticks))
        } else {
            Err(TimeError::Overflow)
        }
    }

    pub const fn of_tick(tick: Tick) -> Position {
        Position(tick.0 as i128 * SUB_TICKS_PER_TICK)
    }

    /// One that is known to be inside.
    #[inline]
    pub(super) fn inside(sub_ticks: i128) -> Position {
        debug_assert!(Position::new(sub_ticks).is_ok(), "a position of {sub_ticks}");
        Position(sub_ticks)
    }

    /// The nearest there is.
    #[inline]
    pub(super) fn saturating(sub_ticks: i128) -> Position {
        Position(sub_ticks.clamp(-Position::LIMIT, Position::LIMIT))
    }

    pub const fn sub_ticks(self) -> i128 {
        self.0
    }

    /// The tick at or before this position: what a sampler of a clip takes. The ends of the range for what is outside.
    #[inline]
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
    #[inline]
    pub(super) fn distance(self, time: Tick) -> i128 {
        i128::from(self.sub_ticks_per_tick) * i128::from(time.0)
    }

    /// Sub-ticks a tick without the sign.
    #[inline]
    pub(super) fn pace(self) -> u64 {
        self.sub_ticks_per_tick.unsigned_abs()
    }
}

impl Default for Speed {
    fn default() -> Speed {
        Speed::ONE
    }
}

/// A length of whole ticks to divide sub-ticks by.
///
/// The fraction of a tick does not matter to the quotient, and ticks fit into 64 bits for 414 years. There a
/// multiplication by the reciprocal finds the quotient, or one less, and nothing is divided. Source: division by
/// invariant integers, Granlund and Montgomery 1994; the correction replaces their exact multiplier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    /// At least 1.
    ticks: u64,
    /// `floor((2^64 - 1) / ticks)`.
    reciprocal: u64,
}

impl Divisor {
    /// A window's length: that of no length divides as 1 and is not asked.
    pub(super) fn new(length: i128) -> Divisor {
        debug_assert!(length >= 0 && length % SUB_TICKS_PER_TICK == 0, "a length of {length} sub-ticks");
        // The widest window has 2^64 - 1 ticks.
        let ticks = ((length >> 16) as u64).max(1);
        Divisor { ticks, reciprocal: u64::MAX / ticks }
    }

    /// Quotient and remainder towards minus infinity.
    #[inline]
    pub(super) fn divide(self, x: i128) -> (i128, i128) {
        let (whole, fraction) = (x >> 16, x & (SUB_TICKS_PER_TICK - 1));
        let ticks = whole as i64;
        if i128::from(ticks) != whole {
            let length = i128::from(self.ticks) << 16;
            return (x.div_euclid(length), x.rem_euclid(length));
        }
        // floor(-x - 1) and floor(x) are each other's complement.
        let sign = ticks >> 63;
        let positive = (ticks ^ sign) as u64;
        // Too small by less than positive / 2^64 * (1 + 1) < 1.
        let mut quotient = ((u128::from(positive) * u128::from(self.reciprocal)) >> 64) as u64;
        let mut rest = positive - quotient * self.ticks;
        if rest >= self.ticks {
            quotient += 1;
            rest -= self.ticks;
        }
        if sign != 0 {
            rest = self.ticks - 1 - rest;
        }
        (i128::from(quotient as i64 ^ sign), i128::from(rest) << 16 | fraction)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn division_is_euclid_s(
            x in -Position::LIMIT..=Position::LIMIT, shift in 0..120u32, near in -3..=3i128, ticks in 1..=u64::MAX, less in 0..64u32
        ) {
            let ticks = (ticks >> less).max(1);
            let length = i128::from(ticks) << 16;
            // Also close to multiples, where a quotient that is off by one would show.
            let x = x >> shift;
            for x in [x, (x - x % length).saturating_add(near)] {
                let divisor = Divisor::new(length);
                prop_assert_eq!(divisor.divide(x), (x.div_euclid(length), x.rem_euclid(length)));
            }
        }
    }

    #[test]
    fn division_at_the_ends_of_its_range() {
        for ticks in [1, 2, 3, 705_600_000, (1 << 63) - 1, 1 << 63, u64::MAX] {
            let length = i128::from(ticks) << 16;
            for x in [0, 1, -1, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1] {
                for x in [i128::from(x) << 16, (i128::from(x) << 16) + 65_535] {
                    assert_eq!(
                        Divisor::new(length).divide(x),
                        (x.div_euclid(length), x.rem_euclid(length)),
                        "{x} / {ticks}"
                    );
                }
            }
        }
    }
}
